import BelfryModel

/// The part of the config that gives a reminder its escalation.
public enum EscalationOrigin: Hashable, Sendable, CustomStringConvertible {
  /// The category with this identifier.
  case category(String)
  /// The lists with names like this pattern.
  case lists(ListPattern)

  /// The part in words: `the category 'medicine'`, `the lists 'Family*'`.
  public var description: String {
    switch self {
    case .category(let identifier): "the category '\(identifier)'"
    case .lists(let pattern): "the lists '\(pattern.text)'"
    }
  }
}

extension Settings {
  /// The part of the config that gives the reminders of a list and category their escalation; `nil` if they have none.
  public func escalationOrigin(forList list: String, category identifier: String?) -> EscalationOrigin? {
    if let identifier, category(identifier)?.escalation != nil { return .category(identifier) }
    guard let rule = lists.first(where: { $0.pattern.matches(list) }), rule.escalation != nil else { return nil }
    return .lists(rule.pattern)
  }
}
