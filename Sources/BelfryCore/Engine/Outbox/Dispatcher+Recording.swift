import FoundationEssentials

extension Dispatcher {
  /// Writes down how an attempt ended, and tells another sink where somebody should know.
  ///
  /// What was discarded meanwhile stays so: the last word is the user's.
  ///
  /// - Returns: what the log is told.
  func close(_ finished: FinishedAttempt, in transaction: any StoreTransaction) throws -> [Event] {
    let (now, attempt) = (time.now, finished.record)
    let needsSomebody = try problems.note(finished.outcome, of: finished.delivery.sink, at: now, in: transaction)
    if finished.outcome.isDelivered, try transaction.closeDelivered(by: attempt, at: now.wholeSeconds) {
      var delivery = finished.delivery
      delivery.state = .delivered
      delivery.attempts += 1
      return [Event(delivery: delivery)]
    }
    guard var delivery = try transaction.delivery(id: finished.delivery.id) else { return [] }
    try transaction.add(attempt)
    guard delivery.state == .pending else { return [] }
    let sink = desk(delivery.sink)?.lane.sink
    delivery.fail(attempt)
    if case .later(_, let retryAfter, _) = finished.outcome {
      delivery.nextAttemptAt = nextAttempt(of: delivery, of: sink, at: now, retryAfter: retryAfter)
    }
    if delivery.nextAttemptAt == nil { (delivery.state, delivery.closedAt) = (.dead, now.wholeSeconds) }
    try transaction.update(delivery)
    earliestRetry = [earliestRetry, delivery.nextAttemptAt].compactMap { $0 }.min()
    // Told once of what its sink needs, not for each delivery: they all wait for the same password.
    let told = try delivery.state == .dead || needsSomebody ? tell(of: delivery, sink, in: transaction, at: now) : nil
    return [Event(delivery: delivery)] + [told].compactMap(\.self)
  }

  /// Writes down the attempts that are still under way where nobody waits for them any longer.
  ///
  /// - Returns: how many.
  func recordUnknown() throws -> Int {
    let left = underWay
    guard !left.isEmpty else { return 0 }
    try store.write { transaction in
      for (id, startedAt) in left {
        guard try transaction.delivery(id: id) != nil else { continue }
        try transaction.add(
          AttemptRecord(deliveryID: id, startedAt: startedAt.wholeSeconds, outcome: .unknown, words: Self.cutOff))
      }
    }
    return left.count
  }

  private static let cutOff = "belfryd ended while it was under way"

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

  private func tell(
    of delivery: Delivery, _ sink: ActiveSink?, in transaction: any StoreTransaction, at now: Date
  ) throws -> Event? {
    guard let name = sink?.onFailure, let desk = desk(name) else { return nil }
    let notice = FailureNotice(delivery: delivery, isFinal: delivery.state == .dead, target: desk.lane.sink)
    guard let event = try notice.send(in: transaction, at: now, zone: zone) else { return nil }
    desk.isBehind = true
    return event
  }
}

extension FinishedAttempt {
  /// The attempt as the store keeps it.
  fileprivate var record: AttemptRecord {
    let (result, words): (AttemptRecord.Outcome, String?) =
      switch outcome {
      case .delivered(let reply): (.delivered, reply)
      case .later(let reason, _, _): (.later, reason)
      case .never(let reason, _): (.refused, reason)
      }
    return AttemptRecord(
      deliveryID: delivery.id, startedAt: attemptedAt.wholeSeconds, outcome: result, words: words)
  }
}

extension Delivery {
  /// Counts an attempt that did not succeed, and keeps why.
  fileprivate mutating func fail(_ attempt: AttemptRecord) {
    attempts += 1
    lastAttemptAt = attempt.startedAt
    nextAttemptAt = nil
    lastError = attempt.words
  }
}
