import CivilTime

/// A WHEN as it was understood, before it is known which day and instant it comes to.
struct WhenExpression {
  /// A day, as WHENs name it.
  enum Day: Hashable {
    /// One day of the calendar.
    case on(CivilDate)
    /// The coming night.
    case tonight
    /// The next such weekday; a week later where `isNext` and it is within this week, and so many weeks more.
    case weekday(Weekday, isNext: Bool, weeksLater: Int)
    /// The next such day of a month.
    case dayOfMonth(Int)
    /// The next such day of the year.
    case dayOfYear(month: Int, day: Int)
  }

  /// A time of day, as WHENs name it.
  enum Time: Hashable {
    case at(TimeOfDay)
    /// 00:00, said so that it can be the day's beginning or its end.
    case midnight
  }

  /// The day, or the amount of time from now; without either the next time the clock shows `time`.
  var day: Day?
  var span: TimeSpan?
  var time: Time?
  /// The weekday that was written beside a date, and must be the date's.
  var weekday: Weekday?
}
