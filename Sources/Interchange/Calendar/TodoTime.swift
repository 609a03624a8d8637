import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import ICalendar

/// A DUE or DTSTART on the clock of its zone.
struct TodoTime: Hashable {
  let moment: CalendarMoment
  /// The time to the minute; for a date without a time, at its default time of day.
  var wall: WallTime
  /// The zone; floating for a date.
  var zone: ItemZone

  /// The time of a property.
  ///
  /// - Parameter dateMinutes: the minutes after midnight at which a date without a time is due.
  /// - Throws: a fault about its value or its TZID.
  init(_ property: CalendarProperty, dateMinutes: Int, zones: inout CalendarZones) throws(CalendarFault) {
    guard let moment = CalendarMoment(property.value) else {
      throw CalendarFault(
        line: property.number,
        reason: """
          its \(property.name) \(inQuotes(property.value)) is not a time such as 20261121, 20261121T090000 or \
          20261121T080000Z
          """)
    }
    try self.init(
      moment, identifier: property.parameter("TZID"), dateMinutes: dateMinutes, line: property.number, zones: &zones)
  }

  /// The time of a value with its TZID.
  ///
  /// - Throws: a fault about the TZID.
  init(
    _ moment: CalendarMoment, identifier: String?, dateMinutes: Int, line: Int, zones: inout CalendarZones
  ) throws(CalendarFault) {
    self.moment = moment
    switch moment {
    case .date(let date):
      wall = WallTime(minutesSinceEpoch: date.daysSinceEpoch * 1_440 + dateMinutes)
      zone = .floating
    case .local(let time):
      wall = WallTime(civil: time)
      guard let identifier else {
        zone = .floating
        return
      }
      let match = try zones.zone(identifier, at: time, line: line)
      zone = match.zone
      wall = wall.adding(days: 0, minutes: -match.minutesAhead)
    case .utc(let time):
      wall = WallTime(civil: time)
      zone = .fixed(Zone.utc.identifier)
    }
  }

  /// The time that is a duration later.
  init(_ start: TodoTime, plus duration: SignedDuration, planner: Planner) {
    self = start
    wall = wall.adding(days: duration.days)
    guard duration.seconds != 0, let rules = try? planner.zone(zone) else { return }
    wall = rules.wallTime(at: rules.instant(of: wall).instant.addingTimeInterval(Double(duration.seconds)))
  }

  /// Puts a time in UTC on the floating clock.
  mutating func float(_ planner: Planner) {
    guard case .utc = moment else { return }
    (wall, zone) = (wall(in: .floating, planner: planner), .floating)
  }

  /// True if it is a date without a time.
  var isDate: Bool {
    if case .date = moment { true } else { false }
  }

  /// The same moment on the clock of another zone; a floating time is not converted.
  func wall(in other: ItemZone, planner: Planner) -> WallTime {
    guard zone != other, zone != .floating, let own = try? planner.zone(zone), let rules = try? planner.zone(other)
    else { return wall }
    return rules.wallTime(at: own.instant(of: wall).instant)
  }
}
