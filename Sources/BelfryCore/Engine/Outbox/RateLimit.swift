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

extension ConfigType where Value == RateLimit {
  private static var units: [(letter: Character, seconds: Double)] {
    [("s", 1), ("m", 60), ("h", 3_600), ("d", 86_400)]
  }

  /// So many a while: `60/m`, in seconds, minutes, hours or days.
  static var rateLimit: ConfigType {
    textual(.rateLimit, write: text) { text, _ throws(ConfigProblem) in
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0].utf8.count <= 9, parts[0].allSatisfy({ ("0"..."9").contains($0) }),
        let count = Int(parts[0]), let unit = units.first(where: { parts[1] == String($0.letter) })
      else { return nil }
      guard count > 0 else { throw ConfigProblem("a limit of 0 would let nothing through: write 'enabled: false'") }
      return RateLimit(count: count, interval: unit.seconds)
    }
  }

  private static func text(_ limit: RateLimit) -> String? {
    units.first { $0.seconds == limit.interval }.map { "\(limit.count)/\($0.letter)" }
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
