import BelfryEngine
import BelfryModel
import FoundationEssentials
import ICalendar
import RecurrenceRules

/// The properties of a VCALENDAR itself: the name, identity and reminder of a list.
struct CalendarHeading {
  private var properties = CalendarComponent(name: "VCALENDAR", line: 0)
  /// The list's name, one line; `nil` if it has none, or only a blank name.
  private(set) var name: String?

  /// Adds a property of the calendar; unknown ones are ignored.
  mutating func add(_ property: CalendarProperty) {
    switch property.name {
    case "NAME", "X-WR-CALNAME":
      // NAME may be given in several languages; X-WR-CALNAME repeats it for programs that do not know NAME.
      guard name == nil else { return }
      name = try? ItemText.singleLine(CalendarText.unescaped(property.value), field: property.name)
    case "UID", "CREATED", "LAST-MODIFIED", BelfryProperty.listDue, BelfryProperty.listRepeat,
      BelfryProperty.listMessage, BelfryProperty.listSnooze, BelfryProperty.listCategory:
      guard properties.all(property.name).isEmpty else { return }
      properties.properties.append(property)
    default: break
    }
  }

  /// The list; `nil` without a name.
  ///
  /// - Throws: a fault about its own reminder.
  func list(zones: inout CalendarZones, planner: Planner) throws(CalendarFault) -> ImportedList? {
    guard let name else { return nil }
    var list = ImportedList(name: name)
    list.uuid = properties.all("UID").first.flatMap { UUID(uuidString: $0.value) }
    list.createdAt = properties.all("CREATED").first.flatMap { Date(utcValue: $0.value) }
    list.updatedAt = properties.all("LAST-MODIFIED").first.flatMap { Date(utcValue: $0.value) }
    list.reminder = try reminder(zones: &zones)
    return list
  }

  private func reminder(zones: inout CalendarZones) throws(CalendarFault) -> ImportedListReminder? {
    guard let property = properties.all(BelfryProperty.listDue).first else { return nil }
    let time = try TodoTime(property, dateMinutes: 0, zones: &zones)
    var draft = ListReminderDraft(at: time.wall, zone: time.zone)
    draft.message = properties.all(BelfryProperty.listMessage).first.map { CalendarText.unescaped($0.value) }
    draft.category = properties.all(BelfryProperty.listCategory).first.map { CalendarText.unescaped($0.value) }
    let snooze = properties.all(BelfryProperty.listSnooze).first.flatMap { Date(utcValue: $0.value) }
    guard let line = properties.all(BelfryProperty.listRepeat).first else {
      return ImportedListReminder(draft, snoozedUntil: snooze)
    }
    do {
      draft.rule = try RecurrenceRule(line.value)
    } catch {
      throw CalendarFault(line: line.number, reason: "its \(line.name) cannot be used: \(error)")
    }
    return ImportedListReminder(
      draft, repeatStart: line.anchor == time.wall ? nil : line.anchor, snoozedUntil: snooze)
  }
}
