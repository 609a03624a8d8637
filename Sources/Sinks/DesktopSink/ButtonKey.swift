import BelfryModel
import FoundationEssentials

/// The key of a button, which names the reminder and the action: no number of a notification is needed, which a
/// restarted server gives to another one.
struct ButtonKey: Hashable, Sendable {
  /// The key of what a click on a notification does.
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
