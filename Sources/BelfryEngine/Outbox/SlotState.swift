import FoundationEssentials
import Transport

/// The deliveries of one sink in memory, by the stage that each has reached.
struct SlotState {
  /// The most deliveries that are loaded at a time.
  static let portion = 1_024

  var ahead: ArraySlice<OutgoingDelivery> = []
  /// Deliveries that were begun too long ago, or could not be begun: the next ones to begin.
  var returned: [OutgoingDelivery] = []
  /// Begun deliveries that no runner has taken yet, each with the uptime before which its attempt must start.
  var begun: ArraySlice<(outgoing: OutgoingDelivery, mustStartBefore: Double)> = []
  /// The attempts in flight, by delivery id.
  var underWay: [Int64: AttemptUnderWay] = [:]
  var finished: [FinishedAttempt] = []
  var runners = 0
  var limiter: RateLimiter?
  var hasBacklog = true
  var isStopped = false

  mutating func stop() { (ahead, returned, begun, hasBacklog, isStopped) = ([], [], [], false, true) }

  /// The number of deliveries to begin.
  ///
  /// A slot whose last outcome is not yet recorded makes one more attempt, not two. So at most two attempts of a slot
  /// are repeated after a crash.
  func free(of slots: Int) -> Int {
    let used = begun.count + underWay.count
    return max(0, min(slots - used, 2 * slots - used - finished.count, returned.count + ahead.count))
  }

  mutating func take(_ count: Int, begunBefore: Bool?) -> [OutgoingDelivery] {
    let again = Array(returned.filter { begunBefore == nil || $0.isBegun == begunBefore }.prefix(count))
    let ids = Set(again.map(\.delivery.id))
    if !ids.isEmpty { returned.removeAll { ids.contains($0.delivery.id) } }
    guard begunBefore != true else { return again }
    let next = ahead.prefix(count - again.count)
    ahead.removeFirst(next.count)
    // A slice keeps removed elements in memory until it is copied.
    if ahead.isEmpty || ahead.startIndex >= Self.portion { ahead = ArraySlice(Array(ahead)) }
    return again + next
  }

  /// Keeps deliveries that must begin again as the next ones, in the order of the store. Stopped slots leave them to
  /// the slots that come after.
  mutating func putBack(_ deliveries: [OutgoingDelivery]) {
    guard !isStopped else { return hasBacklog = true }
    returned = (returned + deliveries).sorted { $0.isDue(before: $1) }
  }
}

/// An attempt in flight.
struct AttemptUnderWay {
  let startedAt: Date
  let limit: StartLimit
}

extension OutgoingDelivery {
  fileprivate func isDue(before other: OutgoingDelivery) -> Bool {
    let (instant, otherInstant) = (delivery.nextAttemptAt, other.delivery.nextAttemptAt)
    return (instant ?? .distantPast, delivery.id) < (otherInstant ?? .distantPast, other.delivery.id)
  }
}
