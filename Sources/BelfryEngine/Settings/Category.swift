import BelfryModel
import CivilTime

/// A kind of reminder, with the actions that it offers.
public struct Category: Hashable, Sendable {
  /// The most actions that a category has.
  public static let maximumActions = 4
  /// The most actions that are offered where there is little room.
  public static let maximumMinimal = 2

  /// The name under which items refer to it.
  public let identifier: String
  /// The actions, at most four, each identifier once.
  public let actions: [CategoryAction]
  /// The identifiers of the actions to offer where there is little room, at most two.
  public let minimal: [String]
  /// The sound in place of the general one.
  public let sound: String?
  /// What the button says in place of the general text.
  public let action: String?

  /// A category.
  ///
  /// - Parameter minimal: the identifiers for where there is little room; `nil` for those of the first two actions.
  public init(
    identifier: String, actions: [CategoryAction] = [], minimal: [String]? = nil, sound: String? = nil,
    action: String? = nil
  ) {
    self.identifier = identifier
    self.actions = actions
    self.minimal = minimal ?? actions.prefix(Category.maximumMinimal).map(\.identifier)
    self.sound = sound
    self.action = action
  }
}

/// Something that can be done from a reminder.
public struct CategoryAction: Hashable, Sendable {
  /// What an action does.
  public enum Operation: Hashable, Sendable {
    /// Nothing: the reminder is only acknowledged.
    case none
    /// Checks the item.
    case check
    /// Rings again after a while.
    case snooze(CalendarDuration)
    /// Opens the item or list to edit it.
    case edit
    /// Deletes the item.
    case delete
    /// Deletes every item of the list.
    case clearList
    /// Deletes the list.
    case deleteList
  }

  /// Whether an action brings up a program.
  public typealias Activation = OfferedAction.Activation

  /// The name, unique in its category.
  public let identifier: String
  /// What its button says.
  public let title: String
  /// What it does.
  public let operation: Operation
  /// Whether it brings up a program.
  public let activation: Activation
  /// Whether it destroys something, and so is shown and confirmed as such.
  public let isDestructive: Bool
  /// Whether the user has to prove who they are before.
  public let requiresAuthentication: Bool

  /// An action.
  public init(
    identifier: String, title: String, operation: Operation = .none, activation: Activation = .background,
    isDestructive: Bool = false, requiresAuthentication: Bool = false
  ) {
    self.identifier = identifier
    self.title = title
    self.operation = operation
    self.activation = activation
    self.isDestructive = isDestructive
    self.requiresAuthentication = requiresAuthentication
  }
}
