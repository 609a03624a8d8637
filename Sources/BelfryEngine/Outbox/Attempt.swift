import BelfryModel
import FoundationEssentials

/// A delivery in memory, with the message that it carries.
struct OutgoingDelivery: Hashable, Sendable {
  let delivery: Delivery
  let message: Message
}

/// An attempt that has ended but is not yet recorded.
struct FinishedAttempt: Sendable {
  let delivery: Delivery
  let startedAt: Date
  let outcome: DeliveryOutcome
}

extension ActiveSink {
  /// Makes one attempt and waits for its outcome.
  ///
  /// - Parameter now: the start of the attempt, which may be long after the claim.
  func attempt(_ outgoing: OutgoingDelivery, at now: Date) async -> FinishedAttempt {
    let delivery = outgoing.delivery
    let attempt = DeliveryAttempt(
      deliveryID: delivery.id, message: outgoing.message, recipient: delivery.recipient, startedAt: now,
      lateSeconds: max(0, Int(now.timeIntervalSince(delivery.fireDate.date))))
    let outcome =
      if let reason = sink.refusal(of: delivery.recipient) {
        DeliveryOutcome.never(reason: reason)
      } else {
        await sink.deliver(attempt)
      }
    return FinishedAttempt(delivery: delivery, startedAt: now, outcome: outcome)
  }
}

extension ReminderSink {
  /// The reason to send nothing to a recipient; `nil` if the sink still has it.
  ///
  /// The config may have changed since the claim. A sink without recipients of its own accepts every delivery, also
  /// those that were claimed for a recipient.
  fileprivate func refusal(of recipient: String?) -> String? {
    guard !recipients.contains(nil), !recipients.contains(recipient) else { return nil }
    return recipient.map { "\($0) is no longer one of the sink's recipients" }
      ?? "it was claimed when the sink had no recipients; now it has some"
  }
}
