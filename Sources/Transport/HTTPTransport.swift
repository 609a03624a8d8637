import BelfryModel
import ConfigKeys

/// Sends single HTTP requests, and receives responses whole or as they arrive.
///
/// An implementation does not follow redirects, retry, or keep cookies, and does not block Swift's cooperative pool.
/// Cancelling the task ends the transfer at once. The proxy variables of the environment are honoured.
public protocol HTTPTransport: Sendable {
  /// Secrets that the transport itself sends, such as the proxy passwords of the environment. A sink masks them, like
  /// its own secrets, in reasons, responses and traces.
  var secrets: [Secret] { get }

  /// Sends one request and returns the response, whatever its status.
  ///
  /// - Throws: ``TransferFailure`` if there is no response.
  func send(_ request: HTTPRequest) async throws(TransferFailure) -> HTTPResponse

  /// Sends one request and returns as soon as the head of the response has arrived, whatever its status; the body is
  /// read from the stream.
  ///
  /// The time limit of the request's options is for connecting. The transfer as a whole has none.
  ///
  /// - Parameter silenceSeconds: the time limit of each wait for the server, before the head and between bytes of the
  ///   body. A server that sends nothing for longer ends the stream as `.timedOut`; a slow reader does not.
  /// - Throws: ``TransferFailure`` if there is no response.
  func stream(_ request: HTTPRequest, silenceSeconds: Double) async throws(TransferFailure) -> HTTPStream

  /// Connects, up to the TLS handshake, and sends no request.
  ///
  /// - Throws: ``TransferFailure`` if that fails.
  func probe(url: String, options: TransferOptions) async throws(TransferFailure)
}

extension HTTPTransport {
  /// A transport has no secrets unless it implements this.
  public var secrets: [Secret] { [] }

  /// Fails, since a transport has no streams unless it implements them.
  ///
  /// - Throws: ``TransferFailure`` `.unsendable`.
  public func stream(
    _ request: HTTPRequest, silenceSeconds: Double
  ) async throws(TransferFailure) -> HTTPStream {
    throw TransferFailure(.unsendable, "this transport has no streams")
  }
}

/// A header field of a request or a reply.
public struct HTTPField: Hashable, Sendable {
  /// The name, compared without case.
  public let name: String
  /// The value as sent or received.
  public let value: String

  /// A field with this name, in upper or lower case.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// The name and version of this program.
  package static let userAgent = HTTPField("User-Agent", "belfry/\(BelfryVersion.current)")
}

/// An HTTP request with a body.
public struct HTTPRequest: Sendable {
  /// The request's method, usually `POST`.
  public var method: String
  /// The `http` or `https` URL.
  public var url: String
  /// The header fields, in order; the transport adds `Content-Length`.
  public var fields: [HTTPField]
  /// The bytes after the header; may be empty.
  public var body: [UInt8]
  /// The timeout, certificates and trace of the transfer.
  public var options: TransferOptions

  /// A request with all its fields.
  public init(method: String = "POST", url: String, fields: [HTTPField], body: [UInt8], options: TransferOptions) {
    self.method = method
    self.url = url
    self.fields = fields
    self.body = body
    self.options = options
  }
}

/// A server's reply to a request.
public struct HTTPResponse: Hashable, Sendable {
  /// The most bytes of the body that are kept. The rest, up to ``maximumBody``, is read and dropped.
  package static let keptBody = 65_536
  /// The most bytes of the body that are read. A longer body ends the transfer; the status still counts.
  package static let maximumBody = 1_048_576

  /// The status code, 100 to 599.
  public let status: Int
  /// The header fields, in order.
  public let fields: [HTTPField]
  /// The first ``keptBody`` bytes of the body.
  public let body: [UInt8]

  package init(status: Int, fields: [HTTPField] = [], body: [UInt8] = []) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// The value of the first field with a name, compared without case.
  public func field(_ name: String) -> String? {
    fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}
