import BelfryModel
import FoundationEssentials

/// The deliveries of one message, and of its updates.
struct Copies {
  let deliveries: [Delivery]
  /// The updates, oldest first.
  let updates: [(Delivery, Message)]
  /// The message that arrived last, if that is known.
  let landed: Message?

  /// - Parameter all: the deliveries about an item or list of the message.
  init(of message: Message, among all: [(Delivery, Message)], landed: Message? = nil) {
    deliveries = all.filter { $0.1.id == message.id }.map(\.0)
    updates = all.filter { $0.1.update?.messageID == message.id }
      .sorted { ($0.1.update?.number ?? 0, $0.0.id) < ($1.1.update?.number ?? 0, $1.0.id) }
    self.landed = landed
  }

  /// The number of the next update.
  var nextNumber: Int64 { (updates.last?.1.update?.number ?? 0) + 1 }
}

extension StoreView {
  /// True if the sink has accepted the delivery, or may have.
  func isReached(_ delivery: Delivery) throws -> Bool {
    if delivery.state == .delivered { return true }
    return try attempts(of: delivery.id).contains(where: \.outcome.mayHaveArrived)
  }
}

extension Message {
  /// True if a pending update says exactly these states. They are not compared by strength, since a weaker answer may
  /// have replaced one that was undone.
  func says(_ present: [ReminderUpdate]) -> Bool {
    zip(contents, present).allSatisfy { content, state in
      guard let update = content.update else { return false }
      return (update.state, update.operation, update.words) == (state.state, state.operation, state.words)
    }
  }
}

extension StoreTransaction {
  /// Discards a delivery, unless its outcome was recorded since it was read.
  ///
  /// - Returns: whether it was discarded.
  func discard(_ delivery: Delivery, at now: Date) throws -> Bool {
    guard var present = try self.delivery(id: delivery.id), present.state == delivery.state else { return false }
    present.discard(at: now)
    try update(present)
    return true
  }
}

extension Delivery {
  mutating func discard(at now: Date) { (state, nextAttemptAt, closedAt) = (.discarded, nil, now) }
}
