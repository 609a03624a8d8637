import BelfryModel
import FoundationEssentials

/// The daemon's work. Each tick follows changes of the store, the clock, the zones and the items, then runs the outbox
/// (see ``Outbox`` for the stages of a delivery).
///
/// Not thread-safe, and never waits: the owner of the clock calls ``tick()`` at the instants that it returns.
public final class Scheduler {
  /// The state after a tick that found nothing to do. Ticks do nothing until the store changes or `end` comes.
  private struct Rest {
    /// As in ``ItemStore/changeCount()``.
    let changes: Int64
    let end: Date
  }

  private static let pruneBatch = 2_000
  private static let checkBatch = 1_000

  private let outbox: Outbox
  private let log: EventLog
  private var lastTidyHour = Int.min
  private var lastReplacements: Int?
  private var lastCheckedDay: Int?
  private var lastTick = Date.distantPast
  private var lastIdentity: String?
  /// The day on which a tick last found a record that cannot be read. The first tick of each day looks for
  /// such records.
  private var damagedDay: Int?
  private var rest: Rest?
  /// True if the last tick did nothing, since the store had not changed since the tick before.
  package private(set) var isResting = false
  private var setAsideNews = SetAsideNews()
  private var edits: EditPlanning

  private var belfry: Belfry { outbox.belfry }

  private var leading: Belfry { belfry.leading() }

  /// A scheduler for the enabled sinks.
  ///
  /// - Parameters:
  ///   - random: from 0 to 1, for jitter.
  ///   - wake: called from any thread when there is something to record or to begin; call ``drain()`` then.
  public init(
    belfry: Belfry, sinks: [ActiveSink], random: @escaping @Sendable () -> Double, log: @escaping EventLog,
    wake: @escaping @Sendable () -> Void
  ) {
    self.log = log
    edits = EditPlanning(log: log)
    outbox = Outbox(belfry: belfry, sinks: sinks, random: random, log: log, wake: wake)
  }

  /// Switches to another config over the same store. Attempts in flight run to their end and are not repeated.
  package func reload(_ belfry: Belfry, sinks: [ActiveSink]) throws {
    rest = nil
    try outbox.start(belfry, sinks: sinks)
  }

  /// The number of deliveries in memory.
  public var inFlightCount: Int { outbox.inFlightCount }

  /// Opens the sinks before the first tick. Sinks that were paused get their waiting deliveries.
  ///
  /// - Parameter lock: the daemon's lock of the store. If the daemon before was killed, the outcomes of its last
  ///   attempts are unknown.
  public func start(_ lock: any DaemonLock = SoleDaemon()) throws { try outbox.start(lock) }

  /// The sinks whose deliveries this daemon begins, in the config's order.
  package var ownSinks: [ActiveSink] { outbox.ownSinks }

  /// The role of this daemon among the daemons of its store, as it follows it at present.
  package var part: DaemonPart { outbox.part }

  /// Records ended attempts, follows changes, claims due reminders and begins their deliveries.
  ///
  /// - Returns: the instant of the next tick: the next minute, or the next attempt of a delivery if that is sooner.
  public func tick() throws -> Date {
    try followStore()
    try outbox.followPart(renews: true)
    let changes = try belfry.store.changeCount()
    isResting = false
    if let next = try nextWhileResting(at: changes) {
      isResting = true
      return next
    }
    let setAside = SetAsideLog()
    defer { setAsideNews.events(of: setAside.found, at: belfry.time.now).forEach(log) }
    try outbox.record()
    try followClock()
    // Before the zones: an edit counts from when its file was saved, a change of zones from now.
    if outbox.part.leads { try edits.plan(leading, noting: setAside) }
    try followZones(setAside)
    let claimedAt = try outbox.run(noting: setAside)
    let nextAttempt = try outbox.nextAttempt() ?? .distantFuture
    if setAside.found.contains(where: \.isUnreadable) { damagedDay = belfry.time.now.hour / 24 }
    if setAside.found.isEmpty { rest = try rest(since: changes, until: nextAttempt) }
    // Counted from the last claim, not from now, so that a minute that has begun since is claimed right away.
    let next = min(claimedAt.nextMinute, nextAttempt)
    return outbox.part.poll.map { min(next, claimedAt + $0) } ?? next
  }

  // The clock and the zones are checked even then.
  private func nextWhileResting(at changes: Int64?) throws -> Date? {
    let (rest, now) = (rest, belfry.time.now)
    self.rest = nil
    guard let rest, rest.changes == changes, lastTick <= now, now < rest.end, outbox.inFlightCount == 0,
      now.hour / 24 == lastCheckedDay, belfry.zones.replacements() == lastReplacements,
      try belfry.configuredZone() == outbox.zone
    else { return nil }
    (self.rest, lastTick) = (rest, now)
    edits.noteLook(at: now)
    return min(now.nextMinute, rest.end)
  }

  // A count of changes shows neither changes of other folders nor the work of other daemons.
  private func rest(since changes: Int64?, until nextAttempt: Date) throws -> Rest? {
    guard let changes, outbox.inFlightCount == 0, try belfry.store.changeCount() == changes,
      belfry.store.watchedFolders.isEmpty, outbox.part.sinks == nil
    else { return nil }
    let setAside = SetAsideLog()
    let next = try belfry.nextFireDate(noting: setAside)
    return setAside.found.isEmpty ? Rest(changes: changes, end: min(nextAttempt, next ?? .distantFuture)) : nil
  }

  private func followStore() throws {
    guard let identity = belfry.store.identity, identity != lastIdentity else { return }
    if lastIdentity != nil {
      try outbox.restart()
      lastCheckedDay = nil
      log(Event(.warning, "\(belfry.store.location) was replaced by another store: the daemon continues with that"))
    }
    lastIdentity = identity
  }

  // If the clock was set back, the last claims and attempts lie in the future. Their deliveries are due now instead of
  // when the clock reaches those instants again.
  private func followClock() throws {
    let now = belfry.time.now
    if now < lastTick, outbox.part.leads {
      let count = try leading.resumeDeliveries(aheadOf: now)
      log(Event(.warning, "the clock was set back; \(counted(count, "delivery")) tried again at once"))
    }
    lastTick = now
  }

  // Checks each minute whether the zone changed or zone files were replaced. The soonest reminders are checked at the
  // start and once a day.
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
    outbox.zone = try belfry.configuredZone()
    guard outbox.part.leads else { return }
    if let change = try edits.followZones(leading, check, noting: setAside) {
      let what = change.from == change.to ? "zone data changed" : "time zone \(change.from) → \(change.to)"
      log(Event(.info, "\(what): \(EditPlanning.rescheduled(change.owners))"))
    }
    lastReplacements = replacements
    lastCheckedDay = day
  }

  /// Records ended attempts and begins the next. For a wake-up between ticks.
  ///
  /// - Returns: the earliest retry among the recorded deliveries; call ``tick()`` then at the latest.
  @discardableResult
  public func drain() throws -> Date? {
    try followStore()
    let beginsToLead = try outbox.followPart()
    let next = try outbox.deliver()
    return beginsToLead ? belfry.time.now : next
  }

  /// Follows changes by others between two ticks: edits of other programs are planned, and deliveries that are due again
  /// are attempted. It also does the work of ``drain()``.
  ///
  /// - Returns: as ``drain()``.
  @discardableResult
  public func storeChanged() throws -> Date? {
    try followStore()
    let beginsToLead = try outbox.followPart()
    let planning = outbox.part.leads && !beginsToLead ? try planEditsAtOnce() : nil
    let step = outbox.part.leads && outbox.part.sinks != nil ? try outbox.followUpOnOthers() : nil
    try outbox.loadDue()
    let next = try outbox.deliver()
    return beginsToLead ? belfry.time.now : [planning, step, next].compactMap(\.self).min()
  }

  private func planEditsAtOnce() throws -> Date? {
    let setAside = SetAsideLog()
    defer { setAsideNews.events(of: setAside.found, at: belfry.time.now).forEach(log) }
    return try edits.planAtOnce(leading, noting: setAside)
  }

  /// The instant at which ``drain()`` must be called even without a wake-up, since connections are slow; `nil` for
  /// none.
  package var nextLook: Date? { outbox.nextLook }

  /// Housekeeping, at most once an hour and only while no delivery is in memory: prunes the history and tidies the
  /// store.
  ///
  /// - Returns: whether it ran.
  @discardableResult
  package func tidyWhenIdle() throws -> Bool {
    let now = belfry.time.now
    let hour = now.hour
    guard hour != lastTidyHour, outbox.inFlightCount == 0 else { return false }
    lastTidyHour = hour
    guard outbox.part.leads else { return true }
    let cutoff = now.addingTimeInterval(-belfry.settings.keepingSpan(for: outbox.sinks))
    var isFull = true
    while isFull, !belfry.stop.wasMade {
      isFull =
        try leading.write { try $0.prune(endedBefore: cutoff, limit: Self.pruneBatch) } >= Self.pruneBatch
    }
    try leading.removeInboxes(exceptOf: outbox.sinks, and: outbox.part.elsewhere, changedBefore: cutoff)
    // The last good copy may still have the record, so a copy of a damaged store must not replace it.
    if damagedDay != hour / 24 { try belfry.store.tidy() }
    return true
  }

  /// Starts no further attempt.
  package func stop() { outbox.stop() }

  /// Records ended attempts, and the outcome of all attempts still in flight as unknown.
  ///
  /// - Returns: the number of the latter.
  package func abandon() throws -> Int { try outbox.abandon() }
}

extension Date {
  /// Hours since 1970.
  fileprivate var hour: Int { Int((timeIntervalSince1970 / 3_600).rounded(.down)) }

  /// The first minute after this instant.
  public var nextMinute: Date {
    Date(timeIntervalSince1970: ((timeIntervalSince1970 / 60).rounded(.down) + 1) * 60)
  }
}
