/// A day of the week, numbered as in ISO 8601: Monday is 1, Sunday is 7.
public enum Weekday: Int, CaseIterable, Comparable, Hashable, Sendable {
  case monday = 1
  case tuesday, wednesday, thursday, friday, saturday, sunday

  /// Monday first, as in ISO 8601.
  public static func < (lhs: Weekday, rhs: Weekday) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// A day of the proleptic Gregorian calendar, without a time and without a zone.
///
/// Days and fields convert in constant time with the algorithms of Howard Hinnant, "chrono-Compatible Low-Level Date
/// Algorithms" (days_from_civil, civil_from_days). No date is further than a million years from year 0, so arithmetic
/// on dates does not overflow.
public struct CivilDate: Hashable, Comparable, Sendable {
  /// The year in astronomical numbering: 0 is 1 BC, -1 is 2 BC.
  public let year: Int
  /// The month, 1 to 12.
  public let month: Int
  /// The day of the month, 1 to 31.
  public let day: Int

  /// The date with these fields; `nil` if the calendar has no such day or the year is beyond a million.
  public init?(year: Int, month: Int, day: Int) {
    guard CivilDate.years.contains(year), (1...12).contains(month), day >= 1,
      day <= CivilDate.daysInMonth(month, of: year)
    else { return nil }
    self.init(uncheckedYear: year, month: month, day: day)
  }

  private init(uncheckedYear year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  private static let years = -1_000_000...1_000_000
  private static let farthestDay = 365_000_000

  /// The date this many days after 1970-01-01, clamped to 365 million days.
  public init(daysSinceEpoch: Int) {
    let shifted = min(max(daysSinceEpoch, -CivilDate.farthestDay), CivilDate.farthestDay) + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    self.init(uncheckedYear: year, month: month, day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  /// Days after 1970-01-01, negative before it.
  public var daysSinceEpoch: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The day of the week.
  public var weekday: Weekday {
    let index = ((daysSinceEpoch + 3) % 7 + 7) % 7
    return Weekday.allCases[index]
  }

  /// The day's number in its year, 1 to 366.
  public var dayOfYear: Int {
    daysSinceEpoch - CivilDate(uncheckedYear: year, month: 1, day: 1).daysSinceEpoch + 1
  }

  /// The date this many days later, or earlier if negative.
  public func adding(days: Int) -> CivilDate {
    let (sum, overflow) = daysSinceEpoch.addingReportingOverflow(days)
    return CivilDate(daysSinceEpoch: overflow ? (days < 0 ? .min : .max) : sum)
  }

  /// True if February has 29 days in a year.
  public static func isLeapYear(_ year: Int) -> Bool {
    (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
  }

  /// Days from 1970-01-01 to the first day of a month; `month` is 1 to 12.
  package static func firstDay(ofMonth month: Int, in year: Int) -> Int {
    CivilDate(uncheckedYear: year, month: month, day: 1).daysSinceEpoch
  }

  /// The number of days of a month, 28 to 31; `month` is 1 to 12.
  public static func daysInMonth(_ month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeapYear(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Orders by time, earlier dates first.
  public static func < (lhs: CivilDate, rhs: CivilDate) -> Bool {
    (lhs.year, lhs.month, lhs.day) < (rhs.year, rhs.month, rhs.day)
  }
}
