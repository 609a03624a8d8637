/// The numbering of the days, weeks, months or years that INTERVAL counts.
struct PeriodCalendar: Sendable {
  private enum Unit { case day, week, month, year }
  private let unit: Unit
  private let weekOffset: Int

  /// Numbers days for a FREQ of a day or less, otherwise periods of FREQ.
  init(_ frequency: RecurrenceRule.Frequency, weekStart: Weekday) {
    switch frequency {
    case .yearly: unit = .year
    case .monthly: unit = .month
    case .weekly: unit = .week
    case .daily, .hourly, .minutely: unit = .day
    }
    weekOffset = weekStart.epochOffset
  }

  /// The number of periods in 400 years, after which the Gregorian calendar repeats, weekdays included.
  var perCycle: Int {
    switch unit {
    case .year: 400
    case .month: 4_800
    case .week: 20_871
    case .day: 146_097
    }
  }

  /// The number of the period of a day since the epoch.
  func period(of day: Int) -> Int {
    switch unit {
    case .day: return day
    case .week: return floorQuotient(day - weekOffset, 7)
    case .month:
      let date = CivilDate(daysSinceEpoch: day)
      return date.year * 12 + date.month - 1
    case .year: return CivilDate(daysSinceEpoch: day).year
    }
  }

  /// The first day, since the epoch, of a period; its number is within two billion.
  func firstDay(of period: Int) -> Int {
    switch unit {
    case .day: period
    case .week: period * 7 + weekOffset
    case .month: CivilDate.firstDay(ofMonth: floorRemainder(period, 12) + 1, in: floorQuotient(period, 12))
    case .year: CivilDate.firstDay(ofMonth: 1, in: period)
    }
  }
}
