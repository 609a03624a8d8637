import CivilTime

/// The numbering of the days, weeks, months or years that INTERVAL counts.
struct PeriodCalendar: Sendable {
  private let unit: RecurrenceRule.Frequency
  private let weekOffset: Int

  /// Numbers days for a FREQ of a day or less, otherwise periods of FREQ.
  init(_ frequency: RecurrenceRule.Frequency, weekStart: Weekday) {
    unit = frequency
    weekOffset = weekStart.epochOffset
  }

  /// The number of periods in 400 years, after which the Gregorian calendar repeats, weekdays included.
  var perCycle: Int {
    switch unit {
    case .yearly: 400
    case .monthly: 4_800
    case .weekly: 20_871
    case .daily, .hourly, .minutely: 146_097
    }
  }

  /// The number of the period of a day since the epoch.
  func period(of day: Int) -> Int {
    switch unit {
    case .daily, .hourly, .minutely: return day
    case .weekly: return floorQuotient(day - weekOffset, 7)
    case .monthly:
      let date = CivilDate(daysSinceEpoch: day)
      return date.year * 12 + date.month - 1
    case .yearly: return CivilDate(daysSinceEpoch: day).year
    }
  }

  /// The first day, since the epoch, of a period; its number is within two billion.
  func firstDay(of period: Int) -> Int {
    switch unit {
    case .daily, .hourly, .minutely: period
    case .weekly: period * 7 + weekOffset
    case .monthly: CivilDate.firstDay(ofMonth: floorRemainder(period, 12) + 1, in: floorQuotient(period, 12))
    case .yearly: CivilDate.firstDay(ofMonth: 1, in: period)
    }
  }
}
