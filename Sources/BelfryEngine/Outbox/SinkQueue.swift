import CivilTime
import FoundationEssentials
import Synchronization
import SystemThreads

/// The queue of one sink, with the worker that empties it: a slow sink delays itself only.
///
/// The scheduler's thread fills the queue and records what ended; a thread of its own makes the attempts.
final class SinkQueue: Sendable {
  /// How many deliveries wait in memory at most, and how many are loaded from the store at a time: a delivery that was
  /// just claimed costs far less to keep for a while than to be loaded again.
  private static let (window, portion) = (4_096, 1_024)

  private struct State {
    var waiting: ArraySlice<OutgoingDelivery> = []
    /// The start of each attempt that is under way, by its delivery.
    var underWay: [Int64: Date] = [:]
    var finished: [FinishedAttempt] = []
    var runners = 0
    var limiter: RateLimiter?
    var hasBacklog = true
    var isStopped = false

    mutating func stop() { (waiting, isStopped) = ([], true) }

    mutating func removeNext() -> OutgoingDelivery? {
      // A slice keeps what has gone out in memory until it is copied.
      if waiting.isEmpty || waiting.startIndex >= SinkQueue.portion { waiting = ArraySlice(Array(waiting)) }
      return waiting.popFirst()
    }

    /// Appends deliveries in order. Returns how many runners are missing for them.
    mutating func append(_ deliveries: some Collection<OutgoingDelivery>, concurrency: Int) -> Int {
      guard !isStopped else { return 0 }
      waiting.append(contentsOf: deliveries)
      let missing = max(0, min(concurrency - runners, waiting.count))
      runners += missing
      return missing
    }
  }

  let sink: ActiveSink
  private let time: any TimeSource
  private let wake: @Sendable () -> Void
  private let thread = TaskThread()
  private let state: Mutex<State>

  /// A queue that has yet to be filled from the store.
  ///
  /// - Parameter wake: called from any thread when there is something to record.
  init(sink: ActiveSink, limiter: RateLimiter?, time: any TimeSource, wake: @escaping @Sendable () -> Void) {
    self.sink = sink
    self.time = time
    self.wake = wake
    state = Mutex(State(limiter: limiter))
  }

  var name: String { sink.name }

  /// How many deliveries are here: they wait, are under way, or have ended and are not yet recorded.
  var inFlightCount: Int { state.withLock { $0.waiting.count + $0.underWay.count + $0.finished.count } }

  /// The deliveries that are here.
  var inFlight: Set<Int64> {
    state.withLock { state in
      Set(state.waiting.map(\.delivery.id)).union(state.underWay.keys).union(state.finished.map(\.delivery.id))
    }
  }

  /// The start of each attempt that is under way, by its delivery.
  var underWay: [Int64: Date] { state.withLock { $0.underWay } }

  /// The attempts that have ended and are not yet recorded, in order.
  var finished: [FinishedAttempt] { state.withLock { $0.finished } }

  /// Whether the store may have deliveries for the sink that are due and not here.
  var hasBacklog: Bool {
    get { state.withLock { $0.hasBacklog } }
    set { state.withLock { $0.hasBacklog = newValue } }
  }

  /// Loads due deliveries from the store, without those that an earlier queue of the sink still has.
  func load(from store: any ItemStore, besides earlier: [SinkQueue], at now: Date) throws {
    let capacity = capacity(at: now)
    guard capacity > 0 else { return }
    // A delivery in flight is still pending in the store and comes first in its order.
    let busy = earlier.reduce(inFlight) { $0.union($1.inFlight) }
    let due = try store.read { try $0.attemptableDeliveries(sink: name, at: now, besides: busy, limit: capacity) }
    start(
      state.withLock { state in
        state.hasBacklog = due.count == capacity
        state.limiter?.begin(due.count, at: now)
        return state.append(due.map(OutgoingDelivery.init), concurrency: sink.sink.concurrency)
      })
  }

  // How many deliveries to load; 0 while the store has none or enough wait here.
  private func capacity(at now: Date) -> Int {
    state.withLock { state in
      let room = Self.portion - state.waiting.count
      guard state.hasBacklog, !state.isStopped, room > Self.portion / 2 else { return 0 }
      return min(room, state.limiter?.allowance(at: now) ?? room)
    }
  }

  /// Enqueues deliveries as they were just claimed, as far as they are due and there is room; the rest is loaded later.
  func enqueue(_ claimed: [OutgoingDelivery], at now: Date) {
    start(
      state.withLock { state in
        // The backlog is older and goes first; a limit is kept where deliveries are loaded.
        guard !state.hasBacklog, state.limiter == nil else {
          state.hasBacklog = true
          return 0
        }
        let due = claimed.filter { ($0.delivery.nextAttemptAt ?? .distantFuture) <= now }
        let taken = due.prefix(max(0, Self.window - state.waiting.count))
        state.hasBacklog = taken.count < due.count
        return state.append(taken, concurrency: sink.sink.concurrency)
      })
  }

  /// The earliest instant after `now` at which a delivery is to be tried again, or the limit lets more through.
  func nextAttempt(after now: Date, in view: any StoreView) throws -> Date? {
    let (isStopped, slot) = state.withLock { ($0.isStopped, $0.limiter?.nextSlot) }
    guard !isStopped else { return nil }
    // A delivery that the limit holds back is due already: it waits for the limit alone.
    return [try view.nextAttempt(sink: name, after: now), slot.map { max($0, now) }].compactMap(\.self).min()
  }

  /// Removes deliveries that were called off while they waited here.
  func removeDiscarded(_ store: any ItemStore) throws {
    let waiting = state.withLock { $0.waiting.map(\.delivery.id) }
    guard !waiting.isEmpty else { return }
    let gone = try store.read { view in try Set(waiting.filter { try view.delivery(id: $0)?.state != .pending }) }
    state.withLock { $0.waiting.removeAll { gone.contains($0.delivery.id) } }
  }

  /// Removes the first finished attempts, which are recorded now.
  func removeFinished(_ count: Int) {
    let isEmpty = state.withLock { state in
      state.finished.removeFirst(count)
      return state.finished.isEmpty
    }
    // The attempts that ended meanwhile have woken nobody.
    if !isEmpty { wake() }
  }

  /// Begins nothing more; deliveries that wait stay pending in the store. Returns whether the queue was still going.
  @discardableResult
  func stop() -> Bool {
    state.withLock { state in
      defer { state.stop() }
      return !state.isStopped
    }
  }

  private func start(_ runners: Int) {
    for _ in 0..<runners { Task(executorPreference: thread) { [self] in await run() } }
  }

  private func run() async {
    while let (outgoing, startedAt) = begin() { end(await sink.attempt(outgoing, at: startedAt)) }
  }

  private func begin() -> (OutgoingDelivery, startedAt: Date)? {
    let now = time.now
    return state.withLock { state in
      guard let next = state.removeNext() else {
        state.runners -= 1
        return nil
      }
      state.underWay[next.delivery.id] = now
      return (next, now)
    }
  }

  private func end(_ attempt: FinishedAttempt) {
    let isFirst = state.withLock { state in
      state.underWay[attempt.delivery.id] = nil
      state.finished.append(attempt)
      if attempt.outcome.pausesSink { state.stop() }
      return state.finished.count == 1
    }
    if isFirst { wake() }
  }
}
