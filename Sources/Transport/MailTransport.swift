import BelfryModel

/// Sends mail over SMTP (RFC 5321): one transaction for each recipient, over connections that are kept open.
///
/// An implementation does not retry, and does not block Swift's cooperative pool. Cancelling the task ends the transfer
/// at once. With a credential, mail is never sent without authentication: the transfer fails if the server offers no
/// mechanism.
public protocol MailTransport: Sendable {
  /// Sends one mail to one recipient and returns the server's final reply, positive or negative.
  ///
  /// - Throws: ``TransferFailure`` if there is no final reply.
  func send(_ mail: Mail, through server: MailServer) async throws(TransferFailure) -> SMTPReply

  /// Connects, encrypts and authenticates as ``send(_:through:)`` does, and sends no mail.
  ///
  /// - Throws: ``TransferFailure`` if there is no reply.
  func probe(_ server: MailServer) async throws(TransferFailure) -> SMTPReply
}

/// A server that accepts mail, and how to connect to it.
public struct MailServer: Sendable {
  /// The encryption of a connection to `smtp://`.
  public enum Security: String, CaseIterable, Hashable, Sendable {
    /// STARTTLS; the transfer fails if the server does not offer it.
    case required
    /// STARTTLS if the server offers it. With a credential, as `required`.
    case opportunistic
    /// The connection is not encrypted.
    case none
  }

  /// The URL: `smtp://host:port`, or `smtps://host:port` for TLS from the first byte.
  public var url: String
  /// The encryption of a connection to `smtp://`.
  public var security: Security
  /// The credential for AUTH; `nil` to send without authentication.
  public var credential: MailCredential?
  /// The timeout, certificates and trace of the transfer.
  public var options: TransferOptions

  /// A server with all its fields.
  public init(url: String, security: Security, credential: MailCredential?, options: TransferOptions) {
    self.url = url
    self.security = security
    self.credential = credential
    self.options = options
  }
}

/// A user name with a password or token; never printed.
public struct MailCredential: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
  /// The proof of the user's identity.
  public enum Proof: Hashable, Sendable {
    /// A password, for PLAIN (RFC 4616) or LOGIN, whichever the server offers.
    case password(String)
    /// An OAuth 2.0 access token, for XOAUTH2 or OAUTHBEARER (RFC 7628).
    case token(String)
  }

  /// The name under which the server knows the user.
  public let username: String
  /// A password, or a token of OAuth.
  public let proof: Proof

  /// The credentials that AUTH sends.
  public init(username: String, proof: Proof) {
    self.username = username
    self.proof = proof
  }

  /// `<redacted>`, whatever it holds.
  public var description: String { "<redacted>" }
  /// `<redacted>`, whatever it holds.
  public var debugDescription: String { description }
}

/// A mail to one recipient.
public struct Mail: Hashable, Sendable {
  /// A header field, encoded by RFC 2047, of at most 998 bytes including its name; the transport folds it.
  public struct Field: Hashable, Sendable {
    /// The field's name, such as `Message-ID`.
    public let name: String
    /// The value, in printable ASCII.
    public let value: String

    /// A field with a value that is encoded already.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// A file attached to a mail.
  public struct Attachment: Hashable, Sendable {
    /// The file's name, in ASCII.
    public let name: String
    /// The media type, with its parameters.
    public let contentType: String
    /// The file's bytes, before they are encoded.
    public let content: [UInt8]

    /// A file with the name and type that the mail gives it.
    public init(name: String, contentType: String, content: [UInt8]) {
      self.name = name
      self.contentType = contentType
      self.content = content
    }
  }

  /// The address for `MAIL FROM`, without brackets.
  public var sender: String
  /// The address for `RCPT TO`, without brackets.
  public var recipient: String
  /// The header fields, in order, without the MIME fields, which the transport adds.
  public var fields: [Field]
  /// The plain text alternative; lines end in LF.
  public var text: String
  /// The HTML alternative, if any.
  public var html: String?
  /// Files that follow the texts.
  public var attachments: [Attachment]

  /// A mail with all its fields.
  public init(
    sender: String, recipient: String, fields: [Field], text: String, html: String? = nil,
    attachments: [Attachment] = []
  ) {
    self.sender = sender
    self.recipient = recipient
    self.fields = fields
    self.text = text
    self.html = html
    self.attachments = attachments
  }
}

/// The final reply of an SMTP server, and the command that it answers.
public struct SMTPReply: Hashable, Sendable {
  /// The command that a reply answers.
  public enum Stage: Hashable, Sendable {
    /// No command: the greeting of the connection.
    case greeting
    /// EHLO, or HELO instead.
    case hello
    /// STARTTLS.
    case encryption
    /// AUTH.
    case authentication
    /// MAIL FROM.
    case sender
    /// RCPT TO.
    case recipient
    /// DATA, or the content up to its final dot.
    case data
  }

  /// The reply code: 2yz positive, 4yz transient, 5yz permanent (RFC 5321, section 4.2.1).
  public let code: Int
  /// The text of the reply.
  public let text: String
  /// The command that it answers.
  public let stage: Stage

  package init(code: Int, text: String, stage: Stage) {
    self.code = code
    self.text = text
    self.stage = stage
  }
}

extension SMTPReply.Stage {
  /// The command that a reply answers, as named in messages.
  public var words: String {
    switch self {
    case .greeting: "the connection"
    case .hello: "EHLO"
    case .encryption: "STARTTLS"
    case .authentication: "AUTH"
    case .sender: "MAIL FROM"
    case .recipient: "RCPT TO"
    case .data: "DATA"
    }
  }
}
