import BelfryCore
import Foundation

extension MemoryTransaction {
  func message(id: UUID) -> Message? { state.messages[id] }

  func delivery(id: Int64) -> Delivery? { state.deliveries[id] }

  func visitDeliveries(
    state wanted: Delivery.State?, limit: Int?, _ body: (Delivery, Message) throws -> Void
  ) throws {
    let matching = state.deliveries.values.filter { wanted == nil || $0.state == wanted }.sorted { $0.id > $1.id }
    for delivery in matching.prefix(limit ?? .max) {
      guard let message = state.messages[delivery.messageID] else { continue }
      try body(delivery, message)
    }
  }

  func attemptableDeliveries(sink: String, at now: Date, limit: Int) -> [(Delivery, Message)] {
    pending(sink).filter { $0.1 <= now }.prefix(limit).compactMap { delivery, _ in
      state.messages[delivery.messageID].map { (delivery, $0) }
    }
  }

  func nextAttempt(sink: String, after now: Date) -> Date? {
    pending(sink).map(\.1).first { $0 > now }
  }

  func sinksWithPendingDeliveries() -> Set<String> {
    Set(state.deliveries.values.filter { $0.state == .pending }.map(\.sink))
  }

  func deliveries(of owner: ReminderOwner, state wanted: Delivery.State?) -> [(Delivery, Message)] {
    state.deliveries.values.filter { wanted == nil || $0.state == wanted }.sorted { $0.id < $1.id }
      .compactMap { delivery in
        guard let message = state.messages[delivery.messageID],
          message.contents.contains(where: { $0.owner == owner })
        else { return nil }
        return (delivery, message)
      }
  }

  func add(_ message: Message, recipients: [String?], fireDate: FireDate, permittedFrom: Date) {
    state.messages[message.id] = message
    for recipient in recipients {
      state.deliveries[state.nextDeliveryID] = Delivery(
        id: state.nextDeliveryID, messageID: message.id, sink: message.sink, recipient: recipient, fireDate: fireDate,
        permittedFrom: permittedFrom,
        nextAttemptAt: permittedFrom > message.createdAt ? permittedFrom : fireDate.date)
      state.nextDeliveryID += 1
    }
  }

  func update(_ delivery: Delivery) { state.deliveries[delivery.id] = delivery }

  func prune(endedBefore cutoff: Date, limit: Int) -> Int {
    let open = Set(
      state.deliveries.values.filter { $0.state == .pending || ($0.closedAt ?? .distantFuture) >= cutoff }
        .map(\.messageID))
    let messages = state.messages.keys.filter { !open.contains($0) }.prefix(limit)
    for id in messages { state.messages[id] = nil }
    state.deliveries = state.deliveries.filter { state.messages[$0.value.messageID] != nil }
    let reminders = state.reminders.values.filter { $0.state != .scheduled && $0.changedAt < cutoff }.prefix(limit)
    for reminder in reminders { state.reminders[reminder.id] = nil }
    return messages.count + reminders.count
  }

  private func pending(_ sink: String) -> [(Delivery, Date)] {
    state.deliveries.values.filter { $0.state == .pending && $0.sink == sink }
      .compactMap { delivery in delivery.nextAttemptAt.map { (delivery, $0) } }
      .sorted { ($0.1, $0.0.id) < ($1.1, $1.0.id) }
  }
}
