import BelfryEngine
import BelfryModel
import CivilTime
import RecurrenceRules

extension Planner {
  /// Sentences about a repeat that rings less often, or on other days, than its words suggest; empty for none.
  ///
  /// - Parameter moment: the zone in which times are shown, and the present.
  package func repeatRemarks(of item: Item, _ moment: Moment) -> [String] {
    guard let recurrence = item.recurrence, let due = item.due?.local, recurrence.origin == .due else { return [] }
    var remarks: [String] = []
    // The due date rings too, even if the rule does not match it.
    if !item.additions.contains(due), !recurrence.matches(due),
      let next = occurrence(of: item, atOrAfter: due.adding(days: 0, minutes: 1))
    {
      let date = moment.full(moment.zone.instant(of: next).instant)
      remarks.append("the due date is not an occurrence of the repeat, which continues on \(date)")
    }
    if let remark = recurrence.remarkOnLeftOut { remarks.append(remark) }
    return remarks
  }
}

extension Recurrence {
  // Without the end, since COUNT counts the start even if the rule does not match it.
  fileprivate func matches(_ due: WallTime) -> Bool {
    guard let endless = rule.ending(.never) else { return true }
    return RecurrenceSet(start: start.civil, rule: endless).next(atOrAfter: due.civil).map(WallTime.init(civil:)) == due
  }

  // RFC 5545 leaves out a day that a month does not have.
  fileprivate var remarkOnLeftOut: String? {
    let date = start.date
    guard rule.hasDaysOfItsStart else { return nil }
    if rule.frequency == .monthly {
      let months = (0..<12).map { (date.month - 1 + $0 * (rule.interval % 12)) % 12 + 1 }
      guard months.contains(where: { CivilDate.daysInMonth($0, of: 2_001) < date.day }) else { return nil }
      let day = date.day == 31 ? "31st" : "\(date.day)th"
      let advice = rule.interval == 1 ? ": 'every month on the last day' has them all" : ""
      return "months without a \(day) are skipped\(advice)"
    }
    guard rule.frequency == .yearly, !rule.interval.isMultiple(of: 4), date.month == 2, date.day == 29 else {
      return nil
    }
    return "years without 29 February are skipped"
  }
}

extension RecurrenceRule {
  /// True if no part of the rule names a day.
  fileprivate var hasDaysOfItsStart: Bool {
    [months, weekNumbers, yearDays, monthDays, setPositions].allSatisfy(\.isEmpty) && weekdays.isEmpty
  }
}
