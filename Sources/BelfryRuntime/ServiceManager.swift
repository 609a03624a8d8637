import CLinuxEvents
import FoundationEssentials
import Glibc
import Synchronization

/// The service manager that started a program, notified by the protocol of sd_notify(3).
///
/// Each notification is a datagram to the socket in `$NOTIFY_SOCKET`. A manager that does not read it does not block
/// the program.
package final class ServiceManager: Sendable {
  /// The longest time that a datagram waits for a busy manager, in microseconds.
  private static let patience = 500_000

  /// The interval of the watchdog pings in microseconds, half of the watchdog's limit.
  package let pingInterval: Int64?
  private let socket: Int32
  private let address: sockaddr_un
  private let addressLength: socklen_t
  private let lastStatus = Mutex("")

  /// The manager named by the environment; `nil` without one. The variables are removed, so that no child process takes
  /// itself for the service.
  ///
  /// Call it before any other thread starts, since it changes the environment.
  package static func fromEnvironment() -> ServiceManager? {
    defer { for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { unsetenv(name) } }
    let variables = ProcessInfo.processInfo.environment
    guard let path = variables["NOTIFY_SOCKET"] else { return nil }
    return ServiceManager(path: path, pingInterval: pingInterval(variables, process: getpid()))
  }

  /// Half of the watchdog's limit; `nil` if it does not watch this process.
  package static func pingInterval(_ variables: [String: String], process: Int32) -> Int64? {
    guard let text = variables["WATCHDOG_USEC"], let limit = Int64(text), limit > 1 else { return nil }
    guard variables["WATCHDOG_PID"].map({ $0 == "\(process)" }) ?? true else { return nil }
    return limit / 2
  }

  /// A manager that listens at a path, or at an abstract address, written with a leading `@`.
  private init?(path: String, pingInterval: Int64?) {
    var bytes = Array(path.utf8)
    var address = sockaddr_un()
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard let first = bytes.first, first == UInt8(ascii: "@") || first == UInt8(ascii: "/"), bytes.count < room else {
      return nil
    }
    if first == UInt8(ascii: "@") { bytes[0] = 0 }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let descriptor = Glibc.socket(
      AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    var patience = timeval(tv_sec: 0, tv_usec: Self.patience)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    socket = descriptor
    self.address = address
    // An abstract address has no terminating zero, but a path has one.
    let path = MemoryLayout<sockaddr_un>.size - room
    addressLength = socklen_t(path + bytes.count + (first == UInt8(ascii: "/") ? 1 : 0))
    self.pingInterval = pingInterval
  }

  deinit { close(socket) }

  /// Notifies that the program runs, after its start or a reload.
  ///
  /// - Returns: the reason of a failure; `nil` on success.
  @discardableResult
  package func ready() -> String? { send("READY=1") }

  /// Notifies of a reload; ``ready()`` follows.
  package func reloading() { send("RELOADING=1\nMONOTONIC_USEC=\(belfry_monotonic_microseconds())") }

  /// Notifies that the program is about to end.
  package func stopping() { send("STOPPING=1") }

  package func ping() { send("WATCHDOG=1") }

  /// Sets the line that `systemctl status` shows; sends only changes.
  package func status(_ text: String) {
    let isNews = lastStatus.withLock { last in
      defer { last = text }
      return last != text
    }
    if isNews { send("STATUS=\(text.replacing("\n", with: " "))") }
  }

  @discardableResult
  private func send(_ message: String) -> String? {
    let bytes = Array(message.utf8)
    let count = withUnsafePointer(to: address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        sendto(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL), address, addressLength)
      }
    }
    return count == bytes.count ? nil : String(cString: strerror(errno))
  }
}
