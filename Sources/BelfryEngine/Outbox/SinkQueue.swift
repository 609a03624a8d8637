import CivilTime
import FoundationEssentials
import Synchronization
import SystemThreads

/// The queue of one sink and the worker that empties it: a slow sink delays only itself.
///
/// The scheduler's thread fills the queue and records outcomes; a thread of the queue makes the attempts.
final class SinkQueue: Sendable {
  /// The most deliveries that wait in memory, and the most that are loaded at a time. The window is larger, since
  /// keeping a delivery that was just claimed costs far less than loading it again.
  private static let (window, portion) = (4_096, 1_024)

  private struct State {
    var waiting: ArraySlice<OutgoingDelivery> = []
    /// The start of each attempt in flight, by delivery id.
    var underWay: [Int64: Date] = [:]
    var finished: [FinishedAttempt] = []
    var runners = 0
    var limiter: RateLimiter?
    var hasBacklog = true
    var isStopped = false

    mutating func stop() { (waiting, isStopped) = ([], true) }

    mutating func removeNext(concurrency: Int) -> OutgoingDelivery? {
      // A slot whose last outcome is not on disk yet carries one more attempt, not two: a kill repeats no more.
      guard underWay.count + finished.count < 2 * concurrency else { return nil }
      // A slice keeps removed elements in memory until it is copied.
      if waiting.isEmpty || waiting.startIndex >= SinkQueue.portion { waiting = ArraySlice(Array(waiting)) }
      return waiting.popFirst()
    }

    /// Appends deliveries in order. Returns the number of runners to start for them.
    mutating func append(_ deliveries: some Collection<OutgoingDelivery>, concurrency: Int) -> Int {
      guard !isStopped else { return 0 }
      waiting.append(contentsOf: deliveries)
      return startRunners(concurrency: concurrency)
    }

    /// Counts the runners that are missing for what waits. Returns how many to start.
    mutating func startRunners(concurrency: Int) -> Int {
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

  /// A queue that is still to be filled from the store.
  ///
  /// - Parameter wake: called from any thread when an attempt has ended.
  init(sink: ActiveSink, limiter: RateLimiter?, time: any TimeSource, wake: @escaping @Sendable () -> Void) {
    self.sink = sink
    self.time = time
    self.wake = wake
    state = Mutex(State(limiter: limiter))
  }

  var name: String { sink.name }

  /// The number of deliveries here: waiting, under way, or ended but not yet recorded.
  var inFlightCount: Int { state.withLock { $0.waiting.count + $0.underWay.count + $0.finished.count } }

  /// The ids of the deliveries counted in ``inFlightCount``.
  var inFlight: Set<Int64> {
    state.withLock { state in
      Set(state.waiting.map(\.delivery.id)).union(state.underWay.keys).union(state.finished.map(\.delivery.id))
    }
  }

  /// The start of each attempt in flight, by delivery id.
  var underWay: [Int64: Date] { state.withLock { $0.underWay } }

  /// The attempts that have ended but are not yet recorded, in order.
  var finished: [FinishedAttempt] { state.withLock { $0.finished } }

  /// True if the store may have due deliveries of this sink that are not in memory.
  var hasBacklog: Bool {
    get { state.withLock { $0.hasBacklog } }
    set { state.withLock { $0.hasBacklog = newValue } }
  }

  /// Loads due deliveries from the store, except those that an earlier queue of the sink still holds.
  func load(from store: any ItemStore, besides earlier: [SinkQueue], at now: Date) throws {
    let capacity = capacity(at: now)
    guard capacity > 0 else { return }
    // A delivery in flight is still pending in the store, and would be found first.
    let busy = earlier.reduce(inFlight) { $0.union($1.inFlight) }
    let due = try store.read { view in
      var receipts = Receipts(in: view)
      return try view.attemptableDeliveries(sink: name, at: now, besides: busy, limit: capacity).map {
        OutgoingDelivery(delivery: $0, message: $1, receipt: try receipts.receipt(for: $0, $1))
      }
    }
    start(
      state.withLock { state in
        state.hasBacklog = due.count == capacity
        state.limiter?.begin(due.count, at: now)
        return state.append(due, concurrency: sink.sink.concurrency)
      })
  }

  // The number of deliveries to load; 0 if the store has none or enough wait here.
  private func capacity(at now: Date) -> Int {
    state.withLock { state in
      let room = Self.portion - state.waiting.count
      guard state.hasBacklog, !state.isStopped, room > Self.portion / 2 else { return 0 }
      return min(room, state.limiter?.allowance(at: now) ?? room)
    }
  }

  /// Enqueues deliveries that were just claimed, if they are due and there is room; the others are loaded later.
  func enqueue(_ claimed: [OutgoingDelivery], at now: Date) {
    start(
      state.withLock { state in
        // The backlog is older and goes first. A rate limit is applied in `load` only.
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

  /// The earliest instant after `now` at which a delivery is to be retried or the rate limit permits more; `nil` for
  /// none.
  func nextAttempt(after now: Date, in view: any StoreView) throws -> Date? {
    let (isStopped, slot) = state.withLock { ($0.isStopped, $0.limiter?.nextSlot) }
    guard !isStopped else { return nil }
    // Deliveries beyond the rate limit are due already, so only the limit counts for them.
    return [try view.nextAttempt(sink: name, after: now), slot.map { max($0, now) }].compactMap(\.self).min()
  }

  /// Removes waiting deliveries that were discarded in the store.
  func removeDiscarded(_ store: any ItemStore) throws {
    let waiting = state.withLock { $0.waiting.map(\.delivery.id) }
    guard !waiting.isEmpty else { return }
    let gone = try store.read { view in try Set(waiting.filter { try view.delivery(id: $0)?.state != .pending }) }
    state.withLock { $0.waiting.removeAll { gone.contains($0.delivery.id) } }
  }

  /// Removes the first ended attempts, which are recorded now, and goes on with what had to wait for that.
  func removeFinished(_ count: Int) {
    let (isEmpty, runners) = state.withLock { state in
      state.finished.removeFirst(count)
      return (state.finished.isEmpty, state.startRunners(concurrency: sink.sink.concurrency))
    }
    start(runners)
    // Attempts that ended in the meantime have not called `wake`, since the list was not empty.
    if !isEmpty { wake() }
  }

  /// Starts nothing more; waiting deliveries stay pending in the store. Returns whether the queue was running.
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
    state.withLock { state in
      guard let next = state.removeNext(concurrency: sink.sink.concurrency) else {
        state.runners -= 1
        return nil
      }
      // Not before the lock: a thread that waits there would date the attempt before its delivery came in.
      let now = time.now
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
