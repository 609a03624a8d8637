import CivilTime

/// A parsed WHEN, not yet resolved to a day and instant.
struct WhenExpression {
  /// The time of `tonight` and `friday evening`.
  static let usualEvening = TimeOfDay(minutesSinceMidnight: 20 * 60)

  /// A day of a WHEN.
  enum Day: Hashable {
    case on(CivilDate)
    /// The current day. Without a time it means the default time, or the next full hour if that is past.
    case today
    case tonight
    /// The next such weekday. One week later if `isNext` and it is in this week, and `weeksLater` more weeks.
    case weekday(Weekday, isNext: Bool, weeksLater: Int)
    /// The next such day of a month.
    case dayOfMonth(Int)
    /// The next such day of a year.
    case dayOfYear(month: Int, day: Int)
  }

  /// A time of day of a WHEN.
  enum Time: Hashable {
    case at(TimeOfDay)
    /// 00:00, written as a word that can mean the beginning or the end of the day.
    case midnight
  }

  /// The day, or the amount of time from now. Without either, the next time at which the clock shows `time`.
  var day: Day?
  var span: TimeSpan?
  var time: Time?
  /// True if the time has no am or pm.
  var isTimeUnmarked = false
  /// True if the time is a single digit from 1 to 6, which may be in the morning or the afternoon.
  var isBareHour = false
  /// True if the time is in the morning, as in `tomorrow morning`.
  var isMorning = false
  /// True if the time is in the evening, as in `friday evening`.
  var isEvening = false
  /// A weekday written with a date, which must match it.
  var weekday: Weekday?
}
