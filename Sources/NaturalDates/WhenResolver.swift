import CivilTime
import FoundationEssentials

/// Resolves a `WhenExpression` to a wall time, at a given time in a zone.
struct WhenResolver {
  let now: Date
  let zone: Zone
  let defaultTime: TimeOfDay

  var today: CivilDate { zone.wallTime(at: now).date }

  /// The wall time of an expression without a span. `reader` creates the errors.
  func wallTime(_ expression: WhenExpression, _ reader: WhenReader) throws(WhenError) -> WallTime {
    if expression.time == .midnight { return try midnight(expression, reader) }
    var time: TimeOfDay?
    if case .at(let given) = expression.time { time = given }
    let wall: WallTime
    switch expression.day {
    case nil: wall = next(time ?? defaultTime)
    case .on(let date): wall = WallTime(date: date, time: time ?? defaultTime)
    case .today: wall = time.map { WallTime(date: today, time: $0) } ?? laterToday
    case .tonight: wall = try tonight(time, isUnmarked: expression.isTimeUnmarked, reader)
    case .weekday(let weekday, let isNext, let weeksLater):
      wall = self.weekday(weekday, isNext: isNext, at: time ?? defaultTime).adding(days: weeksLater * 7)
    case .dayOfMonth(let day): wall = try dayOfMonth(day, at: time ?? defaultTime, reader)
    case .dayOfYear(let month, let day):
      wall = try dayOfYear(month: month, day: day, at: time ?? defaultTime, reader)
    }
    if let weekday = expression.weekday, weekday != wall.date.weekday {
      let date = "\(wall.date.day) \(WhenWords.name(ofMonth: wall.date.month)) \(wall.date.year)"
      throw reader.refusal("names two days: \(date) is a \(WhenWords.name(of: wall.date.weekday))")
    }
    return wall
  }

  /// The wall time after the days and months of a span, at `time` if given, and the span's exact minutes to add.
  func wallTime(
    after span: TimeSpan, at time: WhenExpression.Time?, _ reader: WhenReader
  ) throws(WhenError) -> (wall: WallTime, minutes: Int) {
    guard !span.isZero else { throw reader.refusal("is less than a minute from now: write in 1 minute or more") }
    let start = zone.wallTime(at: now)
    var date = start.date
    if span.months > 0 {
      let months = date.year * 12 + date.month - 1 + span.months
      let year = min(floorQuotient(months, 12), 10_000)
      let month = floorRemainder(months, 12) + 1
      // In a shorter month, its last day.
      let day = min(date.day, CivilDate.daysInMonth(month, of: year))
      date = CivilDate(year: year, month: month, day: day) ?? date
    }
    date = date.adding(days: span.days)
    guard (1_970...9_999).contains(date.year) else {
      throw reader.refusal("is too far away: dates run from 1970 to 9999")
    }
    guard let time else { return (WallTime(date: date, time: start.time), span.minutes) }
    guard span.minutes == 0, case .at(let time) = time else {
      throw reader.refusal("names two times: write in 2 weeks at 9am, or in 10 minutes")
    }
    return (WallTime(date: date, time: time), 0)
  }

  private func isAhead(_ wall: WallTime) -> Bool { zone.instant(of: wall).instant > now }

  private func next(_ time: TimeOfDay) -> WallTime {
    let wall = WallTime(date: today, time: time)
    return isAhead(wall) ? wall : wall.adding(days: 1)
  }

  /// The default time of the current day, or the next full hour if that is past.
  private var laterToday: WallTime {
    let usual = WallTime(date: today, time: defaultTime)
    guard !isAhead(usual) else { return usual }
    let hour = zone.wallTime(at: now).time.hour + 1
    return WallTime(date: today.adding(days: hour / 24), time: TimeOfDay(minutesSinceMidnight: hour % 24 * 60))
  }

  private func tonight(_ time: TimeOfDay?, isUnmarked: Bool, _ reader: WhenReader) throws(WhenError) -> WallTime {
    var time = time ?? WhenExpression.usualEvening
    // `tonight at 8` uses a 12-hour clock.
    if isUnmarked, (6..<12).contains(time.hour) {
      time = TimeOfDay(minutesSinceMidnight: (time.hour + 12) * 60 + time.minute)
    }
    // Hours before 6:00 belong to the night that started the day before.
    if time.hour < 6 { return next(time) }
    guard time.hour >= 17 else {
      let other = time == TimeOfDay(hour: 12, minute: 0) ? "midnight" : "today \(time)"
      throw reader.refusal("is not at night: write \(other), or a time from 17:00")
    }
    return WallTime(date: today, time: time)
  }

  private func midnight(_ expression: WhenExpression, _ reader: WhenReader) throws(WhenError) -> WallTime {
    let time = TimeOfDay(minutesSinceMidnight: 0)
    if expression.day == nil || [.today, .tonight, .on(today)].contains(expression.day) {
      return WallTime(date: today, time: time).adding(days: 1)
    }
    var start = expression
    start.time = .at(time)
    let wall = try wallTime(start, reader)
    throw reader.refusal("could be the beginning or the end of the day: write \(wall) or \(wall.adding(days: 1))")
  }

  private func weekday(_ weekday: Weekday, isNext: Bool, at time: TimeOfDay) -> WallTime {
    let ahead = floorRemainder(weekday.rawValue - today.weekday.rawValue, 7)
    var wall = WallTime(date: today.adding(days: ahead), time: time)
    if !isAhead(wall) { wall = wall.adding(days: 7) }
    let sunday = today.adding(days: 7 - today.weekday.rawValue)
    return isNext && wall.date <= sunday ? wall.adding(days: 7) : wall
  }

  private func dayOfMonth(_ day: Int, at time: TimeOfDay, _ reader: WhenReader) throws(WhenError) -> WallTime {
    let first = today.year * 12 + today.month - 1
    // One of any two consecutive months has 31 days, so every day occurs within three months.
    for months in first...(first + 3) {
      let date = CivilDate(year: floorQuotient(months, 12), month: floorRemainder(months, 12) + 1, day: day)
      if let date, isAhead(WallTime(date: date, time: time)) { return WallTime(date: date, time: time) }
    }
    throw reader.refusal("has no later occurrence: dates run from 1970 to 9999")
  }

  private func dayOfYear(
    month: Int, day: Int, at time: TimeOfDay, _ reader: WhenReader
  ) throws(WhenError) -> WallTime {
    // 29 February can be eight years away, as in 1896 or 2096.
    for year in today.year...(today.year + 8) {
      let date = CivilDate(year: year, month: month, day: day)
      if let date, isAhead(WallTime(date: date, time: time)) { return WallTime(date: date, time: time) }
    }
    throw reader.refusal("has no later occurrence: dates run from 1970 to 9999")
  }
}
