import CivilTime
import FoundationEssentials
import RecurrenceRules

/// Taskwarrior's periods as recurrence rules.
enum TaskwarriorPeriod {
  /// The rule of a period such as `weekly`, `3days`, `P2W`; `nil` for any other text, or one finer than a minute.
  ///
  /// - Parameter start: the first occurrence, which fixes the day of the month or year.
  static func rule(_ text: String, from start: WallTime, until: WallTime?) -> RecurrenceRule? {
    var period = text.lowercased()
    if period == "weekdays" { return rule("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", until: until) }
    var count = 1
    let digits = period.prefix { $0.isASCII && $0.isNumber }
    if !digits.isEmpty {
      guard let number = Int(digits), number > 0 else { return nil }
      count = number
      period = String(period.dropFirst(digits.count))
    }
    guard let (unit, size) = named[period] ?? iso8601(period),
      case let (interval, isTooLarge) = count.multipliedReportingOverflow(by: size), !isTooLarge
    else { return nil }
    return IntervalRule.rule(unit, interval, from: start).flatMap { rule($0, until: until) }
  }

  /// An occurrence of a rule, counted from 0.
  static func occurrence(_ number: Int, of rule: RecurrenceRule, from start: WallTime) -> WallTime? {
    var occurrences = RecurrenceSet(start: start.civil, rule: rule).makeIterator()
    for _ in 0..<number where occurrences.next() == nil { return nil }
    return occurrences.next().map(WallTime.init(civil:))
  }

  private static let named: [String: (IntervalRule.Unit, Int)] = {
    var names: [String: (IntervalRule.Unit, Int)] = [
      "daily": (.day, 1), "sennight": (.day, 14), "fortnight": (.day, 14), "biweekly": (.week, 2),
      "bimonthly": (.month, 2), "quarterly": (.month, 3), "semiannual": (.month, 6), "annual": (.year, 1),
      "biannual": (.year, 2), "biyearly": (.year, 2), "hourly": (.hour, 1), "weekly": (.week, 1),
      "monthly": (.month, 1),
      "yearly": (.year, 1),
    ]
    let units: [([String], IntervalRule.Unit, Int)] = [
      (["minutes", "minute", "mins", "min"], .minute, 1), (["hours", "hour", "hrs", "hr", "h"], .hour, 1),
      (["days", "day", "d"], .day, 1), (["weeks", "week", "wks", "wk", "w"], .week, 1),
      (["months", "month", "mnths", "mths", "mth", "mos", "mo", "m"], .month, 1),
      (["quarters", "quarter", "qrtrs", "qrtr", "qtrs", "qtr", "q"], .month, 3),
      (["years", "year", "yrs", "yr", "y"], .year, 1),
    ]
    for (spellings, unit, size) in units { for spelling in spellings { names[spelling] = (unit, size) } }
    return names
  }()

  // A period of one unit: `p1w`, `pt12h`, `p3m`.
  private static func iso8601(_ period: String) -> (IntervalRule.Unit, Int)? {
    guard period.first == "p", let letter = period.last else { return nil }
    let isTime = period.hasPrefix("pt")
    guard let count = Int(period.dropFirst(isTime ? 2 : 1).dropLast()), count > 0 else { return nil }
    switch (letter, isTime) {
    case ("y", false): return (.year, count)
    case ("m", false): return (.month, count)
    case ("w", false): return (.week, count)
    case ("d", false): return (.day, count)
    case ("h", true): return (.hour, count)
    case ("m", true): return (.minute, count)
    default: return nil
    }
  }

  private static func rule(_ text: String, until: WallTime?) -> RecurrenceRule? {
    (try? RecurrenceRule(text)).flatMap { rule($0, until: until) }
  }

  private static func rule(_ rule: RecurrenceRule, until: WallTime?) -> RecurrenceRule? {
    until.map { rule.ending(.until(.local($0.civil))) } ?? rule
  }
}
