import BelfryModel
import FoundationEssentials

// Fire dates do not show which of two ringings was last, since a change of the zone moves future ones, and after the
// clock was set back, earlier ones may follow.
extension Reminder {
  /// True if it does not repeat an earlier ringing.
  var beginsEscalation: Bool { occurrence.kind == .planned || occurrence.kind.isSnooze }

  /// True if it rang before another reminder of its item or list. Both have fired.
  func rang(before other: Reminder) -> Bool { (changedAt, fireDate) < (other.changedAt, other.fireDate) }

  /// The place in its escalation; `nil` if it is not a step.
  var place: EscalationPlace? { occurrence.place }

  /// True if both have the same lead time before the due date.
  func hasLead(of other: Reminder) -> Bool { occurrence.lead == other.occurrence.lead }
}
