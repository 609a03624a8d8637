import BelfryEngine
import BelfryModel
import FoundationEssentials
import Glibc

/// A socket that accepts connections: made here, or by the service manager.
package final class ListeningSocket: Sendable {
  /// The descriptor, which the server closes.
  let descriptor: Int32
  /// The address, with the port that the system chose.
  package let address: ListenAddress
  /// True if the service manager made it, and starts the program again for the next connection.
  package let isActivated: Bool
  private let path: String?

  private static let backlog: Int32 = 1_024

  private init(_ descriptor: Int32, _ address: ListenAddress, isActivated: Bool, path: String?) {
    self.descriptor = descriptor
    self.address = address
    self.isActivated = isActivated
    self.path = path
  }

  /// Listens on an address.
  ///
  /// - Throws: ``BelfryError`` `.tryAgain` if another program does, `.noPermission`, `.cannotCreate`.
  package convenience init(listeningOn address: ListenAddress, mode: WebSettings.SocketMode) throws(BelfryError) {
    guard var sockaddr = SocketName(address) else {
      throw BelfryError(.badConfig, "\(address) is not an address to listen on", hint: "see web.listen in the config")
    }
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = socket(sockaddr.family, type, 0)
    guard descriptor >= 0 else { throw Self.failure(address, errno) }
    do throws(BelfryError) {
      switch address {
      case .tcp:
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        try Self.check(sockaddr.bind(descriptor), address)
      case .unix(let path):
        try Self.clear(path, &sockaddr, address)
        // Other users must not connect before the mode is set.
        let mask = umask(0o177)
        let result = sockaddr.bind(descriptor)
        let code = errno
        umask(mask)
        guard result == 0 else { throw Self.failure(address, code) }
        try Self.check(chmod(path, mode.number), address)
      }
      try Self.check(listen(descriptor, Self.backlog), address)
    } catch {
      close(descriptor)
      throw error
    }
    let path: String? = if case .unix(let path) = address { path } else { nil }
    self.init(descriptor, SocketName.address(of: descriptor) ?? address, isActivated: false, path: path)
  }

  /// The socket that the service manager hands over (sd_listen_fds(3)); `nil` if it hands over none.
  ///
  /// - Parameter first: the first descriptor that it hands over.
  /// - Throws: ``BelfryError`` `.badConfig` for several sockets, and for one that is not a listening stream socket.
  package convenience init?(handedOverIn environment: [String: String], from first: Int32 = 3) throws(BelfryError) {
    guard environment["LISTEN_PID"] == "\(getpid())", let count = environment["LISTEN_FDS"].flatMap({ Int($0) }),
      count > 0
    else { return nil }
    var isListening: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard count == 1, getsockopt(first, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size) == 0, isListening == 1,
      let address = SocketName.address(of: first)
    else {
      throw BelfryError(
        .badConfig,
        "the service manager passed \(counted(count, "descriptor")) instead of one listening stream socket",
        hint: "give the socket unit one ListenStream=, and Accept=no")
    }
    _ = fcntl(first, F_SETFD, FD_CLOEXEC)
    _ = fcntl(first, F_SETFL, fcntl(first, F_GETFL) | O_NONBLOCK)
    self.init(first, address, isActivated: true, path: nil)
  }

  /// True if it is in the file system, and only its user or its group may connect.
  var isRestricted: Bool {
    guard case .unix(let path) = address else { return false }
    var status = stat()
    return stat(path, &status) == 0 && [0o600, 0o660].contains(status.st_mode & 0o777)
  }

  /// Removes the socket from the file system, if it was made here.
  func remove() {
    if let path { unlink(path) }
  }

  // A socket without a listening process was left by a killed program.
  private static func clear(
    _ path: String, _ name: inout SocketName, _ address: ListenAddress
  ) throws(BelfryError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw failure(address, EEXIST) }
    let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard probe >= 0 else { throw failure(address, errno) }
    defer { close(probe) }
    guard name.connect(probe) != 0, errno == ECONNREFUSED else { throw failure(address, EADDRINUSE) }
    unlink(path)
  }

  private static func check(_ result: Int32, _ address: ListenAddress) throws(BelfryError) {
    if result != 0 { throw failure(address, errno) }
  }

  private static func failure(_ address: ListenAddress, _ code: Int32) -> BelfryError {
    let reason = String(cString: strerror(code))
    switch code {
    case EADDRINUSE:
      return BelfryError(
        .tryAgain, "cannot listen on \(address): another program already listens there",
        hint: "stop it, or change web.listen")
    case EACCES, EPERM, EROFS:
      return BelfryError(
        .noPermission, "cannot listen on \(address): \(reason)",
        hint: "use a port from 1024 on, or a folder of your own")
    default:
      return BelfryError(.cannotCreate, "cannot listen on \(address): \(reason)", hint: "see web.listen in the config")
    }
  }
}
