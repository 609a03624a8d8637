import OrderedJSON

/// A server of Telegram's Bot API for one bot, with the people who write to it and press its buttons.
///
/// A chat with a positive number is the private chat of the person with that number, a negative one is a group.
package final class TelegramServer: TestService {
  /// A message in a chat, as it is now.
  package struct Message: Decodable, Hashable, Sendable {
    /// The number of its chat.
    package let chat: Int64
    /// Its number within the chat, from 1.
    package let id: Int64
    package let text: String
    /// The entities of the text.
    package let entities: [Entity]
    /// The rows of its inline keyboard.
    package let buttons: [[Button]]
    /// True if the bot sent it.
    package let isOwn: Bool
    /// True if it was edited.
    package let isEdited: Bool

    /// The buttons of all rows.
    package var allButtons: [Button] { buttons.flatMap(\.self) }
  }

  /// A part of a text, counted in UTF-16 code units.
  package struct Entity: Decodable, Hashable, Sendable {
    /// The type, such as `bold`.
    package let type: String
    package let offset: Int
    package let length: Int
    /// Where it leads, for `text_link`.
    package let url: String?
  }

  /// A button of a message.
  package struct Button: Decodable, Hashable, Sendable {
    package let text: String
    /// The data that it calls back with, if it does.
    package let data: String?
    /// The URL that it opens, if it does.
    package let url: String?
  }

  /// A press of a button, with the bot's answer.
  package struct Query: Decodable, Hashable, Sendable {
    /// The text that the person saw.
    package struct Answer: Decodable, Hashable, Sendable {
      /// The text; empty for none.
      package let text: String
      /// True if the person has to close it.
      package let isAlert: Bool
    }

    /// The identity of the callback query.
    package let id: String
    /// The number of the chat.
    package let chat: Int64
    /// The number of the message in the chat.
    package let message: Int64
    /// The number of the person.
    package let user: Int64
    package let data: String
    /// The bot's answer; `nil` if it did not answer in time, or not yet.
    package let answer: Answer?
  }

  /// The token of the bot, unless a test chooses another.
  package static let token = "7000000001:AAF-a_token_for_the_tests_of_belfry"

  package let process: ServiceProcess

  /// Starts a server and waits until it listens.
  ///
  /// - Parameters:
  ///   - token: the token of its bot.
  ///   - chats: the chats that the bot may write to.
  ///   - second: the moment at which its clock stands, in seconds since 1970; `nil` for one that runs on from now.
  ///   - authority: the issuer of its certificate for `localhost`; `nil` for plain HTTP.
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  package init(
    token: String = TelegramServer.token, chats: [Int64] = [1_001], standingAt second: Int? = nil,
    authority: TestAuthority? = nil
  ) throws {
    let configuration: JSONObject = [
      "token": .string(token), "chats": .array(chats.map { .integer($0) }),
      "standsAt": second.map { .integer(Int64($0)) } ?? .null,
    ]
    process = try ServiceProcess("telegram_server.py", configuration, authority: authority)
  }

  /// The bot's messages in all chats as they are now, oldest first.
  ///
  /// - Throws: ``ServiceProcess/Failure``.
  package func sent() throws -> [Message] { try messages().filter(\.isOwn) }

  /// The messages of the bot and of people, oldest first.
  ///
  /// - Throws: ``ServiceProcess/Failure``.
  package func messages() throws -> [Message] { try process.order("messages", as: [Message].self) }

  /// The presses so far, in order.
  ///
  /// - Throws: ``ServiceProcess/Failure``.
  package func queries() throws -> [Query] { try process.order("queries", as: [Query].self) }

  /// True while a poll of the bot waits for updates.
  ///
  /// - Throws: ``ServiceProcess/Failure``.
  package func isPolled() throws -> Bool { try process.order("progress")["isPolled"]?.boolValue ?? false }

  /// The number of kept updates that the bot has not confirmed.
  ///
  /// - Throws: ``ServiceProcess/Failure``.
  package func pendingUpdates() throws -> Int {
    Int(try process.order("progress")["pendingUpdates"]?.integerValue ?? 0)
  }

  /// Has the next requests of a method fail; for `getUpdates` a waiting one too.
  ///
  /// - Throws: ``ServiceProcess/Failure``.
  package func fail(_ method: String, _ fault: ServiceFault, times: Int = 1) throws {
    try fail(method, fault.json, times: times)
  }

  /// Presses a button of a message as it is now; ``callBack(_:message:from:)`` presses one that was removed.
  ///
  /// - Returns: the identity of the callback query.
  /// - Throws: ``ServiceProcess/Failure``, if there is no such button that calls back.
  @discardableResult
  package func press(message: Message, button: String, from user: Int64) throws -> String {
    var parameters = place(message, user)
    parameters["button"] = .string(button)
    return try process.order("press", parameters).stringValue ?? ""
  }

  /// Presses a button with any data.
  ///
  /// - Returns: the identity of the callback query.
  /// - Throws: ``ServiceProcess/Failure``.
  @discardableResult
  package func callBack(_ data: String, message: Message, from user: Int64) throws -> String {
    var parameters = place(message, user)
    parameters["data"] = .string(data)
    return try process.order("call_back", parameters).stringValue ?? ""
  }

  /// Writes a text to the bot; it knows the chat from then on.
  ///
  /// - Returns: the number of the message.
  /// - Throws: ``ServiceProcess/Failure``.
  @discardableResult
  package func write(_ text: String, in chat: Int64, from user: Int64) throws -> Int64 {
    let parameters: JSONObject = ["text": .string(text), "chat": .integer(chat), "user": .integer(user)]
    return try process.order("write", parameters).integerValue ?? 0
  }

  /// Adds an update as it is, which gets the next `update_id` unless it has one.
  ///
  /// - Throws: ``ServiceProcess/Failure``.
  package func send(update: JSONValue) throws { try process.order("update", ["update": update]) }

  /// Has the person of a chat block the bot, or take that back.
  ///
  /// - Throws: ``ServiceProcess/Failure``.
  package func block(_ chat: Int64, _ isBlocked: Bool = true) throws {
    try process.order("block", ["chat": .integer(chat), "isBlocked": .bool(isBlocked)])
  }

  /// Deletes a message, as people may.
  ///
  /// - Throws: ``ServiceProcess/Failure``.
  package func delete(_ message: Message) throws {
    try process.order("delete", ["chat": .integer(message.chat), "message": .integer(message.id)])
  }

  /// Restarts without messages and updates, and starts the ids of updates again.
  ///
  /// - Throws: ``ServiceProcess/Failure``.
  package func restart(firstUpdate: Int64) throws {
    try goDown()
    try process.order("come_up", ["keepingState": false, "firstUpdate": .integer(firstUpdate)])
  }

  private func place(_ message: Message, _ user: Int64) -> JSONObject {
    ["chat": .integer(message.chat), "message": .integer(message.id), "user": .integer(user)]
  }
}
