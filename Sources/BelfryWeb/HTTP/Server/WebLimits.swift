import HTTPTypes
import NIOCore

/// The most that a connection may take, so that none holds up others.
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
  /// The time between two requests, and that in which a client has to take what waits for it.
  var idleTime = TimeAmount.seconds(60)
  /// The time that a request may still take whose client has closed its side of the connection.
  var leaveTime = TimeAmount.seconds(1)
  /// The time that requests may still take after a stop; the process ends within five seconds.
  var stopTime = TimeAmount.seconds(3)
  /// The time without a connection after which a program ends that its socket has started.
  var unusedTime = TimeAmount.minutes(10)
  /// Connections at a time; descriptors are left for the store.
  var connections = OpenFiles.raisedLimit() - OpenFiles.reserve

  /// The path that takes files to import.
  static let uploadPath = "/api/v1/import"

  /// True for a request whose body is a file to import.
  func isUpload(_ head: HTTPRequest) -> Bool { head.path?.hasPrefix(Self.uploadPath) == true }
}
