import BelfryModel
import MessageText
import OrderedJSON
import Transport

extension WebhookFormat {
  /// A message for Discord's webhooks.
  package static let discord = WebhookFormat("discord", DiscordDialect())
}

private struct DiscordDialect: WebhookDialect {
  private static let longestLabel = 80
  /// The flag SUPPRESS_NOTIFICATIONS.
  private static let silently: Int64 = 1 << 12

  let service = "Discord"
  // In UTF-16 code units.
  let longestText = 2_000
  // 204, or with `?wait=true` the created message.
  let goodAnswer = GoodAnswer.objectOrNothing

  /// The user's URL. For a message with buttons, it has the parameter without which a webhook drops them.
  func url(for address: ServerURL, _ words: [ReminderWords]) -> String {
    guard !buttons(words).isEmpty, !address.target.contains("with_components=") else { return address.text }
    return address.text + (address.target.contains("?") ? "&" : "?") + "with_components=true"
  }

  func body(_ words: [ReminderWords], of message: Message, to webhook: WebhookAccess) -> JSONValue {
    let text = ChatText(limit: longestText, cost: { $0.utf16.count })
    // No mentions, whatever an item's text says.
    var body: JSONObject = ["content": .string(text.text(words)), "allowed_mentions": ["parse": []]]
    if message.isSilent { body["flags"] = .integer(Self.silently) }
    let buttons = buttons(words)
    if !buttons.isEmpty { body["components"] = [["type": 1, "components": .array(buttons)]] }
    return .object(body)
  }

  // Link buttons, which webhooks of users may send too. Discord refuses a whole message for a button whose URL has no
  // public host, so there are none for such a URL.
  private func buttons(_ words: [ReminderWords]) -> [JSONValue] {
    guard words.count == 1, let words = words.first, let links = words.links,
      let url = try? ServerURL(links.answerURL, schemes: ["https"]),
      url.host.split(separator: ".").count > 1, url.host.last?.isLetter == true
    else { return [] }
    return words.pagedActions.map { action, link in
      [
        "type": 2, "style": 5, "label": .string(action.title.onOneLine().bounded(toUTF16: Self.longestLabel)),
        "url": .string(link.url),
      ]
    }
  }
}
