import BelfryModel
import CivilTime
import Foundation

extension Sample {
  /// An update of a message that was delivered: its reminder was checked, or is open again.
  public static func update(of message: Message, to state: ReminderUpdate.State) -> Message {
    let at = OffsetInstant(now + 60, in: .utc)
    let update =
      switch state {
      case .answered:
        ReminderUpdate(
          messageID: message.id, number: 1, state: .answered, words: "checked item 1", operation: .check,
          action: "done", channel: .link, at: at)
      case .open: ReminderUpdate(messageID: message.id, number: 2, state: .open, words: "open again", at: at)
      }
    return Message(
      id: ReminderUpdate.id(number: update.number, of: message.id), sink: message.sink,
      contents: message.contents.map { ReminderContent($0, update: update) }, createdAt: now + 60)
  }
}
