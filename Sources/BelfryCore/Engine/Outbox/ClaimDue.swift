import FoundationEssentials

/// The result of one claim.
public struct ClaimResult: Hashable, Sendable {
  /// How many reminders rang.
  public var fired = 0
  /// How many were left out by the missed policy.
  public var missed = 0
  /// How many rang with no sink to send them to.
  public var unrouted = 0
  /// Whether more may be due.
  public var hasMore = false
  /// How many of those that rang or were missed had passed as well when they came behind others of their owner.
  var followers = 0
  /// Which reminders were claimed.
  var claimed: Set<UUID> = []
  /// Due reminders that cannot ring, since their owner's record cannot be read: they stay scheduled.
  var stuck: Set<UUID> = []
  /// The deliveries that were written, in the order in which they go out.
  var outgoing: [OutgoingDelivery] = []
}

extension Belfry {
  /// Claims what is due: its messages and deliveries are written in the same transaction that marks it fired.
  ///
  /// - Parameters:
  ///   - sinks: the enabled sinks, in the config's order.
  ///   - limit: how many reminders to claim at most, so that sending can begin.
  ///   - claimsFollowers: whether what follows a claimed reminder and has passed too is claimed in the same transaction,
  ///     in its place in the order; otherwise everything else that is due comes first.
  ///   - stuck: due reminders that were found unable to ring.
  ///   - log: what is noted of items that are set aside.
  ///   - recording: what else goes into the transaction, before the claim.
  func claimDue(
    sinks: [ActiveSink], limit: Int, claimsFollowers: Bool = true, besides stuck: Set<UUID> = [],
    noting log: SetAsideLog = SetAsideLog(), recording: Dispatcher.Recording? = nil
  ) throws -> ClaimResult {
    // Most minutes nothing is due: a read spares the write.
    let isIdle = try recording == nil && store.read { try $0.claimable(at: time.now, limit: 1, stuck, log) }.isEmpty
    guard !isIdle else { return ClaimResult() }
    return try change(noting: log) { change in
      try recording?(change.transaction)
      var claim = try Claim(change: change, settings: settings, sinks: sinks)
      let limit = sinks.contains { $0.sink.grouping != .none } ? max(limit, Claim.largestGroup) : limit
      let due = try change.transaction.claimable(at: change.now, limit: limit, stuck, log)
      try claim.claim(
        due.count < limit ? due : due.withoutPartOfMinute(), limit: limit, claimsFollowers: claimsFollowers)
      try claim.writeGroups()
      claim.result.stuck.formUnion(stuck)
      let more = try change.transaction.claimable(at: change.now, limit: 1, claim.result.stuck, log)
      claim.result.hasMore = !more.isEmpty
      return claim.result
    }
  }
}

extension StoreView {
  /// Reminders that are due and able to ring.
  fileprivate func claimable(
    at now: Date, limit: Int, _ stuck: Set<UUID>, _ log: SetAsideLog
  ) throws -> [Reminder] {
    let due = try readingPastFaults(log.leaveOut) { try dueReminders(at: now, limit: limit + stuck.count) }
    return Array(due.lazy.filter { !stuck.contains($0.id) }.prefix(limit))
  }
}

extension [Reminder] {
  /// Without the last minute, of which more may be due, unless it is the only one; in order of fire date.
  fileprivate func withoutPartOfMinute() -> [Reminder] {
    guard let first, let last, first.fireDate < last.fireDate else { return self }
    return Array(prefix { $0.fireDate < last.fireDate })
  }
}
