import Foundation
import Synchronization

/// Takes pending deliveries from the store to their sinks and writes down how they ended.
///
/// Used by one thread, the scheduler's. Sinks run elsewhere, each in a lane of its own; what they finish is recorded
/// here, many in one transaction.
public final class Dispatcher {
  /// How many deliveries of one sink are in memory at most.
  private static let window = 1_024

  /// The zone in which quiet hours are counted; `nil` before the first tick.
  public var zone: Zone?

  let time: any TimeSource
  let random: @Sendable () -> Double
  let lanes: [SinkLane]
  /// Sinks that have told the user of what only the user can mend, until they deliver again.
  var complaining: Set<String> = []
  private let store: any ItemStore
  private let log: EventLog
  private let outbox: FinishedAttempts
  private var inFlight: [String: Set<Int64>]
  private var limiters: [String: RateLimiter]
  private var paused: Set<String> = []
  /// The one before the config was read anew, until what it has under way has ended.
  private var predecessor: Dispatcher?
  private var isStopped = false

  /// A dispatcher for the enabled sinks.
  ///
  /// - Parameters:
  ///   - random: from 0 to 1, for jitter.
  ///   - wake: called from any thread when there is something to record.
  ///   - predecessor: the one that this takes over from; what it has under way ends there and is not begun again.
  public init(
    store: any ItemStore, sinks: [ActiveSink], time: any TimeSource, random: @escaping @Sendable () -> Double,
    log: @escaping EventLog, wake: @escaping @Sendable () -> Void, predecessor: Dispatcher? = nil
  ) {
    predecessor?.stop()
    self.predecessor = predecessor
    self.store = store
    self.time = time
    self.random = random
    self.log = log
    let outbox = FinishedAttempts(wake: wake)
    self.outbox = outbox
    lanes = sinks.map { SinkLane(sink: $0, time: time, finish: outbox.append) }
    inFlight = Dictionary(uniqueKeysWithValues: sinks.map { ($0.name, []) })
    limiters = Dictionary(
      uniqueKeysWithValues: sinks.compactMap { sink in sink.rateLimit.map { (sink.name, RateLimiter($0)) } })
  }

  /// How many deliveries are with their sinks.
  public var inFlightCount: Int {
    inFlight.values.reduce(0) { $0 + $1.count } + (predecessor?.inFlightCount ?? 0)
  }

  /// Hands every lane what it can take of what is due.
  public func pump() throws {
    guard !isStopped else { return }
    let now = time.now
    for lane in lanes {
      let name = lane.sink.name
      let busy = busy(name)
      let allowance = limiters[name]?.allowance(at: now) ?? Self.window
      guard busy.count < Self.window / 2, allowance > 0, !paused.contains(name) else { continue }
      // What is in flight is still pending in the store and comes first in its order.
      let attempts = try store.read { view in
        try view.attemptableDeliveries(sink: name, at: now, besides: busy, limit: min(Self.window, allowance))
          .map { delivery, message in Self.attempt(delivery, message, at: now) }
      }
      guard !attempts.isEmpty else { continue }
      limiters[name]?.begin(attempts.count, at: now)
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
      try lanes.filter { !paused.contains($0.sink.name) }.compactMap { lane in
        let next = try view.nextAttempt(sink: lane.sink.name, after: now)
        // What a limit holds back is due already: it waits for the limit alone.
        let slot = limiters[lane.sink.name]?.nextSlot.map { max($0, now) }
        return [next, slot].compactMap { $0 }.min()
      }.min()
    }
  }

  /// Writes down every attempt that has ended, in one transaction. Returns how many.
  @discardableResult
  public func record() throws -> Int {
    let earlier = try predecessor?.record() ?? 0
    if predecessor?.inFlightCount == 0 { predecessor = nil }
    let finished = outbox.takeAll()
    guard !finished.isEmpty else { return earlier }
    do {
      let events = try store.write { transaction in
        try finished.flatMap { try close($0, in: transaction) }
      }
      events.forEach(log)
    } catch {
      outbox.putBack(finished)
      throw error
    }
    for attempt in finished {
      inFlight[attempt.sink]?.remove(attempt.deliveryID)
      pause(after: attempt)
    }
    return earlier + finished.count
  }

  private func busy(_ sink: String) -> Set<Int64> {
    inFlight[sink, default: []].union(predecessor?.busy(sink) ?? [])
  }

  // What the other side wants no more of it gets no more of, until somebody has looked and started the daemon again.
  private func pause(after attempt: FinishedAttempt) {
    guard case .never(_, let pausesSink) = attempt.outcome, pausesSink, paused.insert(attempt.sink).inserted,
      let lane = lanes.first(where: { $0.sink.name == attempt.sink })
    else { return }
    inFlight[attempt.sink]?.subtract(lane.drop(Set(lane.waiting)))
    log(Event(.error, "the sink '\(attempt.sink)' wants nothing more: it is paused until the next start"))
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
