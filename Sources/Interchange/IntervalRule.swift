import CivilTime
import RecurrenceRules

/// Rules that have only a unit and an interval, as in the simpler formats.
///
/// In a month without the day, such as the 31st, they mean its last day; a plain rule of RFC 5545 would skip the month.
enum IntervalRule {
  /// The unit that the interval counts.
  enum Unit: String, CaseIterable {
    case minute = "MINUTELY"
    case hour = "HOURLY"
    case day = "DAILY"
    case week = "WEEKLY"
    case month = "MONTHLY"
    case year = "YEARLY"
  }

  /// The rule of every `interval` units.
  ///
  /// - Parameter start: the start, if it fixes the day of the month; `nil` for a rule that counts from completion.
  static func rule(_ unit: Unit, _ interval: Int, from start: WallTime?) -> RecurrenceRule? {
    var text = "FREQ=\(unit.rawValue);INTERVAL=\(interval)"
    if let day = start?.date.day, day > 28 {
      let isLeapDay = unit == .year && start?.date.month == 2
      let days = (28...day).map(String.init).joined(separator: ",")
      if unit == .month { text += ";BYMONTHDAY=\(days);BYSETPOS=-1" }
      if isLeapDay { text += ";BYMONTH=2;BYMONTHDAY=\(days);BYSETPOS=-1" }
    }
    return try? RecurrenceRule(text)
  }

  /// The unit and interval of a rule; `nil` for a rule with further parts.
  static func interval(of rule: RecurrenceRule, from start: WallTime?) -> (unit: Unit, interval: Int)? {
    guard let unit = Unit(rawValue: rule.frequency.rawValue), Self.rule(unit, rule.interval, from: start) == rule
    else { return nil }
    return (unit, rule.interval)
  }
}
