import BelfryModel
import CivilTime
import FoundationEssentials

/// Updates of messages that were delivered, or may have been: one is written where a copy does not show the state of its
/// reminders.
///
/// A reminder that rings by a copy is answered anywhere, or opened again; the sink then changes what it sent, where it
/// can (``ReminderSink/canWithdraw``). An update is a delivery like others, except that quiet hours do not hold it,
/// since it makes no sound, and that a later update of the same message replaces it.
struct CopyUpdates {
  let transaction: any StoreTransaction
  /// The time of the change.
  let now: Date
  /// The zone in which times are shown.
  let zone: Zone
  /// The seconds after its claim for which a message can be answered: older ones stay as they are.
  let validFor: Double

  /// Updates the copies of every message about an item or list.
  func run(_ owner: ReminderOwner) throws {
    let deliveries = try transaction.deliveries(of: owner, state: nil)
    var known: Set<UUID> = []
    for (_, message) in deliveries where isUpdatable(message) && known.insert(message.id).inserted {
      try update(message, Copies(of: message, among: deliveries))
    }
  }

  /// Updates the copy that a late attempt may have made: its delivery had been discarded while the sink was sending it.
  ///
  /// - Returns: the sink for which there may be an update to send.
  @discardableResult
  func run(afterAttemptOf delivery: Delivery) throws -> String? {
    guard delivery.state == .discarded, let landed = try transaction.message(id: delivery.messageID),
      let message = try transaction.message(id: landed.update?.messageID ?? landed.id), isUpdatable(message),
      let owner = message.contents.first?.owner
    else { return nil }
    try update(message, Copies(of: message, among: transaction.deliveries(of: owner, state: nil), landed: landed))
    return message.sink
  }

  private func isUpdatable(_ message: Message) -> Bool {
    message.isWithdrawable && message.kind == .fired && message.createdAt + validFor >= now
  }

  private func update(_ message: Message, _ copies: Copies) throws {
    let recipients = try copies.deliveries.filter(isReached).map(\.recipient)
    guard !recipients.isEmpty else { return }
    let number = (copies.updates.last?.1.update?.number ?? 0) + 1
    let present = try message.contents.map { try update(of: $0, in: message, number: number) }
    let isOver = present.allSatisfy { $0.state == .answered }
    guard try isOver || !message.contents.allSatisfy(isOutlived) else { return }
    if let (delivery, last) = copies.updates.last, delivery.state == .pending, last.says(present),
      try copies.landed == nil || !isReached(delivery)
    {
      return
    }
    let shown = try copies.landed ?? copies.updates.last { try isReached($0.0) }?.1 ?? message
    for (delivery, _) in copies.updates where delivery.state == .pending || delivery.state == .dead {
      var delivery = delivery
      delivery.discard(at: now)
      try transaction.update(delivery)
    }
    guard !shown.shows(present) else { return }
    try transaction.add(
      Message(
        id: ReminderUpdate.id(number: number, of: message.id), sink: message.sink, person: message.person,
        contents: zip(message.contents, present).map { ReminderContent($0, update: $1) }, createdAt: now,
        domain: message.domain, tokens: message.tokens),
      recipients: recipients, fireDate: FireDate(now), permittedFrom: now)
  }

  /// True if the sink has accepted the delivery, or may have.
  private func isReached(_ delivery: Delivery) throws -> Bool {
    if delivery.state == .delivered { return true }
    return try transaction.attempts(of: delivery.id).contains(where: \.outcome.mayHaveArrived)
  }

  // The buttons of a later ringing stand for those of an earlier one; those of a date that the item has left do nothing.
  private func isOutlived(_ content: ReminderContent) throws -> Bool {
    guard let reminder = try transaction.reminder(id: content.reminderID),
      let last = try transaction.reminder(id: transaction.ring(of: reminder))
    else { return false }
    if reminder.fireDate < last.fireDate { return true }
    guard case .item(let id) = content.owner, let item = try transaction.item(id: id)?.item else { return false }
    return item.recurrence == nil && item.due?.local != reminder.occurrence.wallTime
  }
}

// MARK: The state of a reminder

extension CopyUpdates {
  private func update(of content: ReminderContent, in message: Message, number: Int64) throws -> ReminderUpdate {
    guard try transaction.isEnded(content) else {
      return ReminderUpdate(messageID: message.id, number: number, state: .open, words: "open again", at: shown(now))
    }
    let reminder = try transaction.reminder(id: content.reminderID)
    let answer = try reminder.flatMap { try transaction.answerInForce(over: $0) }
    let end = try end(of: content.owner, reminder)
    if let answer, end.map({ answer.strength >= $0.operation.strength }) ?? true {
      return ReminderUpdate(
        messageID: message.id, number: number, state: .answered, words: answer.reply, operation: answer.operation,
        action: answer.action, channel: answer.channel, person: try transaction.personName(answer.person),
        at: shown(answer.date))
    }
    return ReminderUpdate(
      messageID: message.id, number: number, state: .answered, words: end?.words ?? "", operation: end?.operation,
      at: shown(end?.date ?? now))
  }

  private func end(of owner: ReminderOwner, _ reminder: Reminder?) throws -> End? {
    switch owner {
    case .list(let id):
      guard try transaction.list(id: id) == nil else { return nil }
      return End(operation: .deleteList, words: "the list was deleted", date: now)
    case .item(let id):
      guard let item = try transaction.item(id: id)?.item else {
        return End(operation: .delete, words: "deleted", date: now)
      }
      let hasMovedOn = reminder.map { item.isDone(with: $0.occurrence.wallTime) } ?? false
      guard item.isChecked || hasMovedOn else { return nil }
      return End(operation: .check, words: "checked", date: item.checkedAt ?? now)
    }
  }

  private func shown(_ date: Date) -> OffsetInstant { OffsetInstant(date, in: zone) }
}

/// The end of an occurrence, item or list itself, whoever brought it about.
private struct End {
  let operation: ActionOperation.Word
  let words: String
  let date: Date
}

/// The deliveries of one message, and of its updates.
private struct Copies {
  let deliveries: [Delivery]
  /// The updates, oldest first.
  let updates: [(Delivery, Message)]
  /// The message that arrived last, where that is known.
  let landed: Message?

  init(of message: Message, among all: [(Delivery, Message)], landed: Message? = nil) {
    deliveries = all.filter { $0.1.id == message.id }.map(\.0)
    updates = all.filter { $0.1.update?.messageID == message.id }
      .sorted { ($0.1.update?.number ?? 0, $0.0.id) < ($1.1.update?.number ?? 0, $1.0.id) }
    self.landed = landed
  }
}

extension Message {
  /// True if a copy of this message shows these states: a stronger answer is news, any other is not.
  fileprivate func shows(_ present: [ReminderUpdate]) -> Bool {
    guard present.allSatisfy({ $0.state == .answered }) else { return kind != .answered }
    guard kind == .answered else { return false }
    return zip(contents, present).allSatisfy { content, state in
      content.update.map { $0.strength >= state.strength } ?? false
    }
  }
}

extension Message {
  /// True if an update that nobody has seen says these states: a weaker answer takes the place of one that was undone.
  fileprivate func says(_ present: [ReminderUpdate]) -> Bool {
    zip(contents, present).allSatisfy { content, state in
      guard let update = content.update else { return false }
      return (update.state, update.operation, update.words) == (state.state, state.operation, state.words)
    }
  }
}

extension ReminderUpdate {
  /// The strength of what ended it.
  fileprivate var strength: ActionOperation.Strength { operation?.strength ?? ActionOperation.Strength.none }
}

/// The items and lists whose delivered messages a change may have made out of date.
final class OutdatedCopies {
  private(set) var owners: [ReminderOwner] = []
  private var known: Set<ReminderOwner> = []

  func add(_ owner: ReminderOwner) { if known.insert(owner).inserted { owners.append(owner) } }
}

extension Change {
  /// Updates the copies that the change has made out of date. Called at its end, when every answer is kept.
  func updateCopies(_ settings: Settings) throws {
    guard !outdated.owners.isEmpty else { return }
    let updates = CopyUpdates(
      transaction: transaction, now: stamp, zone: planner.floatingZone, validFor: Double(settings.answers.validFor))
    for owner in outdated.owners { try updates.run(owner) }
  }
}
