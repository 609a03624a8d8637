import FoundationEssentials

/// How many attempts a sink may begin within a while.
public struct RateLimit: Hashable, Sendable {
  /// How many.
  public let count: Int
  /// Within how long, in seconds.
  public let interval: Double

  /// A limit.
  public init(count: Int, interval: Double) {
    self.count = count
    self.interval = interval
  }
}

/// The attempts that a limited sink has begun of late.
struct RateLimiter {
  /// How many of the latest deliveries are searched for earlier attempts.
  static let lookBack = 4_096

  let limit: RateLimit
  private var begun: [Date] = []

  init(_ limit: RateLimit) { self.limit = limit }

  /// How many attempts may begin now.
  mutating func allowance(at now: Date) -> Int {
    // An attempt that lies ahead of a clock that was set back counts no more.
    begun.removeAll { $0 <= now - limit.interval || $0 > now }
    return limit.count - begun.count
  }

  /// Counts attempts that begin now.
  mutating func begin(_ count: Int, at now: Date) { begun.append(contentsOf: repeatElement(now, count: count)) }

  /// When the next attempt may begin where none may now.
  var nextSlot: Date? { begun.count < limit.count ? nil : begun.first.map { $0 + limit.interval } }
}

extension StoreView {
  /// The limiter of a sink, which counts what another process, or this one under another config, attempted of late.
  func rateLimiter(of sink: ActiveSink, at now: Date) throws -> RateLimiter? {
    guard let limit = sink.rateLimit else { return nil }
    var earlier: [Date] = []
    try visitDeliveries(state: nil, limit: RateLimiter.lookBack) { delivery, _ in
      guard delivery.sink == sink.name, let last = delivery.lastAttemptAt else { return }
      if last > now - limit.interval, last <= now { earlier.append(last) }
    }
    var limiter = RateLimiter(limit)
    for date in earlier.sorted().suffix(limit.count) { limiter.begin(1, at: date) }
    return limiter
  }
}
