import Foundation
import Testing

/// A service manager's socket for notifications.
final class NotifySocket: Sendable {
  /// The value of `$NOTIFY_SOCKET`.
  let address: String
  private let descriptor: Int32

  /// Listens at a path, or at an abstract address if it starts with `@`.
  init(_ address: String) throws {
    self.address = address
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    var bytes = Array(address.utf8)
    if address.hasPrefix("@") { bytes[0] = 0 }
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
    let head = MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: name.sun_path)
    let length = socklen_t(head + bytes.count + (address.hasPrefix("@") ? 0 : 1))
    let code = withUnsafePointer(to: name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
    }
    guard descriptor >= 0, code == 0 else {
      throw Missing(what: "a socket at \(address)", remedy: String(cString: strerror(errno)))
    }
  }

  deinit { close(descriptor) }

  /// The messages received and not yet read.
  func drain() -> [String] {
    var messages: [String] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count >= 0 else { return messages }
      messages.append(String(decoding: buffer[..<count], as: UTF8.self))
    }
  }

  /// Collects messages up to one with this prefix.
  func messages(through beginning: String) async throws -> [String] {
    var messages: [String] = []
    try await waitUntil("the daemon says '\(beginning)' to its manager") {
      messages += drain()
      return messages.contains { $0.hasPrefix(beginning) }
    }
    return messages
  }
}
