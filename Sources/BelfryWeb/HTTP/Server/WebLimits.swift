import Glibc
import HTTPTypes
import NIOCore

/// The limits of a connection, so that none holds up others.
struct WebLimits: Sendable {
  /// The bytes of a request's first line and fields.
  var head = 16 * 1_024
  /// The bytes of a request's body.
  var body = 1_024 * 1_024
  /// The bytes of a file that is imported.
  var upload = 64 * 1_024 * 1_024
  /// The time for a head, from its first byte.
  var headTime = TimeAmount.seconds(10)
  /// The time for a body, from the end of its head; for each further piece of a file that is imported.
  var bodyTime = TimeAmount.seconds(30)
  /// The bytes of such a piece.
  var uploadPiece = 64 * 1_024
  /// The time between two requests, and the time in which a client must read the data that waits for it.
  var idleTime = TimeAmount.seconds(60)
  /// The time for which a request may continue after its client has closed its side of the connection.
  var leaveTime = TimeAmount.seconds(1)
  /// The time for which requests may continue after a stop; the process ends within five seconds.
  var stopTime = TimeAmount.seconds(3)
  /// The time without a connection after which a socket-activated program ends.
  var unusedTime = TimeAmount.minutes(10)
  /// Connections at a time; descriptors are left for the store.
  var connections = OpenFiles.raisedLimit() - OpenFiles.reserve

  /// The path that takes files to import.
  static let uploadPath = "/api/v1/import"

  /// True for a request whose body is a file to import.
  func isUpload(_ head: HTTPRequest) -> Bool { head.path?.hasPrefix(Self.uploadPath) == true }
}

/// The number of files that the process may have open.
enum OpenFiles {
  /// The number kept for the store and the server itself.
  static let reserve = 64

  /// Raises the limit as far as the process may, to at most 65,536, and returns it.
  static func raisedLimit() -> Int {
    let most: rlim_t = 65_536
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
    var raised = rlimit(rlim_cur: min(limit.rlim_max, most), rlim_max: limit.rlim_max)
    if limit.rlim_cur < raised.rlim_cur, setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 {
      limit = raised
    }
    return max(Int(min(limit.rlim_cur, most)), 2 * reserve)
  }
}
