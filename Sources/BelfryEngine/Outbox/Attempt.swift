import BelfryModel
import ConfigKeys
import FoundationEssentials
import Transport

/// A delivery in memory, with the message that it carries.
struct OutgoingDelivery: Hashable, Sendable {
  let delivery: Delivery
  let message: Message
}

/// An attempt that has ended but is not yet recorded.
struct FinishedAttempt: Sendable {
  let delivery: Delivery
  let isUpdate: Bool
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
      lateSeconds: max(0, Int(now.timeIntervalSince(delivery.fireDate.date))),
      links: links?.links(of: outgoing.message) ?? [])
    let outcome =
      if let reason = sink.refusal(of: delivery.recipient) ?? sink.refusal(of: outgoing.message) {
        DeliveryOutcome.never(reason: reason)
      } else {
        attempt.withoutTokens(await sink.deliver(attempt))
      }
    return FinishedAttempt(
      delivery: delivery, isUpdate: outgoing.message.update != nil, startedAt: now, outcome: outcome)
  }
}

extension DeliveryAttempt {
  /// The outcome without tokens: a server may have sent back what it was sent, and the outcome is stored and logged.
  fileprivate func withoutTokens(_ outcome: DeliveryOutcome) -> DeliveryOutcome {
    guard !links.isEmpty else { return outcome }
    let urls = links.flatMap { [$0.answerURL] + $0.actions.map(\.url) }
    return Redaction(tokens: urls.compactMap { $0.split(separator: "/").last.map { Secret(String($0)) } })
      .outcome(outcome)
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

  /// The reason not to send an update; `nil` for other messages, and if the sink can change what it sent.
  fileprivate func refusal(of message: Message) -> String? {
    message.update == nil || canWithdraw ? nil : "the sink can no longer change what it sent"
  }
}
