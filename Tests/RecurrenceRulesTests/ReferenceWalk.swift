import CivilTime
import RecurrenceRules

/// A naive implementation of RFC 5545, which checks every day, hour or minute in turn.
///
/// It shares only the rule's fields and the conversion of dates with the library.
struct ReferenceWalk {
  let rule: RecurrenceRule
  let start: CivilDateTime

  /// The occurrences within this many days from the start's day, ignoring COUNT.
  func occurrences(days: Int) -> [CivilDateTime] {
    let first = start.date.daysSinceEpoch
    // The first and last period are examined whole, since BYSETPOS counts within the whole.
    let margin = rule.setPositions.isEmpty ? 0 : 366
    let daysOfPeriods = (first - margin..<first + days + margin).map(CivilDate.init(daysSinceEpoch:)).filter(isAllowed)
    var sets: [Int: [Int]] = [:]
    for date in daysOfPeriods {
      for second in seconds(of: date) where isMet(period(of: date, second: second)) {
        sets[period(of: date, second: second), default: []].append(date.daysSinceEpoch * 86_400 + second)
      }
    }
    let last = (first + days) * 86_400
    return sets.values.flatMap(selected)
      .filter { $0 >= start.secondsSinceEpoch && $0 < last }.sorted()
      .map(CivilDateTime.init(secondsSinceEpoch:)).filter(isBeforeEnd)
  }

  private func selected(_ moments: [Int]) -> [Int] {
    guard !rule.setPositions.isEmpty else { return moments }
    let sorted = moments.sorted()
    return sorted.enumerated().filter { index, _ in
      rule.setPositions.contains(index + 1) || rule.setPositions.contains(index - sorted.count)
    }.map(\.element)
  }

  private func isBeforeEnd(_ time: CivilDateTime) -> Bool {
    if case .until(.local(let until)) = rule.end { return time <= until }
    return true
  }

  private func isMet(_ period: Int) -> Bool {
    let distance = period - self.period(of: start.date, second: start.secondsSinceEpoch % 86_400)
    return distance % rule.interval == 0
  }

  private func period(of date: CivilDate, second: Int) -> Int {
    switch rule.frequency {
    case .yearly: date.year
    case .monthly: date.year * 12 + date.month
    // Day 4 was a Monday; weeks are counted from their start on or after it.
    case .weekly: (date.daysSinceEpoch - 4 - (rule.weekStart.rawValue - 1) + 700_000) / 7
    case .daily: date.daysSinceEpoch
    case .hourly: date.daysSinceEpoch * 24 + second / 3_600
    case .minutely: date.daysSinceEpoch * 1_440 + second / 60
    }
  }

  /// Every second of a day that the times allow.
  private func seconds(of date: CivilDate) -> [Int] {
    let (isHourly, isMinutely) = (rule.frequency == .hourly, rule.frequency == .minutely)
    let hours = rule.hours.isEmpty ? isHourly || isMinutely ? Array(0...23) : [start.hour] : rule.hours
    let minutes = rule.minutes.isEmpty ? isMinutely ? Array(0...59) : [start.minute] : rule.minutes
    let seconds = rule.seconds.isEmpty ? [start.second] : rule.seconds
    return hours.flatMap { hour in minutes.flatMap { minute in seconds.map { hour * 3_600 + minute * 60 + $0 } } }
  }

  private func isAllowed(_ date: CivilDate) -> Bool {
    let (inMonth, inYear) = (
      CivilDate.daysInMonth(date.month, of: date.year), CivilDate.isLeapYear(date.year) ? 366 : 365
    )
    guard rule.months.isEmpty || rule.months.contains(date.month) else { return false }
    guard has(rule.monthDays, date.day, of: inMonth), has(rule.yearDays, date.dayOfYear, of: inYear) else {
      return false
    }
    let (week, weeks) = weekNumber(of: date)
    guard has(rule.weekNumbers, week, of: weeks) else { return false }
    guard rule.weekdays.isEmpty || rule.weekdays.contains(where: { isAllowed(date, by: $0) }) else { return false }
    return isAllowedByStart(date)
  }

  private func has(_ numbers: [Int], _ number: Int, of count: Int) -> Bool {
    numbers.isEmpty || numbers.contains(number) || numbers.contains(number - count - 1)
  }

  private func isAllowed(_ date: CivilDate, by day: RecurrenceRule.OrdinalWeekday) -> Bool {
    guard date.weekday == day.weekday else { return false }
    guard let ordinal = day.ordinal else { return true }
    let isOfMonth = rule.frequency == .monthly || !rule.months.isEmpty
    let number = isOfMonth ? date.day : date.dayOfYear
    let yearLength = CivilDate.isLeapYear(date.year) ? 366 : 365
    let length = isOfMonth ? CivilDate.daysInMonth(date.month, of: date.year) : yearLength
    return ordinal == (number - 1) / 7 + 1 || -ordinal == (length - number) / 7 + 1
  }

  /// True if the start's default allows a date where no BY part selects days.
  private func isAllowedByStart(_ date: CivilDate) -> Bool {
    guard rule.weekNumbers.isEmpty, rule.yearDays.isEmpty, rule.monthDays.isEmpty, rule.weekdays.isEmpty else {
      return true
    }
    switch rule.frequency {
    case .yearly: return date.day == start.date.day && (!rule.months.isEmpty || date.month == start.date.month)
    case .monthly: return date.day == start.date.day
    case .weekly: return date.weekday == start.date.weekday
    case .daily, .hourly, .minutely: return true
    }
  }

  /// The number of a date's week, and the number of weeks in that week's year; the week's fourth day decides the year.
  private func weekNumber(of date: CivilDate) -> (number: Int, count: Int) {
    let middle = fourthDay(ofWeekOf: date)
    let number = (middle.dayOfYear - 1) / 7 + 1
    let last = CivilDate(year: middle.year, month: 12, day: 28).map(fourthDay) ?? middle
    return (number, (last.dayOfYear - 1) / 7 + 1)
  }

  private func fourthDay(ofWeekOf date: CivilDate) -> CivilDate {
    let sinceWeekStart = (date.weekday.rawValue - rule.weekStart.rawValue + 7) % 7
    return date.adding(days: 3 - sinceWeekStart)
  }
}
