import FoundationEssentials

/// What the dispatcher's thread knows of one sink: its lane, and what of it is in hand.
final class SinkDesk {
  /// How many deliveries wait in memory at most, and how many are read from the store at a time: what a claim has just
  /// written costs far less to keep for a while than to be read again.
  private static let (window, portion) = (4_096, 1_024)

  let lane: SinkLane
  /// The deliveries that the lane has, and those that ended there and are not yet recorded.
  private(set) var inHand: Set<Int64> = []
  /// Whether the store may have something for the sink that is due and not in hand.
  var isBehind = true
  private var limiter: RateLimiter?
  private(set) var isPaused = false

  init(lane: SinkLane) {
    self.lane = lane
    limiter = lane.sink.rateLimit.map(RateLimiter.init)
  }

  var name: String { lane.sink.name }

  /// How many deliveries the store is to be read for; 0 while it has none, or the lane has enough.
  func appetite(at now: Date) -> Int {
    guard isBehind, !isPaused else { return 0 }
    let room = Self.portion - lane.waitingCount
    return room <= Self.portion / 2 ? 0 : min(room, limiter?.allowance(at: now) ?? room)
  }

  /// Takes what was read from the store; fewer than were asked for are all that there are.
  func take(_ deliveries: [OutgoingDelivery], asked appetite: Int, at now: Date) {
    isBehind = deliveries.count == appetite
    limiter?.begin(deliveries.count, at: now)
    enqueue(deliveries)
  }

  /// Takes what was claimed just now, as far as it is due and there is room; what is left is read from the store later.
  func take(claimed deliveries: [OutgoingDelivery], at now: Date) {
    // What waits in the store is older and goes first; limits are kept where it is read.
    guard !isBehind, !isPaused, limiter == nil else { return isBehind = true }
    let due = deliveries.filter { ($0.delivery.nextAttemptAt ?? .distantFuture) <= now }
    let taken = due.prefix(max(0, Self.window - lane.waitingCount))
    isBehind = taken.count < due.count
    enqueue(taken)
  }

  /// Counts what another process, or this one under another config, attempted of late against the sink's limit.
  func countEarlierAttempts(in view: any StoreView, at now: Date) throws {
    guard let limit = limiter?.limit else { return }
    var earlier: [Date] = []
    try view.visitDeliveries(state: nil, limit: Self.window) { delivery, _ in
      guard delivery.sink == name, let last = delivery.lastAttemptAt else { return }
      if last > now - limit.interval, last <= now { earlier.append(last) }
    }
    for date in earlier.sorted().suffix(limit.count) { limiter?.begin(1, at: date) }
  }

  /// The earliest instant after `now` at which something is to be tried again, or a limit lets more through.
  func nextAttempt(after now: Date, in view: any StoreView) throws -> Date? {
    guard !isPaused else { return nil }
    // What a limit holds back is due already: it waits for the limit alone.
    return [try view.nextAttempt(sink: name, after: now), limiter?.nextSlot.map { max($0, now) }].compactMap { $0 }
      .min()
  }

  /// Takes out of the queue what is no longer pending in the store.
  func dropDiscarded(_ store: any ItemStore) throws {
    let waiting = lane.waiting
    guard !waiting.isEmpty else { return }
    let gone = try store.read { view in try Set(waiting.filter { try view.delivery(id: $0)?.state != .pending }) }
    inHand.subtract(lane.drop(gone))
  }

  /// Takes note that an attempt is recorded.
  func isRecorded(_ delivery: Int64) { inHand.remove(delivery) }

  /// Begins nothing more until the daemon restarts. Returns whether it was still going.
  func pause() -> Bool {
    defer { isPaused = true }
    inHand.subtract(lane.drop(Set(lane.waiting)))
    return !isPaused
  }

  /// Begins nothing more at all.
  func stop() { inHand.subtract(lane.stop()) }

  private func enqueue(_ deliveries: some Collection<OutgoingDelivery>) {
    guard !deliveries.isEmpty, lane.enqueue(deliveries) else { return }
    inHand.formUnion(deliveries.lazy.map(\.delivery.id))
  }
}
