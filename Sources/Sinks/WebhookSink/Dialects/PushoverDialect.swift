import BelfryModel
import MessageText
import OrderedJSON
import Transport

extension WebhookFormat {
  /// A message for Pushover, by `https://api.pushover.net/1/messages.json?token=APPLICATION&user=USER`.
  package static let pushover = WebhookFormat("pushover", PushoverDialect())
}

private struct PushoverDialect: WebhookDialect {
  private static let (longestTitle, longestURL) = (250, 512)

  let service = "Pushover"
  // In characters.
  let longestText = 1_024
  let goodAnswer = GoodAnswer.status(1)

  /// The user's URL without its query, which stands in the body.
  func url(for address: ServerURL, _ words: [ReminderWords]) -> String { address.origin + address.path }

  func body(_ words: [ReminderWords], of message: Message, to webhook: WebhookAccess) -> JSONValue {
    let text = ChatText(limit: longestText, cost: { $0.unicodeScalars.count })
    let title = words.first?.content.failure?.headline ?? words.first?.list ?? ""
    let link = words.count == 1 ? words.first?.links?.answerURL : nil
    let opened = link.flatMap { $0.utf8.count <= Self.longestURL ? $0 : nil }
    var body: JSONObject = [
      "title": .string(title.onOneLine().bounded(to: Self.longestTitle) { $0.unicodeScalars.count }),
      "message": .string(text.text(words, showsLinks: opened == nil)),
      // Without a sound or vibration.
      "priority": .integer([.answered, .reopened].contains(message.kind) ? -1 : 0),
    ]
    if let opened { (body["url"], body["url_title"]) = (.string(opened), "Answer") }
    for part in webhook.url.target.dropFirst(webhook.url.path.count + 1).split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1)
      if pair.count == 2 { body[String(pair[0])] = .string(String(pair[1])) }
    }
    return .object(body)
  }
}
