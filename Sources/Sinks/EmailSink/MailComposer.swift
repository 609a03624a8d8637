import BelfryEngine
import CivilTime
import MessageText
import Transport

/// Composes mails from messages. Pure: the same attempt always gives the same mail.
struct MailComposer: Sendable {
  /// The most bytes of a text or HTML from a template.
  static let longestBody = 1_048_576

  let settings: EmailSettings
  private let zones: ZoneDatabase
  let fields: MailFields

  init(settings: EmailSettings, zones: ZoneDatabase) {
    self.settings = settings
    self.zones = zones
    fields = MailFields(from: settings.from, to: settings.to)
  }

  func mail(_ attempt: DeliveryAttempt, to recipient: Mailbox) -> Mail {
    let words = ReminderWords.all(attempt, zones: zones, limit: MailText.mostReminders)
    let count = attempt.message.contents.count
    let beyond = count - words.count
    // Templates and the calendar are only for reminders that ring.
    let rings = attempt.message.kind != .answered
    let needsValues = rings && (settings.subject != nil || settings.text != nil || settings.html != nil)
    let values = needsValues ? TemplateValues(attempt, words: words) : nil
    // A subject that renders to nothing, such as one of values that this reminder lacks, falls back to the default.
    let own = render(settings.subject, values).flatMap { $0.onOneLine().isEmpty ? nil : $0 }
    let subject = own ?? MailText.subject(words, count: count)
    // With a template for only the text, the mail has no HTML. A mail with HTML always has plain text too.
    let text = render(settings.text, values) ?? MailText.text(words, beyond: beyond)
    let html: String? =
      if let own = render(settings.html, values) { own } else if settings.text != nil { nil } else {
        MailHTML.page(words, beyond: beyond, title: subject.bounded(toBytes: HeaderText.longestSubject))
      }
    return Mail(
      sender: settings.from.address, recipient: recipient.address,
      fields: fields.fields(attempt.message, to: recipient, subject: subject), text: text, html: html,
      attachments: settings.attachesCalendar && rings
        ? [CalendarAttachment.attachment(attempt.message)].compactMap(\.self) : [])
  }

  private func render(_ template: Template?, _ values: TemplateValues?) -> String? {
    guard let template, let values else { return nil }
    return template.render(values)?.bounded(toBytes: Self.longestBody).withoutControls()
  }
}
