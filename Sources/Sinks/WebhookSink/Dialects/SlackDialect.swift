import BelfryModel
import MessageText
import OrderedJSON
import Transport

extension WebhookFormat {
  /// A message for Slack's incoming webhooks.
  package static let slack = WebhookFormat("slack", SlackDialect())
}

private struct SlackDialect: WebhookDialect {
  let service = "Slack"
  // In UTF-16 code units; Slack truncates longer ones.
  let longestText = 40_000
  let goodAnswer = GoodAnswer.text("ok")

  func body(_ words: [ReminderWords], of message: Message, to webhook: WebhookAccess) -> JSONValue {
    // Markup is off, so that an item's text is shown as it is and mentions nobody.
    var body: JSONObject = ["text": .string(text.text(words)), "mrkdwn": false]
    // A link, not a button, since the click of a button goes to the app's server too, and Slack warns if there is none.
    // Without a preview, which everybody in the channel would see.
    if words.contains(where: { $0.links != nil }) { body["unfurl_links"] = false }
    return .object(body)
  }

  private var text: ChatText {
    ChatText(
      limit: longestText, cost: { $0.utf16.count + ("&<>".contains($0) ? 4 : 0) },
      escape: { text in
        text.replacing(scalar: "&", with: "&amp;").replacing(scalar: "<", with: "&lt;")
          .replacing(scalar: ">", with: "&gt;")
      })
  }
}
