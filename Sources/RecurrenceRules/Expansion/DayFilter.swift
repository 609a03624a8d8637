import CivilTime

/// The BY parts of a rule that select days, with the defaults that RFC 5545 takes from the start.
///
/// A day must satisfy each given part. Every part becomes the set of its days in one year, so a year costs a few bit
/// operations for each part.
struct DayFilter: Sendable {
  private var months: [Int]
  private let weekNumbers: [Int]
  private let yearDays: [Int]
  private var monthDays: [Int]
  private var weekdays: [RecurrenceRule.OrdinalWeekday]
  private let countsInMonth: Bool
  private let weekStart: Weekday

  init(_ rule: RecurrenceRule, start: CivilDate) {
    months = rule.months
    weekNumbers = rule.weekNumbers
    yearDays = rule.yearDays
    monthDays = rule.monthDays
    weekdays = rule.weekdays
    countsInMonth = rule.frequency == .monthly || !rule.months.isEmpty
    weekStart = rule.weekStart
    guard weekNumbers.isEmpty, yearDays.isEmpty, monthDays.isEmpty, weekdays.isEmpty else { return }
    switch rule.frequency {
    case .yearly:
      if months.isEmpty { months = [start.month] }
      monthDays = [start.day]
    case .monthly: monthDays = [start.day]
    case .weekly: weekdays = [.init(ordinal: nil, weekday: start.weekday)]
    case .daily, .hourly, .minutely: break
    }
  }

  /// The most allowed days in one period of a FREQ.
  func largestPeriod(_ frequency: RecurrenceRule.Frequency) -> Int {
    let (length, weeks) =
      switch frequency {
      case .yearly: (366, 53)
      case .monthly: (31, 5)
      case .weekly: (7, 1)
      case .daily, .hourly, .minutely: (1, 1)
      }
    let numbered = frequency == .monthly ? 1 : 12
    let ofWeek = weekdays.isEmpty ? length : weekdays.reduce(0) { $0 + ($1.ordinal == nil ? weeks : numbered) }
    let ofMonth = monthDays.isEmpty || frequency == .yearly ? length : monthDays.count
    return min(length, ofWeek, ofMonth)
  }

  /// The days of a year that every part allows.
  func days(of year: Int) -> YearDays {
    let frame = YearFrame(year)
    var days = DaySet()
    days.insert(0..<frame.length)
    if !months.isEmpty { days.formIntersection(daysInMonths(frame)) }
    if !monthDays.isEmpty { days.formIntersection(daysOfMonth(frame)) }
    if !yearDays.isEmpty { days.formIntersection(daysOfYear(frame)) }
    if !weekNumbers.isEmpty { days.formIntersection(daysInWeeks(frame)) }
    if !weekdays.isEmpty { days.formIntersection(daysOfWeek(frame)) }
    return YearDays(firstDay: frame.firstDay, length: frame.length, days: days)
  }

  private func daysInMonths(_ frame: YearFrame) -> DaySet {
    var days = DaySet()
    for month in months { days.insert(frame.month(month)) }
    return days
  }

  private func daysOfMonth(_ frame: YearFrame) -> DaySet {
    var days = DaySet()
    for month in 1...12 where months.isEmpty || months.contains(month) {
      let range = frame.month(month)
      for number in monthDays where number <= range.count && -number <= range.count {
        days.insert(number > 0 ? range.lowerBound + number - 1 : range.upperBound + number)
      }
    }
    return days
  }

  private func daysOfYear(_ frame: YearFrame) -> DaySet {
    var days = DaySet()
    for number in yearDays where number <= frame.length && -number <= frame.length {
      days.insert(number > 0 ? number - 1 : frame.length + number)
    }
    return days
  }

  /// The days in weeks of this year, and in weeks of the adjacent years that extend into this one.
  private func daysInWeeks(_ frame: YearFrame) -> DaySet {
    var days = DaySet()
    for year in frame.year - 1...frame.year + 1 {
      let firstWeek = firstWeek(of: year)
      let count = (self.firstWeek(of: year + 1) - firstWeek) / 7
      for number in weekNumbers where number <= count && -number <= count {
        let start = firstWeek - frame.firstDay + (number > 0 ? number - 1 : count + number) * 7
        days.insert(min(start, frame.length)..<min(start + 7, frame.length))
      }
    }
    return days
  }

  /// The first day of week 1 since the epoch: the week with the fourth of January (RFC 5545, BYWEEKNO).
  private func firstWeek(of year: Int) -> Int {
    let fourth = CivilDate.firstDay(ofMonth: 1, in: year) + 3
    return fourth - floorRemainder(fourth - weekStart.epochOffset, 7)
  }

  private func daysOfWeek(_ frame: YearFrame) -> DaySet {
    var days = DaySet()
    let spans =
      !countsInMonth
      ? [0..<frame.length]
      : (1...12).filter { months.isEmpty || months.contains($0) }.map(frame.month)
    for day in weekdays {
      let first = floorRemainder(day.weekday.epochOffset - frame.firstDay, 7)
      guard let ordinal = day.ordinal else {
        days.insertWeekly(from: first)
        continue
      }
      for span in spans {
        let index =
          ordinal > 0
          ? span.lowerBound + floorRemainder(first - span.lowerBound, 7) + (ordinal - 1) * 7
          : span.upperBound - 1 - floorRemainder(span.upperBound - 1 - first, 7) + (ordinal + 1) * 7
        if span.contains(index) { days.insert(index) }
      }
    }
    return days
  }
}

/// The position of a year and its months.
private struct YearFrame {
  let year: Int
  let firstDay: Int
  let length: Int

  init(_ year: Int) {
    self.year = year
    firstDay = CivilDate.firstDay(ofMonth: 1, in: year)
    length = CivilDate.isLeapYear(year) ? 366 : 365
  }

  /// The days of a month, counted from the first of January.
  func month(_ month: Int) -> Range<Int> { start(of: month)..<(month == 12 ? length : start(of: month + 1)) }

  /// The days before a month, computed with 30 days in February and corrected.
  private func start(of month: Int) -> Int { (367 * month - 362) / 12 - (month > 2 ? 367 - length : 0) }
}

extension Weekday {
  /// The offset of this weekday from the epoch, which was a Thursday, in days.
  var epochOffset: Int { rawValue - Weekday.thursday.rawValue }
}
