import BelfryModel
import MessageText
import OrderedJSON
import Transport

extension WebhookFormat {
  /// A message for a Gotify server, with the token of an application.
  package static let gotify = WebhookFormat("gotify", GotifyDialect())
}

private struct GotifyDialect: WebhookDialect {
  /// The longest title, in code points.
  private static let longestTitle = 250

  let service = "Gotify"
  // In bytes. The server sets no limit, and its app shows a few lines.
  let longestText = 4_000
  // The created message.
  let goodAnswer = GoodAnswer.object

  /// The URL that creates messages, from the URL of a server or from itself.
  func url(for address: ServerURL, _ words: [ReminderWords]) -> String {
    address.path.hasSuffix("/message") ? address.text : address.text(appending: "/message")
  }

  func body(_ words: [ReminderWords], of message: Message, to webhook: WebhookAccess) -> JSONValue {
    let text = ChatText(limit: longestText, cost: { $0.utf8.count })
    let title = words.first?.content.failure?.headline ?? words.first?.list ?? ""
    // A click opens only one page, so the links of several reminders are in the text.
    let link = words.count == 1 ? words.first?.links : nil
    var extras: JSONObject = ["client::display": ["contentType": "text/plain"]]
    if let link { extras["client::notification"] = ["click": ["url": .string(link.answerURL)]] }
    return [
      "title": .string(title.onOneLine().bounded(to: Self.longestTitle) { $0.unicodeScalars.count }),
      "message": .string(text.text(words, showsLinks: link == nil)),
      "priority": .integer(priority(of: message)),
      "extras": .object(extras),
    ]
  }

  // The app rings from 4 on, and vibrates too from 8 on.
  private func priority(of message: Message) -> Int64 {
    if message.isSilent { return 1 }
    return switch message.urgency {
    case .low, .normal: 5
    case .high: 7
    case .critical: 10
    }
  }
}
