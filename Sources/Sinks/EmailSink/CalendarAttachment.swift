import BelfryCore
import FoundationEssentials
import MessageText
import OrderedJSON

/// The items of a message as iCalendar (RFC 5545): a VTODO for each, with its alarms.
enum CalendarAttachment {
  /// The most bytes of a text in it.
  private static let longestText = 16_384

  /// The file, or `nil` where the message is about no item.
  static func attachment(_ message: Message) -> Mail.Attachment? {
    var seen: Set<String> = []
    let items = message.contents.prefix(MailText.mostReminders).compactMap { $0.data["item"]?.objectValue }
      .filter { seen.insert($0["uuid"]?.stringValue ?? "").inserted }
    guard !items.isEmpty else { return nil }
    var lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Belfry//belfry \(BelfryVersion.current)//EN"]
    for item in items { lines += component(item, stamp: message.createdAt) }
    lines.append("END:VCALENDAR")
    return Mail.Attachment(
      name: "reminder.ics", contentType: "text/calendar; charset=utf-8", content: lines.flatMap(folded))
  }

  private static func component(_ item: JSONObject, stamp: Date) -> [String] {
    var lines = ["BEGIN:VTODO", "UID:\(item["uuid"]?.stringValue ?? "")"]
    if let stamp = utc(Zone.utc.rfc3339(stamp)) { lines.append("DTSTAMP:\(stamp)") }
    if let created = item["created_at"]?.stringValue.flatMap(utc) { lines.append("CREATED:\(created)") }
    if let updated = item["updated_at"]?.stringValue.flatMap(utc) { lines.append("LAST-MODIFIED:\(updated)") }
    let text = item["text"]?.stringValue ?? ""
    lines.append("SUMMARY:\(escaped(text))")
    if let notes = item["notes"]?.stringValue { lines.append("DESCRIPTION:\(escaped(notes))") }
    if let list = item["list"]?.stringValue { lines.append("CATEGORIES:\(escaped(list))") }
    if let due = due(item) { lines.append("DUE:\(due)") }
    lines.append("STATUS:NEEDS-ACTION")
    if item["should_remind"]?.boolValue == true, item["due_date"]?.stringValue != nil {
      for alert in item["alerts"]?.arrayValue?.compactMap(\.stringValue) ?? [] {
        let isNow = alert == "PT0S"
        lines += [
          "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:\(escaped(text))",
          "TRIGGER;RELATED=END:\(isNow ? "" : "-")\(alert)", "END:VALARM",
        ]
      }
    }
    return lines + ["END:VTODO"]
  }

  /// A floating item's time is written without a zone, any other's in UTC.
  private static func due(_ item: JSONObject) -> String? {
    guard item["time_zone"]?.stringValue == "floating", let local = item["due_local"]?.stringValue else {
      return item["due_date"]?.stringValue.flatMap(utc)
    }
    return digits(local) + "00"
  }

  private static func utc(_ moment: String) -> String? {
    parseRFC3339(moment).map { digits(String(Zone.utc.rfc3339($0).prefix(19))) + "Z" }
  }

  /// `2026-11-21T09:00` as `20261121T0900`.
  private static func digits(_ moment: String) -> String { moment.filter { $0 != "-" && $0 != ":" } }

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
