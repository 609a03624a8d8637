import BelfryModel
import CivilTime
import FoundationEssentials

/// The present states of reminders, for the copies of messages about them.
struct PresentStates {
  let view: any StoreView
  /// The time of the change.
  let now: Date
  /// The zone in which times are shown.
  let zone: Zone

  /// The states of a message's reminders, in its order.
  ///
  /// - Parameter number: the number of the update that will contain them.
  func updates(of message: Message, number: Int64) throws -> [ReminderUpdate] {
    try message.contents.map { try update(of: $0, in: message, number: number) }
  }

  private func update(of content: ReminderContent, in message: Message, number: Int64) throws -> ReminderUpdate {
    guard try view.isEnded(content) else {
      return ReminderUpdate(messageID: message.id, number: number, state: .open, words: "open again", at: shown(now))
    }
    let reminder = try view.reminder(id: content.reminderID)
    let answer = try reminder.flatMap { try view.answerInForce(over: $0) }
    let end = try end(of: content.owner, reminder)
    if let answer, end.map({ answer.strength >= $0.operation.strength }) ?? true {
      return ReminderUpdate(
        messageID: message.id, number: number, state: .answered, words: answer.reply, operation: answer.operation,
        action: answer.action, channel: answer.channel, person: try view.personName(answer.person),
        at: shown(answer.date))
    }
    return ReminderUpdate(
      messageID: message.id, number: number, state: .answered, words: end?.words ?? "", operation: end?.operation,
      at: shown(end?.date ?? now))
  }

  private func end(of owner: ReminderOwner, _ reminder: Reminder?) throws -> End? {
    switch owner {
    case .list(let id):
      guard try view.list(id: id) == nil else { return nil }
      return End(operation: .deleteList, words: "the list was deleted", date: now)
    case .item(let id):
      guard let item = try view.item(id: id)?.item else {
        return End(operation: .delete, words: "deleted", date: now)
      }
      let hasMovedOn = reminder.map { item.isDone(with: $0.occurrence.wallTime) } ?? false
      guard item.isChecked || hasMovedOn else { return nil }
      return End(operation: .check, words: "checked", date: item.checkedAt ?? now)
    }
  }

  private func shown(_ date: Date) -> OffsetInstant { OffsetInstant(date, in: zone) }
}

/// The end of an occurrence, item or list: the operation that ended it, and when.
private struct End {
  let operation: ActionOperation.Word
  let words: String
  let date: Date
}
