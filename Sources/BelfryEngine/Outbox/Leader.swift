import BelfryModel
import CivilTime
import FoundationEssentials

/// The part of the outbox that decides: it claims due reminders, follows up on outcomes, and gives up deliveries that
/// no sink of the config can send. One process leads a store; the ``Deliverer`` sees only the rows that the leader has
/// written.
struct Leader {
  /// The use cases, each of whose changes proves that this daemon leads.
  let belfry: Belfry
  let sinks: [ActiveSink]
  let log: EventLog

  init(belfry: Belfry, sinks: [ActiveSink], log: @escaping EventLog) {
    (self.belfry, self.sinks, self.log) = (belfry.leading(), sinks, log)
  }

  /// Takes over from the leader before, or from an earlier config.
  ///
  /// - Parameter elsewhere: the sinks that other daemons have, here and in the other methods.
  func start(besides elsewhere: Set<String>) throws {
    _ = try belfry.resumeDeliveries(aheadOf: belfry.time.now)
    try belfry.endProblems(exceptOf: elsewhere.union(sinks.map(\.name)))
  }

  /// True if a reminder is due that is able to ring.
  func hasDueReminders(for batch: ClaimBatch, noting setAside: SetAsideLog) throws -> Bool {
    try belfry.hasDueReminders(besides: batch.stuck, noting: setAside)
  }

  /// Claims due reminders.
  func claim(_ batch: ClaimBatch, in change: Change) throws -> ClaimResult {
    var claim = try Claim(change: change, settings: belfry.settings, sinks: sinks)
    return try claim.claimDue(batch)
  }

  /// Follows up on outcomes.
  func followUp(in transaction: any StoreTransaction, at now: Date, zone: Zone?) throws -> FollowUpResult {
    var followUp = FollowUp(transaction, at: now, in: zone, belfry.settings, sinks: sinks)
    try followUp.run()
    return followUp.result
  }

  /// Follows up on outcomes that were recorded without it, for example by an earlier leader that was killed.
  func followUpOnOthers(zone: Zone?) throws -> FollowUpResult {
    guard try !belfry.store.read({ try $0.deliveriesToFollowUp().isEmpty }) else { return FollowUpResult() }
    return try belfry.write { try followUp(in: $0, at: belfry.time.now, zone: zone) }
  }

  /// Closes deliveries of sinks that were removed or disabled, or that no daemon has had for long.
  func closeWithoutSink(_ part: DaemonPart) throws {
    try belfry.closeDeliveries(exceptOf: sinks, by: part).forEach(log)
  }

  /// Logs a claim.
  func report(_ claim: ClaimResult) {
    if claim.fired > 0 { log(Event(.info, "\(counted(claim.fired, "reminder")) fired")) }
    if claim.missed > 0 {
      log(Event(.warning, "\(counted(claim.missed, "reminder")) missed while nothing was running"))
    }
    UnreachedRing.events(of: claim.unreached).forEach(log)
    if claim.lostSteps > 0 {
      log(Event(.warning, "\(counted(claim.lostSteps, "escalation step")) cancelled: no longer in the config"))
    }
  }
}
