import BelfryEngine
import BelfryModel
import MessageText
import OrderedJSON

/// The buttons of one reminder's message to ntfy.
///
/// With a topic for replies, buttons post their token to it, without a page. Actions that only open something lead to
/// the reminder's page, and so does the last button if the page offers more actions. Without such a topic all buttons
/// lead to the page.
struct NtfyButtons {
  /// The most buttons of a message.
  private static let most = 3

  private typealias Button = (action: OfferedAction, effect: ReminderWords.ButtonEffect)

  private let words: ReminderWords
  private let topic: NtfyTopic?
  private let buttons: [Button]
  private let hasPage: Bool

  /// The buttons of a reminder.
  ///
  /// - Parameter topic: the topic over which answers come back; `nil` for none.
  init(_ words: ReminderWords, replyingTo topic: NtfyTopic?) {
    (self.words, self.topic) = (words, topic)
    let offered = words.content.actions
    let all = offered.placesForSmallDisplays.compactMap { place -> Button? in
      words.buttonEffect(at: place).map { (offered[place], $0) }
    }
    hasPage = words.links != nil && offered.count > min(all.count, Self.most)
    let isAnswering = topic != nil && words.buttons.contains { $0 != nil }
    buttons = isAnswering ? Array(all.prefix(hasPage ? Self.most - 1 : Self.most)) : []
  }

  /// The buttons for the body of the message.
  var json: [JSONValue] {
    guard let topic, !buttons.isEmpty else {
      return words.pagedActions.prefix(Self.most).map { Self.leading(to: $0.link.url, $0.action.title) }
    }
    let own = buttons.map { action, effect -> JSONValue in
      switch effect {
      // The request has no credentials, since each reader of the message sees its buttons.
      case .answering(let token):
        [
          "action": "http", "label": .string(action.title.onOneLine()), "url": .string(topic.url),
          "body": .string(token), "clear": true,
        ]
      case .opening(let url): Self.leading(to: url, action.title)
      }
    }
    return own + (hasPage ? words.links.map { [Self.leading(to: $0.answerURL, "More")] } ?? [] : [])
  }

  /// The actions that have buttons.
  var actions: [OfferedAction] { buttons.map(\.action) }

  private static func leading(to url: String, _ label: String) -> JSONValue {
    ["action": "view", "label": .string(label.onOneLine()), "url": .string(url)]
  }
}
