import ConfigKeys

/// The most attempts that a sink may begin within an interval.
public struct RateLimit: Hashable, Sendable {
  /// How many attempts may begin within ``interval``.
  public let count: Int
  /// The interval's length in seconds.
  public let interval: Double

  package init(count: Int, interval: Double) {
    self.count = count
    self.interval = interval
  }
}

extension ConfigType where Value == RateLimit {
  private static var units: [(letter: Character, seconds: Double)] {
    [("s", 1), ("m", 60), ("h", 3_600), ("d", 86_400)]
  }

  /// A count per second, minute, hour or day, such as `60/m`.
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
