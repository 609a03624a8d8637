import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import ICalendar

/// Writes future reminders as a calendar to subscribe to (RFC 5545): an event for each, without alarms.
package enum FeedWriter {
  /// The calendar of reminders. The same state gives the same bytes.
  ///
  /// - Throws: `CancellationError` once the current task was cancelled.
  package static func calendar(of rings: [PreviewedReminder], _ reading: Reading) throws -> [UInt8] {
    var owners: [ReminderOwner: (uuid: UUID, changedAt: Date)] = [:]
    var written: Set<String> = []
    var lines = CalendarLines()
    lines.append("BEGIN:VCALENDAR")
    lines.append("VERSION:2.0")
    lines.append("PRODID:-//Belfry//belfry \(BelfryVersion.current)//EN")
    lines.append("NAME:Belfry")
    lines.append("X-WR-CALNAME:Belfry")
    for ring in rings {
      try Task.checkCancellation()
      let owner = ring.occurrence.owner
      guard let known = try owners[owner] ?? reading.version(of: owner) else { continue }
      owners[owner] = known
      let start = ring.fireDate.date.utcValue
      // Each ring of an item is a separate event, unless two rings are at the same time, such as 1d and 24h before.
      let uid = "\(known.uuid.text)-\(start)"
      guard written.insert(uid).inserted else { continue }
      lines.append("BEGIN:VEVENT")
      lines.append("UID:\(uid)")
      lines.append("DTSTAMP:\(known.changedAt.utcValue)")
      lines.append("DTSTART:\(start)")
      lines.append("SUMMARY:\(value(ring.text))")
      lines.append("CATEGORIES:\(value(ring.listName))")
      lines.append("TRANSP:TRANSPARENT")
      lines.append("END:VEVENT")
    }
    lines.append("END:VCALENDAR")
    return lines.bytes
  }

  // A text that no calendar can hold must not hide its reminder.
  private static func value(_ text: String) -> String {
    let scalars = CalendarText.escaped(text).unicodeScalars.map { scalar in
      scalar != "\t" && (scalar.value < 0x20 || scalar.value == 0x7F) ? "\u{FFFD}" : Character(scalar)
    }
    return String(scalars)
  }
}

extension Reading {
  fileprivate func version(of owner: ReminderOwner) throws -> (uuid: UUID, changedAt: Date)? {
    switch owner {
    case .item(let id): try view.item(id: id).map { ($0.item.uuid, $0.item.updatedAt) }
    case .list(let id): try view.list(id: id).map { ($0.uuid, $0.updatedAt) }
    }
  }
}
