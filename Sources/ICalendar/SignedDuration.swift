/// A value of type DURATION (RFC 5545, section 3.3.6): days on the wall clock and exact seconds.
package struct SignedDuration: Hashable {
  /// The days; negative for a time before.
  package let days: Int
  /// The seconds, with the sign of the days.
  package let seconds: Int

  /// Ten thousand years, in days.
  private static let mostDays = 3_652_425

  /// The duration of a value such as `-PT15M`, `P1DT2H` or `-P2W`; `nil` for any other text and beyond ten thousand
  /// years.
  package init?(_ value: some StringProtocol) {
    var rest = value.utf8.prefix(60).map { $0 >= UInt8(ascii: "a") ? $0 & 0xDF : $0 }[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
    guard rest.popFirst() == UInt8(ascii: "P"), !rest.isEmpty else { return nil }
    var (days, seconds, isTime) = (0, 0, false)
    while let next = rest.first {
      if next == UInt8(ascii: "T"), !isTime {
        isTime = true
        rest = rest.dropFirst()
        if rest.isEmpty { return nil }
        continue
      }
      guard let count = Self.number(&rest), let unit = rest.popFirst() else { return nil }
      switch (unit, isTime) {
      case (UInt8(ascii: "W"), false): days += count * 7
      case (UInt8(ascii: "D"), false): days += count
      case (UInt8(ascii: "H"), true): seconds += count * 3_600
      case (UInt8(ascii: "M"), true): seconds += count * 60
      case (UInt8(ascii: "S"), true): seconds += count
      default: return nil
      }
      guard days <= Self.mostDays, seconds <= Self.mostDays * 86_400 else { return nil }
    }
    self.days = isNegative ? -days : days
    self.seconds = isNegative ? -seconds : seconds
  }

  private static func number(_ rest: inout ArraySlice<UInt8>) -> Int? {
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    rest = rest.dropFirst(digits.count)
    guard (1...12).contains(digits.count) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }
}
