import BelfryModel
import CivilTime
import FoundationEssentials
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
    var lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Belfry//belfry \(BelfryVersion.current)//EN"]
    for item in items { lines += component(item, stamp: message.createdAt) }
    lines.append("END:VCALENDAR")
    return Mail.Attachment(
      name: "reminder.ics", contentType: "text/calendar; charset=utf-8", content: lines.flatMap(folded))
  }

  private static func component(_ snapshot: ItemSnapshot, stamp: Date) -> [String] {
    let (record, item) = (snapshot.record, snapshot.record.item)
    var lines = ["BEGIN:VTODO", "UID:\(snapshot.uuid.text)", "DTSTAMP:\(utc(stamp))"]
    if let created = record.createdAt { lines.append("CREATED:\(utc(created))") }
    if let updated = record.updatedAt { lines.append("LAST-MODIFIED:\(utc(updated))") }
    lines.append("SUMMARY:\(escaped(item.text))")
    if let notes = item.notes { lines.append("DESCRIPTION:\(escaped(notes))") }
    if let list = record.list { lines.append("CATEGORIES:\(escaped(list))") }
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
    guard record.item.zone == .floating, let local = record.due.local else { return record.due.instant.map(utc) }
    return basic(local.description) + "00"
  }

  private static func utc(_ instant: Date) -> String { basic(Zone.utc.rfc3339(instant)) }

  /// A time in the basic format of ISO 8601, as iCalendar requires: `20261121T0900`.
  private static func basic(_ extended: String) -> String { extended.filter { $0 != "-" && $0 != ":" } }

  /// A value of type TEXT (section 3.3.11).
  private static func escaped(_ text: String) -> String {
    var value = ""
    for scalar in text.bounded(toBytes: longestText).withoutControls().unicodeScalars {
      switch scalar {
      case "\\", ";", ",": value += "\\\(scalar)"
      case "\n": value += "\\n"
      default: value.unicodeScalars.append(scalar)
      }
    }
    return value
  }

  /// A content line in pieces of at most 75 bytes, none of which ends inside a character (section 3.1).
  private static func folded(_ line: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var length = 0
    for scalar in line.unicodeScalars {
      let piece = String(scalar).utf8
      if length + piece.count > 75 {
        bytes += "\r\n ".utf8
        length = 1
      }
      bytes += piece
      length += piece.count
    }
    return bytes + Array("\r\n".utf8)
  }
}
