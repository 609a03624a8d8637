/// All that is known of a zone's clocks: the changes of the past and the rule for what comes after them.
final class ZoneRules: Hashable, Sendable {
  /// Seconds after 1970-01-01T00:00Z at which the clocks changed, ascending.
  private let transitions: [Int]
  /// For each transition, which of `types` holds from then on.
  private let typeIndices: [Int]
  /// Never empty; the first holds before all transitions.
  private let types: [LocalTimeType]
  /// What holds from the last transition on.
  private let footer: PosixZoneRule?

  /// Rules with these parts. As many indices as transitions, each within `types`, are the caller's promise.
  init(transitions: [Int], typeIndices: [Int], types: [LocalTimeType], footer: PosixZoneRule?) {
    self.transitions = transitions
    self.typeIndices = typeIndices
    self.types = types
    self.footer = footer
  }

  /// Rules without history.
  convenience init(_ rule: PosixZoneRule) {
    self.init(transitions: [], typeIndices: [], types: [rule.standard], footer: rule)
  }

  /// UTC's.
  static let utc = ZoneRules(PosixZoneRule(standard: LocalTimeType(offset: 0, abbreviation: "UTC"), daylight: nil))

  /// Whether this is UTC under any name.
  var isUTC: Bool { types.count == 1 && types[0] == ZoneRules.utc.types[0] && footer?.daylight == nil }

  /// What the clocks show at an instant, in seconds after 1970-01-01T00:00Z.
  func type(at seconds: Int) -> LocalTimeType {
    let index = firstTransition(after: seconds)
    guard index < transitions.count else { return type(afterLastAt: seconds) }
    return index == 0 ? types[0] : types[typeIndices[index - 1]]
  }

  /// The instants after `low` and up to `high` at which the clocks change, in order, and the offsets from then on.
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

  /// Whether both always show the same.
  static func == (lhs: ZoneRules, rhs: ZoneRules) -> Bool {
    lhs === rhs
      || (lhs.transitions == rhs.transitions && lhs.typeIndices == rhs.typeIndices && lhs.types == rhs.types
        && lhs.footer == rhs.footer)
  }

  /// Hashes what `==` compares, in part.
  func hash(into hasher: inout Hasher) {
    hasher.combine(transitions.count)
    hasher.combine(types)
    hasher.combine(footer)
  }
}
