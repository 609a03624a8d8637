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
  let limit: RateLimit
  private var begun: [Date] = []

  init(_ limit: RateLimit) { self.limit = limit }

  /// How many attempts may begin now.
  mutating func allowance(at now: Date) -> Int {
    // What lies ahead of a clock that was set back counts no more.
    begun.removeAll { $0 <= now - limit.interval || $0 > now }
    return limit.count - begun.count
  }

  /// Counts attempts that begin now.
  mutating func begin(_ count: Int, at now: Date) { begun.append(contentsOf: repeatElement(now, count: count)) }

  /// When the next attempt may begin where none may now.
  var nextSlot: Date? { begun.count < limit.count ? nil : begun.first.map { $0 + limit.interval } }
}
