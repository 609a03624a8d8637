import CivilTime
import FoundationEssentials
import Synchronization
import SystemThreads
import Transport

/// The slots of one sink, one for each attempt that may be under way at once, so that a slow sink delays only itself.
///
/// The scheduler's thread reads deliveries ahead, begins them and records their outcomes; a thread of the sink makes
/// the attempts.
final class SinkSlots: Sendable {
  /// The most deliveries that are read ahead. More than are loaded at a time, since keeping a delivery that was just
  /// claimed costs far less than loading it again.
  private static let window = 4_096

  let sink: ActiveSink
  private let time: any TimeSource
  private let wake: @Sendable () -> Void
  private let thread = TaskThread()
  private let state: Mutex<SlotState>

  /// Slots without deliveries.
  ///
  /// - Parameter wake: called from any thread when there is something to record, or to begin again.
  init(sink: ActiveSink, limiter: RateLimiter?, time: any TimeSource, wake: @escaping @Sendable () -> Void) {
    self.sink = sink
    self.time = time
    self.wake = wake
    state = Mutex(SlotState(limiter: limiter))
  }

  var name: String { sink.name }

  /// The number of deliveries here: read ahead, begun, under way, or ended but not yet recorded.
  var inFlightCount: Int {
    state.withLock { state in
      state.ahead.count + state.returned.count + state.begun.count + state.underWay.count + state.finished.count
    }
  }

  /// The ids of the deliveries counted in ``inFlightCount``.
  var inFlight: Set<Int64> {
    state.withLock { state in
      Set(state.ahead.map(\.delivery.id)).union(state.returned.map(\.delivery.id))
        .union(state.begun.map(\.outgoing.delivery.id)).union(state.underWay.keys)
        .union(state.finished.map(\.delivery.id))
    }
  }

  /// The start limits of attempts in flight that no transport has checked yet, by delivery id.
  var waiting: [Int64: StartLimit] {
    state.withLock { $0.underWay.compactMapValues { $0.limit.end == nil ? nil : $0.limit } }
  }

  /// The attempts that have ended but are not yet recorded, in order.
  var finished: [FinishedAttempt] { state.withLock { $0.finished } }

  /// True if the store may have due deliveries of this sink that are not in memory; for stopped slots, if a delivery
  /// was put back.
  var hasBacklog: Bool {
    get { state.withLock { $0.hasBacklog } }
    set { state.withLock { $0.hasBacklog = newValue } }
  }

  /// True if something can be begun or recorded.
  var hasWork: Bool { state.withLock { !$0.finished.isEmpty || $0.free(of: sink.sink.concurrency) > 0 } }

  // MARK: Reading ahead

  /// Reads due deliveries of the store ahead, except those that earlier slots of the sink still hold.
  ///
  /// - Parameter countChanges: counts the changes by others, as in ``OutgoingDelivery/knownAt``; called only if
  ///   deliveries are read, and before that.
  func load(
    from store: any ItemStore, besides earlier: [SinkSlots], at now: Date, changes countChanges: () throws -> Int64?
  ) throws {
    let capacity = capacity(at: now)
    guard capacity > 0 else { return }
    let changes = try countChanges()
    // A delivery in flight is still pending in the store, and would be found first.
    let busy = earlier.reduce(inFlight) { $0.union($1.inFlight) }
    let due = try store.read { view in
      var receipts = Receipts(in: view)
      return try view.attemptableDeliveries(sink: name, at: now, besides: busy, limit: capacity).map {
        OutgoingDelivery(
          delivery: $0, message: $1, receipt: try receipts.receipt(for: $0, $1), knownAt: changes)
      }
    }
    state.withLock { state in
      guard !state.isStopped else { return }
      state.hasBacklog = due.count == capacity
      state.limiter?.begin(due.count, at: now)
      state.ahead.append(contentsOf: due)
    }
  }

  // The number of deliveries to load; 0 if the store has none or enough wait here.
  private func capacity(at now: Date) -> Int {
    state.withLock { state in
      let room = SlotState.portion - state.ahead.count
      guard state.hasBacklog, !state.isStopped, room > SlotState.portion / 2 else { return 0 }
      return min(room, state.limiter?.allowance(at: now) ?? room)
    }
  }

  /// Keeps deliveries that were just claimed, if they are due and there is room; the others are loaded later.
  func readAhead(_ claimed: [OutgoingDelivery], at now: Date) {
    state.withLock { state in
      // The backlog is older and goes first. A rate limit is applied in `load` only.
      guard !state.isStopped, !state.hasBacklog, state.limiter == nil else {
        state.hasBacklog = true
        return
      }
      let due = claimed.filter { ($0.delivery.nextAttemptAt ?? .distantFuture) <= now }
      let taken = due.prefix(max(0, Self.window - state.ahead.count))
      state.hasBacklog = taken.count < due.count
      state.ahead.append(contentsOf: taken)
    }
  }

  /// The earliest instant after `now` at which a delivery is due for a retry or the rate limit permits more; `nil` for
  /// none.
  func nextAttempt(after now: Date, in view: any StoreView) throws -> Date? {
    let (isStopped, slot) = state.withLock { ($0.isStopped, $0.limiter?.nextSlot) }
    guard !isStopped else { return nil }
    // Deliveries beyond the rate limit are due already, so only the limit counts for them. If it permits more already, no
    // instant is needed: enough deliveries are read ahead, and the end of an attempt loads more.
    let next = slot.flatMap { $0 > now ? $0 : nil }
    return [try view.nextAttempt(sink: name, after: now), next].compactMap(\.self).min()
  }

  // MARK: Beginning

  /// Takes as many deliveries as there are free slots, oldest first, to begin them.
  ///
  /// - Parameter begunBefore: true for deliveries that the store has begun before, false for others; `nil` for any.
  func take(begunBefore: Bool?) -> [OutgoingDelivery] {
    state.withLock { state in
      // A delivery that was begun too late has a slot as soon as it may start.
      let late = begunBefore == false ? state.returned.count(where: \.isBegun) : 0
      return state.take(max(0, state.free(of: sink.sink.concurrency) - late), begunBefore: begunBefore)
    }
  }

  /// Returns deliveries that were taken and could not be begun.
  func putBack(_ taken: [OutgoingDelivery]) { state.withLock { $0.putBack(taken) } }

  /// Starts attempts of begun deliveries. If it is already too late, they are the next to begin.
  ///
  /// - Parameters:
  ///   - mustStartBefore: the uptime from which on they must begin again.
  ///   - mayLookAgain: whether late deliveries may start after another check, without being begun in the store again.
  func start(_ begun: [OutgoingDelivery], mustStartBefore: Double, mayLookAgain: Bool) {
    let runners = state.withLock { state in
      guard !state.isStopped else { return 0 }
      guard time.uptime < mustStartBefore else {
        state.putBack(begun.map { $0.marked(asBegun: mayLookAgain) })
        return 0
      }
      state.begun.append(contentsOf: begun.map { ($0.marked(asBegun: true), mustStartBefore) })
      let missing = max(0, min(sink.sink.concurrency - state.runners, state.begun.count))
      state.runners += missing
      return missing
    }
    for _ in 0..<runners { Task(executorPreference: thread) { [self] in await run() } }
  }

  // MARK: Sending

  private func run() async {
    while let (outgoing, attempt) = next() {
      let ended = await StartLimit.$current.withValue(attempt.limit) {
        await sink.attempt(outgoing, at: attempt.startedAt)
      }
      guard attempt.limit.hasRefused else {
        end(ended)
        continue
      }
      var outgoing = outgoing
      outgoing.lost = attempt.limit.hasLostRequest ? ended : outgoing.lost
      giveBack(outgoing)
    }
  }

  private func next() -> (OutgoingDelivery, AttemptUnderWay)? {
    var hasReturned = false
    let next: (OutgoingDelivery, AttemptUnderWay)? = state.withLock { state in
      while let (outgoing, mustStartBefore) = state.begun.popFirst() {
        // The delivery was begun too long ago, so an answer may have been given since. It must begin again.
        guard time.uptime < mustStartBefore else {
          state.putBack([outgoing])
          hasReturned = true
          continue
        }
        // Made inside the lock: a thread that waits for the lock would date the attempt before its delivery came in.
        let attempt = AttemptUnderWay(startedAt: time.now, limit: StartLimit(before: mustStartBefore, by: time))
        state.underWay[outgoing.delivery.id] = attempt
        return (outgoing, attempt)
      }
      state.runners -= 1
      return nil
    }
    if hasReturned { wake() }
    return next
  }

  // Takes back a delivery that must begin again.
  private func giveBack(_ outgoing: OutgoingDelivery) {
    state.withLock { state in
      state.underWay[outgoing.delivery.id] = nil
      state.putBack([outgoing])
    }
    wake()
  }

  // Keeps the outcome of an attempt to be recorded; that of an abandoned attempt is recorded already.
  private func end(_ attempt: FinishedAttempt) {
    let isFirst = state.withLock { state in
      guard state.underWay.removeValue(forKey: attempt.delivery.id) != nil else { return false }
      state.finished.append(attempt)
      // It stays stopped until the daemon restarts.
      if case .never(_, pausesSink: true) = attempt.outcome { state.stop() }
      return state.finished.count == 1
    }
    if isFirst { wake() }
  }

  // MARK: Recording

  /// Keeps the outcomes of lost attempts whose deliveries do not begin again, to be recorded.
  func endLost(_ deliveries: [OutgoingDelivery]) {
    state.withLock { $0.finished += deliveries.compactMap(\.lost) }
  }

  /// Removes the first ended attempts, which are recorded now.
  func removeFinished(_ count: Int) { state.withLock { $0.finished.removeFirst(count) } }

  /// Starts nothing more; deliveries that were read ahead stay pending in the store. Returns whether the sink was
  /// running.
  @discardableResult
  func stop() -> Bool {
    state.withLock { state in
      defer { state.stop() }
      return !state.isStopped
    }
  }

  /// Forgets the attempts in flight, whose outcomes are ignored from now on.
  ///
  /// - Returns: the start of each, by delivery id.
  func abandon() -> [Int64: Date] {
    state.withLock { state in
      defer { state.underWay = [:] }
      return state.underWay.mapValues(\.startedAt)
    }
  }
}
