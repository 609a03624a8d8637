import BelfryModel
import FoundationEssentials

// Fire dates do not show which of two ringings was last, since a change of the zone moves future ones, and after the
// clock was set back, earlier ones may follow.
extension Reminder {
  /// True if it rang before another reminder of its item or list. Both have fired.
  func rang(before other: Reminder) -> Bool { (changedAt, fireDate) < (other.changedAt, other.fireDate) }
}

extension Change {
  /// Dates the fired reminders of the same occurrence and lead time before a ringing that fires now, if the clock was
  /// ahead when they fired and was set back since. So their times keep their order.
  func putBehind(_ ringing: Reminder) throws {
    let occurrence = ringing.occurrence
    for var earlier in try transaction.reminders(of: occurrence.owner, at: occurrence.wallTime, state: .fired)
    where earlier.changedAt > stamp && earlier.hasLead(of: ringing) {
      earlier.changedAt = stamp.addingTimeInterval(-1)
      try transaction.put(earlier)
    }
  }
}
