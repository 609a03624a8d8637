import BelfryModel
import FoundationEssentials
import Glibc

/// A finished run of another program.
package struct ProgramRun: Sendable {
  /// The exit status; 128 and the signal's number for a killed program.
  package let status: Int32
  /// The text of standard output.
  package let output: String
  /// The text of standard error.
  package let messages: String

  /// Runs a program found by `PATH`, without input, and without this program's other descriptors and blocked signals.
  ///
  /// - Throws: ``BelfryError`` `.notFound` if it is not installed.
  package init(_ words: [String]) throws {
    guard let path = Self.path(of: words[0], ProcessInfo.processInfo.environment) else {
      throw BelfryError(.notFound, "there is no program '\(words[0])' on this machine")
    }
    // Foundation's Process waits on a clock that does not advance under faketime.
    let output = try Pipe()
    let messages = try Pipe()
    let process = try Self.start(path, words, output, messages)
    output.closeWriting()
    messages.closeWriting()
    Pipe.read([output, messages])
    self.output = output.text
    self.messages = messages.text
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    self.status = status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + status & 0x7f
  }

  private static func start(_ path: String, _ words: [String], _ output: Pipe, _ messages: Pipe) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output.writing, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, messages.writing, STDERR_FILENO)
    // A server's connections are not marked close-on-exec, so the program would keep them open.
    let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    for descriptor in open.compactMap({ Int32($0) }) where descriptor > STDERR_FILENO {
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Blocked signals are inherited, and could not end the program.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { pointers.forEach { free($0) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, path, &actions, &attributes, &pointers, environ)
    guard code == 0 else {
      throw BelfryError(.notFound, "cannot start \(path): \(String(cString: strerror(code)))")
    }
    return process
  }

  /// The path of a program by `PATH`; a path is returned as it is.
  package static func path(of name: String, _ environment: [String: String]) -> String? {
    if name.contains("/") { return name }
    let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
    return folders.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }
}

/// The programs of Belfry, which are installed in one folder.
package enum InstalledProgram {
  /// The path of a program in the folder of this one.
  package static func path(of name: String) throws -> String {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent(name).path
  }
}

/// A pipe from a program to this one.
private final class Pipe {
  private(set) var writing: Int32
  private let reading: Int32
  private var bytes: [UInt8] = []

  init() throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0, ends.allSatisfy({ fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }) else {
      throw BelfryError(.storeFailed, "cannot create a pipe: \(String(cString: strerror(errno)))")
    }
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    closeWriting()
    close(reading)
  }

  /// The text read so far.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  func closeWriting() {
    if writing >= 0 { close(writing) }
    writing = -1
  }

  /// Reads pipes together until the program has closed them all, so that no pipe fills up while another one is read.
  static func read(_ pipes: [Pipe]) {
    var open = pipes
    while !open.isEmpty {
      var events = open.map { pollfd(fd: $0.reading, events: Int16(POLLIN), revents: 0) }
      guard poll(&events, nfds_t(events.count), -1) >= 0 || errno == EINTR else { return }
      open = zip(open, events).filter { pipe, event in event.revents == 0 || pipe.readMore() }.map(\.0)
    }
  }

  // False at the end.
  private func readMore() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = Glibc.read(reading, &buffer, buffer.count)
    if count < 0 { return errno == EINTR }
    bytes += buffer[..<count]
    return count > 0
  }
}
