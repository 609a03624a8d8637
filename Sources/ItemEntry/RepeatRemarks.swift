import BelfryModel
import CivilTime
import RecurrenceRules

extension Item {
  /// Sentences about a repeat that rings less often, or on other days, than its words suggest; empty for none.
  ///
  /// - Parameter show: writes a time on the clock of the item's zone.
  package func repeatRemarks(_ show: (WallTime) -> String) -> [String] {
    guard let recurrence, let due, recurrence.origin == .due else { return [] }
    return [recurrence.remark(onFirst: due.local, show), recurrence.remarkOnLeftOut].compactMap(\.self)
  }
}

extension Recurrence {
  // The due date rings too, even if the rule does not match it.
  fileprivate func remark(onFirst due: WallTime, _ show: (WallTime) -> String) -> String? {
    let next = RecurrenceSet(start: start.civil, rule: rule).next(atOrAfter: due.civil)
    guard let next, next != due.civil else { return nil }
    return "the due date is not a time of the repeat, which goes on with \(show(WallTime(civil: next)))"
  }

  // RFC 5545 skips months without the day.
  fileprivate var remarkOnLeftOut: String? {
    let (date, isPlain) = (start.date, rule.hasDaysOfItsStart)
    if rule.frequency == .monthly, isPlain, date.day > 28 {
      let day = date.day == 31 ? "31st" : "\(date.day)th"
      return "months without a \(day) are left out: 'every month on the last day' has them all"
    }
    guard rule.frequency == .yearly, isPlain, date.month == 2, date.day == 29 else { return nil }
    return "years without 29 February are left out"
  }
}

extension RecurrenceRule {
  /// True if no part of the rule names a day.
  fileprivate var hasDaysOfItsStart: Bool {
    [months, weekNumbers, yearDays, monthDays, setPositions].allSatisfy(\.isEmpty) && weekdays.isEmpty
  }
}
