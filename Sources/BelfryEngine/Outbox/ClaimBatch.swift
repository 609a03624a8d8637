import BelfryModel
import FoundationEssentials

/// The size of the next claim within one tick, and the results of the tick's earlier claims.
struct ClaimBatch {
  /// The first batch is small, so that sending begins early. Each later one is twice as large, to commit less often,
  /// but only up to a limit: sinks wait until their outcomes are recorded.
  private static let (first, largest) = (64, 256)
  /// The most followers claimed in a row before the other due reminders get their turn: an item that rings each minute
  /// and has missed a year must not delay all others.
  static let largestBacklog = 2_000

  /// The most reminders to claim.
  private(set) var limit: Int
  /// Due reminders that cannot ring.
  private(set) var stuck: Set<UUID> = []
  private var claimed: Set<UUID> = []
  private var backlog = 0

  /// The first batch of a tick.
  init(limit: Int = first) { self.limit = limit }

  /// True if followers that are already due are claimed in the same transaction; if false, all other due reminders come
  /// first.
  var claimsFollowers: Bool { backlog < Self.largestBacklog }

  /// Moves on to the next batch.
  mutating func advance(after result: ClaimResult) {
    // A reminder that is due again right after its claim would be claimed forever.
    stuck = result.stuck.union(claimed.intersection(result.claimed))
    claimed = result.claimed
    backlog = claimsFollowers ? backlog + result.followers : 0
    limit = min(2 * limit, Self.largest)
  }
}

/// The result of one claim.
public struct ClaimResult: Hashable, Sendable {
  /// The number of reminders that fired.
  public var fired = 0
  /// The number of reminders skipped by the missed policy.
  public var missed = 0
  /// The reminders that fired and reached no recipient.
  var unreached: [UnreachedRing] = []
  /// The number of scheduled steps that ended because the config no longer has them.
  public var lostSteps = 0
  /// True if more reminders may be due.
  public var hasMore = false
  /// The number of claimed reminders that were scheduled as followers in this claim.
  var followers = 0
  /// The reminders that were claimed.
  var claimed: Set<UUID> = []
  /// Due reminders that cannot ring because their owner's record cannot be read; they stay scheduled.
  var stuck: Set<UUID> = []
  /// The deliveries written, in sending order.
  var outgoing: [OutgoingDelivery] = []
}

extension Belfry {
  /// True if an unclaimed reminder is due.
  package func hasDueReminders() throws -> Bool { try hasDueReminders(besides: [], noting: SetAsideLog()) }

  /// True if a reminder is due that is able to ring.
  func hasDueReminders(besides stuck: Set<UUID>, noting log: SetAsideLog) throws -> Bool {
    try !store.read { try $0.claimable(at: time.now, limit: 1, besides: stuck, log) }.isEmpty
  }

  /// The instant of the soonest reminder that is scheduled; `nil` for none.
  func nextFireDate(noting log: SetAsideLog) throws -> Date? {
    try store.read { try $0.claimable(at: .distantFuture, limit: 1, besides: [], log) }.first?.fireDate.date
  }
}

extension StoreView {
  /// Due reminders without those in `stuck`.
  func claimable(at now: Date, limit: Int, besides stuck: Set<UUID>, _ log: SetAsideLog) throws -> [Reminder] {
    let due = try readingPastFaults(log.leaveOut) { try dueReminders(at: now, limit: limit + stuck.count) }
    return Array(due.lazy.filter { !stuck.contains($0.id) }.prefix(limit))
  }
}
