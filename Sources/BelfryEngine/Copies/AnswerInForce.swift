import BelfryModel
import CivilTime
import FoundationEssentials

// A reminder, its nags and its steps share one answer in force. It follows from the answers and the items, so nothing
// must be updated when an item is unchecked or rings again.
extension StoreView {
  /// The answer in force over a reminder: the strongest that was not taken back and still holds.
  func answerInForce(over reminder: Reminder) throws -> Answer? {
    let occurrence = reminder.occurrence
    let answers = try answers(of: occurrence.owner).filter { $0.wallTime == occurrence.wallTime && $0.counts }
    guard !answers.isEmpty else { return nil }
    let ring = try ring(of: reminder)
    return try answers.filter { answer in
      // A check or deletion of the item counts for all its alerts, a weaker answer for one ringing.
      if answer.strength < .check { return answer.lead == occurrence.lead && answer.ring == ring }
      return try holds(answer)
    }.max { ($0.strength, $0.id) < ($1.strength, $1.id) }
  }

  /// The id of the reminder that a nag or step repeats: the latest planned or snoozed reminder that has fired for the
  /// same occurrence and lead time. If none has fired, the id of `reminder`. A snooze that fires starts a new ringing.
  func ring(of reminder: Reminder) throws -> UUID {
    let occurrence = reminder.occurrence
    let fired = try reminders(of: occurrence.owner, at: occurrence.wallTime, state: .fired).filter {
      $0.occurrence.lead == occurrence.lead && ($0.occurrence.kind == .planned || $0.occurrence.kind.isSnooze)
    }
    return fired.max { $0.rang(before: $1) }?.id ?? reminder.id
  }

  /// True if an answer's effect is still there; it is not if the item was unchecked or restored.
  func holds(_ answer: Answer) throws -> Bool {
    guard case .item(let id) = answer.owner, answer.strength >= .check, let item = try item(id: id)?.item else {
      return true
    }
    return answer.strength == .check && (item.isChecked || item.isDone(with: answer.wallTime))
  }

  /// True if nothing more is sent about the reminder of a content: it was answered, or its item or list is done or
  /// deleted.
  package func isEnded(_ content: ReminderContent) throws -> Bool {
    switch content.owner {
    case .item(let id):
      guard let item = try item(id: id)?.item, !item.isChecked else { return true }
      guard let reminder = try reminder(id: content.reminderID) else { return false }
      if item.isDone(with: reminder.occurrence.wallTime) { return true }
      return try answerInForce(over: reminder) != nil
    case .list(let id):
      guard try list(id: id) != nil else { return true }
      return try reminder(id: content.reminderID).flatMap { try answerInForce(over: $0) } != nil
    }
  }
}

extension Answer {
  var strength: ActionOperation.Strength { operation.strength }

  /// True if it was carried out, was not taken back, and ends something.
  var counts: Bool { effect == .done && takenBackAt == nil && strength > .none }
}

extension Item {
  /// True if a repeating item has moved on to an occurrence after this one.
  func isDone(with time: WallTime) -> Bool { recurrence != nil && due.map { $0.local > time } ?? false }
}
