/// The transports and the trace passed to sinks when they are made; only the daemon has real ones.
public struct Transports: Sendable {
  /// The transport that sends HTTP requests.
  public let http: any HTTPTransport
  /// The transport that sends mail.
  public let mail: any MailTransport
  /// Receives the dialogue of every transfer, or `nil` for none. The sinks, which know the secrets, mask them first.
  public let trace: (@Sendable (TransferLine) -> Void)?
  /// The connections that last as long as a sink uses them, even after the config was reloaded.
  private let lasting = LastingConnections()
  private var sink = ""

  /// Both transports and the trace.
  public init(
    http: any HTTPTransport, mail: any MailTransport, trace: (@Sendable (TransferLine) -> Void)? = nil
  ) {
    self.http = http
    self.mail = mail
    self.trace = trace
  }

  /// The transports for one of a config's sinks.
  package func forSink(_ name: String) -> Transports {
    var transports = self
    transports.sink = name
    return transports
  }

  /// The connection that this sink had under a key before the config was reloaded, or else a new one.
  package func handedOn<Connection: AnyObject & Sendable>(
    _ key: String, make: () -> Connection
  ) -> Connection {
    lasting.connection("\(sink) \(key)", make: make)
  }
}

/// The timeout, certificates and trace of a transfer.
public struct TransferOptions: Sendable {
  /// The time limit of the whole transfer, in seconds; for a stream, of connecting.
  public var timeoutSeconds: Double
  /// The path of a file of CA certificates to trust besides the system's; `nil` to trust only the system's.
  public var caFile: String?
  /// The path of the client certificate, if any.
  public var clientCertificate: String?
  /// The path of its private key; `nil` if the certificate's file contains it.
  public var clientKey: String?
  /// True if an HTTP request may reach only public addresses, whatever its host's name resolves to.
  public var isForPublicHosts = false
  /// Receives the dialogue line by line, on a thread of the transport; `nil` for none.
  ///
  /// The lines are as sent and received, including secrets: mask them with ``Redaction/masking(_:)``.
  public var trace: (@Sendable (TransferLine) -> Void)?

  /// Options; by default a timeout of 15 s and the system's certificates.
  public init(
    timeoutSeconds: Double = 15, caFile: String? = nil, clientCertificate: String? = nil, clientKey: String? = nil,
    trace: (@Sendable (TransferLine) -> Void)? = nil
  ) {
    self.timeoutSeconds = timeoutSeconds
    self.caFile = caFile
    self.clientCertificate = clientCertificate
    self.clientKey = clientKey
    self.trace = trace
  }
}

/// A line of a transfer's dialogue.
public enum TransferLine: Hashable, Sendable {
  case sent(String)
  case received(String)
  /// A note of the transport about the connection.
  case note(String)
}

/// The failure of a transfer that ended without a response.
public struct TransferFailure: Error, Hashable, Sendable {
  /// The kind of a failure.
  public enum Kind: Hashable, Sendable {
    /// No connection: unknown host, refused, or no route. Nothing was sent.
    case unreachable
    /// The TLS handshake failed, a certificate is not trusted, or authentication failed; needs the user. The server has
    /// accepted nothing.
    case untrusted
    /// The time limit was reached; the server may or may not have accepted the message.
    case timedOut
    /// The connection broke; the server may or may not have accepted the message.
    case interrupted
    /// The server broke the protocol, or its response exceeds the limits.
    case protocolViolation
    /// The request is invalid and cannot be sent.
    case unsendable
    case cancelled
  }

  /// The kind of failure, by which sinks decide about a retry.
  public let kind: Kind
  /// The reason, for people. It may contain parts of the request, such as its URL, so mask it before showing it.
  public let reason: String

  package init(_ kind: Kind, _ reason: String) {
    self.kind = kind
    self.reason = reason
  }
}

extension Transports {
  /// Transports that always fail, for programs that read the config and deliver nothing.
  public static let none = Transports(http: NoTransport(), mail: NoTransport())
}

private struct NoTransport: HTTPTransport, MailTransport {
  private let failure = TransferFailure(.unsendable, "this program has no network transport")

  func send(_ request: HTTPRequest) async throws(TransferFailure) -> HTTPResponse { throw failure }
  func stream(_ request: HTTPRequest, silenceSeconds: Double) async throws(TransferFailure) -> HTTPStream {
    throw failure
  }
  func probe(url: String, options: TransferOptions) async throws(TransferFailure) { throw failure }
  func send(_ mail: Mail, through server: MailServer) async throws(TransferFailure) -> SMTPReply { throw failure }
  func probe(_ server: MailServer) async throws(TransferFailure) -> SMTPReply { throw failure }
}
