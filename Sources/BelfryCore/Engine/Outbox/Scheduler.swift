import FoundationEssentials

/// The daemon's work: at each tick it claims what is due, hands it to the sinks, and writes down what became of it.
///
/// Used by one thread. It waits for nothing: whoever owns the clock calls ``tick()`` at the instants that it names.
public final class Scheduler {
  /// How many reminders one transaction claims: few at first, so that sending begins early, then more, so that the disk
  /// is waited for less often.
  private static let (firstClaim, largestClaim) = (250, 1_000)
  /// How much in a row may be claimed of what follows one another before all else that is due comes first: what rings
  /// each minute and has missed a year must not keep the others waiting.
  static let largestBacklog = 2_000
  private static let pruneBatch = 2_000
  private static let checkBatch = 1_000

  private var belfry: Belfry
  private var dispatcher: Dispatcher
  private var sinks: [ActiveSink]
  private let random: @Sendable () -> Double
  private let log: EventLog
  private let wake: @Sendable () -> Void
  private var lastTidyHour = Int.min
  private var lastReplacements: Int?
  private var lastCheckedDay: Int?
  private var lastTick = Date.distantPast
  private var lastLook = Date.distantPast
  private var lastIdentity: String?
  private var setAsideNews = SetAsideNews()

  /// A scheduler over Belfry's store for the enabled sinks; see ``Dispatcher`` for `random` and `wake`.
  public init(
    belfry: Belfry, sinks: [ActiveSink], random: @escaping @Sendable () -> Double, log: @escaping EventLog,
    wake: @escaping @Sendable () -> Void
  ) {
    self.belfry = belfry
    self.sinks = sinks
    self.random = random
    self.log = log
    self.wake = wake
    dispatcher = Dispatcher(
      store: belfry.store, sinks: sinks, time: belfry.time, random: random, log: log, wake: wake)
  }

  /// Goes on with another config over the same store. What is under way ends as it began, and is not begun again.
  public func reload(_ belfry: Belfry, sinks: [ActiveSink]) throws {
    self.belfry = belfry
    self.sinks = sinks
    dispatcher = Dispatcher(
      store: belfry.store, sinks: sinks, time: belfry.time, random: random, log: log, wake: wake,
      predecessor: dispatcher)
    try resume()
  }

  /// How many deliveries are with their sinks.
  public var inFlightCount: Int { dispatcher.inFlightCount }

  /// What has to be done before the first tick: sinks that were paused get what waits for them.
  public func start() throws {
    try belfry.endPauses()
    try resume()
  }

  // Deliveries of sinks that are gone or switched off end here, visibly.
  private func resume() throws {
    _ = try belfry.resumeDeliveries(attemptedAfter: belfry.time.now)
    try belfry.endProblems(exceptOf: sinks)
    try dispatcher.loadProblems()
    try dispatcher.countEarlierAttempts()
    try belfry.closeDeliveries(exceptOf: sinks).forEach(log)
  }

  /// Records what ended, follows the machine's zone, claims what is due, and hands it on.
  ///
  /// - Returns: the instant of the next tick: the next minute, or a delivery's next attempt if that is sooner.
  public func tick() throws -> Date {
    let setAside = SetAsideLog()
    defer { setAsideNews.events(of: setAside.found, at: belfry.time.now).forEach(log) }
    try followStore()
    try dispatcher.record()
    try dispatcher.dropDiscarded()
    try followClock()
    try followZones(setAside)
    try planEdits(setAside)
    // What was put off and is due now is older than what is claimed.
    dispatcher.lookAgain()
    try dispatcher.pump()
    let lookedAt = try claimAll(setAside)
    // Counted from the last look, not from now: a minute that began meanwhile is looked at right away.
    return min(lookedAt.nextMinute, try dispatcher.nextAttempt(after: lookedAt) ?? .distantFuture)
  }

  // Each transaction claims, and records what has ended meanwhile: sinks do not wait for the last claim, and the disk is
  // waited for once. Returns the instant up to which everything is claimed.
  private func claimAll(_ setAside: SetAsideLog) throws -> Date {
    var (limit, backlog) = (Self.firstClaim, 0)
    var (stuck, claimed): (Set<UUID>, Set<UUID>) = ([], [])
    while true {
      let now = belfry.time.now
      let isOthersTurn = backlog >= Self.largestBacklog
      let claim = try dispatcher.record { recording in
        try belfry.claimDue(
          sinks: sinks, limit: limit, claimsFollowers: !isOthersTurn, besides: stuck, noting: setAside,
          recording: recording)
      }.result
      report(claim)
      // What was claimed last stays pending for the next start.
      guard !belfry.stop.wasMade else { return now }
      dispatcher.handOver(claim.outgoing)
      try dispatcher.pump()
      guard claim.hasMore else { return now }
      // What is due again, although it was just claimed, would be so for ever.
      stuck = claim.stuck.union(claimed.intersection(claim.claimed))
      claimed = claim.claimed
      backlog = isOthersTurn ? 0 : backlog + claim.followers
      limit = min(2 * limit, Self.largestClaim)
    }
  }

  private func planEdits(_ setAside: SetAsideLog) throws {
    let now = belfry.time.now
    let edits = try belfry.planEdits(since: lastLook, noting: setAside)
    lastLook = now
    guard let edits else { return }
    log(Event(.info, "\(belfry.store.location) was edited elsewhere: \(edits.count) items and lists planned anew"))
    for warning in edits.warnings { log(Event(.warning, warning)) }
  }

  // Another store in the place of the one before has deliveries of its own: what is under way ends unrecorded, and is
  // sent once more where the other store has it too.
  private func followStore() throws {
    guard let identity = belfry.store.identity, identity != lastIdentity else { return }
    if lastIdentity != nil {
      dispatcher.stop()
      dispatcher = Dispatcher(
        store: belfry.store, sinks: sinks, time: belfry.time, random: random, log: log, wake: wake)
      lastCheckedDay = nil
      try resume()
      log(Event(.warning, "\(belfry.store.location) is another store than before: the daemon goes on with it"))
    }
    lastIdentity = identity
  }

  // An attempt that lies ahead of the clock means that the clock was set back: its retry must not wait for the clock
  // to come round again.
  private func followClock() throws {
    let now = belfry.time.now
    defer { lastTick = now }
    guard now < lastTick else { return }
    let count = try belfry.resumeDeliveries(attemptedAfter: now)
    log(Event(.warning, "the clock was set back; \(count) delivery(ies) tried again at once"))
  }

  // Each minute the zone is looked at, and whether its data were replaced; what is next, at the start and each day.
  private func followZones(_ setAside: SetAsideLog) throws {
    let (replacements, day) = (belfry.zones.replacements(), belfry.time.now.hour / 24)
    let check: ZoneDataCheck =
      if let lastReplacements, replacements != lastReplacements {
        .everything
      } else if day != lastCheckedDay {
        .soonest(Self.checkBatch)
      } else {
        .nothing
      }
    dispatcher.zone = try belfry.configuredZone()
    if let change = try belfry.followZones(check, noting: setAside) {
      let what = change.from == change.to ? "zone data changed" : "time zone \(change.from) → \(change.to)"
      log(Event(.info, "\(what): \(change.owners) items and lists planned anew"))
    }
    lastReplacements = replacements
    lastCheckedDay = day
  }

  /// Writes down what ended and hands on what can take its place. For a wake-up between ticks.
  ///
  /// - Returns: when something of it is to be tried again, to tick then at the latest.
  @discardableResult
  public func drain() throws -> Date? {
    try followStore()
    dispatcher.earliestRetry = nil
    if try dispatcher.record() > 0 { try dispatcher.pump() }
    return dispatcher.earliestRetry
  }

  /// Housekeeping, once an hour and only when nothing is under way: history is pruned, the store tidied.
  ///
  /// - Returns: whether it was time for that.
  @discardableResult
  public func tidyWhenIdle() throws -> Bool {
    let now = belfry.time.now
    let hour = now.hour
    guard hour != lastTidyHour, dispatcher.inFlightCount == 0 else { return false }
    lastTidyHour = hour
    let cutoff = now.addingTimeInterval(-belfry.settings.history.seconds)
    var isFull = true
    while isFull, !belfry.stop.wasMade {
      isFull =
        try belfry.store.write { try $0.prune(endedBefore: cutoff, limit: Self.pruneBatch) } >= Self.pruneBatch
    }
    try belfry.store.tidy()
    return true
  }

  /// Lets no further attempt begin.
  public func stop() { dispatcher.stop() }

  /// Writes down that nobody knows how the attempts that are still under way end.
  ///
  /// - Returns: how many there are.
  public func abandon() throws -> Int { try dispatcher.recordUnknown() }

  private func report(_ claim: ClaimResult) {
    if claim.fired > 0 { log(Event(.info, "\(claim.fired) reminder(s) fired")) }
    if claim.missed > 0 { log(Event(.warning, "\(claim.missed) reminder(s) missed while nothing was running")) }
    if claim.unrouted > 0 { log(Event(.error, "\(claim.unrouted) reminder(s) fired with no enabled sink")) }
  }
}

extension Date {
  /// Hours since 1970.
  fileprivate var hour: Int { Int((timeIntervalSince1970 / 3_600).rounded(.down)) }

  /// The first minute after this instant.
  public var nextMinute: Date {
    Date(timeIntervalSince1970: ((timeIntervalSince1970 / 60).rounded(.down) + 1) * 60)
  }
}
