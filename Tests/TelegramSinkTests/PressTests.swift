import BelfryTestKit
import Foundation
import OrderedJSON
import Synchronization
import Testing
import Transport

@testable import BelfryEngine
@testable import BelfryModel
@testable import TelegramSink

@Suite("Presses in a Telegram chat")
struct PressTests {
  @Test("a press checks the item, is answered in words, and the message is edited")
  func press() async throws {
    let fixture = ChatFixture()
    let tokens = try await fixture.ring("Buy milk")
    fixture.send([Sent.press(tokens[0][0], id: 501)])
    #expect(try await fixture.receive() == .ended)
    #expect(try fixture.items.map(\.isChecked) == [true])
    let answer = try #require(try fixture.answers().first)
    #expect(answer.channel.name == "telegram" && answer.effect == .done && answer.person == 0)
    #expect(
      fixture.api.calls(of: "answerCallbackQuery").map { $0.serialized() }
        == [#"{"callback_query_id":"query 501","text":"Checked 'Buy milk'","show_alert":false}"#])
    try await fixture.deliver()
    let edit = try #require(fixture.api.calls(of: "editMessageText").first)
    #expect(edit["message_id"] == 41 && edit["chat_id"] == 1_001 && edit["reply_markup"] == nil)
    #expect(edit["text"]?.stringValue?.hasPrefix("Buy milk\nChecked 'Buy milk' ('done' by telegram)\n") == true)
  }

  @Test("polls ask for presses alone, all but the first wait, and each goes on after the last update")
  func polls() async throws {
    let fixture = ChatFixture()
    fixture.send([Sent.press("foreign", id: 501)])
    _ = try await fixture.receive()
    let same = #","limit":20,"allowed_updates":["callback_query"]"#
    #expect(
      fixture.api.calls(of: "getUpdates").map { $0.serialized() } == [
        "{\"timeout\":0\(same)}", "{\"timeout\":50\(same),\"offset\":502}",
      ])
  }

  @Test("the person is told after the answer is kept, and it stands where they cannot be told")
  func order() async throws {
    let wasChecked = Mutex<[Bool]>([])
    let look = Mutex<(@Sendable () -> Bool)?>(nil)
    let fixture = ChatFixture { call, earlier throws(TransferFailure) in
      guard call.method == "answerCallbackQuery" else { return .usual(call, earlier) }
      if let look = look.withLock({ $0 }) { wasChecked.withLock { $0.append(look()) } }
      throw TransferFailure(.timedOut, "no answer")
    }
    let belfry = fixture.belfry
    let tokens = try await fixture.ring("Buy milk")
    fixture.send([Sent.press(tokens[0][0], id: 501)])
    look.withLock { $0 = { (try? belfry.store.read { try $0.items().allSatisfy(\.isChecked) }) ?? false } }
    #expect(try await fixture.receive() == .ended)
    #expect(wasChecked.withLock { $0 } == [true])
    #expect(try fixture.position?.hasPrefix("501 ") == true)
  }

  @Test("the same update again, now or after a start, is one answer")
  func replay() async throws {
    let fixture = ChatFixture()
    let press = Sent.press(try await fixture.ring("Buy milk")[0][0], id: 501)
    fixture.send([press, press], [press], [press])
    #expect(try await fixture.receive() == .ended)
    #expect(try await fixture.receive() == .ended)
    #expect(try fixture.answers().count == 1)
    #expect(try fixture.position?.hasPrefix("501 ") == true)
  }

  @Test("what was pressed in one batch is taken in order, and the later one says what stands")
  func several() async throws {
    let fixture = ChatFixture()
    let tokens = try await fixture.ring("Milk", "Eggs")
    fixture.send([
      Sent.press(tokens[0][1], id: 503), Sent.press(tokens[1][0], id: 501), Sent.press(tokens[0][0], id: 502),
    ])
    _ = try await fixture.receive()
    #expect(try fixture.items.map(\.isChecked) == [true, true])
    #expect(try fixture.answers().map(\.effect) == [.done, .already])
    let alerts = fixture.api.calls(of: "answerCallbackQuery").filter { $0["show_alert"] == true }
    #expect(alerts.map { $0["callback_query_id"] } == ["query 503"])
    #expect(alerts.allSatisfy { ($0["text"]?.stringValue ?? "").utf16.count <= 200 })
  }

  @Test("strange, foreign and broken updates change nothing, and hold up nothing")
  func strangers() async throws {
    let fixture = ChatFixture()
    let good = try await fixture.ring("Buy milk")[0][0]
    fixture.send(
      [
        Sent.press(good, id: 501, chat: 1_002), Sent.press(good, id: 502, chat: -1_001),
        Sent.press("foreign", id: 503), Sent.press(String(good.dropLast(3)), id: 504), Sent.press("", id: 505),
        Sent.press(String(repeating: "x", count: 100_000), id: 506), Sent.press("expired", id: 507),
        ["update_id": 508, "callback_query": ["id": "a", "data": .string(good)]],
        ["update_id": 509, "callback_query": .string(good)], ["update_id": 510, "message": ["text": "hello"]],
        ["update_id": 511], ["update_id": -5, "callback_query": [:]], ["update_id": "512"], "512", nil, [],
        ["update_id": 9_223_372_036_854_775_807], Sent.text("Milk", id: 513),
      ], [Sent.press(good, id: 514)])
    let answered = fixture.api.calls.count
    #expect(try await fixture.receive() == .ended)
    #expect(try fixture.answers().map(\.effect) == [.done] && fixture.items.count == 1)
    #expect(try fixture.position?.hasPrefix("514 ") == true)
    // Everyone who pressed gets a reply; people of another chat get only the reply to an unknown button.
    let told = fixture.api.calls.dropFirst(answered).filter { $0.method != "getUpdates" }
    #expect(told.map(\.method) == Array(repeating: "answerCallbackQuery", count: 9))
    let strange = told.map(\.parameters).filter { ["query 501", "query 502", "a"].contains($0["callback_query_id"]) }
    #expect(
      strange.map { $0["text"] }
        == Array(repeating: "This button is not known here: nothing was changed", count: 3))
    #expect(
      Set(told.compactMap { $0.parameters["text"]?.stringValue }) == [
        "This button is not known here: nothing was changed", "This button is too old: nothing was changed",
        "Checked 'Buy milk'",
      ])
    #expect(fixture.events.count == 1, "\(fixture.events)")
  }

  @Test("the log names the chat that is not the sink's, which a user may look for")
  func log() async throws {
    let fixture = ChatFixture()
    fixture.send([Sent.press("any", id: 501, chat: 77)])
    _ = try await fixture.receive()
    #expect(fixture.events.first?.hasSuffix("a press in the chat 77, which is not the sink's") == true)
  }

  @Test("ids that begin anew are taken")
  func anew() async throws {
    let fixture = ChatFixture()
    let tokens = try await fixture.ring("Milk", "Eggs")
    fixture.send([Sent.press(tokens[0][0], id: 900_000)], [Sent.press(tokens[1][0], id: 17)])
    _ = try await fixture.receive()
    #expect(try fixture.items.map(\.isChecked) == [true, true])
    #expect(fixture.api.calls(of: "getUpdates").map { $0["offset"] } == [nil, 900_001, 18])
  }

  @Test("a position of some days ago, and a text that is none, count no more")
  func oldPosition() async throws {
    let fixture = ChatFixture()
    let tokens = try await fixture.ring("Milk", "Eggs")
    fixture.send([Sent.press(tokens[0][0], id: 900_000)], [], [Sent.press(tokens[1][0], id: 17)])
    _ = try await fixture.receive()
    fixture.time.advance(by: 3 * 86_400)
    _ = try await fixture.receive()
    #expect(fixture.api.calls(of: "getUpdates").map { $0["offset"] } == [nil, 900_001, nil, 18])
    #expect(try fixture.items.map(\.isChecked) == [true, true])
    let position = try #require(UpdatePosition("12 1795248000"))
    #expect(position.text == "12 1795248000" && position.date == Sample.now)
    for seconds in [0.0, -3_600, 86_400] { #expect(position.isValid(at: Sample.now + seconds), "\(seconds)") }
    for seconds in [-259_200.0, 172_800] { #expect(!position.isValid(at: Sample.now + seconds), "\(seconds)") }
    for text in ["", "12", "x 5", "-1 5", "1 2 3", "99999999999999999999 1"] { #expect(UpdatePosition(text) == nil) }
  }

  @Test("what is there is taken up without waiting")
  func once() async throws {
    let fixture = ChatFixture()
    let tokens = try await fixture.ring("Milk", "Eggs")
    fixture.send([Sent.press(tokens[0][0], id: 501)], [Sent.press(tokens[1][0], id: 502)])
    #expect(try await fixture.receive(waits: false) == .ended)
    #expect(try fixture.items.map(\.isChecked) == [true, true])
    #expect(fixture.api.calls(of: "getUpdates").map { $0["timeout"] } == [0, 0, 0])
  }

  @Test("in a group, a press is of the person who has a chat with the bot under that number, else of nobody")
  func people() async throws {
    let fixture = ChatFixture(chat: .number(-1_001), people: ["anna": 4_711, "ben": 4_712])
    let tokens = try await fixture.ring("Milk", "Eggs", "Salt")
    let users: [JSONValue] = [4_712, 4_713, nil]
    let presses = zip(tokens, users).enumerated().map { index, press -> JSONValue in
      [
        "update_id": .integer(501 + Int64(index)),
        "callback_query": [
          "id": "query", "from": ["id": press.1], "data": .string(press.0[0]),
          "message": ["message_id": 41, "chat": ["id": -1_001, "type": "group"]],
        ],
      ]
    }
    fixture.send(presses)
    _ = try await fixture.receive()
    let ben = try #require(try fixture.belfry.store.read { try $0.person(named: "ben") })
    #expect(try (1...3).map { try fixture.answers(of: $0).map(\.person) } == [[ben.number], [0], [0]])
    #expect(try fixture.belfry.store.read { try Set($0.people().map(\.name)) } == ["anna", "ben"])
  }

  @Test("a public group is known by its name")
  func group() async throws {
    let fixture = ChatFixture(chat: .name("@rings"))
    let query: JSONValue = [
      "id": "query", "data": .string(try await fixture.ring("Buy milk")[0][0]),
      "message": ["message_id": 41, "chat": ["id": -100, "type": "supergroup", "username": "Rings"]],
    ]
    fixture.send([["update_id": 501, "callback_query": query]])
    _ = try await fixture.receive()
    #expect(try fixture.items.map(\.isChecked) == [true])
  }
}
