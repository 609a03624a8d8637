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
  /// The escalation of the reminders of a list and category; `nil` for none.
  ///
  /// The category takes precedence over the list; of the list patterns, the first that matches decides.
  public func escalation(forList list: String, category identifier: String?) -> Escalation? {
    escalationRule(forList: list, category: identifier)?.rule.escalation(among: escalations)
  }

  /// The part of the config that gives the reminders of a list and category their escalation; `nil` if they have none.
  public func escalationOrigin(forList list: String, category identifier: String?) -> EscalationOrigin? {
    escalationRule(forList: list, category: identifier)?.origin
  }

  private func escalationRule(
    forList list: String, category identifier: String?
  ) -> (rule: EscalationRule, origin: EscalationOrigin)? {
    if let identifier, let rule = category(identifier)?.escalation { return (rule, .category(identifier)) }
    guard let first = lists.first(where: { $0.pattern.matches(list) }), let rule = first.escalation else { return nil }
    return (rule, .lists(first.pattern))
  }
}
