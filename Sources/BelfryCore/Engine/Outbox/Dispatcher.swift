import FoundationEssentials
import Synchronization

/// Takes pending deliveries from the store to their sinks and writes down how they ended.
///
/// Used by one thread, the scheduler's. Sinks run elsewhere, each in a lane of its own; what they finish is recorded
/// here, many in one transaction.
public final class Dispatcher {
  /// What an attempt's record does in a transaction.
  typealias Recording = (any StoreTransaction) throws -> Void

  /// The zone in which quiet hours are counted; `nil` before the first tick.
  public var zone: Zone?

  let time: any TimeSource
  let random: @Sendable () -> Double
  /// The faults of sinks.
  let problems: KnownProblems
  /// When the first of what was recorded since somebody asked last is to be tried again.
  var earliestRetry: Date?
  let store: any ItemStore
  private let log: EventLog
  private let outbox: FinishedAttempts
  private let desks: [SinkDesk]
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
    desks = sinks.map { SinkDesk(lane: SinkLane(sink: $0, time: time, finish: outbox.append)) }
    problems = predecessor?.problems ?? KnownProblems()
  }

  /// Takes up what the store says is wrong with sinks: a paused one stays paused across a config reload.
  func loadProblems() throws {
    try store.read { try problems.load(from: $0) }
    keepPauses()
  }

  private func keepPauses() {
    for desk in desks where problems.bySink[desk.name]?.kind == .paused && desk.pause() {
      log(Event(.warning, "sink '\(desk.name)' stays paused until belfryd restarts"))
    }
  }

  /// How many deliveries are with their sinks.
  public var inFlightCount: Int { desks.reduce(0) { $0 + $1.inHand.count } + (predecessor?.inFlightCount ?? 0) }

  /// The attempts that have begun and not ended, by their delivery, with when they began.
  var underWay: [Int64: Date] {
    desks.reduce(into: predecessor?.underWay ?? [:]) { $0.merge($1.lane.underWay) { first, _ in first } }
  }

  /// Has the next ``pump()`` look into the store for every sink: with the time more has become due.
  func lookAgain() {
    for desk in desks { desk.isBehind = true }
  }

  /// Counts the attempts that were made before, against the limits of their sinks.
  func countEarlierAttempts() throws {
    let limited = desks.filter { $0.lane.sink.rateLimit != nil }
    guard !limited.isEmpty else { return }
    let now = time.now
    try store.read { view in
      for desk in limited { try desk.countEarlierAttempts(in: view, at: now) }
    }
  }

  /// Hands every lane what it can take of what is due in the store.
  public func pump() throws {
    guard !isStopped else { return }
    let now = time.now
    for desk in desks {
      let appetite = desk.appetite(at: now)
      guard appetite > 0 else { continue }
      // What is in hand is still pending in the store and comes first in its order.
      let due = try store.read { view in
        try view.attemptableDeliveries(sink: desk.name, at: now, besides: busy(desk), limit: appetite)
      }
      desk.take(due.map(OutgoingDelivery.init), asked: appetite, at: now)
    }
  }

  /// Hands the lanes what was claimed just now, as it was written, so that it need not be read again.
  func handOver(_ claimed: [OutgoingDelivery]) {
    guard !isStopped, !claimed.isEmpty else { return }
    let now = time.now
    let bySink = Dictionary(grouping: claimed, by: \.delivery.sink)
    for desk in desks { if let claimed = bySink[desk.name] { desk.take(claimed: claimed, at: now) } }
  }

  /// Takes out of the queues what was called off since it was handed over.
  public func dropDiscarded() throws {
    for desk in desks { try desk.dropDiscarded(store) }
  }

  /// The earliest instant after `now` at which a delivery is to be tried again.
  public func nextAttempt(after now: Date) throws -> Date? {
    try store.read { view in try desks.compactMap { try $0.nextAttempt(after: now, in: view) }.min() }
  }

  /// Writes down every attempt that has ended, in one transaction. Returns how many.
  @discardableResult
  public func record() throws -> Int {
    try record { recording in
      if let recording { try store.write(recording) }
    }.count
  }

  /// Writes down every attempt that has ended, in a transaction that the caller makes.
  ///
  /// - Parameter write: runs what it is given in its transaction; it is given nothing where nothing has ended.
  /// - Returns: how many, and what `write` returned.
  func record<Result>(in write: (Recording?) throws -> Result) throws -> (count: Int, result: Result) {
    let earlier = try predecessor?.record() ?? 0
    keepPauses()
    if predecessor?.inFlightCount == 0 { predecessor = nil }
    let finished = outbox.takeAll()
    guard !finished.isEmpty else { return (earlier, try write(nil)) }
    let before = problems.bySink
    var events: [Event] = []
    let result: Result
    do {
      result = try write { transaction in events = try finished.flatMap { try self.close($0, in: transaction) } }
    } catch {
      problems.restore(before)
      outbox.putBack(finished)
      throw error
    }
    events.forEach(log)
    for attempt in finished { settle(attempt) }
    return (earlier + finished.count, result)
  }

  /// The desk of a sink.
  func desk(_ sink: String) -> SinkDesk? { desks.first { $0.name == sink } }

  private func busy(_ desk: SinkDesk) -> Set<Int64> {
    guard let predecessor, let earlier = predecessor.desk(desk.name) else { return desk.inHand }
    return desk.inHand.union(predecessor.busy(earlier))
  }

  // What the other side wants no more of it gets no more of, until somebody has looked and started the daemon again.
  private func settle(_ attempt: FinishedAttempt) {
    guard let desk = desk(attempt.delivery.sink) else { return }
    desk.isRecorded(attempt.delivery.id)
    guard case .never(let reason, true) = attempt.outcome, desk.pause() else { return }
    log(Event(.error, "sink '\(desk.name)' is paused until belfryd restarts: \(reason)"))
  }

  /// Lets no further attempt begin. What is under way still ends and can be recorded.
  public func stop() {
    isStopped = true
    for desk in desks { desk.stop() }
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
