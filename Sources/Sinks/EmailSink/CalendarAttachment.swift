import BelfryModel
import CivilTime
import FoundationEssentials
import ICalendar
import MessageText
import Transport

/// The items of a message as iCalendar (RFC 5545): a VTODO for each, with its alarms.
enum CalendarAttachment {
  /// The longest text property, in bytes.
  private static let longestText = 16_384

  /// The attachment; `nil` for a message without items.
  static func attachment(_ message: Message) -> Mail.Attachment? {
    var seen: Set<UUID> = []
    let items = message.contents.prefix(MailText.mostReminders).compactMap(\.item)
      .filter { seen.insert($0.uuid).inserted }
    guard !items.isEmpty else { return nil }
    var lines = CalendarLines()
    for line in ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Belfry//belfry \(BelfryVersion.current)//EN"] {
      lines.append(line)
    }
    for item in items {
      for line in component(item, stamp: message.createdAt) { lines.append(line) }
    }
    lines.append("END:VCALENDAR")
    return Mail.Attachment(name: "reminder.ics", contentType: "text/calendar; charset=utf-8", content: lines.bytes)
  }

  private static func component(_ snapshot: ItemSnapshot, stamp: Date) -> [String] {
    let (record, item) = (snapshot.record, snapshot.record.item)
    var lines = ["BEGIN:VTODO", "UID:\(snapshot.uuid.text)", "DTSTAMP:\(stamp.utcValue)"]
    if let created = record.createdAt { lines.append("CREATED:\(created.utcValue)") }
    if let updated = record.updatedAt { lines.append("LAST-MODIFIED:\(updated.utcValue)") }
    lines.append("SUMMARY:\(escaped(item.text))")
    if let notes = item.notes { lines.append("DESCRIPTION:\(escaped(notes))") }
    lines += item.content.fieldProperties([record.list].compactMap(\.self).map(held))
    if let due = due(record) { lines.append("DUE:\(due)") }
    lines.append("STATUS:NEEDS-ACTION")
    if record.shouldRemind == true, record.due.instant != nil {
      for alert in item.alerts {
        lines += [
          "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:\(escaped(item.text))",
          "TRIGGER;RELATED=END:\(alert == .zero ? "" : "-")\(alert.iso8601)", "END:VALARM",
        ]
      }
    }
    return lines + ["END:VTODO"]
  }

  /// A floating item's time is written without a zone, any other's in UTC.
  private static func due(_ record: ItemRecord) -> String? {
    guard record.item.zone == .floating, let local = record.due.local else { return record.due.instant?.utcValue }
    return "\(local.civil)"
  }

  private static func escaped(_ text: String) -> String { CalendarText.escaped(held(text)) }

  private static func held(_ text: String) -> String { text.bounded(toBytes: longestText).withoutControls() }
}
