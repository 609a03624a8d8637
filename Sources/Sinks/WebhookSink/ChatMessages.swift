import ConfigKeys
import MessageText
import OrderedJSON
import Transport

/// Plain text messages for chats.
enum ChatText {
  /// The text, list, due time, lateness and notes of each reminder.
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

/// A message for Slack's incoming webhooks.
enum SlackMessage {
  /// The longest text, in UTF-16 code units; Slack truncates longer ones.
  static let longestText = 40_000

  static func body(_ words: [ReminderWords]) -> JSONValue {
    // Markup is off, so that an item's text is shown as it is and mentions nobody.
    ["text": .string(escaped(ChatText.text(words))), "mrkdwn": false]
  }

  static func isGood(_ response: HTTPResponse) -> Bool {
    String(decoding: response.body.prefix(64), as: UTF8.self).onOneLine() == "ok"
  }

  /// Escapes the three characters that Slack requires, cut so that the result is within the limit.
  private static func escaped(_ text: String) -> String {
    let bounded = text.bounded(to: longestText) { character in
      character.utf16.count + ("&<>".contains(character) ? 4 : 0)
    }
    return bounded.replacing(scalar: "&", with: "&amp;").replacing(scalar: "<", with: "&lt;")
      .replacing(scalar: ">", with: "&gt;")
  }
}

/// A message for Discord's webhooks.
enum DiscordMessage {
  /// The longest content, in UTF-16 code units.
  static let longestContent = 2_000

  static func body(_ words: [ReminderWords]) -> JSONValue {
    // No mentions, whatever an item's text says.
    [
      "content": .string(ChatText.text(words).bounded(toUTF16: longestContent)),
      "allowed_mentions": ["parse": []],
    ]
  }

  /// Whether Discord accepted the message: 204, or with `?wait=true` the created message.
  static func isGood(_ response: HTTPResponse) -> Bool {
    if response.status == 204 { return true }
    return response.status == 200 && (try? JSONValue(parsing: response.body))?["id"]?.stringValue != nil
  }
}

/// A message to publish to an ntfy server as JSON.
struct NtfyMessage {
  /// The longest message, in bytes; ntfy turns a longer one into an attachment or refuses it.
  static let longestMessage = 4_096
  /// The longest title, in bytes.
  static let longestTitle = 250

  /// The server's root, without the topic, to which JSON is posted.
  let url: String
  private let topic: String

  /// The server and topic of an address as ntfy shows it: `https://ntfy.sh/mytopic`.
  ///
  /// - Throws: ``ConfigProblem`` where the last part of the path is not a valid topic.
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
