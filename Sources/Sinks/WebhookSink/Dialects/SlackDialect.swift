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

  func body(_ words: [ReminderWords], for address: ServerURL) -> JSONValue {
    // Markup is off, so that an item's text is shown as it is and mentions nobody.
    ["text": .string(escaped(ChatText.text(words))), "mrkdwn": false]
  }

  /// Escapes the three characters that Slack requires, cut so that the result is within the limit.
  private func escaped(_ text: String) -> String {
    let bounded = text.bounded(to: longestText) { character in
      character.utf16.count + ("&<>".contains(character) ? 4 : 0)
    }
    return bounded.replacing(scalar: "&", with: "&amp;").replacing(scalar: "<", with: "&lt;")
      .replacing(scalar: ">", with: "&gt;")
  }
}
