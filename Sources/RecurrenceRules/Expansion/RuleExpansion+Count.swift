extension RuleExpansion {
  /// The occurrence with this number, the first is 1, as if nothing but the end of time ended the rule; `nil` where
  /// the rule has fewer.
  ///
  /// Days, and years where it can be, are counted without looking into them, so even COUNT=1000000000 takes at most as
  /// many steps as there are days up to the end of time.
  func occurrence(number: Int) -> Int? {
    guard number > 0 else { return start - 1 }
    var year = YearDays.none
    guard next(from: start, year: &year) != nil else { return nil }
    return setPositions.isEmpty ? occurrenceByDays(number) : occurrenceByPeriods(number)
  }

  private func occurrenceByDays(_ number: Int) -> Int? {
    var remaining = number
    var year = YearDays.none
    let startDay = floorQuotient(start, secondsPerDay)
    var day = startDay
    while let found = nextDay(from: day, through: RuleExpansion.endOfTime, year: &year) {
      if isEveryDayMet, found != startDay, found == year.first(from: year.firstDay) {
        let inYear = year.days.count * times.count
        if inYear < remaining {
          remaining -= inYear
          day = year.firstDay + year.length
          continue
        }
      }
      let skipped = found == startDay ? countBeforeStart(in: found) : 0
      let inDay = times.count * slots.count(in: found)
      if inDay - skipped >= remaining { return occurrence(number: remaining + skipped, in: found) }
      remaining -= inDay - skipped
      day = found + 1
    }
    return nil
  }

  private func occurrence(number: Int, in day: Int) -> Int {
    let slot = slots.all(in: day)[(number - 1) / times.count]
    return slot * slotLength + times[(number - 1) % times.count]
  }

  /// How many moments of the start's day would match but lie before the start.
  private func countBeforeStart(in day: Int) -> Int {
    let startSlot = floorQuotient(start, slotLength)
    let slots = slots.all(in: day)
    let index = slots.firstIndex(from: startSlot)
    let isInSlot = index < slots.count && slots[index] == startSlot
    return index * times.count + (isInSlot ? times.firstIndex(from: start - startSlot * slotLength) : 0)
  }

  private func occurrenceByPeriods(_ number: Int) -> Int? {
    var remaining = number
    var year = YearDays.none
    var day = firstDayOfStartPeriod
    while let days = nextPeriodDays(from: &day, through: RuleExpansion.endOfTime, year: &year) {
      for index in selectedIndices(setPositions, of: days.count * times.count) {
        let found = days[index / times.count] * secondsPerDay + times[index % times.count]
        guard found >= start else { continue }
        remaining -= 1
        if remaining == 0 { return found }
      }
    }
    return nil
  }
}
