import ConfigKeys
import MessageText
import OrderedJSON
import Transport

/// A message for people, in the plain text that every chat shows.
enum ChatText {
  /// What is due, where, when, how late, and the notes.
  static func text(_ words: [ReminderWords], withList: Bool = true) -> String {
    let failure = words.first?.content.failure.map { ["\($0.headline): \($0.reason)"] } ?? []
    return (failure + words.map { reminder($0, withList: withList) }).joined(separator: "\n\n")
  }

  private static func reminder(_ words: ReminderWords, withList: Bool) -> String {
    var lines = [words.text]
    lines += words.unchecked.map { "• \($0)" }
    if words.uncheckedBeyond > 0 { lines.append("… and \(words.uncheckedBeyond) more") }
    lines.append(
      [withList ? words.list : nil, "\(words.due), \(words.relative)"].compactMap(\.self).joined(separator: " · "))
    if let late = words.late { lines.append("This reminder is \(late) late.") }
    if let notes = words.notes { lines += ["", notes] }
    return lines.joined(separator: "\n")
  }
}

/// A message of Slack's incoming webhooks.
enum SlackMessage {
  /// The most characters of a text; Slack cuts off what is longer.
  static let longestText = 40_000

  static func body(_ words: [ReminderWords]) -> JSONValue {
    // Without markup, so that an item's text is shown as it is and calls nobody.
    ["text": .string(escaped(ChatText.text(words))), "mrkdwn": false]
  }

  static func isGood(_ response: HTTPResponse) -> Bool {
    String(decoding: response.body.prefix(64), as: UTF8.self).onOneLine() == "ok"
  }

  /// The three characters that Slack asks to be escaped, and the limit that holds after that.
  private static func escaped(_ text: String) -> String {
    let bounded = text.bounded(to: longestText) { character in
      character.utf16.count + ("&<>".contains(character) ? 4 : 0)
    }
    return bounded.replacing(scalar: "&", with: "&amp;").replacing(scalar: "<", with: "&lt;")
      .replacing(scalar: ">", with: "&gt;")
  }
}

/// A message of Discord's webhooks.
enum DiscordMessage {
  /// The most characters of a content.
  static let longestContent = 2_000

  static func body(_ words: [ReminderWords]) -> JSONValue {
    // Whatever an item's text says, nobody is called by it.
    [
      "content": .string(ChatText.text(words).bounded(toUTF16: longestContent)),
      "allowed_mentions": ["parse": []],
    ]
  }

  /// 204, or with `?wait=true` the message that was made.
  static func isGood(_ response: HTTPResponse) -> Bool {
    if response.status == 204 { return true }
    return response.status == 200 && (try? JSONValue(parsing: response.body))?["id"]?.stringValue != nil
  }
}

/// A message published to an ntfy server as JSON.
struct NtfyMessage {
  /// The most bytes of a message; what is longer becomes an attachment, or is refused.
  static let longestMessage = 4_096
  /// The most bytes of a title.
  static let longestTitle = 250

  /// Where it is published: the server's root, without the topic.
  let url: String
  private let topic: String

  /// A topic's address, as ntfy shows it: `https://ntfy.sh/mytopic`.
  ///
  /// - Throws: ``ConfigProblem`` where the last part of the path is no topic.
  init(_ address: ServerURL) throws(ConfigProblem) {
    let topic = address.path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    let isTopic = (1...64).contains(topic.utf8.count) && topic.utf8.allSatisfy(Self.isTopicCharacter)
    guard isTopic else { throw ConfigProblem("the URL does not end in a topic, as in https://ntfy.sh/mytopic") }
    self.topic = String(topic)
    url = address.origin + address.path.dropLast(topic.count) + address.target.dropFirst(address.path.count)
  }

  func body(_ words: [ReminderWords]) -> JSONValue {
    let isLate = words.contains { $0.late != nil }
    let failure = words.first?.content.failure
    let title = failure?.headline ?? words.first?.list ?? ""
    return [
      "topic": .string(topic),
      "title": .string(title.onOneLine().bounded(toBytes: Self.longestTitle)),
      "message": .string(
        ChatText.text(words, withList: words.count > 1 || failure != nil).bounded(toBytes: Self.longestMessage)),
      "tags": failure != nil ? ["warning"] : isLate ? ["alarm_clock", "hourglass"] : ["alarm_clock"],
      "priority": failure != nil ? 4 : 3,
    ]
  }

  static func isGood(_ response: HTTPResponse) -> Bool {
    (try? JSONValue(parsing: response.body))?["id"]?.stringValue?.isEmpty == false
  }

  private static func isTopicCharacter(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || byte == 0x2d
      || byte == 0x5f
  }
}
