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
