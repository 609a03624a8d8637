import BelfryEngine
import BelfryModel
import CivilTime
import MessageText
import OrderedJSON

/// The text and the buttons of one message.
struct TelegramMessage {
  /// The most reminders of a message that are shown.
  private static let mostReminders = 100

  private let content: JSONObject
  private let isSilent: Bool

  /// The message of an attempt.
  init(_ attempt: DeliveryAttempt, zones: ZoneDatabase) {
    let words = ReminderWords.all(attempt, zones: zones, limit: Self.mostReminders)
    let ways = words.map(AnswerWays.init)
    let text = FormattedText(words, ways)
    var content: JSONObject = [
      "text": .string(text.text), "entities": .array(text.entities), "link_preview_options": ["is_disabled": true],
    ]
    // Without this key an edit removes the buttons.
    content["reply_markup"] = AnswerKeyboard.json(Array(words.prefix(text.reminders)), ways)
    self.content = content
    isSilent = attempt.message.isSilent
  }

  /// The parameters of `sendMessage`.
  func sending(to chat: TelegramChat) -> JSONObject {
    var parameters: JSONObject = ["chat_id": chat.json]
    for member in content.members { parameters.append(member.key, member.value) }
    if isSilent { parameters.append("disable_notification", true) }
    return parameters
  }

  /// The parameters of `editMessageText`.
  func editing(_ sent: SentMessage) -> JSONObject {
    var parameters: JSONObject = ["chat_id": .integer(sent.chat), "message_id": .integer(sent.number)]
    for member in content.members { parameters.append(member.key, member.value) }
    return parameters
  }
}
