import Foundation
import Synchronization
import Testing

/// A process awaited by its own thread, and killed with its whole group at its deadline.
final class ChildProcess: Sendable {
  /// The end of a process.
  enum End: Hashable, Sendable {
    case exited(Int32)
    case signalled(Int32)
    /// Killed at its deadline.
    case overran
  }

  /// The target of a standard stream.
  enum Stream: Sendable {
    case closed
    case reading(String)
    case writing(String)
    case appending(String)
  }

  private struct State {
    var end: End?
    var isOverdue = false
    var waiters: [CheckedContinuation<End, Never>] = []
  }

  let pid: pid_t
  private let state = Mutex(State())

  /// Starts a process.
  ///
  /// - Parameters:
  ///   - words: the program's path and arguments, as bytes, so that they need not be UTF-8.
  ///   - environment: the whole environment; nothing is inherited.
  ///   - deadline: the time limit in seconds.
  init(
    _ words: [[UInt8]], environment: [String: String], streams: [Stream], deadline: Double
  ) throws {
    pid = try Self.spawn(words, environment: environment, streams: streams)
    Thread { self.reap() }.start()
    DispatchQueue.global().asyncAfter(deadline: .now() + deadline) { [weak self] in self?.overrun() }
  }

  /// The end of the process, once it has ended.
  var end: End {
    get async {
      await withCheckedContinuation { continuation in
        let end = state.withLock { state -> End? in
          if state.end == nil { state.waiters.append(continuation) }
          return state.end
        }
        if let end { continuation.resume(returning: end) }
      }
    }
  }

  /// True if it still runs.
  var isRunning: Bool { state.withLock { $0.end == nil } }

  /// The most memory that it has had, in kB.
  func peakMemory() throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
    return try #require((status.firstMatch(of: #/VmHWM:\s+(\d+) kB/#)?.1).flatMap { Int($0) })
  }

  /// Sends a signal to the process alone.
  func send(_ signal: Int32) {
    state.withLock { state in
      // Until the process is reaped, its number cannot be reused.
      if state.end == nil { kill(pid, signal) }
    }
  }

  /// Kills the process and its group, if it still runs.
  func killGroup() {
    state.withLock { state in
      if state.end == nil { kill(-pid, SIGKILL) }
    }
  }

  private func overrun() {
    state.withLock { state in
      guard state.end == nil else { return }
      state.isOverdue = true
      kill(-pid, SIGKILL)
    }
  }

  private func reap() {
    var info = siginfo_t()
    while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    // Processes left in its group are killed too.
    kill(-pid, SIGKILL)
    let (end, waiters) = state.withLock { state in
      var status: Int32 = 0
      waitpid(pid, &status, 0)
      let signal = status & 0x7f
      let end: End = state.isOverdue ? .overran : signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
      state.end = end
      defer { state.waiters = [] }
      return (end, state.waiters)
    }
    FakeClock.forget(pid)
    for waiter in waiters { waiter.resume(returning: end) }
  }

  private static func spawn(
    _ words: [[UInt8]], environment: [String: String], streams: [Stream]
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in streams.enumerated() {
      let number = Int32(number)
      switch stream {
      case .closed: posix_spawn_file_actions_addclose(&actions, number)
      case .reading(let path): posix_spawn_file_actions_addopen(&actions, number, path, O_RDONLY, 0)
      case .writing(let path):
        posix_spawn_file_actions_addopen(&actions, number, path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      case .appending(let path):
        posix_spawn_file_actions_addopen(&actions, number, path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
      }
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    let flags = POSIX_SPAWN_SETPGROUP | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var arguments = words.map(copy) + [nil]
    var variables = environment.map { copy(Array("\($0.key)=\($0.value)".utf8)) } + [nil]
    defer { for pointer in arguments + variables { free(pointer) } }
    let program = words.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
    var pid: pid_t = 0
    let code = posix_spawn(&pid, program, &actions, &attributes, &arguments, &variables)
    guard code == 0 else {
      throw Missing(what: program, remedy: "it cannot be started: \(String(cString: strerror(code)))")
    }
    return pid
  }

  private static func copy(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
    (bytes + [0]).withUnsafeBytes { $0.assumingMemoryBound(to: CChar.self).baseAddress.flatMap { strdup($0) } }
  }
}
