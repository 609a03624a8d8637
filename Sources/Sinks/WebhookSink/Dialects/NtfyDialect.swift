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

  let service = "ntfy"
  // In bytes; ntfy turns a longer one into an attachment or refuses it.
  let longestText = 4_096
  let goodAnswer = GoodAnswer.object

  /// The server's root, without the topic, to which JSON is posted.
  func url(for address: ServerURL) throws(ConfigProblem) -> String {
    let topic = try topic(of: address)
    return address.origin + address.path.dropLast(topic.count) + address.target.dropFirst(address.path.count)
  }

  func body(_ words: [ReminderWords], for address: ServerURL) throws(ConfigProblem) -> JSONValue {
    let isLate = words.contains { $0.late != nil }
    let failure = words.first?.content.failure
    let title = failure?.headline ?? words.first?.list ?? ""
    return [
      "topic": .string(String(try topic(of: address))),
      "title": .string(title.onOneLine().bounded(toBytes: Self.longestTitle)),
      "message": .string(
        ChatText.text(words, withList: words.count > 1 || failure != nil).bounded(toBytes: longestText)),
      "tags": failure != nil ? ["warning"] : isLate ? ["alarm_clock", "hourglass"] : ["alarm_clock"],
      "priority": failure != nil ? 4 : 3,
    ]
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
