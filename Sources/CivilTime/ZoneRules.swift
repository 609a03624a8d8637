/// The rules of a zone: its past changes, and the rule for all later ones.
final class ZoneRules: Hashable, Sendable {
  /// Seconds after 1970-01-01T00:00Z at which the clocks changed, ascending.
  private let transitions: [Int]
  /// The index in `types` that applies from each transition on.
  private let typeIndices: [Int]
  /// Never empty; the first applies before all transitions.
  private let types: [LocalTimeType]
  /// The rule from the last transition on.
  private let footer: PosixZoneRule?

  /// Rules with these parts. The caller guarantees as many indices as transitions, each within `types`.
  init(transitions: [Int], typeIndices: [Int], types: [LocalTimeType], footer: PosixZoneRule?) {
    self.transitions = transitions
    self.typeIndices = typeIndices
    self.types = types
    self.footer = footer
  }

  /// Rules that have held, and will hold, at all times.
  convenience init(_ rule: PosixZoneRule) {
    self.init(transitions: [], typeIndices: [], types: [rule.standard], footer: rule)
  }

  static let utc = ZoneRules(PosixZoneRule(standard: LocalTimeType(offset: 0, abbreviation: "UTC"), daylight: nil))

  /// True if this is UTC under any name.
  var isUTC: Bool { types.count == 1 && types[0] == ZoneRules.utc.types[0] && footer?.daylight == nil }

  /// The local time type at an instant, in seconds after 1970-01-01T00:00Z.
  func type(at seconds: Int) -> LocalTimeType {
    let index = firstTransition(after: seconds)
    guard index < transitions.count else { return type(afterLastAt: seconds) }
    return index == 0 ? types[0] : types[typeIndices[index - 1]]
  }

  /// The changes after `low` and up to `high`, in order.
  func changes(after low: Int, through high: Int) -> [OffsetChange] {
    var found: [OffsetChange] = []
    var index = firstTransition(after: low)
    while index < transitions.count, transitions[index] <= high {
      found.append(OffsetChange(at: transitions[index], offset: type(at: transitions[index]).offset))
      index += 1
    }
    if index == transitions.count, let footer {
      found += footer.changes(after: max(low, transitions.last ?? low), through: high)
    }
    return found
  }

  private func type(afterLastAt seconds: Int) -> LocalTimeType {
    if let footer { return footer.type(at: seconds) }
    return types[typeIndices.last ?? 0]
  }

  private func firstTransition(after seconds: Int) -> Int {
    var low = 0
    var high = transitions.count
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle] <= seconds { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// True if both have the same rules.
  static func == (lhs: ZoneRules, rhs: ZoneRules) -> Bool {
    lhs === rhs
      || (lhs.transitions == rhs.transitions && lhs.typeIndices == rhs.typeIndices && lhs.types == rhs.types
        && lhs.footer == rhs.footer)
  }

  /// Hashes a part of the rules.
  func hash(into hasher: inout Hasher) {
    hasher.combine(transitions.count)
    hasher.combine(types)
    hasher.combine(footer)
  }
}
