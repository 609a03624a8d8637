import BelfryModel
import CivilTime
import FoundationEssentials
import RecurrenceRules

extension Change {
  /// The item after a check: a repeating one advances to its next occurrence, and is checked only if there is none.
  ///
  /// - Parameter answered: the occurrence that an answer is about. The item then moves to the occurrence after it, even
  ///   if that has passed. For `nil` it moves to the next occurrence after now.
  func checked(_ item: Item, answering answered: WallTime? = nil) throws -> Item {
    var item = item
    item.checkedAt = stamp
    item.updatedAt = stamp
    guard let due = item.due, let recurrence = item.recurrence else {
      item.isChecked = true
      return item
    }
    let zone = try planner.zone(item.zone)
    let moment = zone.wallTime(at: now)
    item.lastChecked = CheckedOccurrence(due: due.local, start: recurrence.start)
    guard let moved = try movedOn(item, recurrence, due: due.local, beyond: answered, moment: moment, zone: zone) else {
      item.isChecked = true
      return item
    }
    item.recurrence = moved.recurrence
    item.due = try planner.resolve(moved.due, in: zone)
    return item
  }

  /// The item after an uncheck: a repeating one returns to the occurrence that was checked last, once.
  func unchecked(_ item: Item) throws -> Item {
    var item = item
    let wasChecked = item.isChecked
    item.isChecked = false
    item.checkedAt = nil
    item.updatedAt = stamp
    guard let recurrence = item.recurrence, let last = item.lastChecked else { return item }
    item.lastChecked = nil
    guard !wasChecked || item.due?.local != last.due else { return item }
    item.recurrence = Recurrence(
      rule: wasChecked ? recurrence.rule : recurrence.ruleBeforeCheck, start: last.start, origin: recurrence.origin)
    item.due = try planner.resolve(last.due, in: planner.zone(item.zone))
    return item
  }

  private func movedOn(
    _ item: Item, _ recurrence: Recurrence, due: WallTime, beyond answered: WallTime?, moment: WallTime, zone: Zone
  ) throws -> (recurrence: Recurrence, due: WallTime)? {
    switch recurrence.origin {
    case .due:
      let series = OccurrenceSeries(
        due: due, recurrence: recurrence, exceptions: item.exceptions, additions: item.additions, zone: zone)
      return series.next(after: max(answered ?? moment, due)).map { (recurrence, $0) }
    case .done:
      // COUNT is the number of occurrences left, since each check restarts the rule, which would otherwise never end.
      var rule = recurrence.rule
      if case .count(let count) = rule.end {
        guard count > 1, let shorter = rule.ending(.count(count - 1)) else { return nil }
        rule = shorter
      }
      guard let start = rule.oneInterval(after: moment.civil).map(WallTime.init(civil:)) else { return nil }
      let first = RecurrenceSet(start: start.civil, rule: rule).next(atOrAfter: start.civil).map(WallTime.init(civil:))
      guard let first else { return nil }
      // COUNT counts the anchor as the first occurrence, so the anchor must be an occurrence.
      let anchor = if case .count = rule.end { first } else { start }
      let next = Recurrence(rule: rule, start: anchor, origin: .done)
      let series = OccurrenceSeries(due: anchor, recurrence: next, zone: zone)
      return (next, series.contains(first) ? first : start)
    }
  }
}

extension Recurrence {
  // The rule with the COUNT that it had before the last check.
  fileprivate var ruleBeforeCheck: RecurrenceRule {
    guard origin == .done, case .count(let count) = rule.end, count < Int.max else { return rule }
    return rule.ending(.count(count + 1)) ?? rule
  }
}
