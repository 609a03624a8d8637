import BelfryModel
import CivilTime
import FoundationEssentials

/// The deliveries between the store and their sinks.
///
/// A delivery passes these stages:
/// 1. ``ClaimBatch``, ``Claim``: a due reminder is claimed, and its messages are written in the same transaction.
/// 2. ``Routing``: the routes, or the step of an escalation, choose its recipients; a ``ClaimedRing``
///    schedules the next step.
/// 3. `Change.holds`: a nag or step is left out if quiet hours hold a message that says the same.
/// 4. ``MessageGroups``: reminders of one minute share a message if the sink groups them.
/// 5. ``QuietHours``: the message is held until the quiet hours of the sink and person end.
/// 6. `Pause`: a paused sink gets nothing until the daemon restarts.
/// 7. ``RateLimit``: deliveries beyond the limit of the sink wait for the next interval.
/// 8. ``Deliverer``: the delivery is begun when its sink has a free slot, if the store still has it as pending.
/// 9. ``SinkSlots``, `Attempt`: the sink sends it; if that cannot start within a second, it is begun again.
/// 10. ``DeliveryRound``, ``Recording``: the outcome is recorded, with the next attempt (``RetryPolicy``) and the
///     problem of the sink (``SinkProblems``).
/// 11. ``FollowUp``: another sink reports a failure (``FailureNotice``), and the next step of an escalation is moved up
///     (``HandOver``).
/// 12. ``CopyUpdates``: after an answer, the delivered message is updated if its sink can do that; ``AnswerNews``
///     notifies the others whom an escalation has reached.
///
/// One process plays two roles here, and commits the changes of both together: the ``Leader`` claims and follows up,
/// the ``Deliverer`` begins, sends and records. They exchange data only through the store: no claim and no follow-up
/// exists in memory only. If several daemons share a store, one of them leads, and each delivers through the sinks that
/// it has (``DaemonPart``).
///
/// Not thread-safe: used by the scheduler's thread only.
final class Outbox {
  private(set) var belfry: Belfry
  private(set) var leader: Leader
  let deliverer: Deliverer
  let log: EventLog
  private(set) var lock: any DaemonLock = SoleDaemon()
  /// The role of the daemon that this outbox follows at present.
  var part = DaemonPart()
  /// The leases under which the deliveries of sinks were taken over.
  var takenOver: [String: Int64] = [:]
  /// The instant at which due deliveries were last read.
  private var loadedAt = Date.distantPast

  /// The enabled sinks of the config.
  var sinks: [ActiveSink] { leader.sinks }

  /// The enabled sinks whose deliveries this daemon begins.
  var ownSinks: [ActiveSink] { sinks.filter { $0.isHere && part.has($0.name) } }

  /// An outbox without open sinks; see ``Scheduler`` for the parameters.
  init(
    belfry: Belfry, sinks: [ActiveSink], random: @escaping @Sendable () -> Double, log: @escaping EventLog,
    wake: @escaping @Sendable () -> Void
  ) {
    self.belfry = belfry
    leader = Leader(belfry: belfry, sinks: sinks, log: log)
    self.log = log
    deliverer = Deliverer(belfry, random: random, log: log, wake: wake)
  }

  /// The zone of the quiet hours; `nil` before the first tick.
  var zone: Zone? {
    get { deliverer.zone }
    set { deliverer.zone = newValue }
  }

  /// Opens the sinks at the start of the daemon that has this lock.
  func start(_ lock: any DaemonLock) throws {
    self.lock = lock
    try offer(belfry, sinks)
    try takeOver(part.sinks.map { Set($0.keys) }, isAfterCrash: lock.wasAbandoned || part.sinks != nil)
    takenOver = part.sinks ?? [:]
    try restart()
  }

  /// Opens the sinks of a config. Attempts of an earlier config run to their end and are not repeated.
  func start(_ belfry: Belfry, sinks: [ActiveSink]) throws {
    (self.belfry, leader) = (belfry, Leader(belfry: belfry, sinks: sinks, log: log))
    do {
      try offer(belfry, sinks)
      try takeOverGained()
      try deliverer.open(belfry, sinks: ownSinks)
      if part.leads { try leader.start(besides: part.elsewhere) }
    } catch let error where !(error is NoLongerLeads) {
      followPartAnew()
      throw error
    }
    if part.leads { try leader.closeWithoutSink(part) }
  }

  /// Opens the sinks again, at the start or because another store has replaced the one in use. Attempts in flight end
  /// unrecorded; if the new store has their deliveries too, they are sent again.
  func restart() throws {
    deliverer.close()
    try start(belfry, sinks: sinks)
  }

  /// The number of deliveries in memory.
  var inFlightCount: Int { deliverer.inFlightCount }

  /// Reads deliveries ahead that have become due since the last tick, then claims due reminders if this daemon leads.
  ///
  /// - Returns: the instant up to which everything is claimed.
  func run(noting setAside: SetAsideLog) throws -> Date {
    guard part.leads else {
      let now = belfry.time.now
      try loadDue()
      try deliver()
      return now
    }
    try followUpOnOthers()
    // Retries that are due now are older than anything claimed now, so they are loaded first.
    try loadDue()
    var batch = ClaimBatch()
    while true {
      let now = belfry.time.now
      let claim = try recordAndClaim(batch, noting: setAside)
      leader.report(claim)
      // Deliveries of the last claim stay pending until the next start.
      guard !belfry.stop.wasMade else { return now }
      guard claim.hasMore else { return now }
      batch.advance(after: claim)
    }
  }

  /// Follows up on outcomes that other daemons, or an earlier leader, have recorded.
  ///
  /// - Returns: the time of an escalation's step that is moved up; `nil` for none.
  @discardableResult
  func followUpOnOthers() throws -> Date? {
    let result = try leader.followUpOnOthers(zone: zone)
    result.events.forEach(log)
    deliverer.noteBacklog(of: result.sinks)
    return result.nextStep
  }

  // Commits the outcomes of the last round, the beginning of the next and a claim together.
  private func recordAndClaim(_ batch: ClaimBatch, noting setAside: SetAsideLog) throws -> ClaimResult {
    try deliverer.beginAtOnce()
    let isDue = try leader.hasDueReminders(for: batch, noting: setAside)
    let changes = try deliverer.changesByOthers()
    var claim = ClaimResult()
    try round(isClaiming: isDue) { round in
      claim = try leader.belfry.change(noting: setAside) { change in
        defer { (round.isInDiscardingChange, round.askedAt) = (change.mayDiscard, belfry.time.uptime) }
        let transaction = change.transaction
        try write(&round, holding: transaction.holding(round.recording.begins), in: transaction, at: change.now)
        // A step that a failure has just handed over to is due as well.
        guard isDue || round.earliestRetry.map({ $0 <= change.now }) == true else { return ClaimResult() }
        return try leader.claim(batch, in: change)
      }
    }
    guard !belfry.stop.wasMade else { return claim }
    readAhead(claim.outgoing, at: changes)
    try goOn()
    return claim
  }

  /// Records ended attempts, and begins nothing.
  func record() throws { try round(begins: false, writeAlone) }

  /// Records ended attempts and begins the next, without a claim.
  ///
  /// - Returns: the earliest next attempt or step that follows from the outcomes, or from what others have changed.
  @discardableResult
  func deliver() throws -> Date? {
    try deliverer.beginAtOnce()
    let earliestRetry = try round(writeAlone)
    let now = belfry.time.now
    try goOn()
    return [earliestRetry, try deliverer.nextAttemptOfLeftOut(after: now)].compactMap(\.self).min()
  }

  /// The instant at which ``deliver()`` must next check the deliveries whose attempts wait for a connection; `nil` if
  /// there are none.
  var nextLook: Date? { deliverer.nextLook.map { belfry.time.now + $0 } }

  private func writeAlone(_ round: inout DeliveryRound) throws {
    let begins = round.recording.begins
    // The leader follows up on outcomes, in the same commit if this daemon leads.
    if part.leads, part.sinks == nil || round.recording.hasFailure {
      return try leader.belfry.write { transaction in
        defer { round.askedAt = belfry.time.uptime }
        try write(&round, holding: transaction.holding(begins), in: transaction, at: belfry.time.now)
      }
    }
    try belfry.store.deliver(begins) { transaction, holding in
      defer { round.askedAt = belfry.time.uptime }
      let now = belfry.time.now
      try round.recording.write(holding: holding, in: transaction, at: now)
      try round.begin(in: transaction, at: now)
    }
    if round.recording.awaitsFollowUp, !part.leads { lock.callOthers() }
  }

  private func write(
    _ round: inout DeliveryRound, holding: Set<Int64>, in transaction: any StoreTransaction, at now: Date
  ) throws {
    try round.recording.write(holding: holding, in: transaction, at: now)
    if round.recording.awaitsFollowUp {
      round.followUp = try leader.followUp(in: transaction, at: now, zone: zone)
    }
    try round.begin(in: transaction, at: now)
  }

  // Returns the earliest next attempt or step that follows from the outcomes.
  @discardableResult
  private func round(
    begins: Bool = true, isClaiming: Bool = false, _ write: (inout DeliveryRound) throws -> Void
  ) throws -> Date? {
    var round = try deliverer.newRound(begins: begins)
    guard isClaiming || !round.isEmpty else { return nil }
    do {
      try write(&round)
    } catch {
      deliverer.cancel(round)
      throw error
    }
    deliverer.finish(round)
    guard part.leads, part.sinks != nil, round.recording.awaitsFollowUp, round.followUp == nil else {
      return round.earliestRetry
    }
    return [round.earliestRetry, try followUpOnOthers()].compactMap(\.self).min()
  }

  private func goOn() throws {
    try deliverer.load()
    try deliverer.beginAtOnce()
    deliverer.callForMore()
  }

  // Keeps deliveries as they were written, which saves loading them again.
  private func readAhead(_ claimed: [OutgoingDelivery], at changes: Int64?) {
    guard !claimed.isEmpty else { return }
    let now = belfry.time.now
    let bySink = Dictionary(grouping: claimed, by: \.delivery.sink)
    for sink in deliverer.slots {
      let claimed = bySink[sink.name, default: []].map { $0.known(at: changes) }
      if !claimed.isEmpty { sink.readAhead(claimed, at: now) }
    }
  }

  /// Reads ahead deliveries that became due in the store since the last read.
  ///
  /// An answer writes updates without checking the config, and the sink of the message may be gone.
  func loadDue() throws {
    if part.leads { try leader.closeWithoutSink(part) }
    deliverer.noteBacklog()
    loadedAt = belfry.time.now
    try deliverer.load()
  }

  /// The earliest instant at which a delivery that was not yet due at the last read may be attempted; `nil` for none.
  /// It may be past, since reading and claiming take time.
  func nextAttempt() throws -> Date? { try deliverer.nextAttempt(after: loadedAt) }

  /// Starts no further attempt. Attempts in flight still end and can be recorded.
  func stop() {
    deliverer.stop()
    // A tick that was interrupted leaves outcomes that must still be recorded.
    deliverer.callForMore()
  }

  /// Records ended attempts, and the outcome of all attempts still in flight as unknown.
  ///
  /// - Returns: the number of the latter.
  func abandon() throws -> Int {
    let left = deliverer.abandon()
    try record()
    guard !left.isEmpty else { return 0 }
    let words = "belfryd ended during this attempt"
    try belfry.store.write { transaction in
      for (id, startedAt) in left {
        guard var delivery = try transaction.delivery(id: id) else { continue }
        try transaction.add(
          AttemptRecord(deliveryID: id, startedAt: startedAt.wholeSeconds, outcome: .unknown, words: words))
        guard delivery.state == .discarded else { continue }
        delivery.awaitsFollowUp = true
        try transaction.update(delivery)
      }
      // If another daemon may lead by now, the marks in the rows make it follow up.
      if part.sinks == nil { _ = try leader.followUp(in: transaction, at: belfry.time.now, zone: zone) }
    }
    return left.count
  }
}
