import FoundationEssentials
import OrderedJSON

/// One update of the Bot API, reduced to the parts that this sink uses.
struct Update: Sendable {
  /// The ids that an update can have.
  static let ids: Range<Int64> = 0..<(1 << 53)

  /// A press of a button.
  struct Press: Hashable, Sendable {
    /// The id that the reply must name.
    let query: String
    /// The data of the button.
    let data: String
    /// The number of the user who pressed it.
    let user: Int64?
  }

  /// The content of an update.
  enum Content: Hashable, Sendable {
    /// A press in the sink's chat.
    case press(Press)
    /// A press without an effect, with the reason: it is from another chat, or has no data.
    case vainPress(query: String, reason: String)
    /// A text that the person in the sink's chat wrote, and when.
    case text(String, at: Date)
    /// Neither, with the reason; `nil` for an update of another kind.
    case other(String?)
  }

  let id: Int64
  let content: Content

  /// Reads an update; `nil` for one without an id, since it cannot be skipped by its number.
  ///
  /// - Parameter takesTexts: whether texts count.
  init?(_ value: JSONValue, in chat: TelegramChat, takesTexts: Bool) {
    guard let id = value["update_id"]?.integerValue, Self.ids.contains(id) else { return nil }
    self.id = id
    content =
      if let query = value["callback_query"] {
        Self.press(query, in: chat)
      } else if takesTexts, let message = value["message"] {
        Self.text(message, in: chat)
      } else {
        .other(nil)
      }
  }

  /// The press; `nil` for other contents.
  var press: Press? {
    if case .press(let press) = content { press } else { nil }
  }

  private static func press(_ query: JSONValue, in chat: TelegramChat) -> Content {
    let place = query["message"]?["chat"]
    guard let id = query["id"]?.stringValue else { return .other("a press without an id") }
    guard chat.matches(place) else { return .vainPress(query: id, reason: "a press in \(name(place))") }
    guard let data = query["data"]?.stringValue else { return .vainPress(query: id, reason: "a press without data") }
    return .press(Press(query: id, data: data, user: query["from"]?["id"]?.integerValue))
  }

  private static func text(_ message: JSONValue, in chat: TelegramChat) -> Content {
    let place = message["chat"]
    guard chat.matches(place), place?["type"] == "private" else { return .other("a message in \(name(place))") }
    guard let text = message["text"]?.stringValue, let seconds = message["date"]?.integerValue else {
      return .other(nil)
    }
    return .text(text, at: Date(timeIntervalSince1970: Double(seconds)))
  }

  // The user needs the number for the config.
  private static func name(_ chat: JSONValue?) -> String {
    (chat?["id"]?.integerValue).map { "the chat \($0), which is not the sink's" } ?? "no chat"
  }
}
