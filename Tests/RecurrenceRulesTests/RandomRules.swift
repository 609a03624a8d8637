import BelfryTestKit
import CivilTime
import RecurrenceRules

/// Reproducible random rules and starts, of every kind that the library accepts.
struct RandomRules {
  private var generator: SeededGenerator
  private(set) var text = ""

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// A start between 1970 and 2060, at any second.
  mutating func start() -> CivilDateTime {
    let day = Int.random(in: 0..<33_000, using: &generator)
    let second = generator.chance(50) ? 9 * 3_600 : Int.random(in: 0..<86_400, using: &generator)
    return CivilDateTime(secondsSinceEpoch: day * 86_400 + second)
  }

  /// A rule whose UNTIL, if it has one, lies within 30 years after the start.
  mutating func rule(start: CivilDateTime) throws -> RecurrenceRule {
    let frequency = pick(RecurrenceRule.Frequency.allCases)
    var parts = ["FREQ=\(frequency.rawValue)"]
    if generator.chance(50) {
      let limit = generator.chance(80) ? 6 : frequency == .minutely || frequency == .hourly ? 3_000 : 60
      parts.append("INTERVAL=\(Int.random(in: 1...limit, using: &generator))")
    }
    let plain = parts.count
    add(&parts, 20, "BYMONTH", 1...12, upTo: 4)
    add(&parts, 12, "BYMONTHDAY", 1...31, isSigned: true, upTo: 4)
    add(&parts, 6, "BYYEARDAY", 1...366, isSigned: true, upTo: 8)
    add(&parts, 8, "BYWEEKNO", 1...53, isSigned: true, upTo: 5)
    let hasWeeks = parts.contains { $0.hasPrefix("BYWEEKNO") }
    if generator.chance(25) { parts.append(weekdays(frequency, canBeNumbered: !hasWeeks)) }
    add(&parts, 15, "BYHOUR", 0...23, upTo: 4)
    add(&parts, 12, "BYMINUTE", 0...59, upTo: 4)
    add(&parts, 8, "BYSECOND", 0...59, upTo: 3)
    if parts.count > plain {
      add(&parts, 15, "BYSETPOS", 1...(generator.chance(80) ? 4 : 366), isSigned: true, upTo: 3)
    }
    if generator.chance(20) { parts.append("WKST=" + pick(["MO", "TU", "WE", "TH", "FR", "SA", "SU"])) }
    if generator.chance(25) {
      parts.append("COUNT=\(Int.random(in: 1...8, using: &generator))")
    } else if generator.chance(25) {
      let seconds = Int.random(in: 0..<30 * 366 * 86_400, using: &generator) / (generator.chance(50) ? 1 : 1_000)
      parts.append("UNTIL=\(CivilDateTime(secondsSinceEpoch: start.secondsSinceEpoch + seconds))")
    }
    text = parts.joined(separator: ";")
    return try RecurrenceRule(text)
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &generator)]
  }

  private mutating func add(
    _ parts: inout [String], _ percent: Int, _ name: String, _ range: ClosedRange<Int>, isSigned: Bool = false,
    upTo most: Int
  ) {
    guard generator.chance(percent) else { return }
    let count = Int.random(in: 1...most, using: &generator)
    let values = (0..<count).map { _ in String(number(range, isSigned: isSigned)) }
    parts.append(name + "=" + values.joined(separator: ","))
  }

  private mutating func number(_ range: ClosedRange<Int>, isSigned: Bool) -> Int {
    let number = Int.random(in: range, using: &generator)
    return isSigned && generator.chance(50) ? -number : number
  }

  private mutating func weekdays(_ frequency: RecurrenceRule.Frequency, canBeNumbered: Bool) -> String {
    let isNumbered = canBeNumbered && (frequency == .monthly || frequency == .yearly) && generator.chance(60)
    let isMixed = generator.chance(10)
    let days = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
      let day = pick(["MO", "TU", "WE", "TH", "FR", "SA", "SU"])
      guard isNumbered, !isMixed || generator.chance(50) else { return day }
      let limit = frequency == .yearly && generator.chance(30) ? 53 : 5
      return "\(number(1...limit, isSigned: true))\(day)"
    }
    return "BYDAY=" + days.joined(separator: ",")
  }
}
