import OrderedJSON

/// A message in a chat. The reply to its delivery is stored, so that an update finds it.
struct SentMessage: Hashable, Sendable {
  /// The number of the chat.
  let chat: Int64
  /// The number in the chat.
  let number: Int64

  /// The message that a result of the Bot API describes.
  init?(_ result: JSONValue?) {
    guard let number = result?["message_id"]?.integerValue, let chat = result?["chat"]?["id"]?.integerValue else {
      return nil
    }
    (self.chat, self.number) = (chat, number)
  }

  /// The message that the stored reply to an earlier delivery names.
  init?(parsing words: String) {
    let parts = words.split(separator: " ")
    guard parts.count == 5, let number = Int64(parts[1]), let chat = Int64(parts[4]) else { return nil }
    (self.chat, self.number) = (chat, number)
    guard self.words == words else { return nil }
  }

  /// The words, for people too.
  var words: String { "message \(number) in chat \(chat)" }
}
