import Foundation

/// A daemon or server that runs until it is stopped, with its output read by the benchmark.
final class RunningProcess {
  let identifier: pid_t
  /// Its standard output, and its standard error unless that goes to a log.
  let pipe: Pipe
  private let name: String
  private let log: String?
  private let scratch: Scratch
  private var hasEnded = false

  /// Starts a program; what it writes to standard error goes to a file.
  init(_ command: Command, log: String, scratch: Scratch) throws {
    pipe = try Pipe()
    identifier = try Spawn.start(command, output: .descriptor(pipe.writer), errors: .file(log))
    pipe.closeWriter()
    scratch.adopt(identifier)
    name = command.program.split(separator: "/").last.map(String.init) ?? command.program
    self.log = log
    self.scratch = scratch
  }

  deinit { stop() }

  /// Asks the program to end, by a signal, and waits until it has.
  ///
  /// - Returns: the status from `wait4`.
  @discardableResult func stop(by signal: Int32 = SIGTERM) -> Int32 {
    guard !hasEnded else { return 0 }
    hasEnded = true
    kill(identifier, signal)
    let ending = try? Spawn.wait(for: identifier)
    scratch.release(identifier)
    return ending?.status ?? 0
  }

  /// Waits until something listens on a port of this machine.
  ///
  /// - Throws: ``BenchmarkError`` after ten seconds.
  func waitUntilListening(on port: Int) throws {
    for _ in 0..<500 {
      if Port.isListening(port) { return }
      Clock.sleep(milliseconds: 20)
    }
    throw failure("does not listen on port \(port)")
  }

  var logged: String { log.flatMap { try? String(contentsOfFile: $0, encoding: .utf8) } ?? "" }

  /// The daemon's warnings and errors.
  var warnings: [String] {
    logged.split(whereSeparator: \.isNewline).map(String.init).filter { !$0.contains(": info: ") }
  }

  /// An error of this program, with the end of its log.
  func failure(_ what: String) -> BenchmarkError { BenchmarkError("\(name) \(what)\n\(logged.suffix(2_000))") }
}

/// TCP ports of this machine.
enum Port {
  /// A free port.
  static func free() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw BenchmarkError.system("cannot make a socket", errno) }
    defer { close(descriptor) }
    return try bind(descriptor)
  }

  /// Binds a socket to a free port.
  static func bind(_ descriptor: Int32) throws -> Int {
    var address = loopback(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        Foundation.bind(descriptor, address, length) == 0 ? getsockname(descriptor, address, &length) : -1
      }
    }
    guard result == 0 else { throw BenchmarkError.system("cannot have a port", errno) }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  /// True if a port accepts connections.
  static func isListening(_ port: Int) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var address = loopback(port)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  private static func loopback(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return address
  }
}
