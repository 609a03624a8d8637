import BelfryModel
import CivilTime
import FoundationEssentials

/// The deliveries between the store and their sinks.
///
/// A delivery passes these stages, each in a file of its own:
/// 1. ``ClaimBatch``, ``Claim``: a due reminder is claimed, and its messages are written in the same transaction.
/// 2. ``Routing``: the routes, or the step of an escalation, choose its recipients; a ``ClaimedRing``
///    schedules the next step.
/// 3. `HeldNags`: a nag or step is left out where quiet hours hold a message that says the same.
/// 4. ``MessageGroups``: reminders of one minute share a message where the sink groups them.
/// 5. ``QuietHours``: the message is held until the quiet hours of the sink and person end.
/// 6. `Pause`: a paused sink gets nothing until the daemon restarts.
/// 7. ``RateLimit``: deliveries beyond the limit of the sink wait for the next interval.
/// 8. ``SinkQueue``: the delivery waits in the queue of its sink.
/// 9. `Attempt`: the sink sends it.
/// 10. ``Recording``: the outcome is recorded, with the next attempt (``RetryPolicy``), a notice to another sink
///     (``FailureNotice``), the next step of an escalation (``HandOver``) and the problem of the sink
///     (``SinkProblems``).
/// 11. ``CopyUpdates``: once the reminder was answered, the delivered message is updated where its sink can do that;
///     ``AnswerNews`` tells the others whom an escalation has reached.
///
/// Not thread-safe: used by the scheduler's thread only.
final class Outbox {
  /// The zone of the quiet hours; `nil` before the first tick.
  var zone: Zone?

  private(set) var belfry: Belfry
  private(set) var sinks: [ActiveSink]
  private var queues: [SinkQueue] = []
  /// Queues of an earlier config, kept until their attempts are recorded.
  private var retired: [SinkQueue] = []
  private var problems = SinkProblems()
  private let random: @Sendable () -> Double
  private let log: EventLog
  private let wake: @Sendable () -> Void

  /// An outbox without queues; see ``Scheduler`` for the parameters.
  init(
    belfry: Belfry, sinks: [ActiveSink], random: @escaping @Sendable () -> Double, log: @escaping EventLog,
    wake: @escaping @Sendable () -> Void
  ) {
    self.belfry = belfry
    self.sinks = sinks
    self.random = random
    self.log = log
    self.wake = wake
  }

  /// Opens the queues for a config. Attempts of an earlier config run to their end and are not repeated.
  func start(_ belfry: Belfry, sinks: [ActiveSink]) throws {
    let now = belfry.time.now
    _ = try belfry.resumeDeliveries(attemptedAfter: now)
    try belfry.endProblems(exceptOf: sinks)
    let (problems, opened) = try belfry.store.read { view in
      let queues = try sinks.map { sink in
        SinkQueue(sink: sink, limiter: try view.rateLimiter(of: sink, at: now), time: belfry.time, wake: wake)
      }
      return (try SinkProblems(in: view), queues)
    }
    stop()
    retired = (retired + queues).filter { $0.inFlightCount > 0 }
    (self.belfry, self.sinks, self.problems, queues) = (belfry, sinks, problems, opened)
    problems.stopPaused(queues).forEach(log)
    try closeWithoutSink()
  }

  // Closes deliveries of sinks that were removed or disabled, with events.
  private func closeWithoutSink() throws { try belfry.closeDeliveries(exceptOf: sinks).forEach(log) }

  /// Opens the queues anew, at the start or because another store has taken the place of the one in use. Attempts in
  /// flight end unrecorded; if the new store has their deliveries too, they are sent again.
  func restart() throws {
    stop()
    try start(belfry, sinks: sinks)
    retired = []
  }

  /// The number of deliveries in the queues.
  var inFlightCount: Int { (queues + retired).reduce(0) { $0 + $1.inFlightCount } }

  /// Removes deliveries from the queues that were discarded since.
  func removeDiscarded() throws {
    for queue in queues { try queue.removeDiscarded(belfry.store) }
  }

  /// Loads deliveries that have become due since the last tick, then claims due reminders.
  ///
  /// Each transaction both claims and records: sinks do not wait for the last claim, and one commit does for both.
  ///
  /// - Returns: the instant up to which everything is claimed.
  func run(noting setAside: SetAsideLog) throws -> Date {
    // Retries that are due now are older than anything claimed now, so they are loaded first.
    try loadDue()
    var batch = ClaimBatch()
    while true {
      let now = belfry.time.now
      let claim = try recordAndClaim(batch, noting: setAside)
      report(claim)
      // Deliveries of the last claim stay pending until the next start.
      guard !belfry.stop.wasMade else { return now }
      enqueue(claim.outgoing)
      try load()
      guard claim.hasMore else { return now }
      batch.advance(after: claim)
    }
  }

  private func recordAndClaim(_ batch: ClaimBatch, noting setAside: SetAsideLog) throws -> ClaimResult {
    var recording = newRecording()
    // Most minutes nothing is due; a read is cheaper than a write transaction.
    if recording.finished.isEmpty, try !belfry.hasDueReminders(besides: batch.stuck, noting: setAside) {
      return ClaimResult()
    }
    let result = try belfry.change(noting: setAside) { change in
      try recording.write(in: change.transaction, at: change.now)
      var claim = try Claim(change: change, settings: belfry.settings, sinks: sinks)
      return try claim.claimDue(batch)
    }
    commit(recording)
    return result
  }

  /// Records ended attempts without a claim.
  ///
  /// - Returns: the recording; `nil` if no attempt has ended.
  @discardableResult
  func record() throws -> Recording? {
    var recording = newRecording()
    guard !recording.finished.isEmpty else { return nil }
    try belfry.store.write { try recording.write(in: $0, at: belfry.time.now) }
    commit(recording)
    return recording
  }

  private func newRecording() -> Recording {
    let finished = (retired + queues).map { ($0, $0.finished) }.filter { !$1.isEmpty }
    return Recording(
      finished: finished, queues: queues, settings: belfry.settings, zone: zone, random: random, problems: problems)
  }

  private func commit(_ recording: Recording) {
    problems = recording.problems
    for (queue, attempts) in recording.finished { queue.removeFinished(attempts.count) }
    retired.removeAll { $0.inFlightCount == 0 }
    recording.events.forEach(log)
    problems.stopPaused(queues).forEach(log)
  }

  // Enqueues deliveries as they were written, which saves loading them again.
  private func enqueue(_ claimed: [OutgoingDelivery]) {
    guard !claimed.isEmpty else { return }
    let now = belfry.time.now
    let bySink = Dictionary(grouping: claimed, by: \.delivery.sink)
    for queue in queues { if let claimed = bySink[queue.name] { queue.enqueue(claimed, at: now) } }
  }

  /// Loads what has become due in the store since it was last looked at.
  ///
  /// An answer writes updates without a look at the config: the sink of the message may be gone.
  func loadDue() throws {
    try closeWithoutSink()
    for queue in queues { queue.hasBacklog = true }
    try load()
  }

  /// Loads due deliveries from the store into queues that have room.
  func load() throws {
    let now = belfry.time.now
    for queue in queues {
      try queue.load(from: belfry.store, besides: retired.filter { $0.name == queue.name }, at: now)
    }
  }

  /// The earliest instant after `now` at which a delivery may be attempted; `nil` for none.
  func nextAttempt(after now: Date) throws -> Date? {
    try belfry.store.read { view in try queues.compactMap { try $0.nextAttempt(after: now, in: view) }.min() }
  }

  /// Starts no further attempt. Attempts in flight still end and can be recorded.
  func stop() {
    for queue in queues { queue.stop() }
  }

  /// Records ended attempts, and the outcome of all attempts still in flight as unknown.
  ///
  /// - Returns: the number of the latter.
  func abandon() throws -> Int {
    let left = (queues + retired).flatMap(\.underWay)
    try record()
    guard !left.isEmpty else { return 0 }
    let words = "belfryd ended while it was under way"
    try belfry.store.write { transaction in
      let updates = CopyUpdates(
        transaction: transaction, now: belfry.time.now.wholeSeconds, zone: zone ?? .utc, settings: belfry.settings)
      for (id, startedAt) in left {
        guard let delivery = try transaction.delivery(id: id) else { continue }
        try transaction.add(
          AttemptRecord(deliveryID: id, startedAt: startedAt.wholeSeconds, outcome: .unknown, words: words))
        try updates.run(afterAttemptOf: delivery)
      }
    }
    return left.count
  }

  private func report(_ claim: ClaimResult) {
    if claim.fired > 0 { log(Event(.info, "\(counted(claim.fired, "reminder")) fired")) }
    if claim.missed > 0 {
      log(Event(.warning, "\(counted(claim.missed, "reminder")) missed while nothing was running"))
    }
    UnreachedRing.events(of: claim.unreached).forEach(log)
    if claim.lostSteps > 0 {
      log(Event(.warning, "\(counted(claim.lostSteps, "step")) of escalations ended: no longer in the config"))
    }
  }
}
