import CivilTime

/// The occurrences of a recurrence set within a span, computed one by one.
public struct Occurrences: Sequence, Sendable {
  let set: RecurrenceSet
  let first: Int
  let last: Int

  /// An iterator from the start of the span.
  public func makeIterator() -> Iterator { Iterator(set: set, first: first, last: last) }

  /// A position in the occurrences of a set.
  public struct Iterator: IteratorProtocol, Sendable {
    private let set: RecurrenceSet
    private var last: Int
    private var moment: Int?
    private var years: [YearDays]
    private var heads: [Int]

    init(set: RecurrenceSet, first: Int, last: Int) {
      self.set = set
      self.last = last
      moment = first
      years = Array(repeating: .none, count: set.expansions.count)
      heads = Array(repeating: .min, count: set.expansions.count)
    }

    /// The next occurrence, or `nil` after the last of the span.
    public mutating func next() -> CivilDateTime? { nextMoment().map(CivilDateTime.init(secondsSinceEpoch:)) }

    /// The next occurrence in seconds since the epoch.
    mutating func nextMoment() -> Int? {
      while let from = moment {
        guard let found = earliest(from: from), found <= last else {
          moment = nil
          return nil
        }
        moment = found + 1
        if !set.isExcepted(found) { return found }
      }
      return nil
    }

    /// The first occurrence within another span, which may be earlier.
    mutating func nextMoment(from first: Int, through last: Int) -> Int? {
      moment = first
      self.last = last
      for index in heads.indices { heads[index] = .min }
      return nextMoment()
    }

    /// The earliest of the rules' next occurrences and the single dates. A rule is searched again only after its last
    /// result was used.
    private mutating func earliest(from moment: Int) -> Int? {
      let index = set.dateMoments.firstIndex(from: moment)
      var earliest = index < set.dateMoments.count ? set.dateMoments[index] : .max
      for (index, expansion) in set.expansions.enumerated() {
        if heads[index] < moment || heads[index] == .min {
          heads[index] = expansion.next(from: moment, through: last, year: &years[index]) ?? .max
        }
        earliest = Swift.min(earliest, heads[index])
      }
      return earliest == .max ? nil : earliest
    }
  }
}
