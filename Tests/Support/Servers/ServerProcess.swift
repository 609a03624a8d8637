import BelfryModel
import BelfryTestKit
import Foundation
import Synchronization

/// A real server in a folder of its own. It is killed when the last reference to it goes, or when the test's process
/// ends.
package final class ServerProcess: Sendable {
  /// The interpreter for which Debian's packages are installed.
  package static let python = "/usr/bin/python3"

  /// The folder of the server's files; its output is in `log`.
  package let folder: TemporaryFolder
  private let pid: pid_t
  private let lifeline: Int32
  private let isStopped = Mutex(false)

  /// Starts a program.
  ///
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  package init(_ program: String, _ arguments: [String], in folder: TemporaryFolder) throws {
    self.folder = folder
    var ends: [Int32] = [0, 0]
    // Unlike a pipe's, its ends are never inherited by a program that another thread starts meanwhile.
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Self.failure("no pair of sockets", errno) }
    defer { close(ends[0]) }
    lifeline = ends[1]
    // The end of this process, of any kind, closes its end, and the guardian then kills the group.
    let guardian = "(read -r _ <&3; kill -KILL 0) & exec \"$@\" 3<&-"
    do {
      pid = try Self.spawn(
        ["/bin/sh", "-c", guardian, "sh", program] + arguments, lifeline: ends[0], log: folder.file("log"))
    } catch {
      close(ends[1])
      throw error
    }
  }

  deinit {
    stop()
    close(lifeline)
  }

  /// Kills the server and waits until it has ended.
  package func stop() {
    isStopped.withLock { isStopped in
      if isStopped { return }
      isStopped = true
      kill(-pid, SIGKILL)
      var status: Int32 = 0
      while waitpid(pid, &status, 0) == -1, errno == EINTR {}
    }
  }

  /// Suspends the server, like a machine that hangs.
  package func suspend() { kill(pid, SIGSTOP) }

  package func resume() { kill(pid, SIGCONT) }

  /// The server's output so far.
  package var log: String { text("log") }

  /// The content of one of the server's files.
  func text(_ file: String) -> String {
    // `String(contentsOfFile:)` leaks memory for an empty file.
    let handle = FileHandle(forReadingAtPath: folder.file(file))
    return String(decoding: (try? handle?.readToEnd()) ?? Data(), as: UTF8.self)
  }

  /// The port that the server prints once it listens.
  ///
  /// - Throws: ``BelfryError`` `.cannotCreate` with the server's output.
  package func announcedPort() throws -> Int {
    try wait { log.split(separator: "\n").lazy.compactMap { Int($0) }.first }
  }

  /// Waits until something accepts connections on a port of this machine.
  ///
  /// - Throws: ``BelfryError`` `.cannotCreate` with the server's output.
  package func waitUntilListening(on port: Int) throws {
    try wait { Self.accepts(port) ? () : nil }
  }

  /// Starts a server on a free port, and on another one if that was taken meanwhile.
  ///
  /// - Parameter start: starts it and waits until it listens.
  /// - Throws: the error of the last start.
  static func onFreePort<Server>(_ start: (Int) throws -> Server) throws -> Server {
    for _ in 1...4 {
      if let server = try? start(freePort()) { return server }
    }
    return try start(freePort())
  }

  /// A free TCP port of this machine.
  ///
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  package static func freePort() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in.local(0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = address.withPointer { pointer in
      bind(descriptor, pointer, size) == 0 ? getsockname(descriptor, pointer, &size) : -1
    }
    guard status == 0 else { throw failure("no free port", errno) }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  /// Waits for a value while the server starts.
  ///
  /// - Throws: ``BelfryError`` `.cannotCreate` with the server's output, where it ends before.
  func wait<Value>(for value: () -> Value?) throws -> Value {
    // More than three minutes in steps of 2 ms; a server that fails to start ends the wait earlier.
    var status: Int32 = 0
    for _ in 1...100_000 {
      if let value = value() { return value }
      if waitpid(pid, &status, WNOHANG) == pid {
        isStopped.withLock { $0 = true }
        kill(-pid, SIGKILL)
        break
      }
      poll(nil, 0, 2)
    }
    stop()
    throw BelfryError(.cannotCreate, "the server did not start (wait status \(status)): \(log)")
  }

  private static func accepts(_ port: Int) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in.local(UInt16(clamping: port))
    return address.withPointer { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 }
  }

  private static func spawn(_ words: [String], lifeline: Int32, log: String) throws -> pid_t {
    var streams = Spawn.Streams()
    streams.open(0, "/dev/null", O_RDONLY)
    streams.open(1, log, O_WRONLY | O_CREAT | O_APPEND)
    streams.duplicate(1, as: 2)
    streams.duplicate(lifeline, as: 3)
    return try Spawn.start(words, streams)
  }

  private static func failure(_ what: String, _ code: Int32) -> BelfryError {
    BelfryError(.cannotCreate, "\(what): \(String(cString: strerror(code)))")
  }
}

extension sockaddr_in {
  fileprivate static func local(_ port: UInt16) -> sockaddr_in {
    sockaddr_in(
      sin_family: sa_family_t(AF_INET), sin_port: port.bigEndian, sin_addr: in_addr(s_addr: INADDR_LOOPBACK.bigEndian),
      sin_zero: (0, 0, 0, 0, 0, 0, 0, 0))
  }

  fileprivate mutating func withPointer<Result>(_ body: (UnsafeMutablePointer<sockaddr>) -> Result) -> Result {
    withUnsafeMutablePointer(to: &self) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body) }
  }
}
