import CivilTime

/// A recurrence set: a start, rules (RRULE), single dates (RDATE) and exceptions (EXDATE), as in RFC 5545, section
/// 3.8.5.
///
/// The occurrences are those of every rule from the start on, and the single dates, each moment once, without the
/// exceptions. The start itself is an occurrence if a rule matches it, or if there is no rule. COUNT includes excepted
/// occurrences. Occurrences are computed on demand, and every query takes bounded time for any rule. As a sequence, the
/// occurrences in order.
///
/// ```swift
/// // or RecurrenceRule(words: "every month on the last friday")
/// let rule = try RecurrenceRule("FREQ=MONTHLY;BYDAY=-1FR")
/// let set = RecurrenceSet(start: try CivilDateTime("20260130T090000"), rule: rule)
/// set.next(after: try CivilDateTime("20260601T000000"))  // 20260626T090000
/// ```
public struct RecurrenceSet: Sendable {
  /// The start (DTSTART): the anchor of INTERVAL and COUNT, which also gives the parts that a rule leaves out.
  public let start: CivilDateTime
  /// RRULE: the rules of the set.
  public let rules: [RecurrenceRule]
  /// The single dates (RDATE), sorted, including dates before the start.
  public let dates: [CivilDateTime]
  /// The exceptions (EXDATE), sorted.
  let exceptions: [CivilDateTime]

  let expansions: [RuleExpansion]
  let dateMoments: [Int]
  private let exceptionMoments: [Int]

  /// The set of these parts. A start before the year 0 counts as the start of the year 0.
  public init(
    start: CivilDateTime, rules: [RecurrenceRule], dates: [CivilDateTime] = [], exceptions: [CivilDateTime] = []
  ) {
    self.start = start
    self.rules = rules
    self.dates = Set(dates).sorted()
    self.exceptions = Set(exceptions).sorted()
    expansions = rules.map { RuleExpansion($0, start: start) }
    let moments = self.dates.map(\.secondsSinceEpoch)
    dateMoments = rules.isEmpty ? Set(moments + [start.secondsSinceEpoch]).sorted() : moments
    exceptionMoments = self.exceptions.map(\.secondsSinceEpoch)
  }

  /// The set of one rule.
  public init(start: CivilDateTime, rule: RecurrenceRule) { self.init(start: start, rules: [rule]) }

  /// The first occurrence after a time, or `nil` if there is none; `exhaustion` then says why.
  public func next(after time: CivilDateTime) -> CivilDateTime? {
    next(from: time.secondsSinceEpoch + 1).map(CivilDateTime.init(secondsSinceEpoch:))
  }

  /// The first occurrence at a time or after it, or `nil` if there is none; `exhaustion` then says why.
  public func next(atOrAfter time: CivilDateTime) -> CivilDateTime? {
    next(from: time.secondsSinceEpoch).map(CivilDateTime.init(secondsSinceEpoch:))
  }

  /// The last occurrence before a time, or `nil` if there is none.
  public func last(before time: CivilDateTime) -> CivilDateTime? {
    last(before: time.secondsSinceEpoch).map(CivilDateTime.init(secondsSinceEpoch:))
  }

  /// The last occurrence at a time or before it, or `nil` if there is none.
  public func last(atOrBefore time: CivilDateTime) -> CivilDateTime? {
    last(before: time.secondsSinceEpoch + 1).map(CivilDateTime.init(secondsSinceEpoch:))
  }

  /// True if there is an occurrence at exactly this time.
  public func contains(_ time: CivilDateTime) -> Bool { next(atOrAfter: time) == time }

  /// The occurrences from one time through another, computed on demand.
  public func occurrences(from first: CivilDateTime, through last: CivilDateTime) -> Occurrences {
    Occurrences(set: self, first: first.secondsSinceEpoch, last: last.secondsSinceEpoch)
  }

  /// True if a COUNT is too large to be counted. The set then has no end.
  public var isTooFarToCount: Bool { expansions.contains(where: \.isTooFar) }

  /// The reason why the occurrences end, as in every set, or why there are none.
  public var exhaustion: Exhaustion {
    let reasons = expansions.map(\.exhaustion)
    if reasons.contains(.beyondYear9999) { return .beyondYear9999 }
    if reasons.contains(.ended) || !dateMoments.isEmpty { return .ended }
    return reasons.contains(.untilBeforeStart) ? .untilBeforeStart : .neverMatches
  }

  private func next(from moment: Int) -> Int? {
    var iterator = Occurrences.Iterator(set: self, first: moment, last: .max)
    return iterator.nextMoment()
  }

  /// Bisects by forward searches.
  private func last(before moment: Int) -> Int? {
    var iterator = makeIterator()
    var bound = moment
    guard var found = iterator.nextMoment(from: .min, through: bound - 1) else { return nil }
    var step = 60
    while bound - step > found {
      if let later = iterator.nextMoment(from: bound - step, through: bound - 1) {
        found = later
        break
      }
      bound -= step
      step *= 4
    }
    while found + 1 < bound {
      let middle = found + (bound - found + 1) / 2
      if let later = iterator.nextMoment(from: middle, through: bound - 1) { found = later } else { bound = middle }
    }
    return found
  }

  /// True if a moment is an exception.
  func isExcepted(_ moment: Int) -> Bool {
    let index = exceptionMoments.firstIndex(from: moment)
    return index < exceptionMoments.count && exceptionMoments[index] == moment
  }
}

extension RecurrenceSet: Hashable {
  /// Sets are equal if their parts are; different parts may result in the same occurrences.
  public static func == (lhs: RecurrenceSet, rhs: RecurrenceSet) -> Bool {
    lhs.start == rhs.start && lhs.rules == rhs.rules && lhs.dates == rhs.dates && lhs.exceptions == rhs.exceptions
  }

  /// Feeds the parts into a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(start)
    hasher.combine(rules)
    hasher.combine(dates)
    hasher.combine(exceptions)
  }
}

extension RecurrenceSet: Sequence {
  /// An iterator over all occurrences, earliest first.
  public func makeIterator() -> Occurrences.Iterator { .init(set: self, first: .min, last: .max) }
}

extension RandomAccessCollection<Int> where Index == Int {
  /// The index of the first element not less than a value in ascending order, `count` if all are less.
  func firstIndex(from value: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
