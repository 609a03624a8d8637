import Foundation

/// Starts and awaits processes with nothing but system calls in between.
enum Spawn {
  /// The destination of a child's output.
  enum Destination {
    case null
    case descriptor(Int32)
    /// A file, which is created or truncated.
    case file(String)
  }

  /// The end of a process.
  struct Ending {
    /// The status from `wait4`; 0 is success.
    var status: Int32
    /// User and system time, in milliseconds.
    var cpu: Double
    /// Peak resident memory in KiB.
    var peakMemory: Int
  }

  /// Starts a command.
  ///
  /// - Throws: ``BenchmarkError`` where the program cannot be started.
  static func start(_ command: Command, output: Destination, errors: Destination) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, command.input, O_RDONLY, 0)
    direct(STDOUT_FILENO, to: output, &actions)
    direct(STDERR_FILENO, to: errors, &actions)
    if let listener = command.listener { posix_spawn_file_actions_adddup2(&actions, listener.descriptor, 3) }

    // The benchmark ignores the signals that end it, to clean up first; its children must not.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))

    var process: pid_t = 0
    let code = withCStrings([command.program] + command.arguments) { arguments in
      withCStrings(command.environment.map { "\($0.key)=\($0.value)" }) { environment in
        posix_spawn(&process, command.program, &actions, &attributes, arguments, environment)
      }
    }
    guard code == 0 else { throw BenchmarkError.system("cannot start \(command.program)", code) }
    return process
  }

  /// Waits until a process has ended.
  static func wait(for process: pid_t) throws -> Ending {
    var status: Int32 = 0
    var usage = rusage()
    var result: pid_t = -1
    repeat {
      result = wait4(process, &status, 0, &usage)
    } while result < 0 && errno == EINTR
    guard result == process else { throw BenchmarkError.system("cannot wait for process \(process)", errno) }
    return Ending(
      status: status, cpu: milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime), peakMemory: usage.ru_maxrss)
  }

  private static func milliseconds(_ time: timeval) -> Double {
    Double(time.tv_sec) * 1e3 + Double(time.tv_usec) / 1e3
  }

  private static func direct(
    _ descriptor: Int32, to destination: Destination, _ actions: inout posix_spawn_file_actions_t
  ) {
    switch destination {
    case .null: posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
    case .descriptor(let other): posix_spawn_file_actions_adddup2(&actions, other, descriptor)
    case .file(let path):
      posix_spawn_file_actions_addopen(&actions, descriptor, path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    }
  }

  private static func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let pointers: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) } + [nil]
    defer { pointers.forEach { free($0) } }
    return body(pointers)
  }
}
