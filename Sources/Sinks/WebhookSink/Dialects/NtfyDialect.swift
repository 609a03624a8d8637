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
  /// The most buttons of a message.
  private static let mostButtons = 3

  let service = "ntfy"
  // In bytes; ntfy turns a longer one into an attachment or refuses it.
  let longestText = 4_096
  let goodAnswer = GoodAnswer.object
  // By `sequence_id`, from ntfy 2.16 on. An older server ignores it, and shows an update as a message of its own.
  let replacesMessages = true

  /// The server's root, without the topic, to which JSON is posted.
  func url(for address: ServerURL, _ words: [ReminderWords]) throws(ConfigProblem) -> String {
    let topic = try topic(of: address)
    return address.origin + address.path.dropLast(topic.count) + address.target.dropFirst(address.path.count)
  }

  func body(
    _ words: [ReminderWords], of message: Message, for address: ServerURL
  ) throws(ConfigProblem) -> JSONValue {
    let failure = words.first?.content.failure
    let title = failure?.headline ?? words.first?.list ?? ""
    // A click opens one page, so that several reminders have their links in the text.
    let single = words.count == 1 ? words.first : nil
    let text = ChatText(limit: longestText, cost: { $0.utf8.count })
    var body: JSONObject = [
      "topic": .string(String(try topic(of: address))),
      "title": .string(title.onOneLine().bounded(toBytes: Self.longestTitle)),
      "message": .string(
        text.text(words, withList: words.count > 1 || failure != nil, showsLinks: single == nil)),
      "tags": .array(tags(words, of: message.kind).map { .string($0) }),
      "priority": .integer(priority(of: message.kind)),
      "sequence_id": .string((message.update?.messageID ?? message.id).text),
    ]
    guard let links = single?.links else { return .object(body) }
    body["click"] = .string(links.answerURL)
    let buttons = (single?.linkedActions ?? []).filter { $0.link.token != nil }.prefix(Self.mostButtons)
    if !buttons.isEmpty {
      body["actions"] = .array(
        buttons.map { ["action": "view", "label": .string($0.action.title.onOneLine()), "url": .string($0.link.url)] })
    }
    return .object(body)
  }

  private func tags(_ words: [ReminderWords], of kind: Message.Kind) -> [String] {
    switch kind {
    case .failed: ["warning"]
    case .answered: ["white_check_mark"]
    case .fired, .test, .reopened: words.contains { $0.late != nil } ? ["alarm_clock", "hourglass"] : ["alarm_clock"]
    }
  }

  private func priority(of kind: Message.Kind) -> Int64 {
    switch kind {
    case .failed: 4
    case .fired, .test: 3
    // Without sound or vibration.
    case .answered, .reopened: 2
    }
  }

  /// The last part of an address as ntfy shows it: `https://ntfy.sh/mytopic`.
  private func topic(of address: ServerURL) throws(ConfigProblem) -> Substring {
    let topic = address.path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    let isTopic = (1...64).contains(topic.utf8.count) && topic.utf8.allSatisfy(Self.isTopicCharacter)
    guard isTopic else { throw ConfigProblem("the URL does not end in a topic, as in https://ntfy.sh/mytopic") }
    return topic
  }

  private static func isTopicCharacter(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || byte == 0x2d
      || byte == 0x5f
  }
}
