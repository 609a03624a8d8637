/// What the sinks send through, injected where there is a network: by the daemon only.
public struct Transports: Sendable {
  /// For requests over HTTP.
  public let http: any HTTPTransport
  /// For mail.
  public let mail: any MailTransport
  /// Hears every dialogue, without the secrets: the sinks, which know them, mask them before. `nil` where nobody listens.
  public let trace: (@Sendable (TransferLine) -> Void)?

  /// Both transports, and who listens.
  public init(
    http: any HTTPTransport, mail: any MailTransport, trace: (@Sendable (TransferLine) -> Void)? = nil
  ) {
    self.http = http
    self.mail = mail
    self.trace = trace
  }
}

/// What any transfer takes along.
public struct TransferOptions: Sendable {
  /// How long a transfer may take from its start to its end, in seconds: a limit on the whole, whatever is slow.
  public var timeoutSeconds: Double
  /// A file with the certificates of authorities to trust beside the system's; `nil` for the system's alone.
  public var caFile: String?
  /// A file with the certificate to show to the other side.
  public var clientCertificate: String?
  /// A file with its private key; `nil` where the certificate's file has it.
  public var clientKey: String?
  /// Hears the dialogue, line by line; `nil` where nobody listens. Called on the transport's own thread.
  ///
  /// The lines are as they went over the wire, secrets included: whoever shows them masks them.
  public var trace: (@Sendable (TransferLine) -> Void)?

  /// Options; without arguments for a transfer of at most 15 s with the system's authorities.
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

/// A line of a dialogue.
public enum TransferLine: Hashable, Sendable {
  /// Said by us.
  case sent(String)
  /// Said by the other side.
  case received(String)
  /// Said by the transport about the connection.
  case note(String)
}

/// Why a transfer ended without an answer.
public struct TransferFailure: Error, Hashable, Sendable {
  /// What failed.
  public enum Kind: Hashable, Sendable {
    /// No connection: no such host, refused, no route.
    case unreachable
    /// The two sides could not agree on TLS, the certificate is not trusted, or we are not let in; ours to mend.
    case untrusted
    /// The time was over.
    case timedOut
    /// The connection broke; whether the other side took what was sent is unknown.
    case interrupted
    /// The other side does not speak the protocol, or says more than anyone would.
    case protocolViolation
    /// The request itself cannot be sent.
    case unsendable
    /// The caller gave up.
    case cancelled
  }

  /// What failed.
  public let kind: Kind
  /// What happened, in words for a person. May hold what the request held, an URL for one: mask it before showing.
  public let reason: String

  /// A failure.
  public init(_ kind: Kind, _ reason: String) {
    self.kind = kind
    self.reason = reason
  }
}

extension Transports {
  /// For a program that reads the config and delivers nothing.
  public static let none = Transports(http: NoTransport(), mail: NoTransport())
}

private struct NoTransport: HTTPTransport, MailTransport {
  private let failure = TransferFailure(.unsendable, "this program has no network transport")

  func send(_ request: HTTPRequest) async throws(TransferFailure) -> HTTPResponse { throw failure }
  func probe(url: String, options: TransferOptions) async throws(TransferFailure) { throw failure }
  func send(_ mail: Mail, through server: MailServer) async throws(TransferFailure) -> SMTPReply { throw failure }
  func probe(_ server: MailServer) async throws(TransferFailure) -> SMTPReply { throw failure }
}
