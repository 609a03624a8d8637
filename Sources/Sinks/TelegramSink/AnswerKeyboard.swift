import BelfryModel
import MessageText
import OrderedJSON

/// The inline keyboard of a message: the buttons of each reminder, and a button for its page with the other actions.
enum AnswerKeyboard {
  /// The most buttons of a message.
  private static let mostButtons = 100
  /// The number of buttons in a row.
  private static let rowLength = 2

  /// The parameter `reply_markup`; `nil` if there is nothing to press.
  static func json(_ words: [ReminderWords], _ ways: [AnswerWays]) -> JSONValue? {
    var rows: [JSONValue] = []
    var left = mostButtons
    for (reminder, ways) in zip(words, ways) {
      // The buttons of several reminders in one message must differ.
      let buttons = self.buttons(ways, of: words.count > 1 ? reminder.headline : nil).prefix(left)
      left -= buttons.count
      rows += stride(from: 0, to: buttons.count, by: rowLength).map {
        .array(Array(buttons.dropFirst($0).prefix(rowLength)))
      }
    }
    return rows.isEmpty ? nil : ["inline_keyboard": .array(rows)]
  }

  private static func buttons(_ ways: AnswerWays, of name: String?) -> [JSONValue] {
    func label(_ title: String) -> JSONValue {
      .string(name.map { "\(Self.label(title)): \(Self.label($0))" } ?? Self.label(title))
    }
    var buttons: [JSONValue] = ways.buttons.map { action, effect in
      switch effect {
      case .answering(let token): ["text": label(action.title), "callback_data": .string(token)]
      case .opening(let url): ["text": label(action.title), "url": .string(url)]
      }
    }
    if let page = ways.page, ways.isPageOnButton { buttons.append(["text": label("More"), "url": .string(page)]) }
    return buttons
  }

  /// A text of at most 40 UTF-16 code units, for a button.
  static func label(_ text: String) -> String { text.onOneLine().bounded(toUTF16: 40) }
}
