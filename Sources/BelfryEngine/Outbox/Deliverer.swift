import BelfryModel
import CivilTime
import FoundationEssentials
import Transport

/// The part of the outbox that begins deliveries, sends them and records their outcomes.
///
/// It takes as many deliveries of a sink as the sink has free slots, and **begins** them. A delivery that was answered,
/// checked, deleted or discarded before is not attempted: only a row that is still pending in the store is begun.
/// - If only one daemon uses the store, no other process begins deliveries. Every change raises a count, and a row that
///   was read ahead is checked again only if the count has grown.
/// - If several daemons may share the store, beginning takes a commit, and only rows that are pending in that
///   transaction are begun. From then on they are this daemon's, and another check shows whether they were answered
///   since.
///
/// An attempt that does not start within ``mustStartWithin`` seconds must begin again, since the store was slow or a
/// thread busy. While a connection is slow, its delivery is checked again and again (`StartLimit`). So nothing is sent
/// later than a second after an answer was committed.
final class Deliverer {
  /// The seconds within which an attempt must start after its delivery was begun.
  static let mustStartWithin = 0.8

  /// The zone of the quiet hours; `nil` before the first tick.
  var zone: Zone?

  private(set) var slots: [SinkSlots] = []
  /// Slots of an earlier config, kept until their attempts are recorded.
  private var retired: [SinkSlots] = []
  private var problems = SinkProblems()
  private var lateBegins: LateBegins
  /// True if deliveries that were read ahead were not begun; they may be due at another time now.
  private var hasLeftOut = false
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
    lateBegins = LateBegins(at: belfry.store.location, log: log)
  }

  /// Opens the slots of sinks. Attempts of an earlier config run to their end and are not repeated.
  ///
  /// - Parameter kept: the sinks whose slots stay as they are.
  func open(_ belfry: Belfry, sinks: [ActiveSink], keeping kept: Set<String> = []) throws {
    let (store, time, now) = (belfry.store, belfry.time, belfry.time.now)
    let present = slots.filter { slots in kept.contains(slots.name) && sinks.contains { $0.name == slots.name } }
    let left = slots.filter { slots in !present.contains { $0 === slots } }
    // Stop first, so that they stop even if the store cannot be read.
    for sink in left { sink.stop() }
    let (problems, opened) = try store.read { view in
      let slots = try sinks.map { sink in
        try present.first { $0.name == sink.name }
          ?? SinkSlots(sink: sink, limiter: try view.rateLimiter(of: sink, at: now), time: time, wake: wake)
      }
      return (try SinkProblems(in: view), slots)
    }
    retired = (retired + left).filter { $0.inFlightCount > 0 }
    (self.belfry, self.problems, slots) = (belfry, problems, opened)
    problems.stopPaused(slots).forEach(log)
  }

  /// True if a delivery of a sink is in memory.
  func holds(_ sink: String) -> Bool { (slots + retired).contains { $0.name == sink && $0.inFlightCount > 0 } }

  /// Closes all slots. Attempts in flight end unrecorded.
  func close() {
    stop()
    (slots, retired) = ([], [])
  }

  /// The number of deliveries in memory.
  var inFlightCount: Int { (slots + retired).reduce(0) { $0 + $1.inFlightCount } }

  /// The earliest instant after `now` at which a delivery may be attempted; `nil` for none.
  func nextAttempt(after now: Date) throws -> Date? {
    try belfry.store.read { view in try slots.compactMap { try $0.nextAttempt(after: now, in: view) }.min() }
  }

  /// As ``nextAttempt(after:)``, but `nil` if every delivery that was read ahead since the last call was begun. Those
  /// that were not may have been postponed.
  func nextAttemptOfLeftOut(after now: Date) throws -> Date? {
    guard hasLeftOut else { return nil }
    hasLeftOut = false
    return try nextAttempt(after: now)
  }

  // MARK: Reading ahead

  /// Makes every sink look for due deliveries in the store.
  func noteBacklog() { for sink in slots { sink.hasBacklog = true } }

  /// Makes these sinks look for due deliveries in the store.
  func noteBacklog(of sinks: Set<String>) {
    for sink in slots where sinks.contains(sink.name) { sink.hasBacklog = true }
  }

  /// Reads due deliveries ahead for sinks that have room.
  func load() throws {
    dropRetired()
    let now = belfry.time.now
    for sink in slots {
      let earlier = retired.filter { $0.name == sink.name }
      try sink.load(from: belfry.store, besides: earlier, at: now, changes: changesByOthers)
    }
  }

  // Forgets earlier slots that are empty. A delivery that they began and did not send is still pending, so the present
  // slots of the sink must read it again.
  private func dropRetired() {
    let empty = retired.filter { $0.inFlightCount == 0 }
    for earlier in retired where earlier.hasBacklog {
      earlier.hasBacklog = false
      noteBacklog(of: [earlier.name])
    }
    retired.removeAll { slots in empty.contains { $0 === slots } }
  }

  // MARK: Beginning

  /// The number of changes to the store by others; `nil` if the store does not count them, and beginning takes a
  /// commit.
  func changesByOthers() throws -> Int64? { try belfry.store.changeCount().map { $0 - ownChanges } }

  /// Begins deliveries that have a free slot, if that needs no commit: any delivery in a store that counts its changes;
  /// in other stores, deliveries that were begun before, but too late to start.
  func beginAtOnce() throws {
    try lookAgain()
    var isDone = false
    while !isDone, slots.contains(where: \.hasWork) {
      let countedAt = belfry.time.uptime
      let changes = try changesByOthers()
      isDone = true
      for sink in slots {
        let askedAt = changes == nil ? belfry.time.uptime : countedAt
        let taken = sink.take(begunBefore: changes == nil ? true : nil)
        guard !taken.isEmpty else { continue }
        do {
          let pending = try stillPending(taken, at: changes)
          if pending.count < taken.count { isDone = false }
          start(pending, among: taken, of: sink, askedAt: askedAt, isFirst: changes != nil)
        } catch {
          sink.putBack(taken)
          throw error
        }
      }
    }
  }

  // Starts the deliveries that are begun. The others may be due later, and must be read again then.
  private func start(
    _ begun: [OutgoingDelivery], among taken: [OutgoingDelivery], of sink: SinkSlots, askedAt: Double, isFirst: Bool
  ) {
    if begun.count < taken.count {
      (sink.hasBacklog, hasLeftOut) = (true, true)
      let ids = Set(begun.map(\.delivery.id))
      sink.endLost(taken.filter { !ids.contains($0.delivery.id) })
    }
    lateBegins.note(seconds: belfry.time.uptime - askedAt, isFirst: isFirst)
    // If the repeated check is too late as well, the delivery is begun by another commit, which needs fewer replies of
    // the store.
    sink.start(begun, mustStartBefore: askedAt + Self.mustStartWithin, mayLookAgain: isFirst)
  }

  private func stillPending(_ taken: [OutgoingDelivery], at changes: Int64?) throws -> [OutgoingDelivery] {
    let unknown = taken.filter { changes == nil || $0.knownAt != changes }.map(\.delivery.id)
    guard !unknown.isEmpty else { return taken }
    let lost = Set(unknown).subtracting(try pending(unknown))
    return taken.filter { !lost.contains($0.delivery.id) }
  }

  private func pending(_ ids: [Int64]) throws -> Set<Int64> {
    let now = belfry.time.now
    return try belfry.store.read { try $0.attemptable(ids, at: now) }
  }

  // MARK: Waiting for connections

  /// Checks again the deliveries whose attempts have waited half of their time for a connection, and gives more time to
  /// those that are still pending.
  private func lookAgain() throws {
    let askedAt = belfry.time.uptime
    let waiting = waiting.filter { $0.end - askedAt <= Self.mustStartWithin / 2 }
    guard !waiting.isEmpty else { return }
    let pending = try pending(waiting.map(\.id))
    for (id, limit, _) in waiting { limit.move(to: pending.contains(id) ? askedAt + Self.mustStartWithin : nil) }
  }

  /// The seconds until the deliveries whose attempts wait for a connection must be checked again; `nil` if there are
  /// none.
  var nextLook: Double? {
    let ends = waiting.map(\.end)
    return ends.min().map { max($0 - Self.mustStartWithin / 2 - belfry.time.uptime, Self.mustStartWithin / 8) }
  }

  private var waiting: [(id: Int64, limit: StartLimit, end: Double)] {
    (slots + retired).flatMap(\.waiting).compactMap { id, limit in limit.end.map { (id: id, limit: limit, end: $0) } }
  }

  // MARK: Recording

  /// Collects a round: the outcomes of ended attempts and, if beginning takes a commit, the deliveries to begin next.
  ///
  /// - Parameter begins: whether the round may begin deliveries.
  func newRound(begins: Bool) throws -> DeliveryRound {
    let finished = (retired + slots).map { ($0, $0.finished) }.filter { !$1.isEmpty }
    let recording = Recording(
      finished: finished, settings: belfry.settings, zone: zone, random: random, problems: problems)
    // Without work the store is not touched, since any file written next to it wakes the daemon.
    let isCommitted = try begins && slots.contains(where: \.hasWork) && belfry.store.changeCount() == nil
    let taken = isCommitted ? slots.map { ($0, $0.take(begunBefore: false)) }.filter { !$1.isEmpty } : []
    return DeliveryRound(recording: recording, taken: taken)
  }

  /// Takes over a committed round: starts the deliveries that it began.
  func finish(_ round: DeliveryRound) {
    // A delivery that the round discarded may have been read ahead. Such a round counts as a change by others, and rows
    // are checked again.
    if !round.mayDiscard { ownChanges += 1 }
    let recording = round.recording
    problems = recording.problems
    for (sink, attempts) in recording.finished { sink.removeFinished(attempts.count) }
    recording.events.forEach(log)
    if let followUp = round.followUp {
      followUp.events.forEach(log)
      noteBacklog(of: followUp.sinks)
    }
    problems.stopPaused(slots).forEach(log)
    for (sink, taken) in round.taken {
      let begun = taken.compactMap { outgoing in round.begun[outgoing.delivery.id].map(outgoing.begun) }
      start(begun, among: taken, of: sink, askedAt: round.askedAt, isFirst: true)
    }
  }

  /// Puts back the deliveries of a round that was not committed.
  func cancel(_ round: DeliveryRound) { for (sink, taken) in round.taken { sink.putBack(taken) } }

  /// Calls for another round, if there is something to begin or to record.
  func callForMore() { if (retired + slots).contains(where: \.hasWork) { wake() } }

  // MARK: The end

  /// Starts no further attempt. Attempts in flight still end and can be recorded.
  func stop() { for sink in slots { sink.stop() } }

  /// Forgets the attempts in flight, whose outcomes are ignored from now on.
  ///
  /// - Returns: the start of each, by delivery id.
  func abandon() -> [Int64: Date] {
    (slots + retired).reduce(into: [:]) { $0.merge($1.abandon()) { first, _ in first } }
  }
}

/// The outcomes and begun deliveries that one transaction writes, and the follow-up of the outcomes.
struct DeliveryRound {
  var recording: Recording
  /// The result of the follow-up, which the leader writes after the outcomes; `nil` if it is not in their transaction.
  var followUp: FollowUpResult?
  /// Deliveries that are begun with the commit.
  let taken: [(sink: SinkSlots, deliveries: [OutgoingDelivery])]
  /// The deliveries that the store has begun, each with its term.
  private(set) var begun: DeliveryBegins = [:]
  /// The uptime just before the commit. Until then the transaction has kept others from changing the rows.
  var askedAt = -Double.infinity

  /// True if the change around it may discard pending deliveries.
  var isInDiscardingChange = false

  init(recording: Recording, taken: [(SinkSlots, [OutgoingDelivery])]) {
    (self.recording, self.taken) = (recording, taken)
  }

  /// True if pending deliveries may be discarded with it.
  var mayDiscard: Bool { isInDiscardingChange || followUp?.mayDiscard == true }

  /// True if there is nothing to write.
  var isEmpty: Bool { recording.finished.isEmpty && taken.isEmpty }

  /// The earliest next attempt or step that follows from the outcomes.
  var earliestRetry: Date? { [recording.earliestRetry, followUp?.nextStep].compactMap(\.self).min() }

  /// Begins the deliveries in the store.
  mutating func begin(in transaction: any StoreTransaction, at now: Date) throws {
    let ids = taken.flatMap { $0.deliveries.map(\.delivery.id) }
    if !ids.isEmpty { begun = try transaction.begin(ids, at: now) }
  }
}
