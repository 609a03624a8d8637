import BelfryModel
import CivilTime
import FoundationEssentials
import ICalendar

/// The properties of a to-do that an item keeps as they are, since it has no field for them.
struct KeptProperties {
  /// The properties that an item has fields for.
  static let read: Set = [
    "SUMMARY", "DESCRIPTION", "DUE", "RRULE", "COMPLETED", "CREATED", "LAST-MODIFIED", "DTSTAMP", "BEGIN", "END",
    "RECURRENCE-ID", "EXRULE",
  ]

  /// The lines in the to-do's order, without the lines of components.
  private(set) var lines: [String] = []

  /// The kept properties of a to-do that became an item with a UUID and a schedule.
  init(_ todo: CalendarComponent, uuid: UUID?, schedule: TodoSchedule, zones: inout CalendarZones) {
    for property in todo.properties {
      guard !Self.read.contains(property.name), !BelfryProperty.ofItems.contains(property.name) else {
        // Properties that could not be lines were exported as texts.
        if property.name == BelfryProperty.property { lines.append(CalendarText.unescaped(property.value)) }
        continue
      }
      let isKept =
        switch property.name {
        case "UID": property.text != "UID:\(uuid?.text ?? "")"
        case "STATUS": !["NEEDS-ACTION", "COMPLETED"].contains(property.value.uppercased())
        case "DTSTART": schedule.keepsStart
        case "DURATION": !schedule.usesDuration
        case "X-MOZ-SNOOZE-TIME": todo.mozillaSnooze == nil
        // An export has events as to-dos.
        default: property.text != ItemContent.eventProperty || todo.name == "VEVENT"
        }
      if isKept { lines.append(property.text(with: &zones)) }
    }
    if schedule.due?.isDate ?? false, todo.all(BelfryProperty.dateOnly).isEmpty {
      lines.append(BelfryProperty.dateOnlyLine(minute: schedule.dateMinutes))
    }
  }
}

extension TodoSchedule {
  /// True if DTSTART must be kept, as a start before DUE in the same form.
  var keepsStart: Bool {
    guard plan == nil, let start, let due else { return false }
    return start.isDate == due.isDate && start.wall < due.wall
  }
}

extension CalendarProperty {
  /// The line with the IANA name of its time zone, if that is known.
  fileprivate func text(with zones: inout CalendarZones) -> String {
    guard let identifier = parameter("TZID"), case .local(let time)? = CalendarMoment(value.prefix { $0 != "," }),
      let match = try? zones.zone(identifier, at: time, line: number), match.minutesAhead == 0,
      case .fixed(let name) = match.zone, name != identifier
    else { return text }
    var line = self.name
    for parameter in parameters {
      let values = parameter.name == "TZID" ? [name] : parameter.values
      line += ";\(parameter.name)=\(values.map(ParameterText.escaped).joined(separator: ","))"
    }
    return "\(line):\(value)"
  }
}
