import BelfryModel
import FoundationEssentials

// Fire dates do not tell which of two ringings came last: a change of the zone moves those to come, and a clock that is
// set back lets earlier ones follow.
extension Reminder {
  /// True if it rang before another one of its item or list. Both have fired.
  func rang(before other: Reminder) -> Bool { (changedAt, fireDate) < (other.changedAt, other.fireDate) }
}

extension Change {
  /// Moves what has fired of an occurrence and its lead behind a ringing that fires now, where the clock was ahead then
  /// and has been set back since: their times keep their order.
  func putBehind(_ ringing: Reminder) throws {
    let occurrence = ringing.occurrence
    for var earlier in try transaction.reminders(of: occurrence.owner, at: occurrence.wallTime, state: .fired)
    where earlier.changedAt > stamp && earlier.hasLead(of: ringing) {
      earlier.changedAt = stamp.addingTimeInterval(-1)
      try transaction.put(earlier)
    }
  }
}
