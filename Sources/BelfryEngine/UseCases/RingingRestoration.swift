import BelfryModel
import CivilTime
import FoundationEssentials

// Restores snoozes, nags and steps after an undo, an uncheck or a take-back.
extension Change {
  /// Schedules snoozes, nags and steps again that a change had ended, unless an answer ends them or another snooze has
  /// replaced them. Those that have passed do not ring, except that nags then count from now.
  ///
  /// - Parameter ended: the reminders that the change had ended, of every kind.
  func restoreRinging(_ ended: [UUID], of owner: ReminderOwner) throws {
    guard !ended.isEmpty, let plan = try plan(of: owner) else { return }
    let left = try restoreSteps(ended, of: plan)
    guard try !scheduledExtraRinging(of: owner).contains(where: \.occurrence.kind.isSnooze) else { return }
    for id in left {
      guard var reminder = try transaction.reminder(id: id), reminder.state == .cancelled, reminder.place == nil,
        plan.series.contains(reminder.occurrence.wallTime)
      else { continue }
      let standing = try transaction.answerInForce(over: reminder)
      guard standing.map({ reminder.occurrence.kind.isSnooze && $0.strength < .check }) ?? true else { continue }
      let isNag = reminder.occurrence.kind.isNag
      // The item may not nag any more, and a ringing since then has a nag of its own.
      if isNag, try plan.nag == nil || scheduledExtraRinging(of: owner).contains(where: \.occurrence.kind.isNag) {
        continue
      }
      if reminder.fireDate.date > now {
        (reminder.state, reminder.changedAt) = (.scheduled, stamp)
        try transaction.put(reminder)
      } else if isNag {
        _ = try nagAnew(plan)
      }
    }
  }

  /// Continues the nags of an item that was checked and is unchecked now. Snoozes and steps that the check has ended stay
  /// ended.
  ///
  /// - Parameter checked: the item as it was before.
  /// - Returns: the fire date of the nag; empty if the check has not ended one.
  func nagOn(afterUncheckOf checked: Item) throws -> [FireDate] {
    let owner = ReminderOwner.item(checked.id)
    guard let checkedAt = checked.checkedAt else { return [] }
    // A checked item has no scheduled nag, so the check, or a redo of it, ended every nag that was cancelled since.
    let ended = try transaction.reminders(of: owner, at: nil, state: .cancelled).filter {
      $0.occurrence.kind.isNag && (checked.isChecked ? $0.changedAt >= checkedAt : $0.changedAt == checkedAt)
    }
    guard let nag = ended.max(by: { $0.fireDate < $1.fireDate }) else { return [] }
    try restoreRinging([nag.id], of: owner)
    return try scheduledExtraRinging(of: owner).filter(\.occurrence.kind.isNag).map(\.fireDate)
  }

  /// Schedules the nag after the last ringing, counted from now, if no other nag, snooze or step is scheduled.
  ///
  /// - Returns: false while that ringing is answered or its occurrence is over; then nothing is changed.
  func nagAnew(_ plan: OwnerPlan) throws -> Bool {
    guard plan.nag != nil else { return true }
    // A nag that was missed is followed by the next one as well.
    let rung = try transaction.reminders(of: plan.owner, at: nil, state: nil)
      .filter { $0.state == .fired || $0.state == .missed && $0.occurrence.kind.isNag }
    guard let last = rung.max(by: { $0.fireDate < $1.fireDate }) else { return true }
    guard plan.series.contains(last.occurrence.wallTime), try transaction.answerInForce(over: last) == nil else {
      return false
    }
    guard try scheduledExtraRinging(of: plan.owner).isEmpty else { return true }
    let known = try transaction.reminders(of: plan.owner, at: last.occurrence.wallTime, state: nil)
    if let next = plan.nextNag(after: last, known: known, now: now) { try schedule(next) }
    return true
  }
}
