import BelfryModel
import ConfigKeys
import FoundationEssentials

extension Belfry {
  /// The action of a reminder that a press names, as it would be carried out.
  ///
  /// - Throws: ``BelfryError`` `.notFound` for a reminder or action that is not there.
  public func action(_ choice: Press.Choice, of reminder: UUID) throws -> CategoryAction {
    try read { reading in
      try ReminderActions(of: reading.view.knownReminder(reminder), in: reading.view, settings).action(choice)
    }
  }

  /// The consequence of an action that destroys something, as a sentence; `nil` if there is nothing to destroy.
  ///
  /// - Throws: as ``action(_:of:)``.
  public func consequence(of action: CategoryAction, on reminder: UUID) throws -> String? {
    try read { try $0.view.consequence(of: action, on: $0.view.knownReminder(reminder)) }
  }
}

/// The actions that a reminder offers: those of its message, each with the stricter of its flags then and now. A
/// reminder without a message offers the actions of the present config.
struct ReminderActions {
  /// The content of the reminder's message.
  let content: ReminderContent?
  /// The actions, in the order of their numbers.
  let actions: [CategoryAction]

  init(of reminder: Reminder, in view: any StoreView, _ settings: Settings) throws {
    let owner = reminder.occurrence.owner
    content = try view.content(of: reminder)
    let present = settings.actions(for: owner, category: try view.category(of: owner) ?? content?.category)
    guard let offered = content?.actions, !offered.isEmpty else {
      actions = present
      return
    }
    actions = offered.map { offered in
      let known = present.first { $0.identifier == offered.identifier }
      return CategoryAction(
        identifier: offered.identifier, title: offered.title,
        operation: offered.operation ?? known?.operation ?? .none, activation: offered.activation,
        isDestructive: offered.isDestructive || known?.isDestructive ?? false,
        requiresAuthentication: offered.requiresAuthentication || known?.requiresAuthentication ?? false)
    }
  }

  /// The action that a press names.
  ///
  /// - Throws: ``BelfryError`` `.notFound`.
  func action(_ choice: Press.Choice) throws -> CategoryAction {
    switch choice {
    case .number(let number):
      guard number > 0, let action = actions.dropFirst(number - 1).first else {
        throw BelfryError(.notFound, "the reminder offers no action number \(number)", hint: hint)
      }
      return action
    case .identifier(let identifier):
      if let action = actions.first(where: { $0.identifier == identifier }) { return action }
      let nearest = Suggestion.nearest(to: identifier, among: actions.map(\.identifier))
      throw BelfryError(
        .notFound, "the reminder offers no action '\(identifier)'",
        hint: nearest.map { "did you mean '\($0)'?" } ?? hint)
    case .acknowledgement:
      return actions.first { $0.operation == .acknowledge }
        ?? CategoryAction(identifier: "acknowledge", title: "Acknowledge", operation: .acknowledge)
    }
  }

  private var hint: String {
    actions.isEmpty ? "it offers none" : "it offers \(actions.map(\.identifier).joined(separator: ", "))"
  }
}

extension StoreView {
  /// The reminder with this identity.
  ///
  /// - Throws: ``BelfryError`` `.notFound`.
  func knownReminder(_ id: UUID) throws -> Reminder {
    guard let reminder = try reminder(id: id) else {
      throw BelfryError(
        .notFound, "there is no reminder \(id.text)", hint: "'belfry pending --json' and messages name them")
    }
    return reminder
  }

  /// The consequence of an action that destroys something, as a sentence; `nil` if there is nothing to destroy.
  func consequence(of action: CategoryAction, on reminder: Reminder) throws -> String? {
    switch action.operation {
    case .none, .acknowledge, .check, .snooze, .edit: return nil
    case .delete:
      guard case .item(let id) = reminder.occurrence.owner else { return nil }
      return try item(id: id).map { "Deletes \($0.item.quoted)." }
    case .clearList: return try list(of: reminder).map { "Deletes what is on the list '\($0.name)'." }
    case .deleteList: return try list(of: reminder).map { "Deletes the list '\($0.name)' with what is on it." }
    }
  }

  /// The latest answer to a reminder, whatever became of it.
  func latestAnswer(to reminder: Reminder) throws -> Answer? {
    try answers(of: reminder.occurrence.owner).last { $0.reminderID == reminder.id }
  }

  /// The list of a reminder; for a deleted item, the list that its message names.
  func list(of reminder: Reminder) throws -> Checklist? {
    switch reminder.occurrence.owner {
    case .item(let id):
      if let listing = try item(id: id) { return try list(id: listing.item.listID) }
      return try content(of: reminder).flatMap { try list(named: $0.listName) }
    case .list(let id): return try list(id: id)
    }
  }

  /// The content of a reminder in its message.
  func content(of reminder: Reminder) throws -> ReminderContent? {
    try deliveries(of: reminder.occurrence.owner, state: nil).lazy.flatMap(\.1.contents)
      .first { $0.reminderID == reminder.id }
  }

  /// The category of an item or list, empty for none; `nil` if the item or list was deleted.
  fileprivate func category(of owner: ReminderOwner) throws -> String? {
    switch owner {
    case .item(let id): try item(id: id).map { $0.item.category ?? "" }
    case .list(let id): try list(id: id).map { $0.reminder?.category ?? "" }
    }
  }
}
