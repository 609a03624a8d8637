import BelfryCore
import RecurrenceRules

/// Rules that say no more than "every so many", which is all that the simpler formats have.
///
/// A month without the day, such as the 31st, means its last day there; RFC 5545 alone would pass the month over.
enum IntervalRule {
  /// What is counted.
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
  /// - Parameter start: what it counts from, where that says the day; `nil` where it does not, as from the day it is done.
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

  /// The units and their number that a rule says, if it says no more.
  static func interval(of rule: RecurrenceRule, from start: WallTime?) -> (unit: Unit, interval: Int)? {
    guard let unit = Unit(rawValue: rule.frequency.rawValue), Self.rule(unit, rule.interval, from: start) == rule
    else { return nil }
    return (unit, rule.interval)
  }
}
