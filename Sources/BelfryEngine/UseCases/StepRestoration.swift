import BelfryModel
import CivilTime
import FoundationEssentials

extension Change {
  /// Schedules again the steps that a change had cancelled, if nothing else has ended their escalation.
  ///
  /// They keep their times; if the first is overdue, it rings now and the others are delayed by the same time.
  ///
  /// - Parameter ids: the reminders of every kind that the change had cancelled.
  /// - Returns: the reminders that are still cancelled.
  func restoreSteps(_ ids: [UUID], of plan: OwnerPlan) throws -> [UUID] {
    let steps = try ids.compactMap { try transaction.reminder(id: $0) }
      .filter { $0.place != nil && $0.state == .cancelled && plan.series.contains($0.occurrence.wallTime) }
    // Each alert has an escalation of its own.
    let escalations = Dictionary(grouping: steps, by: \.occurrence.lead).values
    let restored = Set(try escalations.flatMap { try restoreEscalation($0, of: plan) })
    return ids.filter { !restored.contains($0) }
  }

  // Returns the steps that are scheduled again.
  private func restoreEscalation(_ steps: [Reminder], of plan: OwnerPlan) throws -> [UUID] {
    guard let first = steps.min(by: { $0.fireDate < $1.fireDate }), try isToRing(first, plan) else { return [] }
    let delay = max(0, try FireDate(now).date.timeIntervalSince(first.fireDate.date))
    return try steps.map { step in
      var step = step
      (step.state, step.changedAt) = (.scheduled, stamp)
      step.fireDate = try FireDate(step.fireDate.date.addingTimeInterval(delay))
      try transaction.put(step)
      return step.id
    }
  }

  // False if the reminder was answered, rings again later, or a later ringing has begun an escalation.
  private func isToRing(_ step: Reminder, _ plan: OwnerPlan) throws -> Bool {
    guard try transaction.answerInForce(over: step) == nil else { return false }
    let scheduled = try scheduledExtraRinging(of: plan.owner)
    guard !scheduled.contains(where: { $0.occurrence.kind.isSnooze || $0.place != nil && $0.hasLead(of: step) })
    else { return false }
    guard let ringing = try transaction.reminder(id: transaction.ring(of: step)) else { return false }
    let known = try transaction.reminders(of: plan.owner, at: nil, state: nil).filter { $0.hasLead(of: step) }
    return !known.contains { other in
      if other.occurrence.wallTime == step.occurrence.wallTime {
        return (other.place?.run ?? 0) > (step.place?.run ?? 0)
      }
      // A ringing dated after `now` is an earlier one, since it rang before the clock was set back.
      return other.state == .fired && other.beginsEscalation && ringing.rang(before: other) && other.changedAt <= now
    }
  }
}
