import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials

extension StateTransaction {
  package func message(id: UUID) throws -> Message? {
    return state.messages[id]
  }

  package func hasMessageWithTokens() throws -> Bool { state.messages.values.contains { $0.tokens != nil } }

  package func delivery(id: Int64) throws -> Delivery? {
    return state.deliveries[id]
  }

  package func visitDeliveries(_ query: DeliveryQuery, _ body: (Delivery, Message) throws -> VisitResult) throws {
    var left = query.limit ?? .max
    for id in state.deliveries.keys.filter({ $0 < query.before ?? .max }).sorted(by: >) {
      guard left > 0 else { return }
      guard let delivery = state.deliveries[id], query.state == nil || delivery.state == query.state,
        query.sink.map({ $0.utf8.elementsEqual(delivery.sink.utf8) }) ?? true,
        let message = state.messages[delivery.messageID], query.lists.map({ isCarried(message, by: $0) }) ?? true
      else { continue }
      left -= 1
      if try body(delivery, message) == .stop { return }
    }
  }

  private func isCarried(_ message: Message, by lists: Set<Int64>) -> Bool {
    message.contents.contains { content in
      switch content.owner {
      case .list(let id): lists.contains(id)
      case .item(let id): state.items[id].map { lists.contains($0.listID) } ?? false
      }
    }
  }

  package func attemptableDeliveries(
    sink: String, at now: Date, besides busy: Set<Int64>, limit: Int
  ) throws -> [(Delivery, Message)] {
    return pending(sink).filter { $0.at <= now && !busy.contains($0.delivery.id) }
      .sorted { ($0.at, $0.delivery.id) < ($1.at, $1.delivery.id) }.prefix(limit)
      .compactMap { delivery, _ in state.messages[delivery.messageID].map { (delivery, $0) } }
  }

  package func nextAttempt(sink: String, after now: Date) throws -> Date? {
    return pending(sink).map(\.at).filter { $0 > now }.min()
  }

  package func deliveries(aheadOf instant: Date) throws -> [Int64] {
    state.deliveries.values.filter { delivery in
      guard delivery.state == .pending else { return false }
      if let last = delivery.lastAttemptAt { return last > instant }
      // A delivery that is permitted only after its claim is held, and does not count.
      guard delivery.permittedFrom > instant, let message = state.messages[delivery.messageID] else { return false }
      return delivery.permittedFrom <= message.createdAt
    }
    .map(\.id).sorted()
  }

  package func sinksWithPendingDeliveries() throws -> Set<String> {
    return Set(state.deliveries.values.filter { $0.state == .pending }.map(\.sink))
  }

  package func deliveries(of owner: ReminderOwner, state wanted: Delivery.State?) throws -> [(Delivery, Message)] {
    return deliveryIDs(of: owner).compactMap { id in
      guard let delivery = state.deliveries[id], wanted == nil || delivery.state == wanted,
        let message = state.messages[delivery.messageID]
      else { return nil }
      return (delivery, message)
    }
  }

  package func deliveriesToFollowUp() throws -> [Delivery] {
    state.deliveries.values.filter(\.awaitsFollowUp).sorted { $0.id < $1.id }
  }

  package func add(
    _ message: Message, recipients: [String?], fireDate: FireDate, permittedFrom: Date
  ) throws -> [Delivery] {
    try Self.refuseDuplicate(state.messages[message.id] != nil, "a message \(message.id)")
    state.messages[message.id] = message
    changes.messages.insert(message.id)
    return try recipients.map { recipient in
      let delivery = Delivery(
        id: try take(\.nextDeliveryID), messageID: message.id, sink: message.sink, recipient: recipient,
        fireDate: fireDate, permittedFrom: permittedFrom, nextAttemptAt: permittedFrom)
      state.deliveries[delivery.id] = delivery
      changes.deliveries.insert(delivery.id)
      if indexes.deliveriesByOwner != nil {
        for owner in Self.owners(of: message) { indexes.deliveriesByOwner?[owner, default: []].append(delivery.id) }
      }
      return delivery
    }
  }

  package func update(_ delivery: Delivery) throws {
    guard let old = state.deliveries[delivery.id], old != delivery || !old.texts.haveSameBytes(as: delivery.texts)
    else {
      return
    }
    state.deliveries[delivery.id] = delivery
    changes.deliveries.insert(delivery.id)
  }

  package func closeDelivered(by attempt: AttemptRecord, at now: Date) throws -> Bool {
    guard var delivery = try delivery(id: attempt.deliveryID), delivery.state == .pending else { return false }
    delivery.state = .delivered
    delivery.attempts += 1
    (delivery.nextAttemptAt, delivery.lastAttemptAt) = (nil, attempt.startedAt)
    (delivery.closedAt, delivery.lastError) = (now, nil)
    try update(delivery)
    try add(attempt)
    return true
  }

  package func attempts(of deliveryID: Int64) throws -> [AttemptRecord] {
    return state.attempts[deliveryID] ?? []
  }

  package func add(_ attempt: AttemptRecord) throws {
    try Self.require(
      state.deliveries[attempt.deliveryID] != nil,
      "an attempt of delivery \(attempt.deliveryID) has no delivery")
    state.attempts[attempt.deliveryID, default: []].append(attempt)
    changes.deliveries.insert(attempt.deliveryID)
  }

  package func prune(endedBefore cutoff: Date, limit: Int) throws -> Int {
    let open = Set(
      state.deliveries.values.filter { $0.state == .pending || ($0.closedAt ?? .distantFuture) >= cutoff }
        .map(\.messageID))
    let messages = Set(state.messages.keys.filter { !open.contains($0) }.prefix(limit))
    let reminders = state.reminders.values.filter { $0.state != .scheduled && $0.changedAt < cutoff }.prefix(limit)
    forget(messages)
    for reminder in reminders { state.reminders[reminder.id] = nil }
    changes.reminders.formUnion(reminders.map(\.id))
    if !reminders.isEmpty { indexes.remindersByOwner = nil }
    return messages.count + reminders.count + forgetAnswers(before: cutoff, limit: limit)
  }

  private func forget(_ messages: Set<UUID>) {
    guard !messages.isEmpty else { return }
    for id in messages { state.messages[id] = nil }
    for delivery in state.deliveries.values where messages.contains(delivery.messageID) {
      state.deliveries[delivery.id] = nil
      state.attempts[delivery.id] = nil
      changes.deliveries.insert(delivery.id)
    }
    changes.messages.formUnion(messages)
    indexes.deliveriesByOwner = nil
  }

  private func pending(_ sink: String) -> [(delivery: Delivery, at: Date)] {
    state.deliveries.values.filter { $0.state == .pending && $0.sink.utf8.elementsEqual(sink.utf8) }
      .compactMap { delivery in delivery.nextAttemptAt.map { (delivery, $0) } }
  }
}

extension Delivery {
  fileprivate var texts: [String?] { [lastError] }
}
