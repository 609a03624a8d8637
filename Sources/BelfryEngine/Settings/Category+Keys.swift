import BelfryModel
import CivilTime
import ConfigKeys

/// The section of a category.
struct CategoryDraft: NamedDraft {
  var name = ""
  private var actions: [CategoryAction] = []
  private var minimal: [Located<String>]?
  private var alert = AlertOverride()
  private(set) var escalation: EscalationRuleDraft?

  static let configType = ConfigType<CategoryDraft>.section { section in
    var draft = CategoryDraft()
    section.read("actions", &draft.actions, .actions, "The actions that a reminder offers, at most 4.")
    section.read(
      "minimal", &draft.minimal, .list(of: .located(.line)),
      "The identifiers of at most 2 actions for small displays; by default the first two.")
    section.read(
      "alert", &draft.alert, AlertOverride.configType,
      "The sound, the button and the urgency of its alerts, instead of the general ones.")
    draft.escalation = EscalationRuleDraft(&section)
    // Invalid actions are left out of the list, but may be named.
    let actions = section.elements(under: "actions")
    section.checkMinimal(draft.minimal ?? [], of: actions.map { $0.text(under: CategoryAction.identifierKey) })
    if !section.hasErrors { section.checkAcknowledgement(draft.actions) }
    return draft
  }

  var category: Category {
    Category(
      identifier: name, actions: actions, minimal: minimal?.map(\.value), alert: alert,
      escalation: escalation?.rule)
  }
}

extension ConfigSection {
  // Without actions in its category, a list's own reminder offers one that acknowledges.
  fileprivate mutating func checkAcknowledgement(_ actions: [CategoryAction]) {
    let wait = place("again_after")
    guard wait.isGiven, !actions.isEmpty, !actions.contains(where: { $0.operation == .acknowledge }) else { return }
    warning("'again_after' has no effect: no action acknowledges", at: wait.key)
  }

  /// - Parameter identifiers: those of all actions; `nil` for one without.
  fileprivate mutating func checkMinimal(_ minimal: [Located<String>], of identifiers: [String?]) {
    var seen: Set<String> = []
    for name in minimal {
      if !identifiers.contains(name.value), !identifiers.contains(nil) {
        let suggestion = Suggestion.text(for: name.value, among: identifiers.compactMap(\.self))
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
  fileprivate static let identifierKey = "identifier"

  /// An element of a category's `actions`.
  static let configType = ConfigType<CategoryAction>.section { section in
    let identifier = section.require(identifierKey, .line, "The identifier, unique in its category.")
    let title = section.require("title", .line, "The label of its button.")
    var operation = ActionOperation.Word.none
    section.read("do", &operation, .choice, "The operation.")
    var wait = CalendarDuration?.none
    let waitKey = section.read("for", &wait, .calendarDuration, "The delay of `do: snooze`; 10 minutes by default.")
    var activation = Activation.background
    section.read("activation", &activation, .choice, "Whether it opens a program.")
    var isDestructive = false
    section.read(
      "destructive", &isDestructive, .boolean, "Whether it is destructive; then it is marked as such and confirmed.")
    var requiresAuthentication = false
    section.read(
      "authentication_required", &requiresAuthentication, .boolean,
      "Whether the user must authenticate first.")

    if waitKey.isGiven, operation != .snooze {
      section.error("'for' belongs to 'do: snooze' only", at: waitKey.key)
    }
    guard let identifier, let title else { return nil }
    if identifier.hasPrefix("-") {
      section.error(
        "an action's identifier cannot begin with '-': 'belfry act' would take it for an option",
        at: section.place(identifierKey).key)
    }
    return CategoryAction(
      identifier: identifier, title: title,
      operation: ActionOperation(operation, snooze: wait ?? ActionOperation.usualSnooze), activation: activation,
      isDestructive: isDestructive, requiresAuthentication: requiresAuthentication)
  }
}

extension ConfigType where Value == [CategoryAction] {
  /// Actions that are offered together: at most four, each identifier once.
  static let actions = ConfigType(shape: .list(CategoryAction.configType.shape)) { node, report in
    let type = ConfigType<[CategoryAction]>.list(of: CategoryAction.configType)
    guard let actions = type.decode(node, &report), case .sequence(let nodes) = node.content else { return nil }
    // Invalid actions are missing from the list, but count.
    var seen: Set<String> = []
    for node in nodes {
      guard let identifier = node.text(under: CategoryAction.identifierKey), !seen.insert(identifier).inserted else {
        continue
      }
      report.error("a second action with the identifier \(inQuotes(identifier))", at: node.position)
    }
    if let surplus = nodes.dropFirst(Category.maximumActions).first {
      report.error(
        "a category has at most \(Category.maximumActions) actions, found \(nodes.count)", at: surplus.position)
    }
    return nodes.count == actions.count ? actions : nil
  }
}
