import BelfryModel

/// Sends mail, one SMTP transaction (RFC 5321) for one recipient at a time, over connections that are kept open.
///
/// It never tries again and blocks no thread of Swift's cooperative pool. A cancelled task ends its transfer at once.
/// With a credential it never mails unsigned: where the server offers no way to sign in, the transfer fails.
public protocol MailTransport: Sendable {
  /// Sends one mail to one recipient and waits for the server's last word, yes or no.
  func send(_ mail: Mail, through server: MailServer) async throws(TransferFailure) -> SMTPReply

  /// Connects, encrypts and signs in as a real transfer would, and sends nothing.
  func probe(_ server: MailServer) async throws(TransferFailure) -> SMTPReply
}

/// A server that takes mail.
public struct MailServer: Sendable {
  /// How the connection is encrypted.
  public enum Security: String, CaseIterable, Hashable, Sendable {
    /// By STARTTLS, or not at all used.
    case required
    /// By STARTTLS where the server offers it; with a credential as with `required`.
    case opportunistic
    /// Not.
    case none
  }

  /// Where it is: `smtp://host:port`, or `smtps://host:port` for TLS from the first byte.
  public var url: String
  /// How a connection to `smtp://` is encrypted.
  public var security: Security
  /// How we sign in; `nil` for not at all.
  public var credential: MailCredential?
  /// How long a transfer may take, whom to trust, who listens.
  public var options: TransferOptions

  /// A server with all its fields.
  public init(url: String, security: Security, credential: MailCredential?, options: TransferOptions) {
    self.url = url
    self.security = security
    self.credential = credential
    self.options = options
  }
}

/// How we sign in; never printed.
public struct MailCredential: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
  /// What proves who we are.
  public enum Proof: Hashable, Sendable {
    /// A password, by PLAIN (RFC 4616) or LOGIN, whichever the server offers.
    case password(String)
    /// A token of OAuth 2.0, by XOAUTH2 or OAUTHBEARER (RFC 7628).
    case token(String)
  }

  /// Who we are.
  public let username: String
  /// What proves it.
  public let proof: Proof

  /// A credential.
  public init(username: String, proof: Proof) {
    self.username = username
    self.proof = proof
  }

  /// Never the credential.
  public var description: String { "<redacted>" }
  /// Never the credential.
  public var debugDescription: String { description }
}

/// A mail to one recipient.
public struct Mail: Hashable, Sendable {
  /// One header field, encoded as RFC 2047 wants it, of at most 998 bytes with its name; the transport folds it.
  public struct Field: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The value, in printable ASCII.
    public let value: String

    /// A field.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// A file that comes with it.
  public struct Attachment: Hashable, Sendable {
    /// The file's name, in ASCII.
    public let name: String
    /// The media type with its parameters.
    public let contentType: String
    /// What is in it.
    public let content: [UInt8]

    /// A file.
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
  /// The header fields, in order; those of MIME are the transport's to add.
  public var fields: [Field]
  /// The text alternative; lines end in LF.
  public var text: String
  /// The HTML alternative.
  public var html: String?
  /// What comes with it.
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

/// What a server said last, and to what.
public struct SMTPReply: Hashable, Sendable {
  /// Which of our words it answers.
  public enum Stage: Hashable, Sendable {
    /// None yet: the connection itself.
    case greeting
    /// EHLO, or HELO in its place.
    case hello
    /// STARTTLS.
    case encryption
    /// AUTH.
    case authentication
    /// MAIL FROM.
    case sender
    /// RCPT TO.
    case recipient
    /// DATA, or the mail itself up to its final dot.
    case data
  }

  /// The three digits: 2yz is yes, 4yz not now, 5yz no.
  public let code: Int
  /// The server's own words.
  public let text: String
  /// What it answers.
  public let stage: Stage

  /// A reply.
  public init(code: Int, text: String, stage: Stage) {
    self.code = code
    self.text = text
    self.stage = stage
  }
}

extension SMTPReply.Stage {
  /// What we had said, in words for a person.
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
