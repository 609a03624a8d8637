import BelfryEngine
import CivilTime
import FoundationEssentials
import ICalendar
import RecurrenceRules

/// The due date and repeat of a to-do.
///
/// A to-do that has only a start is due then. A date without a time is due at a time of day. EXDATEs before the due
/// date, or in the past, change nothing that will ring.
struct TodoSchedule {
  /// The most EXDATEs of a rule.
  private static let mostExceptions = 1_000

  /// The due date; `nil` for a to-do without dates.
  private(set) var due: TodoTime?
  private(set) var start: TodoTime?
  private(set) var plan: TodoRepeat?
  /// The future occurrences that its EXDATEs exclude, on the clock of the due date.
  private(set) var exceptions: [WallTime] = []
  /// All occurrences that its EXDATEs exclude, and those from the due date on that its RDATEs add, on the same clock.
  private(set) var excluded: Set<WallTime> = []
  private(set) var added: Set<WallTime> = []
  /// The minutes after midnight at which a date without a time is due.
  let dateMinutes: Int
  /// The parts of its rule left out, in a few words each.
  private(set) var leftOut: [String] = []
  /// True if DUE was computed from DURATION.
  private(set) var usesDuration = false

  /// The schedule of a to-do.
  ///
  /// - Throws: a fault about a value, an unknown zone, or a repeat that Belfry cannot keep.
  init(_ todo: CalendarComponent, zones: inout CalendarZones, context: ImportContext) throws(CalendarFault) {
    dateMinutes =
      try todo.single(BelfryProperty.dateOnly).flatMap { Self.minutes($0.value) }
      ?? context.defaultTime.minutesSinceMidnight
    if let property = try todo.single("DTSTART") {
      start = try TodoTime(property, dateMinutes: dateMinutes, zones: &zones)
    }
    if let property = try todo.single("DUE") {
      due = try TodoTime(property, dateMinutes: dateMinutes, zones: &zones)
    } else if let start {
      due = start
      if let property = try todo.single("DURATION") {
        if let duration = SignedDuration(property.value) {
          due = TodoTime(start, plus: duration, planner: context.planner)
          usesDuration = true
        } else {
          leftOut.append("invalid DURATION")
        }
      }
    }
    if let property = todo.all("EXRULE").first {
      throw CalendarFault(line: property.number, reason: "it has an EXRULE, which RFC 5545 has dropped: use EXDATE")
    }
    guard let property = try todo.single("RRULE") else { return }
    // Some programs write all times in UTC. A repeat that Belfry has marked as floating still follows the wall clock.
    if todo.all(BelfryProperty.timeZone).first?.value == BelfryProperty.floating {
      start?.float(context.planner)
      due?.float(context.planner)
    }
    try readRule(property, of: todo, planner: context.planner)
    try readExceptions(of: todo, zones: &zones, context: context)
  }

  /// The minutes after midnight of a time such as `0900`.
  static func minutes(_ time: String) -> Int? {
    guard time.utf8.count == 4, let number = Int(time), number >= 0, number / 100 < 24, number % 100 < 60 else {
      return nil
    }
    return number / 100 * 60 + number % 100
  }

  /// The minutes from an occurrence's start, which RECURRENCE-ID names, to its due date.
  var minutesToDue: Int {
    guard let due, let start, !start.isDate || due.isDate else { return 0 }
    return plan == nil ? 0 : due.wall.minutesSinceEpoch - start.wall.minutesSinceEpoch
  }

  private mutating func readRule(
    _ property: CalendarProperty, of todo: CalendarComponent, planner: Planner
  ) throws(CalendarFault) {
    let received = ReceivedRule(property.value, startsOnDay: (start ?? due)?.isDate ?? false)
    leftOut += received.leftOut
    guard let text = received.text else { return }
    guard let due else {
      throw CalendarFault(line: property.number, reason: "it repeats, but has neither DTSTART nor DUE")
    }
    let start = start ?? due
    let rule: RecurrenceRule
    do {
      rule = try RecurrenceRule(text)
    } catch {
      throw CalendarFault(line: property.number, reason: "its RRULE cannot be used: \(error)")
    }
    if let own = try ownRepeat(todo, rule: rule) {
      plan = own
      return
    }
    let ended = start.isDate ? Self.endingOnDay(rule, planner: planner) : rule
    guard let plan = TodoRepeat(ended, from: start.wall(in: due.zone, planner: planner), due: due.wall) else {
      throw CalendarFault(
        line: property.number,
        reason: "its RRULE counts from DTSTART, and no equal rule exists for its DUE: give both the same time")
    }
    self.plan = plan
  }

  /// The rule of a series of days. An UNTIL with a time is replaced by the local day of that time.
  private static func endingOnDay(_ rule: RecurrenceRule, planner: Planner) -> RecurrenceRule {
    guard case .until(let until) = rule.end else { return rule }
    let day =
      switch until {
      case .date(let date): date
      case .local(let time): time.date
      case .utc(let time): planner.floatingZone.wallTime(at: Date(utc: time)).date
      }
    return rule.ending(.until(.date(day))) ?? rule
  }

  /// Belfry's own repeat, if the rule and due date written with it have not been changed.
  private func ownRepeat(
    _ todo: CalendarComponent, rule: RecurrenceRule
  ) throws(CalendarFault) -> TodoRepeat? {
    guard let due, due.wall == start?.wall, let property = try todo.single(BelfryProperty.repeatRule),
      let anchor = property.anchor, let kept = try? RecurrenceRule(property.value),
      property.parameter(BelfryProperty.ofDue) == due.wall.basicText,
      property.parameter(BelfryProperty.ofRule).flatMap({ try? RecurrenceRule($0) }) == rule
    else { return nil }
    return TodoRepeat(rule: kept, start: anchor)
  }

  private mutating func readExceptions(
    of todo: CalendarComponent, zones: inout CalendarZones, context: ImportContext
  ) throws(CalendarFault) {
    guard let due, let plan, let zone = try? context.planner.zone(due.zone) else { return }
    // An RDATE with dates of another form than DUE adds nothing. Without a rule no RDATE adds anything.
    let dates = (try? times("RDATE", of: todo, due, zones: &zones, context: context)) ?? []
    added = dates.filter { $0 >= due.wall }
    let properties = todo.all("EXDATE")
    guard !properties.isEmpty else { return }
    let left = try times("EXDATE", of: todo, due, zones: &zones, context: context)
    excluded = left
    // A COUNT beyond the number of exceptions makes no difference, and counting takes time.
    var countless = plan
    if case .count(let count) = plan.rule.end, count > Self.mostExceptions {
      countless.rule = plan.rule.ending(.never) ?? plan.rule
    }
    let occurrences = countless.occurrences(in: zone)
    while let due = self.due, left.contains(due.wall) {
      guard let next = occurrences.next(after: due.wall.civil) else {
        throw CalendarFault(line: properties[0].number, reason: "its EXDATEs exclude all occurrences")
      }
      let moved = WallTime(civil: next)
      // The start moves to the same occurrence.
      if let first = start?.wall {
        start?.wall = first.adding(days: 0, minutes: moved.minutesSinceEpoch - due.wall.minutesSinceEpoch)
      }
      self.due?.wall = moved
    }
    let now = zone.wallTime(at: context.now)
    exceptions = left.filter { $0 > (self.due ?? due).wall && $0 > now }
  }

  // The times of EXDATEs or RDATEs, which are starts, as due times.
  private func times(
    _ name: String, of todo: CalendarComponent, _ due: TodoTime, zones: inout CalendarZones, context: ImportContext
  ) throws(CalendarFault) -> Set<WallTime> {
    let shift =
      due.wall.minutesSinceEpoch - (start ?? due).wall(in: due.zone, planner: context.planner).minutesSinceEpoch
    var times: Set<WallTime> = []
    for property in todo.all(name) {
      for value in property.value.split(separator: ",") {
        guard times.count < Self.mostExceptions else {
          throw CalendarFault(line: property.number, reason: "it has more than \(Self.mostExceptions) \(name)s")
        }
        let wall = try time(String(value), of: property, due, zones: &zones, planner: context.planner)
        times.insert(wall.adding(days: 0, minutes: shift))
      }
    }
    return times
  }

  private func time(
    _ value: String, of property: CalendarProperty, _ due: TodoTime, zones: inout CalendarZones, planner: Planner
  ) throws(CalendarFault) -> WallTime {
    guard let moment = CalendarMoment(value) else {
      throw CalendarFault(line: property.number, reason: "its \(property.name) \(inQuotes(value)) is not a time")
    }
    let start = start ?? due
    let time = try TodoTime(
      moment, identifier: property.parameter("TZID"),
      dateMinutes: start.wall.time.minutesSinceMidnight, line: property.number, zones: &zones)
    guard start.isDate else { return time.wall(in: due.zone, planner: planner) }
    // A series of days has no times: any form of a date names a day, and only a date in UTC is on another clock.
    let day = if case .utc = moment { time.wall(in: .floating, planner: planner).date } else { time.wall.date }
    return WallTime(date: day, time: start.wall.time)
  }
}
