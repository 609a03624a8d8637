import Foundation
import RecurrenceRules

/// The occurrences that an item or a list's own reminder still has: the due date, and what its rule adds after it.
///
/// Every occurrence is computed from the anchor on the wall clock and only then given its instant, so a time that the
/// clocks skip once returns to its place.
struct OccurrenceSeries {
  /// The most by which clocks are set in one step: Samoa left out a day.
  private static let zoneMargin = 26 * 60

  let due: WallTime
  let zone: Zone
  /// Whether minutes of lead time move the clock on the wall, as days do: so they are meant of a day without a time.
  private let hasLeadsOnTheClock: Bool
  private let recurrences: RecurrenceSet?

  init(due: WallTime, recurrence: Recurrence?, zone: Zone, hasLeadsOnTheClock: Bool = false) {
    self.due = due
    self.zone = zone
    self.hasLeadsOnTheClock = hasLeadsOnTheClock
    recurrences = recurrence.map { recurrence in
      let rule = recurrence.rule.withLocalUntil { utc in
        zone.wallTime(at: Date(timeIntervalSince1970: Double(utc.secondsSinceEpoch))).civil
      }
      return RecurrenceSet(start: recurrence.start.civil, rule: rule)
    }
  }

  /// Whether there is more than one occurrence.
  var repeats: Bool { recurrences != nil }

  /// Whether something is due at this time.
  func contains(_ time: WallTime) -> Bool {
    time == due || (time > due && recurrences?.contains(time.civil) ?? false)
  }

  /// The first occurrence after a time.
  func next(after time: WallTime) -> WallTime? {
    if time < due { return due }
    return recurrences?.next(after: time.civil).map(WallTime.init(civil:))
  }

  /// The last time before another one that the rule gives.
  func lastOccurrence(before time: WallTime) -> WallTime? {
    recurrences?.last(before: time.civil).map(WallTime.init(civil:))
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
  func first(
    lead: CalendarDuration, ringingFrom instant: Date, where accept: (WallTime) throws -> Bool
  ) rethrows -> WallTime? {
    let about = zone.wallTime(at: instant).adding(days: lead.days, minutes: lead.minutes - Self.zoneMargin)
    var first: (time: WallTime, fireDate: FireDate, movedTo: WallTime)?
    var candidate = next(after: about)
    while let time = candidate, let fireDate = fireDate(time, lead: lead) {
      if let first, time >= first.movedTo { break }
      if fireDate.date >= instant, first.map({ fireDate < $0.fireDate }) ?? true, try accept(time) {
        first = (time, fireDate, time.adding(days: 0, minutes: minutesSkipped(at: time, lead: lead)))
      }
      candidate = next(after: time)
    }
    return first?.time
  }

  /// The first occurrence that rings at `instant` or later.
  func first(lead: CalendarDuration, ringingFrom instant: Date) -> WallTime? {
    first(lead: lead, ringingFrom: instant) { _ in true }
  }

  /// When the last occurrence that rings at `instant` or earlier does so.
  func lastRinging(lead: CalendarDuration, until instant: Date) -> FireDate? {
    let about = zone.wallTime(at: instant).adding(days: lead.days, minutes: lead.minutes)
    let surelyEarlier = about.adding(days: 0, minutes: -Self.zoneMargin)
    var time = recurrences?.last(atOrBefore: surelyEarlier.civil).map(WallTime.init(civil:)).map { max($0, due) } ?? due
    guard var found = fireDate(time, lead: lead), found.date <= instant else { return nil }
    while let later = next(after: time), let fireDate = fireDate(later, lead: lead),
      later <= about || fireDate.date <= instant
    {
      if fireDate.date <= instant { found = max(found, fireDate) }
      time = later
    }
    return found
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

extension WallTime {
  /// The time as the recurrence rules count.
  var civil: CivilDateTime { CivilDateTime(minutesSinceEpoch: minutesSinceEpoch) }

  /// The minute of a time that the recurrence rules found.
  init(civil: CivilDateTime) { self.init(minutesSinceEpoch: civil.minutesSinceEpoch) }
}
