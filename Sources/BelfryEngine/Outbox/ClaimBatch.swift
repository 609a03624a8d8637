import BelfryModel
import FoundationEssentials

/// How much one transaction claims of what is due at one tick.
struct ClaimBatch {
  /// How many reminders: few at first, so that sending begins early, then more, so that the disk is waited for less often.
  private static let (first, largest) = (250, 1_000)
  /// How many reminders in a row may be claimed as followers before all else that is due comes first: an item that rings
  /// each minute and has missed a year must not keep the others waiting.
  static let largestBacklog = 2_000

  /// How many reminders to claim at most.
  private(set) var limit: Int
  /// Due reminders that were found unable to ring.
  private(set) var stuck: Set<UUID> = []
  private var claimed: Set<UUID> = []
  private var backlog = 0

  /// The first batch.
  init(limit: Int = first) { self.limit = limit }

  /// Whether what follows a claimed reminder and has passed too is claimed in the same transaction, in its place in the
  /// order; otherwise everything else that is due comes first.
  var claimsFollowers: Bool { backlog < Self.largestBacklog }

  /// Goes on to the batch after one with this result.
  mutating func advance(after result: ClaimResult) {
    // A reminder that is due again, although it was just claimed, would be so for ever.
    stuck = result.stuck.union(claimed.intersection(result.claimed))
    claimed = result.claimed
    backlog = claimsFollowers ? backlog + result.followers : 0
    limit = min(2 * limit, Self.largest)
  }
}

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
  /// The reminders that were claimed.
  var claimed: Set<UUID> = []
  /// Due reminders that cannot ring, since their owner's record cannot be read: they stay scheduled.
  var stuck: Set<UUID> = []
  /// The deliveries that were written, in the order in which they go out.
  var outgoing: [OutgoingDelivery] = []
}

extension Belfry {
  /// Whether something is due and not claimed.
  public func hasDueReminders() throws -> Bool { try hasDueReminders(besides: [], noting: SetAsideLog()) }

  /// Whether something is due and able to ring.
  func hasDueReminders(besides stuck: Set<UUID>, noting log: SetAsideLog) throws -> Bool {
    try !store.read { try $0.claimable(at: time.now, limit: 1, besides: stuck, log) }.isEmpty
  }
}

extension StoreView {
  /// Reminders that are due and able to ring.
  func claimable(at now: Date, limit: Int, besides stuck: Set<UUID>, _ log: SetAsideLog) throws -> [Reminder] {
    let due = try readingPastFaults(log.leaveOut) { try dueReminders(at: now, limit: limit + stuck.count) }
    return Array(due.lazy.filter { !stuck.contains($0.id) }.prefix(limit))
  }
}
