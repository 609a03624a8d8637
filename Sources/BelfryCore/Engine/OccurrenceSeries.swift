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
  private let recurrences: RecurrenceSet?

  init(due: WallTime, recurrence: Recurrence?, zone: Zone) {
    self.due = due
    self.zone = zone
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

  /// When an occurrence rings; `nil` before 1970 and after 9999.
  ///
  /// A day of lead time is a day on the wall clock, a minute is a minute: days move before the zone resolves the time,
  /// minutes after.
  func fireDate(_ time: WallTime, lead: CalendarDuration) -> FireDate? {
    let base = zone.instant(of: time.adding(days: -lead.days)).instant
    return try? FireDate(base.addingTimeInterval(-60 * Double(lead.minutes)))
  }

  /// The first occurrence after `earlier` that rings at `instant` or later.
  func first(lead: CalendarDuration, after earlier: WallTime? = nil, ringingFrom instant: Date) -> WallTime? {
    let about = zone.wallTime(at: instant).adding(days: lead.days, minutes: lead.minutes - Self.zoneMargin)
    var candidate = next(after: max(earlier ?? about, about))
    while let time = candidate {
      guard let fireDate = fireDate(time, lead: lead) else { return nil }
      if fireDate.date >= instant { return time }
      candidate = next(after: time)
    }
    return nil
  }

  /// The last occurrence that rings at `instant` or earlier.
  func last(lead: CalendarDuration, ringingUntil instant: Date) -> WallTime? {
    let about = zone.wallTime(at: instant).adding(days: lead.days, minutes: lead.minutes)
    let surelyEarlier = about.adding(days: 0, minutes: -Self.zoneMargin)
    var found =
      recurrences?.last(atOrBefore: surelyEarlier.civil).map(WallTime.init(civil:)).map { max($0, due) } ?? due
    if let fireDate = fireDate(found, lead: lead), fireDate.date > instant { return nil }
    while let later = next(after: found), let fireDate = fireDate(later, lead: lead), fireDate.date <= instant {
      found = later
    }
    return found
  }
}

extension WallTime {
  /// The time as the recurrence rules count.
  var civil: CivilDateTime { CivilDateTime(minutesSinceEpoch: minutesSinceEpoch) }

  /// The minute of a time that the recurrence rules found.
  init(civil: CivilDateTime) { self.init(minutesSinceEpoch: civil.minutesSinceEpoch) }
}
