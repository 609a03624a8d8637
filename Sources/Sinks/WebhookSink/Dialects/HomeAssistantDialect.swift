import BelfryModel
import MessageText
import OrderedJSON
import Transport

extension WebhookFormat {
  /// A notification of Home Assistant's app, by the URL of its action: `https://host:8123/api/services/notify/NAME`.
  package static let homeAssistant = WebhookFormat("homeassistant", HomeAssistantDialect())
}

private struct HomeAssistantDialect: WebhookDialect {
  private static let (longestTitle, longestLabel, mostButtons) = (250, 40, 3)
  /// The beginning of the name of a button's event; the rest is its token.
  private static let event = "belfry-"

  let service = "Home Assistant"
  // In bytes of JSON. A notification to a phone has at most 4,096, including buttons and links.
  let longestText = 2_000
  // An array of the states that it changed, which is empty.
  let goodAnswer = GoodAnswer.array
  let replacesMessages = true

  func body(_ words: [ReminderWords], of message: Message, to webhook: WebhookAccess) -> JSONValue {
    let failure = words.first?.content.failure
    let title = failure?.headline ?? words.first?.list ?? ""
    // A press on the text opens only one page, so the links of several reminders are in the text.
    let single = words.count == 1 ? words.first : nil
    let buttons = single.map(buttons) ?? []
    let text = ChatText(
      limit: longestText, cost: \.costInJSON, replacesMessages: true, link: { "Answer: \($0)" })
    var data: JSONObject = ["tag": .string((message.update?.messageID ?? message.id).text)]
    // Android reads `clickAction`, iOS reads `url`.
    if let url = single?.links.map({ JSONValue.string($0.answerURL) }) {
      (data["clickAction"], data["url"]) = (url, url)
    }
    if !buttons.isEmpty { data["actions"] = .array(buttons) }
    if message.update != nil { data["alert_once"] = true }
    if let level = level(of: message) { data["push"] = ["interruption-level": .string(level)] }
    // Android then shows the message even while the phone sleeps, and by the channel of alarms even if it is muted.
    if message.urgency > .normal { (data["ttl"], data["priority"]) = (0, "high") }
    if message.urgency == .critical { data["channel"] = "alarm_stream" }
    return [
      "title": .string(title.onOneLine().bounded(toBytes: Self.longestTitle)),
      "message": .string(
        text.text(words, withList: words.count > 1 || failure != nil, showsLinks: single == nil)),
      "data": .object(data),
    ]
  }

  /// The interruption level of iOS; `nil` for the usual one.
  private func level(of message: Message) -> String? {
    if message.isSilent { return "passive" }
    return switch message.urgency {
    case .low, .normal: nil
    case .high: "time-sensitive"
    case .critical: "critical"
    }
  }

  // A press is an event of Home Assistant, where an automation posts its token to the web face.
  private func buttons(_ words: ReminderWords) -> [JSONValue] {
    words.linkedActionsForSmallDisplays.compactMap { action, link -> JSONValue? in
      link.token.map { token -> JSONValue in
        let title = action.title.onOneLine().bounded(toBytes: Self.longestLabel)
        return ["action": .string(Self.event + token), "title": .string(title)]
      }
    }.prefix(Self.mostButtons).map(\.self)
  }
}
