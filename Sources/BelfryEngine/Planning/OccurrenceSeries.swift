import BelfryModel
import CivilTime
import FoundationEssentials

/// The occurrences that remain of an item or list reminder: its due date, and the occurrences of its rule after that.
///
/// Every occurrence is computed from the anchor in wall-clock time and only then resolved to an instant. So a repeat
/// that the spring gap moves once returns to its own time afterwards.
struct OccurrenceSeries {
  /// The largest step by which clocks are set, in minutes: Samoa skipped a whole day.
  private static let zoneMargin = 26 * 60
  /// The most occurrences that one search visits. Enough for a reminder each minute over a month, which is needed after
  /// the clock was set back by a month.
  static let stepLimit = 50_000

  let due: WallTime
  let zone: Zone
  /// True if the minutes of a lead time are wall-clock minutes, as its days are: for all-day items.
  private let hasLeadsOnTheClock: Bool
  private let recurring: RecurringMinutes?

  /// The series of a due date and a rule.
  ///
  /// - Parameters:
  ///   - exceptions: the occurrences of the rule that do not take place.
  ///   - additions: the occurrences in addition to the rule.
  init(
    due: WallTime, recurrence: Recurrence?, exceptions: [WallTime] = [], additions: [WallTime] = [], zone: Zone,
    hasLeadsOnTheClock: Bool = false
  ) {
    self.due = due
    self.zone = zone
    self.hasLeadsOnTheClock = hasLeadsOnTheClock
    recurring = recurrence.map {
      RecurringMinutes($0, exceptions: exceptions, additions: additions, zone: zone)
    }
  }

  /// The reason why the rule cannot be planned; `nil` if it can.
  var fault: PlanningFault? { recurring?.fault }

  /// True if there may be more than one occurrence.
  var repeats: Bool { recurring != nil }

  /// True if there is an occurrence at this time.
  func contains(_ time: WallTime) -> Bool {
    time == due || (time > due && recurring?.contains(time) ?? false)
  }

  /// The first occurrence after a time.
  func next(after time: WallTime) -> WallTime? {
    if time < due { return due }
    return recurring?.next(after: time)
  }

  /// The last occurrence of the rule before a time.
  func lastOccurrence(before time: WallTime) -> WallTime? {
    recurring?.last(atOrBefore: time.adding(days: 0, minutes: -1))
  }

  /// The fire date of an occurrence; `nil` before 1970 and after 9999.
  ///
  /// Days of lead time are wall-clock days and are subtracted before the zone resolves the time; minutes are exact and
  /// are subtracted afterwards.
  func fireDate(_ time: WallTime, lead: CalendarDuration) -> FireDate? {
    let base = zone.instant(of: wallTime(time, lead: lead)).instant
    return try? FireDate(hasLeadsOnTheClock ? base : base.addingTimeInterval(-60 * Double(lead.minutes)))
  }

  /// The first occurrence that fires at `instant` or later and is accepted.
  ///
  /// In the spring gap, occurrences do not fire in the order of their times: 02:30 becomes 03:30 and so fires after
  /// 03:00. Of two that fire together, the one with the earlier time comes first.
  ///
  /// - Throws: ``PlanningFault`` if too many occurrences are rejected, and the errors of `accept`.
  func first(
    lead: CalendarDuration, ringingFrom instant: Date, where accept: (WallTime) throws -> Bool
  ) throws -> WallTime? {
    var first: (time: WallTime, fireDate: FireDate, movedTo: WallTime)?
    if let fault { throw fault }
    var steps = 0
    var candidate = next(after: timeFiring(before: instant, lead: lead))
    while let time = candidate, let fireDate = fireDate(time, lead: lead) {
      if let first, time >= first.movedTo { break }
      steps += 1
      guard steps <= Self.stepLimit else { throw PlanningFault.tooManyOccurrences }
      if fireDate.date >= instant, first.map({ fireDate < $0.fireDate }) ?? true, try accept(time) {
        first = (time, fireDate, time.adding(days: 0, minutes: minutesSkipped(at: time, lead: lead)))
      }
      candidate = next(after: time)
    }
    return first?.time
  }

  /// The first occurrence that fires at `instant` or later.
  func first(lead: CalendarDuration, ringingFrom instant: Date) throws -> WallTime? {
    try first(lead: lead, ringingFrom: instant) { _ in true }
  }

  /// The fire date of the last occurrence that fires at `instant` or earlier.
  func lastRinging(lead: CalendarDuration, until instant: Date) -> FireDate? {
    let about = zone.wallTime(at: instant).adding(days: lead.days, minutes: lead.minutes)
    var time = recurring?.last(atOrBefore: timeFiring(before: instant, lead: lead)).map { max($0, due) } ?? due
    guard var found = fireDate(time, lead: lead), found.date <= instant else { return nil }
    // At most the minutes of `zoneMargin` on both sides are visited.
    while let later = next(after: time), let fireDate = fireDate(later, lead: lead),
      later <= about || fireDate.date <= instant
    {
      if fireDate.date <= instant { found = max(found, fireDate) }
      time = later
    }
    return found
  }

  // A time that is certain to fire before `instant`, as are all times before it: a minute earlier, or earlier by the
  // whole margin if the clocks change around then.
  private func timeFiring(before instant: Date, lead: CalendarDuration) -> WallTime {
    let base = hasLeadsOnTheClock ? instant : instant.addingTimeInterval(60 * Double(lead.minutes))
    let reach = 60 * Double(Self.zoneMargin)
    let isSteady = zone.isSteady(from: base.addingTimeInterval(-reach), through: base.addingTimeInterval(reach))
    let minutes = (hasLeadsOnTheClock ? lead.minutes : 0) - (isSteady ? 1 : Self.zoneMargin)
    return zone.wallTime(at: base).adding(days: lead.days, minutes: minutes)
  }

  // The wall-clock time when an occurrence fires, before exact minutes are subtracted.
  private func wallTime(_ time: WallTime, lead: CalendarDuration) -> WallTime {
    time.adding(days: -lead.days, minutes: hasLeadsOnTheClock ? -lead.minutes : 0)
  }

  // The minutes by which a time moves forward because the clocks skip it.
  private func minutesSkipped(at time: WallTime, lead: CalendarDuration) -> Int {
    if case .gap(let minutes) = zone.instant(of: wallTime(time, lead: lead)).resolution { minutes } else { 0 }
  }
}
