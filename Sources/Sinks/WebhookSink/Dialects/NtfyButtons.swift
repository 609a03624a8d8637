import BelfryEngine
import BelfryModel
import MessageText
import OrderedJSON

/// The buttons of one reminder's message to ntfy.
///
/// With a topic for replies they post their token to it, without a page; the last one leads to the page where that
/// offers more. Without such a topic they lead to the page.
struct NtfyButtons {
  /// The most buttons of a message.
  private static let most = 3

  private let words: ReminderWords
  private let topic: NtfyTopic?
  private let posting: [(action: OfferedAction, token: String)]
  private let hasPage: Bool

  /// The buttons of a reminder.
  ///
  /// - Parameter topic: the topic over which answers come back; `nil` for none.
  init(_ words: ReminderWords, replyingTo topic: NtfyTopic?) {
    (self.words, self.topic) = (words, topic)
    let all = topic == nil ? [] : words.buttonActions
    hasPage = words.links != nil && words.content.actions.count > min(all.count, Self.most)
    posting = Array(all.prefix(hasPage ? Self.most - 1 : Self.most))
  }

  /// The buttons for the body of the message.
  var json: [JSONValue] {
    guard let topic, !posting.isEmpty else {
      return words.linkedActions.filter { $0.link.token != nil }.prefix(Self.most)
        .map { Self.leading(to: $0.link.url, $0.action.title) }
    }
    let buttons: [JSONValue] = posting.map { action, token in
      // Without credentials: whoever sees the message sees its buttons.
      [
        "action": "http", "label": .string(action.title.onOneLine()), "url": .string(topic.url),
        "body": .string(token), "clear": true,
      ]
    }
    return buttons + (hasPage ? words.links.map { [Self.leading(to: $0.answerURL, "More")] } ?? [] : [])
  }

  /// The actions that a press carries out without a page.
  var actions: [OfferedAction] { posting.map(\.action) }

  private static func leading(to url: String, _ label: String) -> JSONValue {
    ["action": "view", "label": .string(label.onOneLine()), "url": .string(url)]
  }
}
