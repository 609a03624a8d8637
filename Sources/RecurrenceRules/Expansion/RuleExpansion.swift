import CivilTime

/// A rule prepared for searches from its start: days as bit sets, times as a table, its end as a moment.
///
/// All moments are seconds since the epoch on the wall clock. A search aligns to INTERVAL by division, takes the next
/// allowed day from the year's bit set and the next time from the table, so its cost does not depend on the distance
/// from the start. COUNT is converted to a moment once, in `init`.
///
/// A slot is the span of one table of times: a day, or for FREQ=HOURLY or MINUTELY an hour or a minute.
struct RuleExpansion: Sendable {
  /// 9999-12-31T23:59:59, the last moment that RFC 5545 can represent.
  static let endOfTime = 253_402_300_799
  /// 0000-01-01T00:00:00, the first moment that RFC 5545 can represent.
  static let startOfTime = -62_167_219_200

  /// The first moment of a possible occurrence.
  let start: Int
  /// The last moment of a possible occurrence.
  private(set) var last: Int
  /// True if the rule has no end.
  private(set) var isOpenEnded: Bool
  /// True if COUNT is too large to be counted; the rule then has no end.
  private(set) var isTooFar = false

  let slotLength: Int
  let slotsPerDay: Int
  let times: TimeTable
  let slots: SlotFilter
  let setPositions: [Int]
  private let filter: DayFilter
  private let periods: PeriodCalendar
  private var dayInterval: Int
  private let startPeriod: Int
  let largestPeriod: Int

  init(_ rule: RecurrenceRule, start: CivilDateTime) {
    self.start = max(start.secondsSinceEpoch, RuleExpansion.startOfTime)
    let start = CivilDateTime(secondsSinceEpoch: self.start)
    let hours = rule.hours.isEmpty ? [start.hour] : rule.hours
    let minutes = rule.minutes.isEmpty ? [start.minute] : rule.minutes
    let seconds = rule.seconds.isEmpty ? [start.second] : rule.seconds
    let positions = rule.setPositions
    dayInterval = 1
    setPositions = rule.frequency.isCoarserThanDay ? positions : []
    switch rule.frequency {
    case .yearly, .monthly, .weekly, .daily:
      (slotLength, slotsPerDay) = (secondsPerDay, 1)
      times = TimeTable(
        hours: hours, minutes: minutes, seconds: seconds, positions: rule.frequency == .daily ? positions : [])
      dayInterval = rule.interval
    case .hourly:
      (slotLength, slotsPerDay) = (3_600, 24)
      times = TimeTable(hours: [0], minutes: minutes, seconds: seconds, positions: positions)
    case .minutely:
      (slotLength, slotsPerDay) = (60, 1_440)
      times = TimeTable(hours: [0], minutes: [0], seconds: seconds, positions: positions)
    }
    slots = SlotFilter(rule, slotsPerDay: slotsPerDay, startSlot: floorQuotient(self.start, slotLength))
    filter = DayFilter(rule, start: start.date)
    largestPeriod = filter.largestPeriod(rule.frequency)
    periods = PeriodCalendar(rule.frequency, weekStart: rule.weekStart)
    startPeriod = periods.period(of: floorQuotient(self.start, secondsPerDay))
    last = RuleExpansion.endOfTime
    isOpenEnded = true
    setEnd(rule.end)
  }

  private mutating func setEnd(_ end: RecurrenceRule.End) {
    let moment: Int?
    switch end {
    case .never: moment = nil
    case .until(.date(let date)): moment = date.daysSinceEpoch * secondsPerDay + secondsPerDay - 1
    case .until(.local(let time)), .until(.utc(let time)): moment = time.secondsSinceEpoch
    case .count(let count):
      switch occurrence(number: count) {
      case .found(let found): moment = found
      case .fewer: moment = nil
      case .tooFar: (moment, isTooFar) = (nil, true)
      }
    }
    guard let moment else { return }
    last = min(last, moment)
    isOpenEnded = false
  }

  /// The first occurrence within a span. `year` is a cache for consecutive searches forward.
  func next(from moment: Int, through limit: Int = .max, year: inout YearDays) -> Int? {
    let (from, last) = (max(moment, start), min(last, limit))
    if let found = search(from: from, through: min(last, from + RuleExpansion.cycle), year: &year) { return found }
    guard from + RuleExpansion.cycle < last, !isCyclic, matchesEver else { return nil }
    return search(from: from + RuleExpansion.cycle, through: last, year: &year)
  }

  /// True if the rule would match in any year of an endless calendar, regardless of its end.
  ///
  /// The calendar repeats after 400 years. In an endless calendar, INTERVAL thus reaches the same days, or slots,
  /// as an interval of the greatest common divisor of INTERVAL and the number of days, or slots, in 400 years, which
  /// reaches all of them within the first 400 years.
  var matchesEver: Bool {
    var dense = self
    dense.dayInterval = greatestCommonDivisor(dayInterval, periods.perCycle)
    let denseSlots = slots.denser(cycle: slotsPerCycle)
    var year = YearDays.none
    return dense.search(from: start, through: start + RuleExpansion.cycle, slots: denseSlots, year: &year) != nil
  }

  /// False if it is known without a search that no occurrence is possible.
  var canMatch: Bool {
    let largestSet = largestPeriod * times.count
    return times.count > 0 && !slots.isEmpty
      && (setPositions.isEmpty || setPositions.contains { $0 <= largestSet && -$0 <= largestSet })
  }

  /// True if the occurrences repeat after 400 years, as the calendar does.
  private var isCyclic: Bool { periods.perCycle % dayInterval == 0 && slots.isCyclic(cycle: slotsPerCycle) }

  private var slotsPerCycle: Int { 146_097 * slotsPerDay }

  /// 400 years in seconds.
  private static let cycle = 146_097 * secondsPerDay

  private func search(from moment: Int, through last: Int, slots: SlotFilter? = nil, year: inout YearDays) -> Int? {
    guard moment <= last, canMatch else { return nil }
    let found =
      setPositions.isEmpty
      ? searchSlots(from: moment, through: last, slots: slots ?? self.slots, year: &year)
      : searchPeriods(from: moment, through: last, year: &year)
    return found.flatMap { $0 <= last ? $0 : nil }
  }
}

extension RecurrenceRule.Frequency {
  fileprivate var isCoarserThanDay: Bool { self == .yearly || self == .monthly || self == .weekly }
}

// MARK: - Search

extension RuleExpansion {
  private func searchSlots(from moment: Int, through last: Int, slots: SlotFilter, year: inout YearDays) -> Int? {
    let slot = floorQuotient(moment, slotLength)
    guard var found = nextSlot(from: slot, through: last, slots: slots, year: &year) else { return nil }
    var index = 0
    if found == slot {
      index = times.firstIndex(from: moment - slot * slotLength)
      if index == times.count {
        guard let following = nextSlot(from: slot + 1, through: last, slots: slots, year: &year) else { return nil }
        (found, index) = (following, 0)
      }
    }
    return found * slotLength + times[index]
  }

  /// The first allowed slot, on or after `slot`, that INTERVAL does not skip.
  private func nextSlot(from slot: Int, through last: Int, slots: SlotFilter, year: inout YearDays) -> Int? {
    guard slotsPerDay > 1 else { return nextDay(from: slot, through: last, year: &year) }
    var slot = slot
    while let day = nextDay(from: floorQuotient(slot, slotsPerDay), through: last, year: &year) {
      switch slots.next(from: max(slot, day * slotsPerDay), in: day) {
      case .found(let found): return found
      case .notBefore(let later): slot = later
      }
    }
    return nil
  }

  /// The first allowed day, on or after `day`, of a period that INTERVAL does not skip.
  func nextDay(from day: Int, through last: Int, year: inout YearDays) -> Int? {
    let lastDay = floorQuotient(last, secondsPerDay)
    var day = day
    while true {
      let (period, isMet) = nextPeriod(from: periods.period(of: day))
      if !isMet { day = periods.firstDay(of: period) }
      guard let found = nextAllowedDay(from: day, through: lastDay, year: &year) else { return nil }
      if found == day || nextPeriod(from: periods.period(of: found)).isMet { return found }
      day = found
    }
  }

  /// The first allowed day of any period, on or after `day`.
  private func nextAllowedDay(from day: Int, through lastDay: Int, year: inout YearDays) -> Int? {
    var day = day
    while day <= lastDay {
      if !year.contains(day) { year = filter.days(of: CivilDate(daysSinceEpoch: day).year) }
      if let found = year.first(from: day) { return found <= lastDay ? found : nil }
      day = year.firstDay + year.length
    }
    return nil
  }

  /// The first period, from `period` on, that INTERVAL does not skip, and whether it is `period` itself.
  private func nextPeriod(from period: Int) -> (period: Int, isMet: Bool) {
    let ahead = floorRemainder(startPeriod - period, dayInterval)
    return (period + ahead, ahead == 0)
  }

  var firstDayOfStartPeriod: Int { periods.firstDay(of: startPeriod) }

  /// True if INTERVAL skips no day, and leaves the same number of slots in each.
  var isEveryDayAlike: Bool { dayInterval == 1 && slots.isEveryDayAlike }

  /// An upper bound of the periods that INTERVAL does not skip up to the end of time.
  var metPeriods: Int {
    (periods.period(of: RuleExpansion.endOfTime / secondsPerDay) - startPeriod) / dayInterval + 1
  }

  private func searchPeriods(from moment: Int, through last: Int, year: inout YearDays) -> Int? {
    var day = periods.firstDay(of: periods.period(of: floorQuotient(moment, secondsPerDay)))
    while let days = nextPeriodDays(from: &day, through: last, year: &year) {
      for index in selectedIndices(setPositions, of: days.count * times.count) {
        let found = days[index / times.count] * secondsPerDay + times[index % times.count]
        if found >= moment { return found }
      }
    }
    return nil
  }

  /// The allowed days of the first period, from `day` on, that has any; `day` moves to the start of the next period.
  func nextPeriodDays(from day: inout Int, through last: Int, year: inout YearDays) -> [Int]? {
    guard let first = nextDay(from: day, through: last, year: &year) else { return nil }
    let end = periods.firstDay(of: periods.period(of: first) + 1)
    var days = [first]
    day = first + 1
    while let next = nextAllowedDay(from: day, through: end - 1, year: &year) {
      days.append(next)
      day = next + 1
    }
    day = end
    return days
  }
}
