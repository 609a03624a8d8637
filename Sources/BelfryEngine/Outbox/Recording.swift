import BelfryModel
import CivilTime
import FoundationEssentials

/// The last stage of a delivery: how its attempt ended, on the way into the store.
///
/// The whole is written in one transaction; the outbox takes over the problems and events once that is committed.
struct Recording {
  /// The attempts that have ended, by the queue that made them.
  let finished: [(queue: SinkQueue, attempts: [FinishedAttempt])]
  /// The queues of the config in use, which take failure notices.
  let queues: [SinkQueue]
  let zone: Zone?
  /// From 0 to 1, for jitter.
  let random: @Sendable () -> Double
  private(set) var problems: SinkProblems
  private(set) var events: [Event] = []
  /// The earliest next attempt of what is recorded.
  private(set) var earliestRetry: Date?

  /// Writes down every attempt.
  mutating func write(in transaction: any StoreTransaction, at now: Date) throws {
    for (queue, attempts) in finished {
      for attempt in attempts { try write(attempt, of: queue.sink, in: transaction, at: now) }
    }
  }

  private mutating func write(
    _ attempt: FinishedAttempt, of sink: ActiveSink, in transaction: any StoreTransaction, at now: Date
  ) throws {
    let problem = try problems.note(attempt.outcome, of: sink.name, at: now, in: transaction)
    if let delivery = try close(attempt, of: sink, in: transaction, at: now) {
      events.append(Event(delivery: delivery))
      // One notice of what a sink needs, not one for each delivery: they all wait for the same password.
      if delivery.state == .dead || problem?.kind == .needsAttention {
        try notify(of: delivery, sink.onFailure, in: transaction, at: now)
      }
    }
    if let problem, problem.kind == .paused {
      events.append(Event(.error, "sink '\(sink.name)' is paused until belfryd restarts: \(problem.reason)"))
    }
  }

  // A delivery that was discarded meanwhile stays so, and gives `nil`: the last word is the user's.
  private mutating func close(
    _ attempt: FinishedAttempt, of sink: ActiveSink, in transaction: any StoreTransaction, at now: Date
  ) throws -> Delivery? {
    let record = attempt.record
    if attempt.outcome.isDelivered, try transaction.closeDelivered(by: record, at: now.wholeSeconds) {
      var delivery = attempt.delivery
      delivery.state = .delivered
      delivery.attempts += 1
      return delivery
    }
    guard var delivery = try transaction.delivery(id: record.deliveryID) else { return nil }
    try transaction.add(record)
    guard delivery.state == .pending else { return nil }
    delivery.attempts += 1
    delivery.lastAttemptAt = record.startedAt
    delivery.lastError = record.words
    delivery.nextAttemptAt = nextAttempt(of: delivery, after: attempt.outcome, of: sink, at: now)
    if delivery.nextAttemptAt == nil { (delivery.state, delivery.closedAt) = (.dead, now.wholeSeconds) }
    try transaction.update(delivery)
    earliestRetry = [earliestRetry, delivery.nextAttemptAt].compactMap(\.self).min()
    return delivery
  }

  private func nextAttempt(
    of delivery: Delivery, after outcome: DeliveryOutcome, of sink: ActiveSink, at now: Date
  ) -> Date? {
    guard case .later(_, let retryAfter, _) = outcome else { return nil }
    let next = sink.retry.nextAttempt(
      afterAttempts: delivery.attempts, at: now, permittedFrom: delivery.permittedFrom, retryAfter: retryAfter,
      random: random())
    // In whole seconds, so that each store can keep what another had.
    let whole = next.map { Date(timeIntervalSince1970: $0.timeIntervalSince1970.rounded(.up)) }
    return whole.map { sink.permitted(from: $0, in: zone) }
  }

  private mutating func notify(
    of delivery: Delivery, _ target: String?, in transaction: any StoreTransaction, at now: Date
  ) throws {
    guard let queue = queues.first(where: { $0.name == target }) else { return }
    let notice = FailureNotice(delivery: delivery, isFinal: delivery.state == .dead, target: queue.sink)
    guard let event = try notice.send(in: transaction, at: now, zone: zone) else { return }
    queue.hasBacklog = true
    events.append(event)
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
    return AttemptRecord(deliveryID: delivery.id, startedAt: startedAt.wholeSeconds, outcome: result, words: words)
  }
}
