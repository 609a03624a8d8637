import BelfryModel

/// The part of the config that gives a reminder its ladder.
public enum LadderOrigin: Hashable, Sendable, CustomStringConvertible {
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
  /// The part of the config that gives the reminders of a list and category their ladder; `nil` if they have none.
  public func ladderOrigin(forList list: String, category identifier: String?) -> LadderOrigin? {
    if let identifier, category(identifier)?.ladder != nil { return .category(identifier) }
    guard let rule = lists.first(where: { $0.pattern.matches(list) }), rule.ladder != nil else { return nil }
    return .lists(rule.pattern)
  }
}
