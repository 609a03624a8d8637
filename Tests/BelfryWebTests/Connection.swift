import BelfryEngine
import BelfryTestKit
import Foundation

@testable import BelfryWeb

/// A connection to a server, with calls that block.
final class Connection: Sendable {
  /// A system call that failed.
  struct Failure: Error {
    let code: Int32
  }

  private let descriptor: Int32

  init(to address: ListenAddress) throws {
    guard var name = SocketName(address) else { throw Failure(code: EINVAL) }
    descriptor = socket(name.family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw Failure(code: errno) }
    // A server that hangs fails the test, and does not stop it for ever.
    var patience = timeval(tv_sec: Int(TimeLimit.patience.components.seconds), tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    guard name.connect(descriptor) == 0 else { throw Failure(code: errno) }
  }

  deinit { close(descriptor) }

  func send(_ text: String) throws {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw Failure(code: errno) }
      bytes = bytes.dropFirst(count)
    }
  }

  /// Says that nothing more will be sent.
  func endSide() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// The next text received; empty once the server has closed the connection.
  func next() throws -> String {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count < 0, errno == ECONNRESET { return "" }
    guard count >= 0 else { throw Failure(code: errno) }
    return String(decoding: buffer[..<count], as: UTF8.self)
  }

  /// The text received until it contains `end`.
  func text(until end: String) throws -> String {
    var text = ""
    while !text.contains(end) {
      let part = try next()
      guard !part.isEmpty else { throw Failure(code: ECONNRESET) }
      text += part
    }
    return text
  }

  /// The text received until the server closes the connection.
  func rest() -> String {
    var text = ""
    while let part = try? next(), !part.isEmpty { text += part }
    return text
  }

  /// True if anything is received within a time.
  func hasText(within time: Duration) throws -> Bool {
    var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&event, 1, Int32(time / .milliseconds(1))) == 1
  }

  /// True if the server closes the connection without another word.
  func isClosed() throws -> Bool { try next().isEmpty }
}
