import BelfryEngine
import ConfigKeys
import MessageText
import Transport

/// The server, addresses and templates of an email sink.
public struct EmailSettings: Sendable {
  /// The credential for AUTH.
  public enum Authentication: Sendable {
    /// A password.
    case password(username: String, SecretSource)
    /// An OAuth 2.0 access token.
    case token(username: String, SecretSource)
  }

  /// The URL of the server.
  public var url: ServerURL
  /// The encryption of the connection.
  public var security = MailServer.Security.required
  /// The credential; `nil` to send without authentication.
  public var authentication: Authentication?
  /// The sender.
  public var from: Mailbox
  /// The recipients; each gets a delivery of its own.
  public var to: [Mailbox]
  /// The user's template for the subject.
  public var subject: Template?
  /// The user's template for the plain text alternative.
  public var text: Template?
  /// The user's template for the HTML alternative.
  public var html: Template?
  /// The grouping of the reminders of a minute into digests.
  public var grouping = MessageGrouping.none
  /// Whether the items are attached as iCalendar.
  public var attachesCalendar = false
  /// The timeout and certificates of a transfer.
  public var options = TransferOptions(timeoutSeconds: 60)
  /// The most concurrent attempts.
  public var concurrency = 4

  /// Settings with defaults for everything else.
  public init(url: ServerURL, from: Mailbox, to: [Mailbox]) {
    self.url = url
    self.from = from
    self.to = to
  }
}
