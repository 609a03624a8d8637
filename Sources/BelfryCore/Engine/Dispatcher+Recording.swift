import Foundation

extension Dispatcher {
  /// Writes down how an attempt ended, and tells another sink where somebody should know.
  ///
  /// - Returns: what the log is told.
  func close(_ finished: FinishedAttempt, in transaction: any StoreTransaction) throws -> [Event] {
    // Discarded meanwhile: the last word is the user's.
    guard var delivery = try transaction.delivery(id: finished.deliveryID), delivery.state == .pending else {
      return []
    }
    let now = time.now
    let sink = lanes.first { $0.sink.name == finished.sink }?.sink
    delivery.attempts += 1
    delivery.lastAttemptAt = finished.attemptedAt.wholeSeconds
    delivery.nextAttemptAt = nil
    delivery.lastError = nil
    switch finished.outcome {
    case .delivered:
      delivery.state = .delivered
      complaining.remove(finished.sink)
    case .never(let reason, _):
      delivery.state = .dead
      delivery.lastError = reason
    case .later(let reason, let retryAfter, _):
      delivery.lastError = reason
      delivery.nextAttemptAt = nextAttempt(of: delivery, of: sink, at: now, retryAfter: retryAfter)
      if delivery.nextAttemptAt == nil { delivery.state = .dead }
    }
    if delivery.state != .pending { delivery.closedAt = now.wholeSeconds }
    try transaction.update(delivery)
    return try [Event(delivery: delivery)] + tell(of: delivery, finished.outcome, sink, in: transaction, at: now)
  }

  private func nextAttempt(
    of delivery: Delivery, of sink: ActiveSink?, at now: Date, retryAfter: Date?
  ) -> Date? {
    let next = (sink?.retry ?? RetryPolicy()).nextAttempt(
      afterAttempts: delivery.attempts, at: now, permittedFrom: delivery.permittedFrom, retryAfter: retryAfter,
      random: random())
    guard let next else { return nil }
    if let zone, let quietEnd = sink?.quietHours?.end(of: next, in: zone) { return quietEnd }
    // In whole seconds, so that each store can keep what another had.
    return Date(timeIntervalSince1970: next.timeIntervalSince1970.rounded(.up))
  }

  // The death of what tells of a death is only logged, or two dead sinks would tell each other for ever.
  private func tell(
    of delivery: Delivery, _ outcome: DeliveryOutcome, _ sink: ActiveSink?, in transaction: any StoreTransaction,
    at now: Date
  ) throws -> [Event] {
    guard let target = sink?.onFailure, let lane = lanes.first(where: { $0.sink.name == target }),
      let message = try transaction.message(id: delivery.messageID), message.kind == .fired
    else { return [] }
    let isDead = delivery.state == .dead
    if !isDead {
      // Told once, not for each delivery: they all wait for the same password.
      guard case .later(_, _, let needsAttention) = outcome, needsAttention,
        complaining.insert(delivery.sink).inserted
      else { return [] }
    }
    let failure = DeliveryFailure(
      sink: delivery.sink, recipient: delivery.recipient, reason: delivery.lastError ?? "no reason given",
      isFinal: isDead)
    let word = isDead ? "failed" : "needs attention"
    let identity = UUID(
      namespace: .belfry, name: "\(word) \(message.id.text) \(delivery.recipient ?? "") to \(target)")
    guard try transaction.message(id: identity) == nil else { return [] }
    let stamp = now.wholeSeconds
    let told = Message(
      id: identity, sink: target, contents: message.contents.map { ReminderContent($0, failure: failure) },
      createdAt: stamp)
    let quietEnd = zone.flatMap { lane.sink.quietHours?.end(of: now, in: $0) }
    try transaction.add(
      told, recipients: lane.sink.sink.recipients, fireDate: delivery.fireDate, permittedFrom: quietEnd ?? stamp)
    return [Event(.info, "'\(target)' is told: \(failure.words)")]
  }
}
