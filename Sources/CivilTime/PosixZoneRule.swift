/// The offset and abbreviation of local time between two changes.
struct LocalTimeType: Hashable, Sendable {
  /// Seconds east of UTC.
  let offset: Int
  /// The zone's abbreviation, such as `CET`.
  let abbreviation: String
}

/// A zone without history, as in POSIX `TZ` and the footer of TZif: standard time and, if the clocks change, the two
/// changes of each year.
struct PosixZoneRule: Hashable, Sendable {
  /// A yearly change from one local time type to another, in the local time before the change.
  struct Change: Hashable, Sendable {
    /// A day in any year.
    enum Day: Hashable, Sendable {
      /// `Jn`: day 1 to 365, February 29 not counted.
      case ignoringLeapDay(Int)
      /// `n`: day 0 to 365.
      case ofYear(Int)
      /// `Mm.w.d`: weekday 0 (Sunday) to 6, week 1 to 5 (the last).
      case weekday(Int, week: Int, month: Int)
    }

    let day: Day
    /// Seconds after 00:00 of the day, from -167 to 167 hours.
    let time: Int

    /// The day of the change in a year, in days after 1970-01-01.
    func daysSinceEpoch(in year: Int) -> Int {
      switch day {
      case .ignoringLeapDay(let number):
        return Change.firstDay(of: 1, in: year) + number - 1
          + (CivilDate.isLeapYear(year) && number >= 60 ? 1 : 0)
      case .ofYear(let number):
        return Change.firstDay(of: 1, in: year) + number
      case .weekday(let weekday, let week, let month):
        let first = Change.firstDay(of: month, in: year)
        // 1970-01-01 was a Thursday, the weekday 4.
        let day = floorRemainder(weekday - (first + 4), 7) + (week - 1) * 7
        return first + (day < CivilDate.daysInMonth(month, of: year) ? day : day - 7)
      }
    }

    private static func firstDay(of month: Int, in year: Int) -> Int {
      CivilDate(year: year, month: month, day: 1)?.daysSinceEpoch ?? 0
    }
  }

  /// Daylight saving time with its start (in standard time) and end (in daylight time).
  struct Daylight: Hashable, Sendable {
    let type: LocalTimeType
    let start: Change
    let end: Change
  }

  let standard: LocalTimeType
  let daylight: Daylight?

  /// The local time type at an instant, in seconds after 1970-01-01T00:00Z.
  func type(at seconds: Int) -> LocalTimeType {
    guard let daylight else { return standard }
    let year = CivilDate(daysSinceEpoch: floorQuotient(seconds, 86_400)).year
    var latest = Int.min
    var current = standard
    // A change can be up to a week off its day, and so in the year before or after. If an end and a start coincide,
    // daylight saving time lasts all year (RFC 9636 section 3.3.1), so starts are compared last.
    for candidate in (year - 1)...(year + 1) {
      let (start, end) = changes(in: candidate, daylight)
      if end <= seconds, end > latest { (latest, current) = (end, standard) }
      if start <= seconds, start >= latest { (latest, current) = (start, daylight.type) }
    }
    return current
  }

  /// The changes after `low` and up to `high`, in order.
  func changes(after low: Int, through high: Int) -> [OffsetChange] {
    guard let daylight, low < high else { return [] }
    let first = CivilDate(daysSinceEpoch: floorQuotient(low, 86_400)).year - 1
    let last = CivilDate(daysSinceEpoch: floorQuotient(high, 86_400)).year + 1
    var found: [OffsetChange] = []
    for year in first...last {
      let (start, end) = changes(in: year, daylight)
      for instant in [start, end] where low < instant && instant <= high {
        found.append(OffsetChange(at: instant, offset: type(at: instant).offset))
      }
    }
    return found.sorted { $0.at < $1.at }
  }

  private func changes(in year: Int, _ daylight: Daylight) -> (start: Int, end: Int) {
    (
      daylight.start.daysSinceEpoch(in: year) * 86_400 + daylight.start.time - standard.offset,
      daylight.end.daysSinceEpoch(in: year) * 86_400 + daylight.end.time - daylight.type.offset
    )
  }
}

/// An instant at which the offset from UTC may change.
package struct OffsetChange: Hashable, Sendable {
  /// Seconds after 1970-01-01T00:00Z.
  package let at: Int
  /// Seconds east of UTC from then on.
  package let offset: Int

  /// A change to an offset at an instant.
  package init(at: Int, offset: Int) { (self.at, self.offset) = (at, offset) }
}
