import BelfryEngine
import ConfigKeys
import MessageText
import Transport

/// The server, addresses and templates of an email sink.
package struct EmailSettings: Sendable {
  /// The credential for AUTH.
  package enum Authentication: Sendable {
    case password(username: String, SecretSource)
    /// An OAuth 2.0 access token.
    case token(username: String, SecretSource)
  }

  var url: ServerURL
  /// The encryption of the connection.
  package var security = MailServer.Security.required
  /// The credential; `nil` to send without authentication.
  package var authentication: Authentication?
  var from: Mailbox
  /// The recipients; each gets a separate delivery.
  var to: [Mailbox]
  /// The user's template for the subject.
  var subject: Template?
  /// The user's template for the plain text alternative.
  var text: Template?
  /// The user's template for the HTML alternative.
  var html: Template?
  /// The grouping of the reminders of a minute into digests.
  var grouping = MessageGrouping.none
  /// True if the items are attached as iCalendar.
  var attachesCalendar = false
  /// The timeout and certificates of a transfer.
  package var options = TransferOptions(timeoutSeconds: 60)
  /// The most attempts at one time.
  var concurrency = 4

  /// Settings with defaults for everything else.
  package init(url: ServerURL, from: Mailbox, to: [Mailbox]) {
    self.url = url
    self.from = from
    self.to = to
  }
}
