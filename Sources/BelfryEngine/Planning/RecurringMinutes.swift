import BelfryModel
import CivilTime
import FoundationEssentials
import RecurrenceRules

/// The occurrences of a rule, floored to the minute, without duplicates.
///
/// A rule counts seconds and an occurrence is a minute, so each search starts after the last second of a minute. A step
/// thus always moves forward, whatever BYSECOND says.
struct RecurringMinutes {
  private let occurrences: RecurrenceSet

  /// The reason why the rule cannot be planned; `nil` if it can.
  var fault: PlanningFault? { occurrences.isTooFarToCount ? .tooFarToCount : nil }

  /// The minutes of a recurrence in a zone, without the exceptions and with the additions.
  init(_ recurrence: Recurrence, exceptions: [WallTime], additions: [WallTime], zone: Zone) {
    let rule = recurrence.rule.withLocalUntil { utc in
      let local = zone.wallTime(at: Date(timeIntervalSince1970: Double(utc.secondsSinceEpoch)))
      return CivilDateTime(secondsSinceEpoch: local.civil.secondsSinceEpoch + utc.second)
    }
    let set = RecurrenceSet(start: recurrence.start.civil, countingStart: rule)
    occurrences =
      exceptions.isEmpty && additions.isEmpty
      ? set
      : RecurrenceSet(
        start: set.start, rules: set.rules, dates: set.dates + additions.map(\.civil),
        exceptions: exceptions.map(\.civil))
  }

  /// True if there is an occurrence in this minute.
  func contains(_ time: WallTime) -> Bool { occurrences.next(atOrAfter: time.civil).map(WallTime.init(civil:)) == time }

  /// The first occurrence after a minute.
  func next(after time: WallTime) -> WallTime? { occurrences.next(after: time.lastSecond).map(WallTime.init(civil:)) }

  /// The last occurrence at or before a minute.
  func last(atOrBefore time: WallTime) -> WallTime? {
    occurrences.last(atOrBefore: time.lastSecond).map(WallTime.init(civil:))
  }
}

extension WallTime {
  /// The last second of the minute.
  var lastSecond: CivilDateTime { CivilDateTime(secondsSinceEpoch: minutesSinceEpoch * 60 + 59) }
}
