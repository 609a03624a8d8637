import BelfryModel
import MessageText
import OrderedJSON
import Transport

extension WebhookFormat {
  /// A message for an Apprise API server, which passes it on to the services of a key: `https://host/notify/KEY`.
  package static let apprise = WebhookFormat("apprise", AppriseDialect())
}

private struct AppriseDialect: WebhookDialect {
  /// The longest title, in code points.
  private static let longestTitle = 250

  let service = "Apprise"
  // In bytes. The server cuts texts for each service by itself; longer ones become several messages.
  let longestText = 4_000
  // 204 means that the server has no configuration for the key.
  let goodAnswer = GoodAnswer.ok

  func body(_ words: [ReminderWords], of message: Message, to webhook: WebhookAccess) -> JSONValue {
    let text = ChatText(limit: longestText, cost: { $0.utf8.count }, link: { "Answer: \($0)" })
    let title = words.first?.content.failure?.headline ?? words.first?.list ?? ""
    return [
      "title": .string(title.onOneLine().bounded(to: Self.longestTitle) { $0.unicodeScalars.count }),
      "body": .string(text.text(words)),
      "type": .string(type(of: message)),
      // An item's text is shown as it is.
      "format": "text",
    ]
  }

  private func type(of message: Message) -> String {
    switch message.kind {
    case .failed: "failure"
    case .fired, .test, .reopened: message.urgency > .normal ? "warning" : "info"
    case .answered: "success"
    }
  }
}
