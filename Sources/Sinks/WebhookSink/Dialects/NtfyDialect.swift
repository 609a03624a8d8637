import BelfryModel
import ConfigKeys
import MessageText
import OrderedJSON
import Transport

extension WebhookFormat {
  /// A message to publish to an ntfy server as JSON.
  package static let ntfy = WebhookFormat("ntfy", NtfyDialect())
}

private struct NtfyDialect: WebhookDialect {
  /// The longest title, in bytes.
  private static let longestTitle = 250
  private static let longestTag = 60

  let service = "ntfy"
  // In bytes of JSON. ntfy makes a text of 4,096 bytes an attachment, or refuses it. It takes at most 8,192 bytes of
  // JSON, and would refuse a text full of escapes for good.
  let longestText = 4_095
  let goodAnswer = GoodAnswer.object
  // By `sequence_id`, from ntfy 2.16 on. An older server ignores it, and shows an update as a separate message.
  let replacesMessages = true

  /// The server's root, without the topic, to which JSON is posted.
  func url(for address: ServerURL, _ words: [ReminderWords]) throws(ConfigProblem) -> String {
    try NtfyTopic(address).server
  }

  func body(_ words: [ReminderWords], of message: Message, to webhook: WebhookAccess) throws(ConfigProblem) -> JSONValue
  {
    let failure = words.first?.content.failure
    let title = failure?.headline ?? words.first?.list ?? ""
    // A click opens only one page, so the links of several reminders are in the text.
    let single = words.count == 1 ? words.first : nil
    let buttons = single.map { NtfyButtons($0, replyingTo: webhook.replyTopic) }
    let text = ChatText(limit: longestText, cost: \.costInJSON, replacesMessages: replacesMessages)
    var body: JSONObject = [
      "topic": .string(try NtfyTopic(webhook.url).name),
      "title": .string(title.onOneLine().bounded(toBytes: Self.longestTitle)),
      "message": .string(
        text.text(
          words, withList: words.count > 1 || failure != nil, showsLinks: single == nil,
          besides: buttons?.actions ?? [])),
      "tags": .array(tags(words, of: message).map { .string($0) }),
      "priority": .integer(priority(of: message)),
      "sequence_id": .string((message.update?.messageID ?? message.id).text),
    ]
    if let links = single?.links { body["click"] = .string(links.answerURL) }
    if let buttons, !buttons.json.isEmpty { body["actions"] = .array(buttons.json) }
    return .object(body)
  }

  // ntfy has no sounds for messages. Its app passes the tags on, by which other programs of a phone can choose a sound.
  private func tags(_ words: [ReminderWords], of message: Message) -> [String] {
    switch message.kind {
    case .failed: return ["warning"]
    case .answered: return ["white_check_mark"]
    case .fired, .test, .reopened:
      let sound = words.first?.content.alert.namedSound.map { [$0.onOneLine().bounded(toBytes: Self.longestTag)] }
      return ["alarm_clock"] + (words.contains { $0.late != nil } ? ["hourglass"] : []) + (sound ?? [])
    }
  }

  private func priority(of message: Message) -> Int64 {
    // Without sound or vibration.
    if message.isSilent { return 2 }
    return switch message.urgency {
    case .low, .normal: 3
    case .high: 4
    case .critical: 5
    }
  }
}
