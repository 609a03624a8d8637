import Foundation
import OrderedJSON
import Testing
import TestSupport

/// Tests of the server that stands in for Telegram's, with the program `curl`.
@Suite("The Telegram server of the test kit")
struct TelegramServerTests {
  private static let keyboard: JSONValue = [
    "inline_keyboard": [[["text": "Done", "callback_data": "token"], ["text": "Page", "url": "https://a.example/"]]]
  ]

  @Test(
    "a message within the limits is taken, any other is refused in Telegram's words",
    arguments: [
      (["text": " "], "message text is empty"),
      (["text": "x", "chat_id": 6], "chat not found"),
      (
        ["text": "😀", "entities": [["type": "bold", "offset": 1, "length": 1]]],
        "entity beginning at UTF-16 offset 1 ends in a middle of a UTF-16 symbol"
      ),
      (
        ["text": "x", "entities": [["type": "bold", "offset": 0, "length": 2]]],
        "entity beginning at UTF-16 offset 0 ends after the end of the text at UTF-16 offset 2"
      ),
      (["text": "x", "reply_markup": button("callback_data", String(repeating: "x", count: 64))], nil),
      (
        ["text": "x", "reply_markup": button("callback_data", String(repeating: "x", count: 65))], "BUTTON_DATA_INVALID"
      ),
      (["text": "x", "reply_markup": button("callback_data", "")], "BUTTON_DATA_INVALID"),
      (
        ["text": "x", "reply_markup": button("url", "http://localhost/")],
        "inline keyboard button URL 'http://localhost/' is invalid: Wrong HTTP URL"
      ),
    ] as [(JSONObject, String?)])
  func limits(parameters: JSONObject, refusal: String?) throws {
    let server = try TelegramServer()
    var parameters = parameters
    parameters["chat_id"] = parameters["chat_id"] ?? 1_001
    let reply = try call(server, "sendMessage", .object(parameters))
    #expect(reply["ok"] == .bool(refusal == nil))
    #expect(reply["description"] == refusal.map { .string("Bad Request: \($0)") })
    #expect(try server.sent().count == (refusal == nil ? 1 : 0))
    #expect(try server.requests(of: "sendMessage").map(\.status) == [refusal == nil ? 200 : 400])
  }

  @Test("the length of a text is counted in UTF-16 code units", arguments: [("", true), ("x", false)])
  func length(more: String, isTaken: Bool) throws {
    let server = try TelegramServer()
    let text = String(repeating: "😀", count: 2_048) + more
    #expect(
      try refusal(server, "sendMessage", ["chat_id": 1_001, "text": .string(text)])
        == (isTaken ? nil : "Bad Request: message is too long"))
    #expect(try server.sent().map(\.text) == (isTaken ? [text] : []))
  }

  @Test("a bot is known by its token, and its methods by their names")
  func tokens() throws {
    let server = try TelegramServer()
    let bot = "\(server.url)/bot\(TelegramServer.token)"
    let urls = ["\(bot)/getMe", "\(server.url)/bot1:x/getMe", "\(server.url)/bot/getMe", "\(bot)/getYou"]
    let statuses = try urls.map { try curl("-o", "/dev/null", "-w", "%{http_code}", $0) }
    #expect(statuses == ["200", "401", "404", "404"])
  }

  @Test("a press is an update until a higher offset confirms it, for 24 hours, and takes its answer for a minute")
  func press() throws {
    let server = try TelegramServer(standingAt: 1_700_000_000)
    _ = try call(server, "sendMessage", ["chat_id": 1_001, "text": "Milk", "reply_markup": Self.keyboard])
    let message = try #require(server.sent().first)
    let first = try server.press(message: message, button: "Done", from: 1_001)
    let second = try server.callBack("foreign", message: message, from: 6)
    let updates = try #require(call(server, "getUpdates", [:])["result"]?.arrayValue)
    #expect(updates.map { $0["callback_query"]?["data"] } == ["token", "foreign"])
    #expect(try call(server, "getUpdates", [:])["result"]?.arrayValue == updates)
    let last = try #require(updates.last?["update_id"]?.integerValue)
    #expect(try call(server, "getUpdates", ["offset": .integer(last)])["result"] == .array([updates[1]]))
    #expect(try server.pendingUpdates() == 1)

    #expect(try call(server, "answerCallbackQuery", ["callback_query_id": .string(first)])["ok"] == true)
    try server.advance(seconds: 61)
    let late = try call(server, "answerCallbackQuery", ["callback_query_id": .string(second)])
    #expect(late["description"]?.stringValue?.hasPrefix("Bad Request: query is too old") == true)
    #expect(try server.queries().map { $0.answer != nil } == [true, false])
    try server.advance(seconds: 24 * 3_600 - 62)
    #expect(try server.pendingUpdates() == 1)
    try server.advance(seconds: 1)
    #expect(try server.pendingUpdates() == 0)
  }

  @Test("an update ends the poll that waits for it, and so does another poll, the time, or a fault")
  func polls() async throws {
    let server = try TelegramServer(standingAt: 1_700_000_000)
    let waiting = try poll(server, ["timeout": 50])
    await eventually("the poll waits") { (try? server.isPolled()) == true }
    try server.write("milk", in: 1_001, from: 1_001)
    #expect(try waiting.output().contains(#""text":"milk""#))

    let next: JSONValue = ["offset": -1, "timeout": 50]
    let offset = try #require(call(server, "getUpdates", ["offset": -1])["result"]?.arrayValue?.first?["update_id"])
    _ = try call(server, "getUpdates", ["offset": .integer((offset.integerValue ?? 0) + 1)])
    let older = try poll(server, next)
    await eventually("the poll waits") { (try? server.isPolled()) == true }
    let newer = try poll(server, next)
    #expect(try older.output().contains("Conflict: terminated by other getUpdates request"))
    try server.advance(seconds: 50)
    #expect(try newer.output().contains(#""result":[]"#))
    let failing = try poll(server, next)
    await eventually("the poll waits") { (try? server.isPolled()) == true }
    try server.fail("getUpdates", .status(429, retryAfter: 7))
    #expect(try failing.output().contains(#""parameters":{"retry_after":7}"#))
  }

  @Test("an edit changes a message unless it is the same, is gone, or the person has blocked the bot")
  func edits() throws {
    let server = try TelegramServer()
    _ = try call(server, "sendMessage", ["chat_id": 1_001, "text": "Milk", "reply_markup": Self.keyboard])
    let edit: JSONValue = ["chat_id": 1_001, "message_id": 1, "text": "Milk: done"]
    #expect(try call(server, "editMessageText", edit)["ok"] == true)
    let message = try #require(server.sent().first)
    #expect(message.text == "Milk: done" && message.isEdited && message.allButtons.isEmpty)
    #expect(try refusal(server, "editMessageText", edit)?.hasPrefix("Bad Request: message is not modified") == true)
    try server.block(1_001)
    #expect(try refusal(server, "editMessageText", edit) == "Forbidden: bot was blocked by the user")
    try server.block(1_001, false)
    try server.delete(message)
    #expect(try refusal(server, "editMessageText", edit) == "Bad Request: message to edit not found")
  }

  @Test("faults end by themselves, and a message whose reply was lost is there")
  func faults() throws {
    let server = try TelegramServer()
    let message: JSONValue = ["chat_id": 1_001, "text": "Milk"]
    try server.fail("sendMessage", .status(502), times: 2)
    #expect(try refusal(server, "sendMessage", message) == "Bad Gateway")
    #expect(try refusal(server, "sendMessage", message) == "Bad Gateway")
    #expect(try server.sent().isEmpty)
    try server.fail("sendMessage", .drop(afterEffect: true))
    #expect(try poll(server, message, method: "sendMessage").output() == "")
    try server.fail("sendMessage", .reply(200, body: "{"))
    #expect(try poll(server, message, method: "sendMessage").output() == "{")
    #expect(try server.sent().count == 1)
  }

  @Test("after a restart it has its messages, or begins anew, at the same URL")
  func restart() throws {
    let server = try TelegramServer()
    _ = try call(server, "sendMessage", ["chat_id": 1_001, "text": "Milk"])
    try server.goDown()
    #expect(try curl("-w", "%{exitcode}", server.url) == "7")
    try server.comeUp()
    #expect(try server.sent().count == 1)
    try server.restart(firstUpdate: 5)
    #expect(try server.sent().isEmpty)
    try server.write("milk", in: 1_001, from: 1_001)
    // Far beyond the last update an offset confirms nothing.
    let updates = try call(server, "getUpdates", ["offset": 800_000_000])["result"]?.arrayValue
    #expect(updates?.map { $0["update_id"] } == [5])
  }

  private static func button(_ key: String, _ value: String) -> JSONValue {
    ["inline_keyboard": [[["text": "Done", .init(key): .string(value)]]]]
  }

  private func refusal(_ server: TelegramServer, _ method: String, _ parameters: JSONValue) throws -> String? {
    try call(server, method, parameters)["description"]?.stringValue
  }

  private func call(_ server: TelegramServer, _ method: String, _ parameters: JSONValue) throws -> JSONValue {
    try JSONValue(parsing: poll(server, parameters, method: method).output().utf8)
  }

  private func poll(_ server: TelegramServer, _ parameters: JSONValue, method: String = "getUpdates") throws -> Curling
  {
    try Curling(
      ["-H", "Content-Type: application/json", "-d", parameters.serialized()]
        + ["\(server.url)/bot\(TelegramServer.token)/\(method)"])
  }
}
