import BelfryModel
import CivilTime
import FoundationEssentials

/// The last stage of a delivery: writes the outcomes of ended attempts to the store.
///
/// Everything is written in one transaction. The outbox takes over the problems and events once that is committed.
struct Recording {
  /// The ended attempts of each sink.
  let finished: [(sink: SinkSlots, attempts: [FinishedAttempt])]
  /// The settings of the current config.
  let settings: Settings
  let zone: Zone?
  /// Jitter from 0 to 1.
  let random: @Sendable () -> Double
  private(set) var problems: SinkProblems
  private(set) var events: [Event] = []
  /// True if something follows from an outcome; see ``FollowUp``.
  private(set) var awaitsFollowUp = false
  /// The earliest next attempt of the recorded deliveries.
  private(set) var earliestRetry: Date?

  /// The terms under which the store has begun the attempts.
  var begins: DeliveryBegins {
    let begun = finished.flatMap(\.attempts).compactMap { attempt in attempt.begunTerm.map { (attempt.delivery.id, $0) }
    }
    return Dictionary(begun) { max($0, $1) }
  }

  /// True if something may follow from an outcome.
  var hasFailure: Bool { finished.contains { $0.attempts.contains { !$0.outcome.isDelivered } } }

  /// Writes each attempt of a delivery that this daemon still has. The outcomes of the others are recorded by the
  /// daemon that has taken over their sink.
  ///
  /// - Parameter holding: the deliveries among ``begins`` that this daemon still has.
  mutating func write(holding: Set<Int64>, in transaction: any StoreTransaction, at now: Date) throws {
    for (slots, attempts) in finished {
      for attempt in attempts {
        guard attempt.begunTerm == nil || holding.contains(attempt.delivery.id) else {
          let words =
            "delivery \(attempt.delivery.id): another belfryd has taken it over, so its outcome here is ignored"
          events.append(Event(.warning, words))
          continue
        }
        try write(attempt, of: slots.sink, in: transaction, at: now)
      }
    }
  }

  private mutating func write(
    _ attempt: FinishedAttempt, of sink: ActiveSink, in transaction: any StoreTransaction, at now: Date
  ) throws {
    let problem = try problems.note(attempt.outcome, of: sink.name, at: now, in: transaction)
    // One notice about a sink that needs attention, not one for each delivery, since they all wait for the same repair.
    let needsAttention = problem?.kind == .needsAttention
    if let delivery = try close(attempt, of: sink, needsAttention: needsAttention, in: transaction, at: now) {
      events.append(Event(delivery: delivery))
    }
    if let problem, problem.kind == .paused {
      events.append(Event(.error, "sink '\(sink.name)' is paused until belfryd restarts: \(problem.reason)"))
    }
  }

  // Returns `nil` if the delivery was removed or discarded meanwhile. A discarded delivery stays discarded, as the user
  // decided.
  private mutating func close(
    _ attempt: FinishedAttempt, of sink: ActiveSink, needsAttention: Bool, in transaction: any StoreTransaction,
    at now: Date
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
    guard delivery.state == .pending else {
      if record.outcome.mayHaveArrived { try awaitFollowUp(of: &delivery, in: transaction) }
      return nil
    }
    delivery.attempts += 1
    delivery.lastAttemptAt = record.startedAt
    delivery.lastError = record.words
    let person = try person(of: attempt, in: transaction)
    delivery.nextAttemptAt = nextAttempt(
      of: delivery, after: attempt, quiet: [sink.quietHours, person?.quietHours], retry: sink.retry, at: now)
    if delivery.nextAttemptAt == nil { (delivery.state, delivery.closedAt) = (.dead, now.wholeSeconds) }
    if needsAttention || delivery.state == .dead {
      try awaitFollowUp(of: &delivery, in: transaction)
    } else {
      try transaction.update(delivery)
    }
    earliestRetry = [earliestRetry, delivery.nextAttemptAt].compactMap(\.self).min()
    return delivery
  }

  private func person(of attempt: FinishedAttempt, in transaction: any StoreTransaction) throws -> Person? {
    let name = try transaction.personName(attempt.person)
    return name.flatMap(settings.person)
  }

  private func nextAttempt(
    of delivery: Delivery, after attempt: FinishedAttempt, quiet: [QuietHours?], retry: RetryPolicy, at now: Date
  ) -> Date? {
    let retryAfter: Date?
    switch attempt.outcome {
    case .later(_, let instant, _), .unknown(_, let instant): retryAfter = instant
    case .delivered, .never: return nil
    }
    let next = retry.nextAttempt(
      afterAttempts: delivery.attempts, at: now, permittedFrom: delivery.permittedFrom, retryAfter: retryAfter,
      random: random())
    // In whole seconds, which every store can keep.
    let whole = next.map { Date(timeIntervalSince1970: $0.timeIntervalSince1970.rounded(.up)) }
    return whole.map { attempt.isSilent ? $0 : quiet.permitted(attempt.urgency, from: $0, in: zone) }
  }

  private mutating func awaitFollowUp(of delivery: inout Delivery, in transaction: any StoreTransaction) throws {
    (delivery.awaitsFollowUp, awaitsFollowUp) = (true, true)
    try transaction.update(delivery)
  }
}

extension FinishedAttempt {
  /// The attempt as stored.
  fileprivate var record: AttemptRecord {
    let (result, words): (AttemptRecord.Outcome, String?) =
      switch outcome {
      case .delivered(let reply): (.delivered, reply)
      case .later(let reason, _, _): (.later, reason)
      case .unknown(let reason, _): (.unknown, reason)
      case .never(let reason, _): (.refused, reason)
      }
    return AttemptRecord(deliveryID: delivery.id, startedAt: startedAt.wholeSeconds, outcome: result, words: words)
  }
}
