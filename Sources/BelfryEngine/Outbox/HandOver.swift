import BelfryModel
import FoundationEssentials

/// Makes the next step of an escalation due at once if all deliveries of the ring before it are dead, or were discarded
/// after they had failed, since that ring reached nobody.
struct HandOver {
  let transaction: any StoreTransaction
  let now: Date

  /// Moves up the next step if a delivery was the last of its ring that could still arrive.
  ///
  /// - Returns: events for the log.
  func run(after delivery: Delivery) throws -> [Event] {
    guard delivery.state == .dead, let message = try transaction.message(id: delivery.messageID), message.kind == .fired
    else { return [] }
    return try message.contents.compactMap(handOver)
  }

  private func handOver(_ content: ReminderContent) throws -> Event? {
    guard let note = content.escalation, let reminder = try transaction.reminder(id: content.reminderID),
      try transaction.answerInForce(over: reminder) == nil
    else { return nil }
    let occurrence = reminder.occurrence
    let scheduled = try transaction.reminders(of: occurrence.owner, at: occurrence.wallTime, state: .scheduled)
    guard
      let next = scheduled.first(where: { $0.hasLead(of: reminder) && $0.place?.step == Int(note.step) + 1 }),
      next.fireDate.date > now, try isPresent(reminder, before: next), try isDead(reminder)
    else { return nil }
    try transaction.moveUp(next, to: now)
    return Event(
      .warning,
      "\(content.owner.words(content.text)): every delivery of step \(note.step) of '\(note.name)' failed; step \(note.step + 1) follows "
        + "at once")
  }

  // A later ringing has its own escalation.
  private func isPresent(_ reminder: Reminder, before next: Reminder) throws -> Bool {
    guard let place = reminder.place else { return try transaction.ring(of: reminder) == reminder.id }
    return next.place?.run == place.run
  }

  private func isDead(_ reminder: Reminder) throws -> Bool {
    try transaction.deliveries(of: reminder.occurrence.owner, state: nil).allSatisfy { delivery, message in
      try hasFailed(delivery) || message.kind != .fired
        || !message.contents.contains { $0.reminderID == reminder.id }
    }
  }

  private func hasFailed(_ delivery: Delivery) throws -> Bool {
    guard delivery.state == .discarded, delivery.lastError != nil else { return delivery.state == .dead }
    return try !transaction.isReached(delivery)
  }
}
