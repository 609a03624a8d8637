import BelfryModel
import CivilTime
import FoundationEssentials

/// The occurrences that an item or a list's own reminder still has: the due date, and what its rule adds after it.
///
/// Every occurrence is computed from the anchor on the wall clock and only then given its instant, so a time that the
/// clocks skip once returns to its place.
struct OccurrenceSeries {
  /// The most by which clocks are set in one step: Samoa left out a day.
  private static let zoneMargin = 26 * 60
  /// How many occurrences one search looks at. What rings each minute and has rung for a month ahead of the clock, which
  /// was set back since, is within it.
  static let stepLimit = 50_000

  let due: WallTime
  let zone: Zone
  /// Whether minutes of lead time move the clock on the wall, as days do: so they are meant of a day without a time.
  private let hasLeadsOnTheClock: Bool
  private let recurring: RecurringMinutes?

  init(due: WallTime, recurrence: Recurrence?, zone: Zone, hasLeadsOnTheClock: Bool = false) {
    self.due = due
    self.zone = zone
    self.hasLeadsOnTheClock = hasLeadsOnTheClock
    recurring = recurrence.map { RecurringMinutes($0, zone: zone) }
  }

  /// What is wrong with the rule; `nil` where it can be planned.
  var fault: PlanningFault? { recurring?.fault }

  /// Whether there is more than one occurrence.
  var repeats: Bool { recurring != nil }

  /// Whether something is due at this time.
  func contains(_ time: WallTime) -> Bool {
    time == due || (time > due && recurring?.contains(time) ?? false)
  }

  /// The first occurrence after a time.
  func next(after time: WallTime) -> WallTime? {
    if time < due { return due }
    return recurring?.next(after: time)
  }

  /// The last time before another one that the rule gives.
  func lastOccurrence(before time: WallTime) -> WallTime? {
    recurring?.last(atOrBefore: time.adding(days: 0, minutes: -1))
  }

  /// When an occurrence rings; `nil` before 1970 and after 9999.
  ///
  /// A day of lead time is a day on the wall clock, a minute is a minute: days move before the zone resolves the time,
  /// minutes after.
  func fireDate(_ time: WallTime, lead: CalendarDuration) -> FireDate? {
    let base = zone.instant(of: wallTime(time, lead: lead)).instant
    return try? FireDate(hasLeadsOnTheClock ? base : base.addingTimeInterval(-60 * Double(lead.minutes)))
  }

  /// The first occurrence that rings at `instant` or later and is accepted.
  ///
  /// Where the clocks skip a time, occurrences ring in another order than that of their times: 02:30 becomes 03:30 and so
  /// comes behind 03:00. Of two that ring together the one with the earlier time is first.
  ///
  /// - Throws: ``PlanningFault`` where too many occurrences are refused, and what `accept` throws.
  func first(
    lead: CalendarDuration, ringingFrom instant: Date, where accept: (WallTime) throws -> Bool
  ) throws -> WallTime? {
    var first: (time: WallTime, fireDate: FireDate, movedTo: WallTime)?
    if let fault { throw fault }
    var steps = 0
    var candidate = next(after: surelyRinging(before: instant, lead: lead))
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

  /// The first occurrence that rings at `instant` or later.
  func first(lead: CalendarDuration, ringingFrom instant: Date) throws -> WallTime? {
    try first(lead: lead, ringingFrom: instant) { _ in true }
  }

  /// When the last occurrence that rings at `instant` or earlier does so.
  func lastRinging(lead: CalendarDuration, until instant: Date) -> FireDate? {
    let about = zone.wallTime(at: instant).adding(days: lead.days, minutes: lead.minutes)
    var time = recurring?.last(atOrBefore: surelyRinging(before: instant, lead: lead)).map { max($0, due) } ?? due
    guard var found = fireDate(time, lead: lead), found.date <= instant else { return nil }
    // At most the minutes of the margin on both sides.
    while let later = next(after: time), let fireDate = fireDate(later, lead: lead),
      later <= about || fireDate.date <= instant
    {
      if fireDate.date <= instant { found = max(found, fireDate) }
      time = later
    }
    return found
  }

  // A time that rings before `instant`, as all times before it do: a minute earlier, and by the margin where the clocks
  // are set around then.
  private func surelyRinging(before instant: Date, lead: CalendarDuration) -> WallTime {
    let base = hasLeadsOnTheClock ? instant : instant.addingTimeInterval(60 * Double(lead.minutes))
    let reach = 60 * Double(Self.zoneMargin)
    let isSteady = zone.isSteady(from: base.addingTimeInterval(-reach), through: base.addingTimeInterval(reach))
    let minutes = (hasLeadsOnTheClock ? lead.minutes : 0) - (isSteady ? 1 : Self.zoneMargin)
    return zone.wallTime(at: base).adding(days: lead.days, minutes: minutes)
  }

  // What the clock shows when an occurrence rings, but for the exact minutes.
  private func wallTime(_ time: WallTime, lead: CalendarDuration) -> WallTime {
    time.adding(days: -lead.days, minutes: hasLeadsOnTheClock ? -lead.minutes : 0)
  }

  // By how much a time moves forward since the clocks skip it.
  private func minutesSkipped(at time: WallTime, lead: CalendarDuration) -> Int {
    if case .gap(let minutes) = zone.instant(of: wallTime(time, lead: lead)).resolution { minutes } else { 0 }
  }
}
