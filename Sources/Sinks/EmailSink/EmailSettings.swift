import BelfryEngine
import ConfigKeys
import MessageText
import Transport

/// Whom a sink mails to, through which server, and what the mails look like.
public struct EmailSettings: Sendable {
  /// How we sign in.
  public enum Authentication: Sendable {
    /// With a password.
    case password(username: String, SecretSource)
    /// With a token of OAuth 2.0.
    case token(username: String, SecretSource)
  }

  /// The server.
  public var url: ServerURL
  /// How the connection is encrypted.
  public var security = MailServer.Security.required
  /// How we sign in; `nil` for not at all.
  public var authentication: Authentication?
  /// Who sends.
  public var from: Mailbox
  /// Who receives, each in a delivery of its own.
  public var to: [Mailbox]
  /// The user's subject.
  public var subject: Template?
  /// The user's text alternative.
  public var text: Template?
  /// The user's HTML alternative.
  public var html: Template?
  /// Which reminders of a minute are put together.
  public var grouping = MessageGrouping.none
  /// Whether the item comes along as iCalendar.
  public var attachesCalendar = false
  /// How long a transfer may take, and whom to trust.
  public var options = TransferOptions(timeoutSeconds: 60)
  /// How many attempts may be under way at once.
  public var concurrency = 4

  /// Settings for a server, with all else as it is by default.
  public init(url: ServerURL, from: Mailbox, to: [Mailbox]) {
    self.url = url
    self.from = from
    self.to = to
  }
}
