import BelfryEngine
import BelfryModel
import CivilTime
import Digests
import MessageText
import OrderedJSON
import WebPush

/// A message as the service worker shows it.
struct PushMessage {
  /// The most bytes, which is less than the limit of every push service.
  static let longest = 3_800
  private static let (longestTitle, longestLabel) = (250, 60)
  // Platforms show two or three.
  private static let mostActions = 4

  /// The name by which a later message replaces this one, in a push service and on the screen: 32 characters of
  /// base64url (RFC 8030, section 5.4).
  let topic: String
  /// The urgency (RFC 8030, section 5.3).
  let urgency: String
  private let json: JSONObject
  private let text: String

  /// The message of an attempt.
  init(_ attempt: DeliveryAttempt, zones: ZoneDatabase) {
    let words = ReminderWords.all(attempt, zones: zones, limit: 1).first
    let (message, failure) = (attempt.message, words?.content.failure)
    // While a phone sleeps, push services hold back messages below `high`, and a reminder must arrive on time.
    urgency = message.urgency == .low ? "normal" : "high"
    topic = Self.topic(message)
    let headline = (failure?.headline ?? words?.text ?? "").onOneLine()
    // A text of control characters is empty on one line.
    let title = headline.isEmpty ? "Belfry" : headline.bounded(to: Self.longestTitle, cost: \.costInJSON)
    var lines = failure.map { [$0.reason] } ?? []
    // The text repeats the item's text if the title does not have all of it.
    lines += words?.chatLines(withText: title != words?.text) ?? []
    if words?.links == nil { lines += words?.commands().map(\.line) ?? [] }
    text = lines.joined(separator: "\n")
    var json: JSONObject = ["tag": .string(topic), "title": .string(title), "text": ""]
    if let links = words?.links { json["url"] = .string(links.answerURL) }
    let buttons = words.map { Self.buttons($0) } ?? []
    if !buttons.isEmpty { json["actions"] = .array(buttons) }
    if let content = words?.content, content.update == nil, failure == nil {
      json["badge"] = .integer(content.alert.badge)
      json["time"] = .integer(Int64(content.fireDate.date.timeIntervalSince1970) * 1_000)
    }
    if message.isSilent { json["silent"] = true }
    if message.kind == .answered { json["isOver"] = true }
    if message.urgency > .normal { json["urgency"] = .string(message.urgency.rawValue) }
    self.json = json
  }

  /// The body: JSON of at most ``longest`` bytes. Only the text is cut.
  var body: [UInt8] {
    var (json, body) = (json, [UInt8]())
    let room = Self.longest - JSONValue.object(json).serialized().utf8.count
    json["text"] = .string(text.bounded(to: max(room, 0), cost: \.costInJSON))
    JSONValue.object(json).write(into: &body)
    return body
  }

  // An action that a token carries out is answered in the notification; any other opens its page.
  private static func buttons(_ words: ReminderWords) -> [JSONValue] {
    words.linkedActionsForSmallDisplays.prefix(mostActions).map { action, link in
      let title = JSONValue.string(action.title.onOneLine().bounded(to: longestLabel, cost: \.costInJSON))
      return link.token.map { ["title": title, "token": .string($0)] } ?? ["title": title, "url": .string(link.url)]
    }
  }

  // A nag, a step of an escalation and an update are about the due date of the first ringing.
  private static func topic(_ message: Message) -> String {
    Base64URL.encode(SHA256.digest(Array(subject(message).utf8)).prefix(24))
  }

  private static func subject(_ message: Message) -> String {
    guard let content = message.contents.first, content.failure == nil else { return message.id.text }
    guard let item = content.item else { return "\(content.owner)" }
    return "\(item.uuid.text) \(item.due?.date.timeIntervalSince1970 ?? 0)"
  }
}
