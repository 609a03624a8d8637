import BelfryModel
import FoundationEssentials

/// A delivery on its way to its sink, with the message that it carries.
struct OutgoingDelivery: Hashable, Sendable {
  let delivery: Delivery
  let message: Message
}

/// An attempt that has ended and is not yet recorded.
struct FinishedAttempt: Sendable {
  let delivery: Delivery
  let startedAt: Date
  let outcome: DeliveryOutcome
}

extension ActiveSink {
  /// Makes one attempt. It begins now, though it may have waited behind a slow one.
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
  /// Why nothing goes to a recipient that the config had when the reminder was claimed; `nil` where it still has it.
  ///
  /// A sink without recipients of its own takes what was meant for one of those that it had as another kind of sink.
  fileprivate func refusal(of recipient: String?) -> String? {
    guard !recipients.contains(nil), !recipients.contains(recipient) else { return nil }
    return recipient.map { "\($0) is no longer one of the sink's recipients" }
      ?? "it was claimed when the sink had no recipients; now it has some"
  }
}
