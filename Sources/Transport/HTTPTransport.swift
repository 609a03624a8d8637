import ConfigKeys

/// Sends single HTTP requests.
///
/// It never follows a redirect, never tries again, never keeps cookies, and blocks no thread of Swift's cooperative
/// pool. A cancelled task ends its transfer at once. The environment's proxies are obeyed.
public protocol HTTPTransport: Sendable {
  /// What the transport says to others by itself that nobody is to see, such as the passwords of the environment's
  /// proxies. Whoever shows a reason, an answer or a dialogue of it masks these too.
  var secrets: [Secret] { get }

  /// Sends one request and waits for the answer, whatever its status.
  func send(_ request: HTTPRequest) async throws(TransferFailure) -> HTTPResponse

  /// Connects, as far as TLS goes, and sends nothing.
  func probe(url: String, options: TransferOptions) async throws(TransferFailure)
}

extension HTTPTransport {
  /// None.
  public var secrets: [Secret] { [] }
}

/// One header field.
public struct HTTPField: Hashable, Sendable {
  /// The name, in any case.
  public let name: String
  /// The value.
  public let value: String

  /// A field.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// A request with a body.
public struct HTTPRequest: Sendable {
  /// The method, `POST` mostly.
  public var method: String
  /// Where it goes: an `http` or `https` URL.
  public var url: String
  /// The header fields, in order; the length is the transport's to add.
  public var fields: [HTTPField]
  /// The body.
  public var body: [UInt8]
  /// How long it may take, whom to trust, who listens.
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

/// An answer.
public struct HTTPResponse: Hashable, Sendable {
  /// How much of a body is kept, in bytes; the rest is read and thrown away, up to ``maximumBody``.
  public static let keptBody = 16_384
  /// Beyond how many bytes of body the transfer is broken off; the status counts all the same.
  public static let maximumBody = 1_048_576

  /// The status, 100 to 599.
  public let status: Int
  /// The header fields, in order.
  public let fields: [HTTPField]
  /// The first ``keptBody`` bytes of the body.
  public let body: [UInt8]

  /// An answer with all its fields.
  public init(status: Int, fields: [HTTPField] = [], body: [UInt8] = []) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// The first field of a name, in any case.
  public func field(_ name: String) -> String? {
    fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}
