import BelfryModel
import MessageText
import OrderedJSON
import Transport

extension WebhookFormat {
  /// A message in a room of Matrix: `https://host/_matrix/client/v3/rooms/!room:host`.
  package static let matrix = WebhookFormat("matrix", MatrixDialect())
}

private struct MatrixDialect: EditingDialect {
  let service = "Matrix"
  // In bytes of JSON. An event has at most 65,536, and an event that edits another one has the text twice.
  let longestText = 20_000
  let goodAnswer = GoodAnswer.member("event_id")
  let method = "PUT"
  let replacesMessages = true

  /// The path of an event, which the server accepts once, however often it is sent.
  func url(for address: ServerURL, of message: Message) -> String {
    address.text(appending: "/send/m.room.message/\(message.id.text)")
  }

  // Only an event ID, which is at most 255 bytes of printable ASCII, is kept, since the store must hold it.
  func identity(in response: HTTPResponse) -> String? {
    (try? JSONValue(parsing: response.body))?["event_id"]?.stringValue.flatMap { id in
      (1...255).contains(id.utf8.count) && id.utf8.allSatisfy { (0x21...0x7e).contains($0) } ? id : nil
    }
  }

  func body(
    _ words: [ReminderWords], of message: Message, editing event: String?, to webhook: WebhookAccess
  ) -> JSONValue {
    let text = ChatText(
      limit: longestText, cost: \.costInJSON, replacesMessages: replacesMessages, link: { "Answer: \($0)" }
    ).text(words)
    guard let event else { return .object(Self.content(text, message)) }
    // For programs that do not support edits.
    var edit = Self.content("* \(text)", message)
    edit["m.new_content"] = .object(Self.content(text, message))
    edit["m.relates_to"] = ["rel_type": "m.replace", "event_id": .string(event)]
    return .object(edit)
  }

  // Without markup, and without a mention of a person, whatever an item's text says. Clients make no sound for a
  // notice. A critical message mentions the room, if the sender may do that.
  private static func content(_ text: String, _ message: Message) -> JSONObject {
    [
      "msgtype": message.isSilent && message.update == nil ? "m.notice" : "m.text", "body": .string(text),
      "m.mentions": message.urgency == .critical ? ["room": true] : [:],
    ]
  }
}
