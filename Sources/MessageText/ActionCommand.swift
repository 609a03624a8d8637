import BelfryModel

/// A command that carries out an action of a reminder, for messages without a button or a page for it.
package struct ActionCommand: Hashable, Sendable {
  package let action: OfferedAction
  /// The command, quoted for a shell.
  package let command: String

  /// The action's title and the command on one line.
  package var line: String { "\(action.title.onOneLine()): \(command)" }
}

extension ReminderWords {
  /// The commands of the actions that it offers; none if a page offers them, and none in a test or a failure notice.
  ///
  /// - Parameter buttons: the actions on buttons, which need no command.
  package func commands(besides buttons: [OfferedAction] = []) -> [ActionCommand] {
    guard links == nil, !content.isTest, content.failure == nil else { return [] }
    return content.actions.filter { !buttons.contains($0) }.map { action in
      ActionCommand(
        action: action, command: "belfry act \(content.reminderID.text) \(action.identifier.shellQuoted)")
    }
  }
}
