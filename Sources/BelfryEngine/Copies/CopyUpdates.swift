import BelfryModel
import CivilTime
import FoundationEssentials

/// Updates messages that were, or may have been, delivered: an update is written if a copy does not show the state of
/// its reminders.
///
/// A reminder can be answered over any channel, or opened again. The sink then changes the message that it sent, if it
/// can (``ReminderSink/canWithdraw``); ``AnswerNews`` is for the others. An update is a delivery like others, except
/// that quiet hours do not hold it, since it makes no sound, and that a later update of the same message replaces it.
struct CopyUpdates {
  let transaction: any StoreTransaction
  /// The time of the change.
  let now: Date
  /// The zone in which times are shown.
  let zone: Zone
  let settings: Settings

  private var states: PresentStates { PresentStates(view: transaction, now: now, zone: zone) }

  private var news: AnswerNews { AnswerNews(transaction: transaction, states: states, settings: settings) }

  /// Updates the copies of every message about an item or list.
  func run(_ owner: ReminderOwner) throws {
    let deliveries = try transaction.deliveries(of: owner, state: nil)
    var known: Set<UUID> = []
    for (_, message) in deliveries where isUpdatable(message) && known.insert(message.id).inserted {
      try update(message, Copies(of: message, among: deliveries))
    }
    try news.run(deliveries)
  }

  /// Updates the copy that a late attempt may have made, since its delivery was discarded while the sink was sending
  /// it.
  ///
  /// - Returns: the sink for which there may be an update to send.
  @discardableResult
  func run(afterAttemptOf delivery: Delivery) throws -> String? {
    guard delivery.state == .discarded, let landed = try transaction.message(id: delivery.messageID),
      let message = try transaction.message(id: landed.update?.messageID ?? landed.id), message.hasCopies,
      let owner = message.contents.first?.owner
    else { return nil }
    let copies = Copies(of: message, among: try transaction.deliveries(of: owner, state: nil), landed: landed)
    if isUpdatable(message) { try update(message, copies) } else { try news.tell(message, copies) }
    return message.sink
  }

  // Messages that are too old to be answered stay as they are.
  private func isUpdatable(_ message: Message) -> Bool {
    message.isWithdrawable && message.kind == .fired
      && message.createdAt + Double(settings.answers.validFor) >= now
  }

  private func update(_ message: Message, _ copies: Copies) throws {
    let recipients = try copies.deliveries.filter(transaction.isReached).map(\.recipient)
    guard !recipients.isEmpty else { return }
    let number = copies.nextNumber
    let present = try states.updates(of: message, number: number)
    let isOver = present.allSatisfy { $0.state == .answered }
    guard try isOver || !message.contents.allSatisfy(isOutlived) else { return }
    if let (delivery, last) = copies.updates.last, delivery.state == .pending, last.says(present),
      try copies.landed == nil || !transaction.isReached(delivery)
    {
      return
    }
    let shown = try copies.landed ?? copies.updates.last { try transaction.isReached($0.0) }?.1 ?? message
    for (delivery, _) in copies.updates where delivery.state == .pending || delivery.state == .dead {
      _ = try transaction.discard(delivery, at: now)
    }
    guard !shown.shows(present) else { return }
    try transaction.add(
      Message(
        id: ReminderUpdate.id(number: number, of: message.id), sink: message.sink, person: message.person,
        contents: zip(message.contents, present).map { ReminderContent($0, update: $1) }, createdAt: now,
        domain: message.domain, tokens: message.tokens),
      recipients: recipients, fireDate: FireDate(now), permittedFrom: now)
  }

  // The buttons of a later ringing replace the buttons of an earlier one; the buttons of a former due date do nothing.
  private func isOutlived(_ content: ReminderContent) throws -> Bool {
    guard let reminder = try transaction.reminder(id: content.reminderID),
      let last = try transaction.reminder(id: transaction.ring(of: reminder))
    else { return false }
    if reminder.rang(before: last) { return true }
    guard case .item(let id) = content.owner, let item = try transaction.item(id: id)?.item else { return false }
    return item.recurrence == nil && item.due?.local != reminder.occurrence.wallTime
  }
}

extension Message {
  /// True if a copy of this message shows these states. If all are answered, only a stronger answer makes a difference.
  fileprivate func shows(_ present: [ReminderUpdate]) -> Bool {
    guard present.allSatisfy({ $0.state == .answered }) else { return kind != .answered }
    guard kind == .answered else { return false }
    return zip(contents, present).allSatisfy { content, state in
      content.update.map { $0.strength >= state.strength } ?? false
    }
  }
}

extension ReminderUpdate {
  /// The strength of the action that ended it.
  fileprivate var strength: ActionOperation.Strength { operation?.strength ?? ActionOperation.Strength.none }
}

/// The items and lists whose delivered messages a change may have made out of date.
final class OutdatedCopies {
  private(set) var owners: [ReminderOwner] = []
  /// True if the change has discarded a delivery.
  private(set) var hasDiscarded = false
  private var known: Set<ReminderOwner> = []

  func add(_ owner: ReminderOwner) { if known.insert(owner).inserted { owners.append(owner) } }

  func noteDiscard() { hasDiscarded = true }
}
