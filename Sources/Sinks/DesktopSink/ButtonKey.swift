import BelfryModel
import FoundationEssentials

/// The key of a button, which names the reminder and the action, since a restarted server reuses the numbers of
/// notifications.
struct ButtonKey: Hashable, Sendable {
  /// The key of the default action, a click on the notification.
  static let click = "default"

  let reminder: UUID
  /// The number of the action in the message, from 1.
  let action: Int

  /// The text that the server sends back.
  var text: String { "\(reminder.text).\(action)" }

  /// A key from its text; `nil` for the buttons of other programs.
  init?(parsing text: String) {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let reminder = UUID(uuidString: String(parts[0])), let action = Int(parts[1]) else {
      return nil
    }
    self.init(reminder: reminder, action: action)
    guard self.text == text else { return nil }
  }

  /// The key of an action.
  init(reminder: UUID, action: Int) { (self.reminder, self.action) = (reminder, action) }
}
