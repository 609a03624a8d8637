import BelfryModel
import CivilTime

/// A kind of reminder, with the actions that it offers.
public struct Category: Hashable, Sendable {
  /// The most actions that a category has.
  static let maximumActions = 4
  /// The most actions shown where space is short.
  static let maximumMinimal = 2

  /// The name by which items refer to it.
  public let identifier: String
  /// The actions, at most four, with distinct identifiers.
  public let actions: [CategoryAction]
  /// The identifiers of the actions to show where space is short, at most two.
  public let minimal: [String]
  /// The parts of the alerts that differ from the general style.
  public let alert: AlertOverride
  /// The escalation of its reminders; `nil` for that of the list.
  public let escalation: EscalationRule?

  /// A category.
  ///
  /// - Parameter minimal: the identifiers of the actions to show where space is short; `nil` for those of the first
  ///   two.
  package init(
    identifier: String, actions: [CategoryAction] = [], minimal: [String]? = nil,
    alert: AlertOverride = AlertOverride(), escalation: EscalationRule? = nil
  ) {
    self.identifier = identifier
    self.actions = actions
    self.minimal = minimal ?? actions.prefix(Category.maximumMinimal).map(\.identifier)
    self.alert = alert
    self.escalation = escalation
  }
}

/// An action that a reminder offers.
public struct CategoryAction: Hashable, Sendable {
  /// The effect of an action.
  public typealias Operation = ActionOperation

  /// The way in which an action is carried out.
  public typealias Activation = OfferedAction.Activation

  /// The name, unique in its category.
  public let identifier: String
  /// The label of its button.
  public let title: String
  /// The effect of the action on its reminder or item.
  public let operation: Operation
  /// The way in which it is carried out.
  public let activation: Activation
  /// True if it destroys something, by its operation or by the config; such an action is marked and asks for
  /// confirmation.
  public let isDestructive: Bool
  /// True if the user must authenticate first.
  public let requiresAuthentication: Bool

  /// True if only someone who has proved who they are may use it.
  public var needsSignIn: Bool { isDestructive || requiresAuthentication }

  package init(
    identifier: String, title: String, operation: Operation = .none, activation: Activation = .background,
    isDestructive: Bool = false, requiresAuthentication: Bool = false
  ) {
    self.identifier = identifier
    self.title = title
    self.operation = operation
    self.activation = activation
    self.isDestructive = isDestructive || operation.word.isDestructive
    self.requiresAuthentication = requiresAuthentication
  }
}
