import FoundationEssentials

/// The daemon's work: each tick follows the store, the clock, the zones and the edits, then runs the outbox, which names
/// the stages of a delivery.
///
/// Used by one thread. It waits for nothing: whoever owns the clock calls ``tick()`` at the instants that it names.
public final class Scheduler {
  private static let pruneBatch = 2_000
  private static let checkBatch = 1_000

  private let outbox: Outbox
  private let log: EventLog
  private var lastTidyHour = Int.min
  private var lastReplacements: Int?
  private var lastCheckedDay: Int?
  private var lastTick = Date.distantPast
  private var lastLook = Date.distantPast
  private var lastIdentity: String?
  private var setAsideNews = SetAsideNews()

  private var belfry: Belfry { outbox.belfry }

  /// A scheduler over Belfry's store for the enabled sinks.
  ///
  /// - Parameters:
  ///   - random: from 0 to 1, for jitter.
  ///   - wake: called from any thread when there is something to record.
  public init(
    belfry: Belfry, sinks: [ActiveSink], random: @escaping @Sendable () -> Double, log: @escaping EventLog,
    wake: @escaping @Sendable () -> Void
  ) {
    self.log = log
    outbox = Outbox(belfry: belfry, sinks: sinks, random: random, log: log, wake: wake)
  }

  /// Goes on with another config over the same store. What is under way ends as it began, and is not begun again.
  public func reload(_ belfry: Belfry, sinks: [ActiveSink]) throws { try outbox.start(belfry, sinks: sinks) }

  /// How many deliveries are with their sinks.
  public var inFlightCount: Int { outbox.inFlightCount }

  /// Opens the queues before the first tick: sinks that were paused get what waits for them.
  public func start() throws {
    try belfry.endPauses()
    try outbox.restart()
  }

  /// Records what ended, follows the machine's zone, claims what is due, and hands it on.
  ///
  /// - Returns: the instant of the next tick: the next minute, or a delivery's next attempt if that is sooner.
  public func tick() throws -> Date {
    let setAside = SetAsideLog()
    defer { setAsideNews.events(of: setAside.found, at: belfry.time.now).forEach(log) }
    try followStore()
    try outbox.record()
    try outbox.removeDiscarded()
    try followClock()
    try followZones(setAside)
    try planEdits(setAside)
    let claimedAt = try outbox.run(noting: setAside)
    // Counted from the last claim, not from now: a minute that began meanwhile is claimed right away.
    return min(claimedAt.nextMinute, try outbox.nextAttempt(after: claimedAt) ?? .distantFuture)
  }

  private func planEdits(_ setAside: SetAsideLog) throws {
    let now = belfry.time.now
    let edits = try belfry.planEdits(since: lastLook, noting: setAside)
    lastLook = now
    guard let edits else { return }
    log(Event(.info, "\(belfry.store.location) was edited elsewhere: \(edits.count) items and lists planned anew"))
    for warning in edits.warnings { log(Event(.warning, warning)) }
  }

  private func followStore() throws {
    guard let identity = belfry.store.identity, identity != lastIdentity else { return }
    if lastIdentity != nil {
      try outbox.restart()
      lastCheckedDay = nil
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
    outbox.zone = try belfry.configuredZone()
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
    guard let recording = try outbox.record() else { return nil }
    try outbox.load()
    return recording.earliestRetry
  }

  /// Housekeeping, once an hour and only when nothing is under way: history is pruned, the store tidied.
  ///
  /// - Returns: whether it was time for that.
  @discardableResult
  public func tidyWhenIdle() throws -> Bool {
    let now = belfry.time.now
    let hour = now.hour
    guard hour != lastTidyHour, outbox.inFlightCount == 0 else { return false }
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
  public func stop() { outbox.stop() }

  /// Records that nobody knows how the attempts that are still under way end.
  ///
  /// - Returns: how many there are.
  public func abandon() throws -> Int { try outbox.abandon() }
}

extension Date {
  /// Hours since 1970.
  fileprivate var hour: Int { Int((timeIntervalSince1970 / 3_600).rounded(.down)) }

  /// The first minute after this instant.
  public var nextMinute: Date {
    Date(timeIntervalSince1970: ((timeIntervalSince1970 / 60).rounded(.down) + 1) * 60)
  }
}
