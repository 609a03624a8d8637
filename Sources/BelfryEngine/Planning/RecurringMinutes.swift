import BelfryModel
import CivilTime
import FoundationEssentials
import RecurrenceRules

/// The minutes at which something recurs: what its rule gives, floored to the minute, equal ones once.
///
/// A rule counts seconds and an occurrence is a minute, so each search begins behind the last second of a minute: a step
/// always goes forward, whatever BYSECOND says.
struct RecurringMinutes {
  private let occurrences: RecurrenceSet

  /// What is wrong with the rule; `nil` where it can be planned.
  var fault: PlanningFault? { occurrences.isTooFarToCount ? .tooFarToCount : nil }

  /// The minutes of a recurrence on the clock of a zone.
  init(_ recurrence: Recurrence, zone: Zone) {
    let rule = recurrence.rule.withLocalUntil { utc in
      let local = zone.wallTime(at: Date(timeIntervalSince1970: Double(utc.secondsSinceEpoch)))
      return CivilDateTime(secondsSinceEpoch: local.civil.secondsSinceEpoch + utc.second)
    }
    occurrences = RecurrenceSet(start: recurrence.start.civil, countingStart: rule)
  }

  /// Whether something occurs in this minute.
  func contains(_ time: WallTime) -> Bool { occurrences.next(atOrAfter: time.civil).map(WallTime.init(civil:)) == time }

  /// The first minute after another.
  func next(after time: WallTime) -> WallTime? { occurrences.next(after: time.lastSecond).map(WallTime.init(civil:)) }

  /// The last minute that is not after another.
  func last(atOrBefore time: WallTime) -> WallTime? {
    occurrences.last(atOrBefore: time.lastSecond).map(WallTime.init(civil:))
  }
}

extension WallTime {
  /// The time as the recurrence rules count.
  var civil: CivilDateTime { CivilDateTime(minutesSinceEpoch: minutesSinceEpoch) }

  /// The minute of a time that the recurrence rules found.
  init(civil: CivilDateTime) { self.init(minutesSinceEpoch: civil.minutesSinceEpoch) }

  /// The end of the minute: all that it holds is over by then.
  var lastSecond: CivilDateTime { CivilDateTime(secondsSinceEpoch: minutesSinceEpoch * 60 + 59) }
}
