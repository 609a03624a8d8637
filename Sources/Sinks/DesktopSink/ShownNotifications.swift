import BelfryEngine
import BelfryModel
import FoundationEssentials

/// The latest notifications that one server shows for this program.
struct ShownNotifications: Sendable {
  struct Entry: Sendable {
    let number: UInt32
    /// The message that it carries.
    let message: UUID
    /// The item or list that it is about; `nil` for several.
    let owner: ReminderOwner?
    /// The pages that a click and its buttons open, by their keys.
    let pages: [String: String]

    /// The notification of a message; for an update, of the message that it changed.
    ///
    /// - Parameter links: the links of its only reminder; `nil` if nothing opens a page.
    init(number: UInt32, _ message: Message, links: ReminderLinks?) {
      self.number = number
      self.message = message.original
      owner = message.singleOwner
      pages = links.map { $0.pages(of: message) } ?? [:]
    }
  }

  /// The most notifications that are remembered.
  private static let limit = 256

  private var entries: [Entry] = []

  /// The notification with a number.
  subscript(number: UInt32) -> Entry? { entries.first { $0.number == number } }

  /// The latest notification of a message.
  func last(of message: UUID) -> Entry? { entries.last { $0.message == message } }

  /// The latest notification about an item or list.
  func last(about owner: ReminderOwner?) -> Entry? { owner.flatMap { owner in entries.last { $0.owner == owner } } }

  /// Remembers a notification, in place of the one with its number.
  mutating func append(_ entry: Entry) {
    remove(entry.number)
    entries.append(entry)
    entries.removeFirst(max(0, entries.count - Self.limit))
  }

  /// Remembers notifications that were shown before all others, oldest first.
  mutating func prepend(_ earlier: [Entry]) {
    let later = entries
    entries = []
    for entry in earlier + later { append(entry) }
  }

  mutating func remove(_ number: UInt32) { entries.removeAll { $0.number == number } }
}

extension Message {
  /// The id of the message that this update changes, or its own id.
  var original: UUID { update?.messageID ?? id }

  /// The item or list that it is about; `nil` for several, and for a failure.
  var singleOwner: ReminderOwner? { contents.count == 1 && contents[0].failure == nil ? contents[0].owner : nil }
}

extension ReminderLinks {
  fileprivate func pages(of message: Message) -> [String: String] {
    var pages = [ButtonKey.click: answerURL]
    guard let content = message.contents.first else { return pages }
    for (place, (action, link)) in zip(content.actions, actions).enumerated() where action.isOpenedByButton {
      pages[ButtonKey(reminder: content.reminderID, action: place + 1).text] = link.url
    }
    return pages
  }
}
