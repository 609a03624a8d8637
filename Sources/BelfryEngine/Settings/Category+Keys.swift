import CivilTime
import ConfigKeys

/// The section of a category, without its name.
struct CategoryDraft: Sendable {
  let actions: [CategoryAction]
  let minimal: [String]?
  let alert: AlertOverride

  private static let actionsKey = ConfigKey(
    "actions", .list(of: .located(CategoryAction.configType)), default: [],
    "What can be done from a reminder, at most 4.")
  private static let minimalKey = ConfigKey(
    "minimal", optional: .list(of: .located(.line)),
    "The identifiers of at most 2 actions for where there is little room; the first two where absent.")
  private static let alertKey = ConfigKey(
    "alert", AlertOverride.configType, default: AlertOverride(sound: nil, action: nil),
    "How the alert sounds and what its button says, in place of the general alert.")

  static let configType = ConfigType<CategoryDraft>.section([actionsKey, minimalKey, alertKey]) { section in
    let actions = section.value(actionsKey)
    let minimal = section.value(minimalKey)
    // Invalid actions are left out of the list, so a count of the others would be wrong.
    if !section.hasErrors {
      section.checkActions(actions)
      section.checkMinimal(minimal ?? [], of: actions.map(\.value.identifier))
    }
    return CategoryDraft(
      actions: actions.map(\.value), minimal: minimal?.map(\.value), alert: section.value(alertKey))
  }

  func category(identifier: String) -> Category {
    Category(identifier: identifier, actions: actions, minimal: minimal, sound: alert.sound, action: alert.action)
  }
}

extension ConfigSection {
  fileprivate mutating func checkActions(_ actions: [Located<CategoryAction>]) {
    var seen: Set<String> = []
    for action in actions where !seen.insert(action.value.identifier).inserted {
      error("a second action with the identifier \(inQuotes(action.value.identifier))", at: action.position)
    }
    if let surplus = actions.dropFirst(Category.maximumActions).first {
      error(
        "a category has at most \(Category.maximumActions) actions, this one has \(actions.count)",
        at: surplus.position)
    }
  }

  fileprivate mutating func checkMinimal(_ minimal: [Located<String>], of identifiers: [String]) {
    var seen: Set<String> = []
    for name in minimal {
      if !identifiers.contains(name.value) {
        let suggestion = Suggestion.text(for: name.value, among: identifiers)
        error("no action has the identifier \(inQuotes(name.value))\(suggestion)", at: name.position)
      } else if !seen.insert(name.value).inserted {
        error("\(inQuotes(name.value)) is named twice", at: name.position)
      }
    }
    if let surplus = minimal.dropFirst(Category.maximumMinimal).first {
      error(
        "at most \(Category.maximumMinimal) actions can be named here, not \(minimal.count)", at: surplus.position)
    }
  }
}

extension CategoryAction {
  /// The values of `do:`.
  private enum Word: String, CaseIterable {
    case none, check, snooze, edit, delete
    case clearList = "clear_list"
    case deleteList = "delete_list"
  }

  private static let identifierKey = RequiredConfigKey("identifier", .line, "The name, unique in its category.")
  private static let titleKey = RequiredConfigKey("title", .line, "What its button says.")
  private static let wordKey = ConfigKey("do", .choice(Word.self), default: .none, "What it does.")
  private static let snoozeKey = ConfigKey(
    "for", optional: .calendarDuration, "How long `do: snooze` waits; 10 minutes where absent.")
  private static let activationKey = ConfigKey(
    "activation", .choice(Activation.self), default: .background, "Whether it brings up a program.")
  private static let destructiveKey = ConfigKey(
    "destructive", .boolean, default: false, "Whether it destroys something, and is shown and confirmed as such.")
  private static let authenticationKey = ConfigKey(
    "authentication_required", .boolean, default: false, "Whether the user has to prove who they are before.")
  private static let keys: [any ConfigKeyDescription] = [
    identifierKey, titleKey, wordKey, snoozeKey, activationKey, destructiveKey, authenticationKey,
  ]

  /// An element of a category's `actions`.
  static let configType = ConfigType<CategoryAction>.section(keys) { section in
    let word = section.value(wordKey)
    if section.contains(snoozeKey.name), word != .snooze {
      section.error("'for' belongs to 'do: snooze' only", at: section.position(ofKey: snoozeKey.name))
    }
    if section.value(identifierKey)?.hasPrefix("-") == true {
      section.error(
        "an action's identifier cannot begin with '-': 'belfry act' would take it for an option",
        at: section.position(ofKey: identifierKey.name))
    }
    guard let identifier = section.value(identifierKey), let title = section.value(titleKey) else { return nil }
    return CategoryAction(
      identifier: identifier, title: title,
      operation: operation(word, snooze: section.value(snoozeKey) ?? CalendarDuration(days: 0, minutes: 10)),
      activation: section.value(activationKey), isDestructive: section.value(destructiveKey),
      requiresAuthentication: section.value(authenticationKey))
  }

  private static func operation(_ word: Word, snooze duration: CalendarDuration) -> Operation {
    switch word {
    case .none: .none
    case .check: .check
    case .snooze: .snooze(duration)
    case .edit: .edit
    case .delete: .delete
    case .clearList: .clearList
    case .deleteList: .deleteList
    }
  }
}
