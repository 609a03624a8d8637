import CivilTime

/// A recurrence rule of RFC 5545, section 3.3.10: a frequency, an end, and the days and times of occurrences.
///
/// A rule has no start: `RecurrenceSet` adds one and finds the occurrences. Times are on the wall clock; the caller
/// handles zones. Lists are sorted and without repeats, so equal rules are equal values however they were written.
///
/// ## Where RFC 5545 leaves room
/// - The start is an occurrence only if the rule matches it, as in dateutil and libical. (RFC 5545 calls the other case
///   undefined, and has COUNT count the start: ``RecurrenceSet/init(start:countingStart:)``.)
/// - BYWEEKNO, BYYEARDAY and BYMONTHDAY also limit a FREQ for which RFC 5545 does not define them, since published
///   calendars rely on it. A BYDAY with a number is refused there, since implementations disagree on its meaning.
/// - BYWEEKNO without BYDAY is every day of those weeks, and a year for INTERVAL and BYSETPOS is the calendar year,
///   even if its first and last days belong to a week of the adjacent year.
/// - BYDAY with and without numbers, `MO,-1FR`, matches either of the two.
/// - BYSETPOS counts in the whole week, month or year, also in that of the start.
/// - UNTIL with only a date includes that whole day.
/// - Second 60 means 59, as RFC 5545 says for systems without leap seconds.
/// - FREQ=SECONDLY, INTERVAL=0, COUNT=0, COUNT with UNTIL, a repeated part and an unknown part are refused.
/// - Years end with 9999, the last year that RFC 5545 can represent.
public struct RecurrenceRule: Hashable, Sendable {
  /// The unit that INTERVAL counts.
  public enum Frequency: String, CaseIterable, Sendable {
    case yearly = "YEARLY"
    case monthly = "MONTHLY"
    /// Every week, from its `weekStart`.
    case weekly = "WEEKLY"
    case daily = "DAILY"
    case hourly = "HOURLY"
    case minutely = "MINUTELY"
  }

  /// The last moment of a possible occurrence, in the form of the rule.
  public enum Until: Hashable, Sendable {
    /// A day, included to its end.
    case date(CivilDate)
    /// A time on the wall clock, inclusive.
    case local(CivilDateTime)
    /// A time in UTC, inclusive; read as a time on the wall clock unless `withLocalUntil(_:)` converts it.
    case utc(CivilDateTime)
  }

  /// The end of a rule.
  public enum End: Hashable, Sendable {
    case never
    /// COUNT: the number of occurrences, 1 to 1,000,000,000, before exceptions are removed.
    case count(Int)
    /// UNTIL.
    case until(Until)
  }

  /// A day of the week, or the nth such day of a month or year.
  public struct OrdinalWeekday: Hashable, Sendable {
    /// 1 for the first, -1 for the last, up to 53 either way; `nil` for every one.
    public let ordinal: Int?
    /// The day of the week.
    public let weekday: Weekday

    package init(ordinal: Int?, weekday: Weekday) {
      self.ordinal = ordinal
      self.weekday = weekday
    }
  }

  /// FREQ: the unit in which the rule counts.
  public let frequency: Frequency
  /// INTERVAL: a number of units, 1 to 1,000,000,000.
  public private(set) var interval: Int
  /// COUNT or UNTIL, of which a rule has at most one.
  public private(set) var end: End
  /// BYMONTH: 1 to 12; empty for any, as in each of the following.
  public let months: [Int]
  /// BYWEEKNO: 1 to 53, or -1 for the year's last week to -53.
  public let weekNumbers: [Int]
  /// BYYEARDAY: 1 to 366, or -1 for the year's last day to -366.
  public let yearDays: [Int]
  /// BYMONTHDAY: 1 to 31, or -1 for the month's last day to -31.
  public let monthDays: [Int]
  /// BYDAY: weekdays, each with its place in the month or year if any.
  public let weekdays: [OrdinalWeekday]
  /// BYHOUR: hours from 0 to 23.
  public let hours: [Int]
  /// BYMINUTE: minutes from 0 to 59.
  public let minutes: [Int]
  /// BYSECOND: seconds from 0 to 59.
  public let seconds: [Int]
  /// BYSETPOS: 1 to 366, or -1 for the last of each period to -366.
  public let setPositions: [Int]
  /// WKST: the first day of the week; Monday if not given.
  public let weekStart: Weekday

  /// The largest COUNT and INTERVAL, about as many minutes as 1,900 years have.
  package static let largestNumber = 1_000_000_000

  package init(_ parts: RuleParts, frequency: Frequency) {
    self.frequency = frequency
    interval = parts.interval
    end = parts.end
    months = parts.months.canonical()
    weekNumbers = parts.weekNumbers.canonical()
    yearDays = parts.yearDays.canonical()
    monthDays = parts.monthDays.canonical()
    weekdays = parts.weekdays.canonical()
    hours = parts.hours.canonical()
    minutes = parts.minutes.canonical()
    seconds = parts.seconds.canonical()
    setPositions = parts.setPositions.canonical()
    weekStart = parts.weekStart
  }

  /// The same rule with another end, or `nil` for a COUNT outside 1 to 1,000,000,000.
  public func ending(_ end: End) -> RecurrenceRule? {
    if case .count(let count) = end, !(1...RecurrenceRule.largestNumber).contains(count) { return nil }
    var rule = self
    rule.end = end
    return rule
  }

  /// The same rule with an INTERVAL of 1, whose first occurrence from a start on is the first that its days allow.
  package var withoutInterval: RecurrenceRule {
    var rule = self
    rule.interval = 1
    return rule
  }

  /// The same rule with an UNTIL in UTC turned into wall-clock time by `convert`; any other rule as it is.
  public func withLocalUntil(_ convert: (CivilDateTime) -> CivilDateTime) -> RecurrenceRule {
    guard case .until(.utc(let instant)) = end else { return self }
    var rule = self
    rule.end = .until(.local(convert(instant)))
    return rule
  }

  /// The time one INTERVAL of FREQ later, or the end of the month if the month is too short; `nil` after 9999.
  ///
  /// For repeats that count from their completion, not from a fixed start. BY parts are ignored, except BYDAY if FREQ
  /// is DAILY: INTERVAL then counts only the named days, so three working days after a Friday is a Wednesday.
  public func oneInterval(after time: CivilDateTime) -> CivilDateTime? {
    let later: CivilDateTime
    switch frequency {
    case .minutely: later = CivilDateTime(secondsSinceEpoch: time.secondsSinceEpoch + interval * 60)
    case .hourly: later = CivilDateTime(secondsSinceEpoch: time.secondsSinceEpoch + interval * 3_600)
    case .daily:
      let days = daysOfInterval(after: time.date)
      later = CivilDateTime(secondsSinceEpoch: time.secondsSinceEpoch + days * secondsPerDay)
    case .weekly: later = CivilDateTime(secondsSinceEpoch: time.secondsSinceEpoch + interval * 7 * secondsPerDay)
    case .monthly, .yearly:
      let months = time.date.year * 12 + time.date.month - 1 + interval * (frequency == .yearly ? 12 : 1)
      let (year, month) = (floorQuotient(months, 12), floorRemainder(months, 12) + 1)
      let day = min(time.date.day, CivilDate.daysInMonth(month, of: year))
      guard let date = CivilDate(year: year, month: month, day: day),
        let moved = CivilDateTime(date: date, hour: time.hour, minute: time.minute, second: time.second)
      else { return nil }
      later = moved
    }
    return later.date.year > 9_999 ? nil : later
  }

  private func daysOfInterval(after date: CivilDate) -> Int {
    let named = Set(weekdays.map(\.weekday))
    guard !named.isEmpty else { return interval }
    var day = date
    // A day that is not named counts like the last named day before it.
    while !named.contains(day.weekday) { day = day.adding(days: -1) }
    day = day.adding(days: interval / named.count * 7)
    for _ in 0..<interval % named.count {
      repeat { day = day.adding(days: 1) } while !named.contains(day.weekday)
    }
    return day.daysSinceEpoch - date.daysSinceEpoch
  }
}

extension [Int] {
  /// Without repeats, counted from the start first, then counted from the end: `1, 15, -2, -1`.
  fileprivate func canonical() -> [Int] {
    count < 2 ? self : Set(self).sorted { ($0 < 0 ? 1 : 0, $0) < ($1 < 0 ? 1 : 0, $1) }
  }
}

extension [RecurrenceRule.OrdinalWeekday] {
  /// Without repeats, days without number first, then counted from the start, then counted from the end.
  fileprivate func canonical() -> [RecurrenceRule.OrdinalWeekday] {
    guard count > 1 else { return self }
    return Set(self).sorted {
      let (left, right) = ($0.ordinal ?? 0, $1.ordinal ?? 0)
      return (left < 0 ? 1 : 0, left, $0.weekday.rawValue) < (right < 0 ? 1 : 0, right, $1.weekday.rawValue)
    }
  }
}
