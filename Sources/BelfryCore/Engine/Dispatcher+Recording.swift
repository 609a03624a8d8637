import Foundation

extension Dispatcher {
  /// Writes down how an attempt ended, and tells another sink where somebody should know.
  ///
  /// What was discarded meanwhile stays so: the last word is the user's.
  ///
  /// - Returns: what the log is told.
  func close(_ finished: FinishedAttempt, in transaction: any StoreTransaction) throws -> [Event] {
    let (now, attemptedAt) = (time.now, finished.attemptedAt.wholeSeconds)
    guard finished.outcome == .delivered else {
      guard var delivery = try transaction.delivery(id: finished.delivery.id), delivery.state == .pending else {
        return []
      }
      let sink = desk(delivery.sink)?.lane.sink
      delivery.fail(finished.outcome, attemptedAt: attemptedAt)
      if case .later(_, let retryAfter, _) = finished.outcome {
        delivery.nextAttemptAt = nextAttempt(of: delivery, of: sink, at: now, retryAfter: retryAfter)
      }
      if delivery.nextAttemptAt == nil { (delivery.state, delivery.closedAt) = (.dead, now.wholeSeconds) }
      try transaction.update(delivery)
      earliestRetry = [earliestRetry, delivery.nextAttemptAt].compactMap { $0 }.min()
      return try [Event(delivery: delivery)] + tell(of: delivery, finished.outcome, sink, in: transaction, at: now)
    }
    complaining.remove(finished.delivery.sink)
    guard try transaction.closeDelivered(finished.delivery.id, attemptedAt: attemptedAt, at: now.wholeSeconds) else {
      return []
    }
    var delivery = finished.delivery
    delivery.state = .delivered
    delivery.attempts += 1
    return [Event(delivery: delivery)]
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
    guard let target = sink?.onFailure, let desk = desk(target),
      let message = try transaction.message(id: delivery.messageID), message.kind == .fired
    else { return [] }
    let isDead = delivery.state == .dead
    if !isDead {
      // Told once, not for each delivery: they all wait for the same password.
      guard case .later(_, _, let needsAttention) = outcome, needsAttention,
        complaining.insert(delivery.sink).inserted, try !hasComplained(delivery.sink, to: target, in: transaction)
      else { return [] }
    }
    let failure = DeliveryFailure(
      sink: delivery.sink, recipient: delivery.recipient, reason: delivery.lastError ?? "no reason given",
      isFinal: isDead)
    let identity = Self.noticeID(of: delivery, to: target, isFinal: isDead)
    guard try transaction.message(id: identity) == nil else { return [] }
    let stamp = now.wholeSeconds
    let told = Message(
      id: identity, sink: target, contents: message.contents.map { ReminderContent($0, failure: failure) },
      createdAt: stamp)
    let quietEnd = zone.flatMap { desk.lane.sink.quietHours?.end(of: now, in: $0) }
    try transaction.add(
      told, recipients: desk.lane.sink.sink.recipients, fireDate: delivery.fireDate, permittedFrom: quietEnd ?? stamp)
    desk.isBehind = true
    return [Event(.info, "'\(target)' is told: \(failure.words)")]
  }
}

extension Dispatcher {
  // Another process may have told it, `run --once` each time: as long as what it told of waits, that stands.
  private func hasComplained(_ sink: String, to target: String, in transaction: any StoreTransaction) throws -> Bool {
    var waiting: [Delivery] = []
    try transaction.visitDeliveries(state: .pending, limit: nil) { delivery, _ in
      if delivery.sink == sink, delivery.attempts > 0 { waiting.append(delivery) }
    }
    return try waiting.contains { delivery in
      try transaction.message(id: Self.noticeID(of: delivery, to: target, isFinal: false)) != nil
    }
  }

  // Told once for each delivery that needs attention, and for each death: what was tried again may die again.
  private static func noticeID(of delivery: Delivery, to target: String, isFinal: Bool) -> UUID {
    let what = isFinal ? "failed \(delivery.attempts)" : "needs attention"
    return UUID(
      namespace: .belfry, name: "\(what) \(delivery.messageID.text) \(delivery.recipient ?? "") to \(target)")
  }
}

extension Delivery {
  /// Counts an attempt that did not succeed, and keeps why.
  fileprivate mutating func fail(_ outcome: DeliveryOutcome, attemptedAt: Date) {
    attempts += 1
    lastAttemptAt = attemptedAt
    nextAttemptAt = nil
    switch outcome {
    case .delivered: lastError = nil
    case .never(let reason, _), .later(let reason, _, _): lastError = reason
    }
  }
}
