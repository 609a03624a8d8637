import Foundation
import Synchronization

/// Takes pending deliveries from the store to their sinks and writes down how they ended.
///
/// Used by one thread, the scheduler's. Sinks run elsewhere, each in a lane of its own; what they finish is recorded
/// here, many in one transaction.
public final class Dispatcher {
  /// How many deliveries of one sink are in memory at most.
  private static let window = 1_024

  private let store: any ItemStore
  private let time: any TimeSource
  private let random: @Sendable () -> Double
  private let log: EventLog
  private let lanes: [SinkLane]
  private let outbox: FinishedAttempts
  private var inFlight: [String: Set<Int64>]
  private var isStopped = false

  /// A dispatcher for the enabled sinks.
  ///
  /// - Parameters:
  ///   - random: from 0 to 1, for jitter.
  ///   - wake: called from any thread when there is something to record.
  public init(
    store: any ItemStore, sinks: [ActiveSink], time: any TimeSource, random: @escaping @Sendable () -> Double,
    log: @escaping EventLog, wake: @escaping @Sendable () -> Void
  ) {
    self.store = store
    self.time = time
    self.random = random
    self.log = log
    let outbox = FinishedAttempts(wake: wake)
    self.outbox = outbox
    lanes = sinks.map { SinkLane(sink: $0, time: time, finish: outbox.append) }
    inFlight = Dictionary(uniqueKeysWithValues: sinks.map { ($0.name, []) })
  }

  /// How many deliveries are with their sinks.
  public var inFlightCount: Int { inFlight.values.reduce(0) { $0 + $1.count } }

  /// Hands every lane what it can take of what is due.
  public func pump() throws {
    guard !isStopped else { return }
    let now = time.now
    for lane in lanes {
      let name = lane.sink.name
      let busy = inFlight[name, default: []]
      guard busy.count < Self.window / 2 else { continue }
      // What is in flight is still pending in the store and comes first in its order.
      let attempts = try store.read { view in
        try view.attemptableDeliveries(sink: name, at: now, limit: Self.window + busy.count)
          .filter { !busy.contains($0.0.id) }
          .map { delivery, message in Self.attempt(delivery, message, at: now) }
      }
      guard !attempts.isEmpty else { continue }
      inFlight[name, default: []].formUnion(attempts.map(\.deliveryID))
      lane.enqueue(attempts)
    }
  }

  /// Takes out of the queues what was called off since it was handed over.
  public func dropDiscarded() throws {
    for lane in lanes {
      let waiting = lane.waiting
      guard !waiting.isEmpty else { continue }
      let gone = try store.read { view in
        try Set(waiting.filter { try view.delivery(id: $0)?.state != .pending })
      }
      inFlight[lane.sink.name]?.subtract(lane.drop(gone))
    }
  }

  /// The earliest instant after `now` at which a delivery is to be tried again.
  public func nextAttempt(after now: Date) throws -> Date? {
    try store.read { view in
      try lanes.compactMap { try view.nextAttempt(sink: $0.sink.name, after: now) }.min()
    }
  }

  /// Writes down every attempt that has ended, in one transaction. Returns how many.
  @discardableResult
  public func record() throws -> Int {
    let finished = outbox.takeAll()
    guard !finished.isEmpty else { return 0 }
    do {
      let events = try store.write { transaction in
        try finished.compactMap { try close($0, in: transaction) }
      }
      events.forEach(log)
    } catch {
      outbox.putBack(finished)
      throw error
    }
    for attempt in finished { inFlight[attempt.sink]?.remove(attempt.deliveryID) }
    return finished.count
  }

  /// Lets no further attempt begin. What is under way still ends and can be recorded.
  public func stop() {
    isStopped = true
    for lane in lanes {
      let left = lane.stop().map(\.deliveryID)
      inFlight[lane.sink.name]?.subtract(left)
    }
  }

  private static func attempt(_ delivery: Delivery, _ message: Message, at now: Date) -> DeliveryAttempt {
    DeliveryAttempt(
      deliveryID: delivery.id, message: message, recipient: delivery.recipient, startedAt: now,
      lateSeconds: max(0, Int(now.timeIntervalSince(delivery.fireDate.date))))
  }

  private func close(_ finished: FinishedAttempt, in transaction: any StoreTransaction) throws -> Event? {
    // Discarded meanwhile: the last word is the user's.
    guard var delivery = try transaction.delivery(id: finished.deliveryID), delivery.state == .pending else {
      return nil
    }
    let now = time.now
    delivery.attempts += 1
    delivery.lastAttemptAt = finished.attemptedAt.wholeSeconds
    delivery.nextAttemptAt = nil
    delivery.lastError = nil
    switch finished.outcome {
    case .delivered:
      delivery.state = .delivered
    case .never(let reason, _):
      delivery.state = .dead
      delivery.lastError = reason
    case .later(let reason, let retryAfter, _):
      delivery.lastError = reason
      delivery.nextAttemptAt = retryPolicy(finished.sink).nextAttempt(
        afterAttempts: delivery.attempts, at: now, permittedFrom: delivery.permittedFrom, retryAfter: retryAfter,
        random: random())
      if delivery.nextAttemptAt == nil { delivery.state = .dead }
    }
    if delivery.state != .pending { delivery.closedAt = now.wholeSeconds }
    try transaction.update(delivery)
    return Event(delivery: delivery)
  }

  private func retryPolicy(_ sink: String) -> RetryPolicy {
    lanes.first { $0.sink.name == sink }?.sink.retry ?? RetryPolicy()
  }
}

/// Attempts that have ended and are not yet recorded.
private final class FinishedAttempts: Sendable {
  private let attempts = Mutex<[FinishedAttempt]>([])
  private let wake: @Sendable () -> Void

  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  @Sendable func append(_ attempt: FinishedAttempt) {
    let isFirst = attempts.withLock { attempts in
      attempts.append(attempt)
      return attempts.count == 1
    }
    if isFirst { wake() }
  }

  func takeAll() -> [FinishedAttempt] {
    attempts.withLock { attempts in
      defer { attempts = [] }
      return attempts
    }
  }

  func putBack(_ earlier: [FinishedAttempt]) {
    attempts.withLock { $0 = earlier + $0 }
  }
}
