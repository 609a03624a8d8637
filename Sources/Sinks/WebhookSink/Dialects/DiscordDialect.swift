import MessageText
import OrderedJSON
import Transport

extension WebhookFormat {
  /// A message for Discord's webhooks.
  package static let discord = WebhookFormat("discord", DiscordDialect())
}

private struct DiscordDialect: WebhookDialect {
  let service = "Discord"
  // In UTF-16 code units.
  let longestText = 2_000
  // 204, or with `?wait=true` the created message.
  let goodAnswer = GoodAnswer.objectOrNothing

  func body(_ words: [ReminderWords], for address: ServerURL) -> JSONValue {
    // No mentions, whatever an item's text says.
    [
      "content": .string(ChatText.text(words).bounded(toUTF16: longestText)),
      "allowed_mentions": ["parse": []],
    ]
  }
}
