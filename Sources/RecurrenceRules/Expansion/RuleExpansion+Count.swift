import CivilTime

/// The result of counting a rule's occurrences.
enum Counted {
  /// The occurrence with that number.
  case found(Int)
  /// The rule has fewer occurrences up to the end of time.
  case fewer
  /// The occurrence is too far away to be counted.
  case tooFar
}

extension RuleExpansion {
  /// The most days examined to count to the end of a rule: about 1,370 years.
  private static let countedDays = 500_000
  /// The most weeks, months or years examined, each of which costs as much as ten days.
  private static let countedPeriods = 50_000

  /// The occurrence with this number, from 1, regardless of the rule's end.
  ///
  /// Days, and whole years if possible, are counted without expanding them.
  func occurrence(number: Int) -> Counted {
    guard number > 0 else { return .found(start - 1) }
    var year = YearDays.none
    guard number <= upperBound, next(from: start, year: &year) != nil else { return .fewer }
    return setPositions.isEmpty ? occurrenceByDays(number) : occurrenceByPeriods(number)
  }

  /// An upper bound of the occurrences up to the end of time.
  private var upperBound: Int {
    let days = (RuleExpansion.endOfTime - start) / secondsPerDay + 2
    guard slotsPerDay == 1 else { return min(days * slots.largestCount, slots.metSlots(in: days)) * times.count }
    let inPeriod = setPositions.isEmpty ? largestPeriod * times.count : setPositions.count
    return metPeriods * inPeriod
  }

  private func occurrenceByDays(_ number: Int) -> Counted {
    var remaining = number
    var steps = 0
    var year = YearDays.none
    let startDay = floorQuotient(start, secondsPerDay)
    var day = startDay
    while let found = nextDay(from: day, through: RuleExpansion.endOfTime, year: &year) {
      steps += 1
      guard steps <= Self.countedDays else { return .tooFar }
      if isEveryDayAlike, found != startDay, found == year.first(from: year.firstDay) {
        let inYear = year.days.count * slots.count(in: found) * times.count
        if inYear < remaining {
          remaining -= inYear
          day = year.firstDay + year.length
          continue
        }
      }
      let skipped = found == startDay ? countBeforeStart(in: found) : 0
      let inDay = times.count * slots.count(in: found)
      if inDay - skipped >= remaining { return .found(occurrence(number: remaining + skipped, in: found)) }
      remaining -= inDay - skipped
      day = found + 1
    }
    return .fewer
  }

  private func occurrence(number: Int, in day: Int) -> Int {
    let slot = slots.all(in: day)[(number - 1) / times.count]
    return slot * slotLength + times[(number - 1) % times.count]
  }

  /// The number of matching moments of the start's day before the start.
  private func countBeforeStart(in day: Int) -> Int {
    let startSlot = floorQuotient(start, slotLength)
    let slots = slots.all(in: day)
    let index = slots.firstIndex(from: startSlot)
    let isInSlot = index < slots.count && slots[index] == startSlot
    return index * times.count + (isInSlot ? times.firstIndex(from: start - startSlot * slotLength) : 0)
  }

  private func occurrenceByPeriods(_ number: Int) -> Counted {
    var remaining = number
    var steps = 0
    var year = YearDays.none
    var day = firstDayOfStartPeriod
    while let days = nextPeriodDays(from: &day, through: RuleExpansion.endOfTime, year: &year) {
      steps += 1
      guard steps <= Self.countedPeriods else { return .tooFar }
      for index in selectedIndices(setPositions, of: days.count * times.count) {
        let found = days[index / times.count] * secondsPerDay + times[index % times.count]
        guard found >= start else { continue }
        remaining -= 1
        if remaining == 0 { return .found(found) }
      }
    }
    return .fewer
  }
}
