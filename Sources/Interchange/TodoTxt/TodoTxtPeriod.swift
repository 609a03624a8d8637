import BelfryModel
import CivilTime
import RecurrenceRules

/// A period of `rec:`: `[+]` and a number of days, weeks, months, years or working days.
struct TodoTxtPeriod: Hashable, CustomStringConvertible {
  private enum Unit: Character { case day = "d", week = "w", month = "m", year = "y", workingDay = "b" }

  /// True if it counts from the due date, not from completion.
  let isStrict: Bool
  private let count: Int
  private let unit: Unit

  /// The period that such a text gives; `nil` for any other text.
  init?(_ text: Substring) {
    isStrict = text.utf8.first == UInt8(ascii: "+")
    let rest = isStrict ? Substring(text.utf8.dropFirst()) : text
    guard rest.utf8.count <= 7, let unit = rest.last.flatMap(Unit.init),
      rest.dropLast().allSatisfy({ $0.isASCII && $0.isNumber }), let count = Int(rest.dropLast()),
      1...100_000 ~= count
    else { return nil }
    self.count = count
    self.unit = unit
  }

  /// The period of a rule; `nil` for a rule with further parts.
  ///
  /// - Parameter start: the rule's start.
  init?(_ rule: RecurrenceRule, origin: Recurrence.Origin, from start: WallTime) {
    isStrict = origin == .due
    if rule == (isStrict ? Self.everyWorkingDay : Self.workingDays(rule.interval)) {
      (count, unit) = (isStrict ? 1 : rule.interval, .workingDay)
      return
    }
    guard let (unit, count) = IntervalRule.interval(of: rule, from: origin == .due ? start : nil),
      let letter = Self.units.first(where: { $0.value == unit })?.key, 1...100_000 ~= count
    else { return nil }
    (self.count, self.unit) = (count, letter)
  }

  /// The rule; `nil` for a number of working days from the due date that no rule can express.
  func rule(from start: WallTime) -> RecurrenceRule? {
    if let unit = Self.units[unit] { return IntervalRule.rule(unit, count, from: isStrict ? start : nil) }
    guard isStrict else { return Self.workingDays(count) }
    if count == 1 { return Self.everyWorkingDay }
    return count % 5 == 0 ? IntervalRule.rule(.week, count / 5, from: nil) : nil
  }

  var description: String { "\(isStrict ? "+" : "")\(count)\(unit.rawValue)" }

  private static let units: [Unit: IntervalRule.Unit] = [.day: .day, .week: .week, .month: .month, .year: .year]
  private static let everyWorkingDay = try? RecurrenceRule("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR")

  /// The rule that counts working days from completion.
  private static func workingDays(_ count: Int) -> RecurrenceRule? {
    try? RecurrenceRule("FREQ=DAILY;INTERVAL=\(count);BYDAY=MO,TU,WE,TH,FR")
  }
}
