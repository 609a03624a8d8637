import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import Transport

/// The header fields of a mail. Only the subject contains an item's text.
struct MailFields: Sendable {
  /// The most bytes of the field `To`; a longer list of recipients is not disclosed.
  private static let longestTo = 900

  private let from: Mail.Field
  private let to: Mail.Field
  private let addresses: Set<String>
  /// The domain for messages from versions that stored none with a message.
  private let domain: String

  /// The fields of a sink's mails.
  init(from: Mailbox, to: [Mailbox]) {
    self.from = Mail.Field("From", HeaderText.mailbox(from))
    self.to = Mail.Field("To", Self.recipients(to))
    addresses = Set(to.map(\.address))
    domain = from.domain.ascii
  }

  /// The fields of a message, the same on every attempt and for each of the sink's own recipients. A mail to a person's
  /// address names nobody else.
  func fields(_ message: Message, to recipient: Mailbox, subject: String) -> [Mail.Field] {
    let to = addresses.contains(recipient.address) ? to : Mail.Field("To", Self.recipients([recipient]))
    let domain = message.domain ?? domain
    let thread = Self.thread(of: message).map { thread in
      [
        Mail.Field("In-Reply-To", "<\(thread.text)@\(domain)>"),
        Mail.Field("References", "<\(thread.text)@\(domain)>"),
      ]
    }
    return head(message.id, to: to, subject: subject, at: message.createdAt, domain) + (thread ?? [])
      + Self.importance(message.urgency) + Self.marks
  }

  /// The fields of a mail with a sign-in link.
  func fields(_ letter: SignInLetter, to recipient: Mailbox, subject: String) -> [Mail.Field] {
    let to = Mail.Field("To", Self.recipients([recipient]))
    return head(letter.id, to: to, subject: subject, at: letter.madeAt, domain) + Self.marks
  }

  private func head(
    _ id: UUID, to: Mail.Field, subject: String, at time: Date, _ domain: String
  ) -> [Mail.Field] {
    [
      Mail.Field("Date", Self.date(time)), from, to, Mail.Field("Subject", HeaderText.unstructured(subject)),
      Mail.Field("Message-ID", "<\(id.text)@\(domain)>"),
    ]
  }

  // A mail of a program, to which no other program replies.
  private static let marks = [
    Mail.Field("Auto-Submitted", "auto-generated"), Mail.Field("X-Auto-Response-Suppress", "All"),
  ]

  // RFC 4021, section 2.1.48, and the field that other programs read instead.
  private static func importance(_ urgency: Urgency) -> [Mail.Field] {
    switch urgency {
    case .normal: []
    case .low: [Mail.Field("Importance", "low"), Mail.Field("X-Priority", "5")]
    case .high: [Mail.Field("Importance", "high"), Mail.Field("X-Priority", "2")]
    case .critical: [Mail.Field("Importance", "high"), Mail.Field("X-Priority", "1")]
    }
  }

  /// The common ancestor of the mails of one item, or of one list's own reminder; `nil` for a message about several.
  static func thread(of message: Message) -> UUID? {
    let owners = Set(
      message.contents.map { content in
        switch content.subject {
        case .item(let item): "thread item \(item.uuid.text)"
        case .list(let list): "thread list \(list.id)"
        }
      })
    guard owners.count == 1, let owner = owners.first else { return nil }
    return UUID(namespace: .belfry, name: owner)
  }

  private static func recipients(_ to: [Mailbox]) -> String {
    let names = to.map(HeaderText.mailbox).joined(separator: ", ")
    return names.utf8.count <= longestTo ? names : "undisclosed-recipients:;"
  }

  /// An instant in the form of RFC 5322, section 3.3, in UTC: `Sat, 21 Nov 2026 08:00:00 +0000`.
  static func date(_ instant: Date) -> String {
    let seconds = Int(min(max(instant.timeIntervalSince1970.rounded(.down), 0), 253_402_300_799))
    let date = CivilDate(daysSinceEpoch: seconds / 86_400)
    let clock = [seconds % 86_400 / 3_600, seconds % 3_600 / 60, seconds % 60].map { $0.padded(to: 2) }
    let (weekday, month) = (WhenWords.shortName(of: date.weekday), WhenWords.shortName(ofMonth: date.month))
    return "\(weekday), \(date.day) \(month) \(date.year) \(clock.joined(separator: ":")) +0000"
  }
}
