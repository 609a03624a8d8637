import CivilTime

/// An amount of time, as in `in 2 weeks`, `+1h30m` or a DURATION.
struct TimeSpan: CustomStringConvertible {
  var months = 0
  var days = 0
  var minutes = 0

  /// True if the amount is zero, as in `0m`.
  var isZero: Bool { months == 0 && days == 0 && minutes == 0 }

  /// The amount in short form, such as `1d2h`.
  var description: String {
    guard months > 0 else { return CalendarDuration(days: days, minutes: minutes).description }
    return days == 0 && minutes == 0 ? "\(months)mo" : "\(months)mo\(TimeSpan(days: days, minutes: minutes))"
  }
}

/// The units of a `TimeSpan` in the order in which they must be written, large ones first.
private enum SpanUnit: Int {
  case year, month, fortnight, week, day, hour, minute, second

  init?(_ name: String) {
    switch name {
    case "y", "yr", "yrs", "year", "years": self = .year
    case "mo", "month", "months": self = .month
    case "fortnight", "fortnights": self = .fortnight
    case "w", "wk", "wks", "week", "weeks": self = .week
    case "d", "day", "days": self = .day
    case "h", "hr", "hrs", "hour", "hours": self = .hour
    case "m", "min", "mins", "minute", "minutes": self = .minute
    case "s", "sec", "secs", "second", "seconds": self = .second
    default: return nil
    }
  }
}

extension TokenReader {
  /// Reads `1h30m`, `10 minutes`, `an hour`, `2 days and 3 hours`. Returns `nil` and reads nothing if no amount
  /// follows.
  ///
  /// - Throws: `WhenError` for seconds, for a unit given twice, and for units out of order.
  mutating func readSpan() throws(WhenError) -> TimeSpan? {
    if peekWord() == "half", peekWord(1) == "an", peekWord(2) == "hour" {
      advance(3)
      return TimeSpan(minutes: 30)
    }
    var span = TimeSpan()
    var last: SpanUnit?
    while let (count, unit) = peekAmount(after: last) {
      if let last, unit.rawValue <= last.rawValue {
        throw WhenError(message: "\(inQuotes(text)) has its units out of order: write large ones first, such as 1h30m")
      }
      let isJoined = last != nil && peekWord() == "and"
      advance(isJoined ? 3 : 2)
      switch unit {
      case .year: span.months += count * 12
      case .month: span.months += count
      case .fortnight: span.days += count * 14
      case .week: span.days += count * 7
      case .day: span.days += count
      case .hour: span.minutes += count * 60
      case .minute: span.minutes += count
      case .second:
        throw WhenError(
          message: "\(inQuotes(text)) has seconds, but reminders ring on the minute: write for example 1m")
      }
      last = unit
    }
    return last == nil ? nil : span
  }

  /// The next count and unit, after an optional `and` if there was a unit before.
  private func peekAmount(after last: SpanUnit?) -> (count: Int, unit: SpanUnit)? {
    let start = last != nil && peekWord() == "and" ? 1 : 0
    guard let count = peekNumber(start) ?? peekWord(start).flatMap(TokenReader.smallNumber),
      let unit = peekWord(start + 1).flatMap(SpanUnit.init)
    else { return nil }
    return (count, unit)
  }

  /// The number of a word, `a` to `ten`.
  static func smallNumber(_ word: String) -> Int? {
    switch word {
    case "a", "an", "one": 1
    case "two": 2
    case "three": 3
    case "four": 4
    case "five": 5
    case "six": 6
    case "seven": 7
    case "eight": 8
    case "nine": 9
    case "ten": 10
    default: nil
    }
  }
}
