import FoundationEssentials

/// A sliding window over the attempts of a rate-limited sink.
struct RateLimiter {
  /// The number of latest deliveries that are searched for earlier attempts.
  static let lookBack = 4_096

  let limit: RateLimit
  private var begun: [Date] = []

  init(_ limit: RateLimit) { self.limit = limit }

  /// The number of attempts that may begin now.
  mutating func allowance(at now: Date) -> Int {
    // Attempts in the future, after the clock was set back, no longer count.
    begun.removeAll { $0 <= now - limit.interval || $0 > now }
    return limit.count - begun.count
  }

  /// Counts attempts that begin now.
  mutating func begin(_ count: Int, at now: Date) { begun.append(contentsOf: repeatElement(now, count: count)) }

  /// The instant at which the next attempt may begin; `nil` if one may begin now.
  var nextSlot: Date? { begun.count < limit.count ? nil : begun.first.map { $0 + limit.interval } }
}

extension StoreView {
  /// The limiter of a sink, filled with recent attempts from the store: those of another process or an earlier config
  /// count too.
  func rateLimiter(of sink: ActiveSink, at now: Date) throws -> RateLimiter? {
    guard let limit = sink.rateLimit else { return nil }
    var earlier: [Date] = []
    try forEachDelivery(state: nil, limit: RateLimiter.lookBack) { delivery, _ in
      guard delivery.sink == sink.name, let last = delivery.lastAttemptAt else { return }
      if last > now - limit.interval, last <= now { earlier.append(last) }
    }
    var limiter = RateLimiter(limit)
    for date in earlier.sorted().suffix(limit.count) { limiter.begin(1, at: date) }
    return limiter
  }
}
