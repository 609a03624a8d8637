import BelfryModel
import ConfigKeys
import FoundationEssentials
import Transport

/// A delivery in memory, with the message that it carries.
struct OutgoingDelivery: Hashable, Sendable {
  let delivery: Delivery
  let message: Message
  /// The reply to the copy that an update changes.
  var receipt: String?
  /// The number of changes by others up to which the delivery is known to be pending; `nil` if the store does not count
  /// changes.
  var knownAt: Int64?
  /// True if the store has begun it, but it could not start in time.
  var isBegun = false
  /// The term under which the store has begun it; `nil` in a store where beginning a delivery writes nothing.
  var begunTerm: Int64?
  /// An earlier attempt whose request may have arrived, although the delivery must begin again. It is recorded only if
  /// the delivery does not begin again.
  var lost: FinishedAttempt?

  /// The same delivery, known to be pending up to this number of changes.
  func known(at changes: Int64?) -> OutgoingDelivery {
    var known = self
    known.knownAt = changes
    return known
  }

  /// The same delivery, begun under a term.
  func begun(under term: Int64?) -> OutgoingDelivery {
    var begun = self
    begun.begunTerm = term
    return begun
  }

  /// The same delivery, marked as begun or not.
  func marked(asBegun isBegun: Bool) -> OutgoingDelivery {
    var marked = self
    marked.isBegun = isBegun
    return marked
  }
}

/// An attempt that has ended but is not yet recorded.
struct FinishedAttempt: Hashable, Sendable {
  let delivery: Delivery
  /// True if quiet hours do not hold it.
  let isSilent: Bool
  /// The urgency of the message, by which quiet hours hold it.
  let urgency: Urgency
  /// The number of the person whom the message is for; 0 for no one in particular.
  let person: Int64
  let startedAt: Date
  let outcome: DeliveryOutcome
  /// As ``OutgoingDelivery/begunTerm``.
  let begunTerm: Int64?
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
      links: links(of: outgoing.message),
      buttons: buttons(of: outgoing.message),
      receipt: outgoing.receipt, endsAt: delivery.permittedFrom.addingTimeInterval(retry.maxAge))
    let outcome =
      if let reason = refusal(of: delivery.recipient) ?? sink.refusal(of: outgoing.message) {
        DeliveryOutcome.never(reason: reason)
      } else {
        await deliver(attempt)
      }
    return FinishedAttempt(
      delivery: delivery, isSilent: isSilent(outgoing.message), urgency: outgoing.message.urgency,
      person: outgoing.message.person, startedAt: now, outcome: outcome, begunTerm: outgoing.begunTerm)
  }

  /// The links of a message, as in ``DeliveryAttempt/links``.
  package func links(of message: Message) -> [ReminderLinks] { links?.links(of: message) ?? [] }

  /// The tokens of a message's buttons, as in ``DeliveryAttempt/buttons``.
  package func buttons(of message: Message) -> [[String?]] {
    guard let links, let source = sink.replySource, source.hasTokens else { return [] }
    return links.buttons(of: message, over: source.channel)
  }

  /// Makes an attempt and waits for its outcome, which holds no token.
  package func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
    attempt.withoutTokens(await sink.deliver(attempt))
  }

  /// The values from which the tokens of a message that is claimed now are made; `nil` if it gets none.
  ///
  /// - Throws: the errors of the store.
  package func tokens(claimedAt now: Date, in view: any StoreView) throws -> MessageTokens? {
    try links?.tokens(claimedAt: now, retryMaxAge: retry.maxAge) { try view.hasMessageWithTokens() }
  }
}

extension DeliveryAttempt {
  /// The outcome without tokens, since a server may have quoted what was sent, and the outcome is stored and logged.
  fileprivate func withoutTokens(_ outcome: DeliveryOutcome) -> DeliveryOutcome {
    guard !links.isEmpty || !buttons.isEmpty else { return outcome }
    let tokens = links.flatMap(\.tokens) + buttons.joined().compactMap(\.self)
    return Redaction(tokens: tokens.map(Secret.init)).outcome(outcome)
  }
}

extension ActiveSink {
  /// The reason to send nothing to a recipient; `nil` if the sink still has it.
  ///
  /// The config may have changed since the claim. A sink without recipients of its own accepts every delivery, also
  /// those that were claimed for a recipient.
  fileprivate func refusal(of recipient: String?) -> String? {
    // A sink with subscriptions reports ended ones itself. A check here would read its whole list for each delivery.
    guard !sink.isSubscribed else { return nil }
    let recipients = sink.recipients
    guard !recipients.contains(nil), !recipients.contains(recipient) else { return nil }
    guard let recipient else { return "it was claimed when the sink had no recipients; now it has some" }
    return addresses.contains(recipient) ? nil : "\(recipient) is no longer one of the sink's recipients"
  }
}

extension ReminderSink {
  /// The reason not to send an update; `nil` for other messages, for a sink that can change messages that it has sent,
  /// and for an update that is a separate message.
  fileprivate func refusal(of message: Message) -> String? {
    guard message.update != nil, !canWithdraw, message.kind != .answered || !message.tellsAnswer else { return nil }
    return "the sink can no longer change what it sent"
  }
}
