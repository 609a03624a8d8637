import BelfryModel
import CivilTime
import ICalendar

/// An event whose alarms ring (RFC 5545, section 3.6.1), as a to-do that is due at its start.
struct RingingEvent {
  /// The to-do, with the properties of the event that Belfry uses.
  private(set) var todo: CalendarComponent
  /// The alarms left out, in a few words each.
  private(set) var leftOut: [String] = []

  private static let used: Set = [
    "UID", "SUMMARY", "DESCRIPTION", "LOCATION", "URL", "DTSTART", "RRULE", "RDATE", "EXDATE", "EXRULE",
    "RECURRENCE-ID", "SEQUENCE", "DTSTAMP", "CREATED", "LAST-MODIFIED",
  ]

  /// The to-do of an event; `nil` without alarms, but for one that changes an occurrence of another.
  init?(_ event: CalendarComponent) {
    todo = CalendarComponent(name: event.name, line: event.line)
    todo.properties = event.properties.filter { Self.used.contains($0.name) }
    add(ItemContent.eventProperty)
    if event.all("STATUS").first?.value.uppercased() == "CANCELLED" { add("STATUS:CANCELLED") }
    for alarm in event.components where alarm.name == "VALARM" {
      if alarm.all("TRIGGER").contains(where: { $0.parameter("RELATED")?.uppercased() == "END" }) {
        leftOut.append("VALARM counted from the end of an event")
      } else {
        todo.components.append(alarm)
      }
    }
    if let minute = ringingMinute { add(BelfryProperty.dateOnlyLine(minute: minute)) }
    guard !todo.components.isEmpty || !event.all("RECURRENCE-ID").isEmpty else { return nil }
  }

  private mutating func add(_ line: String) {
    if let property = try? CalendarProperty(Array(line.utf8), number: todo.line) { todo.properties.append(property) }
  }

  // The minute of the day at which the latest alarm on the first day of an all-day event rings: it is due then.
  private var ringingMinute: Int? {
    guard case .date? = todo.all("DTSTART").first.flatMap({ CalendarMoment($0.value) }) else { return nil }
    let triggers = todo.components.flatMap { $0.all("TRIGGER") }.compactMap { SignedDuration($0.value) }
    return triggers.filter { $0.days == 0 && 0..<86_400 ~= $0.seconds }.map { $0.seconds / 60 }.max()
  }
}
