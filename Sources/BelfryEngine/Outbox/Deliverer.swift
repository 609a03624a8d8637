import BelfryModel
import CivilTime
import FoundationEssentials

/// Begins deliveries, sends them and records their outcomes.
///
/// It takes as many deliveries of a sink as the sink has free slots, and **begins** them: none that was answered,
/// checked, deleted or discarded before is attempted. Only a row that the store still has as pending is begun:
/// - Where one daemon alone has the store, nobody else begins. Every change raises a count, and only if that has grown
///   is a row that was read ahead looked at again.
/// - Where several may share it, a begin is committed, and only rows that are pending in that transaction are begun.
///
/// An attempt that does not start within ``mustStartWithin`` seconds is begun anew: a thread that was busy, or a
/// connection that took long (`StartLimit`). So nothing is sent later than a second after an answer was committed.
final class Deliverer {
  /// The seconds for which a begin counts.
  static let mustStartWithin = 0.8

  /// The zone of the quiet hours; `nil` before the first tick.
  var zone: Zone?

  private(set) var slots: [SinkSlots] = []
  /// Slots of an earlier config, kept until their attempts are recorded.
  private var retired: [SinkSlots] = []
  private var problems = SinkProblems()
  private var belfry: Belfry
  /// The number of changes of the store that the rounds have made.
  private var ownChanges: Int64 = 0
  private let random: @Sendable () -> Double
  private let log: EventLog
  private let wake: @Sendable () -> Void

  /// A deliverer without sinks; see ``Scheduler`` for the parameters.
  init(
    _ belfry: Belfry, random: @escaping @Sendable () -> Double, log: @escaping EventLog,
    wake: @escaping @Sendable () -> Void
  ) {
    (self.belfry, self.random, self.log, self.wake) = (belfry, random, log, wake)
  }

  /// Opens the slots for a config. Attempts of an earlier config run to their end and are not repeated.
  func open(_ belfry: Belfry, sinks: [ActiveSink]) throws {
    let (store, time, now) = (belfry.store, belfry.time, belfry.time.now)
    let (problems, opened) = try store.read { view in
      let slots = try sinks.map { sink in
        SinkSlots(
          sink: sink, limiter: try view.rateLimiter(of: sink, at: now), time: time,
          beginAgain: { (try? store.begin($0, at: time.now)) ?? false }, wake: wake)
      }
      return (try SinkProblems(in: view), slots)
    }
    stop()
    retired = (retired + slots).filter { $0.inFlightCount > 0 }
    (self.belfry, self.problems, slots) = (belfry, problems, opened)
    problems.stopPaused(slots).forEach(log)
  }

  /// Forgets the attempts of earlier slots: they end unrecorded.
  func forgetRetired() { retired = [] }

  /// The number of deliveries in memory.
  var inFlightCount: Int { (slots + retired).reduce(0) { $0 + $1.inFlightCount } }

  /// The earliest instant after `now` at which a delivery may be attempted; `nil` for none.
  func nextAttempt(after now: Date) throws -> Date? {
    try belfry.store.read { view in try slots.compactMap { try $0.nextAttempt(after: now, in: view) }.min() }
  }

  // MARK: Reading ahead

  /// Has every sink look for due deliveries in the store.
  func noteBacklog() { for sink in slots { sink.hasBacklog = true } }

  /// Reads due deliveries ahead for sinks that have room.
  func load() throws {
    dropRetired()
    let now = belfry.time.now
    for sink in slots {
      let earlier = retired.filter { $0.name == sink.name }
      try sink.load(from: belfry.store, besides: earlier, at: now, changes: changesByOthers)
    }
  }

  // Forgets earlier slots that hold nothing more. A delivery that they began and did not send is still pending, and the
  // slots of the config look for it again.
  private func dropRetired() {
    let empty = retired.filter { $0.inFlightCount == 0 }
    guard !empty.isEmpty else { return }
    retired.removeAll { slots in empty.contains { $0 === slots } }
    for sink in slots where empty.contains(where: { $0.name == sink.name }) { sink.hasBacklog = true }
  }

  // MARK: Beginning

  /// The number of changes of the store by others, as far as it counts them; `nil` where a begin is committed.
  func changesByOthers() throws -> Int64? { try belfry.store.changeCount().map { $0 - ownChanges } }

  /// Begins what has a free slot, where that needs no commit.
  func beginAtOnce() throws {
    var isDone = false
    while !isDone, slots.contains(where: \.hasWork) {
      let mustStartBefore = mustStartBefore
      guard let changes = try changesByOthers() else { return }
      isDone = true
      for sink in slots {
        let taken = sink.take()
        do {
          let pending = try stillPending(taken, at: changes)
          if pending.count < taken.count { isDone = false }
          sink.start(pending, mustStartBefore: mustStartBefore)
        } catch {
          sink.putBack(taken)
          throw error
        }
      }
    }
  }

  private var mustStartBefore: Double { belfry.time.uptime + Self.mustStartWithin }

  private func stillPending(_ taken: [OutgoingDelivery], at changes: Int64) throws -> [OutgoingDelivery] {
    guard taken.contains(where: { $0.knownAt != changes }) else { return taken }
    let now = belfry.time.now
    return try belfry.store.read { view in
      try taken.filter { try $0.knownAt == changes || view.isAttemptable($0.delivery.id, at: now) }
    }
  }

  // MARK: Recording

  /// Collects a round: the outcomes of ended attempts and, where a begin is committed, the next begins.
  ///
  /// - Parameter begins: whether anything is to be begun.
  func newRound(begins: Bool) throws -> DeliveryRound {
    let mustStartBefore = mustStartBefore
    let finished = (retired + slots).map { ($0, $0.finished) }.filter { !$1.isEmpty }
    let recording = Recording(
      finished: finished, sinks: slots, settings: belfry.settings, zone: zone, random: random, problems: problems)
    // Without work the store is not touched: any file that is written beside it wakes the daemon.
    let isCommitted = try begins && slots.contains(where: \.hasWork) && belfry.store.changeCount() == nil
    let taken = isCommitted ? slots.map { ($0, $0.take()) }.filter { !$1.isEmpty } : []
    return DeliveryRound(recording: recording, taken: taken, mustStartBefore: mustStartBefore)
  }

  /// Takes over a round that is committed: starts what it began.
  func finish(_ round: DeliveryRound) {
    // What a round discards may have been read ahead: then it counts as a change by others, and rows are looked at again.
    if !round.mayDiscard { ownChanges += 1 }
    let recording = round.recording
    problems = recording.problems
    for (sink, attempts) in recording.finished { sink.removeFinished(attempts.count) }
    recording.events.forEach(log)
    problems.stopPaused(slots).forEach(log)
    for (sink, taken) in round.taken {
      sink.start(taken.filter { round.begun.contains($0.delivery.id) }, mustStartBefore: round.mustStartBefore)
    }
  }

  /// Goes back to before a round that was not committed.
  func cancel(_ round: DeliveryRound) { for (sink, taken) in round.taken { sink.putBack(taken) } }

  /// Calls for another round, if there is something to begin or to record.
  func callForMore() { if (retired + slots).contains(where: \.hasWork) { wake() } }

  // MARK: The end

  /// Starts no further attempt. Attempts in flight still end and can be recorded.
  func stop() { for sink in slots { sink.stop() } }

  /// The start of each attempt in flight, by delivery id.
  var underWay: [Int64: Date] {
    (slots + retired).reduce(into: [:]) { $0.merge($1.underWay) { first, _ in first } }
  }
}

extension ItemStore {
  /// Begins one delivery, if it is pending and due. Returns whether it was.
  fileprivate func begin(_ id: Int64, at now: Date) throws -> Bool {
    guard try changeCount() == nil else { return try read { try $0.isAttemptable(id, at: now) } }
    return try write { try !$0.begin([id], at: now).isEmpty }
  }
}

/// Outcomes and begins that the deliverer writes in one transaction.
struct DeliveryRound {
  var recording: Recording
  /// Deliveries that are begun with the commit.
  let taken: [(sink: SinkSlots, deliveries: [OutgoingDelivery])]
  /// The uptime from which on these begins are void.
  let mustStartBefore: Double
  /// The deliveries that the store has begun.
  private(set) var begun: Set<Int64> = []

  /// True if the change around it may discard pending deliveries.
  var isInDiscardingChange = false

  /// True if pending deliveries may be discarded with it.
  var mayDiscard: Bool { isInDiscardingChange || recording.mayDiscard }

  /// True if there is nothing to write.
  var isEmpty: Bool { recording.finished.isEmpty && taken.isEmpty }

  /// Writes the outcomes, then the begins.
  mutating func write(in transaction: any StoreTransaction, at now: Date) throws {
    try recording.write(in: transaction, at: now)
    let ids = taken.flatMap { $0.deliveries.map(\.delivery.id) }
    if !ids.isEmpty { begun = try transaction.begin(ids, at: now) }
  }
}
