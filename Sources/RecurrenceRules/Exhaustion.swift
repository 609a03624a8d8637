/// The reason why a recurrence set has no further occurrence.
public enum Exhaustion: Hashable, Sendable {
  /// COUNT or UNTIL has been reached, possibly before the rule first matched, or the last single date has passed.
  case ended
  /// UNTIL is before the start.
  case untilBeforeStart
  /// No date in any year from the start on matches the rule, for instance 30 February.
  case neverMatches
  /// The next occurrence is after the year 9999, the last year that RFC 5545 can represent.
  case beyondYear9999
}

extension Exhaustion: CustomStringConvertible {
  /// A sentence for people, without a full stop.
  public var description: String {
    switch self {
    case .ended: "the rule has ended"
    case .untilBeforeStart: "UNTIL is before the start"
    case .neverMatches: "no date in any year matches the rule"
    case .beyondYear9999: "the next occurrence would be after the year 9999"
    }
  }
}

extension RuleExpansion {
  /// The reason why the rule ends.
  var exhaustion: Exhaustion {
    var year = YearDays.none
    if next(from: start, year: &year) != nil { return isOpenEnded ? .beyondYear9999 : .ended }
    if last < start { return start > RuleExpansion.endOfTime ? .beyondYear9999 : .untilBeforeStart }
    if !matchesEver { return .neverMatches }
    return isOpenEnded ? .beyondYear9999 : .ended
  }
}
