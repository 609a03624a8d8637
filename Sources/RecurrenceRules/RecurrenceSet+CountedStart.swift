import CivilTime

extension RecurrenceSet {
  /// The set of one rule whose COUNT counts the start first, even if the rule does not match it, as RFC 5545, section
  /// 3.8.5.3, says of DTSTART.
  ///
  /// For callers whose start always occurs. If the rule does not match the start, it becomes a date of the set, and the
  /// rule has one occurrence fewer. A rule that matches another second of the start's minute matches the start. Without
  /// COUNT the set is that of ``init(start:rule:)``.
  public init(start: CivilDateTime, countingStart rule: RecurrenceRule) {
    guard case .count(let count) = rule.end, let endless = rule.ending(.never),
      RecurrenceSet(start: start, rule: endless).next(atOrAfter: start)?.minutesSinceEpoch != start.minutesSinceEpoch
    else {
      self.init(start: start, rule: rule)
      return
    }
    self.init(start: start, rules: rule.ending(.count(count - 1)).map { [$0] } ?? [], dates: [start])
  }
}
