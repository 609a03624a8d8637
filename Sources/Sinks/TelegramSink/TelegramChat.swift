import ConfigKeys
import OrderedJSON

/// The chat that messages go to, and that answers come from.
package enum TelegramChat: Hashable, Sendable {
  /// The chat with this number, which is positive for a chat with a person.
  case number(Int64)
  /// The public group or channel with this name, which begins with `@`.
  case name(String)

  /// The chat that a text or number names; `nil` for others.
  init?(_ text: String) {
    if let number = Int64(text) {
      guard number != 0 else { return nil }
      self = .number(number)
    } else {
      let isName = (2...64).contains(text.utf8.count) && text.utf8.dropFirst().allSatisfy(Self.isNameCharacter)
      guard isName, text.first == "@" else { return nil }
      self = .name(text)
    }
  }

  /// True for the chat with one person.
  var isPerson: Bool {
    if case .number(let number) = self { number > 0 } else { false }
  }

  /// The identity of the person in the chat; `nil` for a group or channel.
  var correspondent: String? {
    guard isPerson, case .number(let number) = self else { return nil }
    return Self.correspondent(number)
  }

  /// The identity of a user, whose private chat with any bot has the user's own number.
  static func correspondent(_ user: Int64) -> String { "telegram \(user)" }

  var json: JSONValue {
    switch self {
    case .number(let number): .integer(number)
    case .name(let name): .string(name)
    }
  }

  /// True if an object `Chat` of the Bot API is this chat.
  func matches(_ chat: JSONValue?) -> Bool {
    switch self {
    case .number(let number): chat?["id"]?.integerValue == number
    case .name(let name): chat?["username"]?.stringValue?.lowercased() == name.dropFirst().lowercased()
    }
  }

  private static func isNameCharacter(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20) || byte == UInt8(ascii: "_")
  }
}

extension ConfigType where Value == TelegramChat {
  /// The number of a chat, or the name of a public one.
  static var chat: ConfigType {
    .scalar(.identifier, write: { _ in nil }) { scalar, _ throws(ConfigProblem) in
      guard scalar.kind != .boolean else { return nil }
      guard let chat = TelegramChat(scalar.text) else {
        throw ConfigProblem("a chat is a number other than 0, or the @name of a public group or channel")
      }
      return chat
    }
  }
}
