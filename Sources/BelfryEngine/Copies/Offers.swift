import BelfryModel

/// The actions that messages offer. Cached and encoded once, since many reminders of one claim share a category.
struct Offers {
  private struct Key: Hashable {
    let isItem: Bool
    let category: String?
  }

  private let settings: Settings
  private var known: [Key: OfferedActions] = [:]

  init(_ settings: Settings) { self.settings = settings }

  /// The actions of a reminder of an item or list in a category.
  mutating func actions(for owner: ReminderOwner, category: String?) -> OfferedActions {
    let isItem = if case .item = owner { true } else { false }
    let key = Key(isItem: isItem, category: category)
    if let actions = known[key] { return actions }
    let minimal = settings.minimalActions(ofCategory: category)
    let actions = OfferedActions(
      settings.actions(for: owner, category: category).map { $0.offered(isMinimal: minimal.contains($0.identifier)) })
    known[key] = actions
    return actions
  }
}

extension CategoryAction {
  /// The action as a message shows it.
  fileprivate func offered(isMinimal: Bool) -> OfferedAction {
    OfferedAction(
      identifier: identifier, title: title, isDestructive: isDestructive,
      requiresAuthentication: requiresAuthentication, activation: activation, operation: operation,
      isMinimal: isMinimal)
  }
}
