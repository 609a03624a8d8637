import BelfryModel
import FoundationEssentials

/// The fate of a discarded delivery that may be sent after all.
enum ResumedDelivery {
  /// It is pending again, under the same id.
  case resumed
  /// All its reminders have ended: nothing was changed.
  case ended
  /// There is nothing to send.
  case over
}

extension Change {
  /// Makes a discarded delivery pending again. A delivery that has arrived, since an attempt was in flight when it was
  /// discarded, is recorded as delivered instead.
  func resumeDelivery(_ id: Int64) throws -> ResumedDelivery {
    guard var delivery = try transaction.delivery(id: id), delivery.state == .discarded,
      let message = try transaction.message(id: delivery.messageID)
    else { return .over }
    let attempts = try transaction.attempts(of: id)
    if let arrived = attempts.last(where: { $0.outcome == .delivered }) {
      (delivery.state, delivery.attempts) = (.delivered, max(delivery.attempts, attempts.count))
      (delivery.lastAttemptAt, delivery.lastError) = (arrived.startedAt, nil)
      try transaction.update(delivery)
      return .over
    }
    guard try !message.contents.allSatisfy({ try transaction.isEnded($0) }) else { return .ended }
    delivery.resume(at: stamp)
    try transaction.update(delivery)
    return .resumed
  }
}

extension Delivery {
  // At once, or when its quiet hours end.
  fileprivate mutating func resume(at now: Date) {
    (state, closedAt) = (.pending, nil)
    permittedFrom = max(permittedFrom, now)
    nextAttemptAt = permittedFrom
  }
}
