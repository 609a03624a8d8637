import BelfryEngine
import BelfryTestKit
import Foundation
import OrderedJSON
import Testing

@testable import BelfryModel
@testable import TelegramSink

@Suite("Messages in a Telegram chat")
struct MessageTests {
  private static let due = "Groceries · Saturday, 21 November 2026 at 08:00 UTC, now"

  private static let actions = [
    OfferedAction(identifier: "trash", title: "Delete", isDestructive: true, operation: .delete),
    OfferedAction(identifier: "done", title: "Done", operation: .check),
    OfferedAction(identifier: "safe", title: "Safe", requiresAuthentication: true, operation: .check),
    OfferedAction(identifier: "ed it", title: "Edit", operation: .edit),
  ]

  private func keyboard(_ parameters: JSONValue) -> [[JSONValue]] {
    (parameters["reply_markup"]?["inline_keyboard"]?.arrayValue ?? []).map { $0.arrayValue ?? [] }
  }

  private func text(_ parameters: JSONValue) throws -> String { try #require(parameters["text"]?.stringValue) }

  @Test("a reminder: its text in bold, where and when, and a button with a token for each action")
  func reminder() async throws {
    let api = ScriptedBotAPI()
    let outcome = await Telling.sink(api).deliver(Telling.attempt(try Sample.message()))
    #expect(outcome == .delivered(reply: "message 41 in chat 1001"))
    let request = try #require(api.requests.first)
    #expect(request.url == "https://api.telegram.org/bot\(Telling.token)/sendMessage" && request.method == "POST")
    #expect(request.fields.map(\.name) == ["Content-Type", "User-Agent"])
    #expect(request.fields.first?.value == "application/json")
    #expect(
      String(decoding: request.body, as: UTF8.self)
        == #"{"chat_id":1001,"text":"Buy milk\n\#(Self.due)","entities":[{"type":"bold","offset":0,"length":8}],"#
        + #""link_preview_options":{"is_disabled":true},"reply_markup":{"inline_keyboard":[[{"text":"Done","#
        + #""callback_data":"token 0 done"},{"text":"Later","callback_data":"token 0 later"}]]}}"#)
  }

  @Test("a step of an escalation says who has not answered, in plain letters after the text")
  func escalation() async throws {
    let api = ScriptedBotAPI()
    _ = await Telling.sink(api).deliver(Telling.attempt(try Sample.step()))
    let parameters = try #require(api.calls.first?.parameters)
    #expect(try text(parameters) == "Buy milk\nAnna has not answered since 07:50 (step 2 of 3)\n\(Self.due)")
    #expect(parameters["entities"]?.serialized() == #"[{"type":"bold","offset":0,"length":8}]"#)
  }

  @Test("a chat with a name, and a server of one's own")
  func place() async throws {
    let api = ScriptedBotAPI()
    var settings = Telling.settings(.name("@rings"))
    settings.server = "http://localhost:8081/x"
    _ = await Telling.sink(api, settings).deliver(Telling.attempt(try Sample.message()))
    #expect(api.calls.first?.url == "http://localhost:8081/x/bot\(Telling.token)/sendMessage")
    #expect(api.calls.first?.parameters["chat_id"] == "@rings")
  }

  @Test(
    "what destroys or needs a sign-in stands on no button: one leads to the page with all; what only opens leads to its own"
  )
  func page() async throws {
    let attempt = Telling.attempt(
      try Sample.message(), actions: Self.actions, publicURL: "https://belfry.example.org")
    let parameters = try await Telling.parameters(attempt)
    let buttons = keyboard(parameters).flatMap(\.self)
    #expect(buttons.map { $0["text"] } == ["Done", "Edit", "More"])
    #expect(buttons.first?["callback_data"] == "token 0 done" && buttons.first?["url"] == nil)
    #expect(buttons[1]["url"]?.stringValue == attempt.links[0].actions[3].url && buttons[1]["callback_data"] == nil)
    #expect(buttons.last?["url"]?.stringValue == attempt.links[0].answerURL)
    #expect(buttons.last?["callback_data"] == nil)
    #expect(try text(parameters) == "Buy milk\n\(Self.due)")
  }

  @Test("a page that Telegram takes for none is in the text", arguments: ["http://localhost:8787", "https://belfry"])
  func localPage(publicURL: String) async throws {
    let attempt = Telling.attempt(try Sample.message(), actions: Self.actions, publicURL: publicURL)
    let parameters = try await Telling.parameters(attempt)
    #expect(keyboard(parameters).flatMap(\.self).map { $0["text"] } == ["Done"])
    #expect(try text(parameters) == "Buy milk\n\(Self.due)\nAnswer: \(attempt.links[0].answerURL)")
  }

  @Test("without a page the text names the commands, each as a whole to be copied")
  func commands() async throws {
    let attempt = Telling.attempt(try Sample.message(), actions: Self.actions)
    let reminder = attempt.message.contents[0].reminderID.text
    let parameters = try await Telling.parameters(attempt)
    let text = try text(parameters)
    let commands = ["trash", "safe", "'ed it'"].map { "belfry act \(reminder) \($0)" }
    let named = zip(["Delete", "Safe", "Edit"], commands).map { "\($0): \($1)" }
    #expect(text == (["Buy milk", Self.due] + named).joined(separator: "\n"))
    let entities = try #require(parameters["entities"]?.arrayValue)
    #expect(entities.map { $0["type"] } == ["bold", "code", "code", "code"])
    #expect(entities.map { Telling.covered($0, of: text) } == ["Buy milk"] + commands)
  }

  @Test("without tokens every action is named, and there is no keyboard; a test names none")
  func withoutButtons() async throws {
    let message = try Sample.message()
    let parameters = try await Telling.parameters(Telling.attempt(message, hasButtons: false))
    #expect(try text(parameters).components(separatedBy: "belfry act ").count == 3)
    #expect(parameters["reply_markup"] == nil)
    let test = Message(
      id: message.id, sink: message.sink, contents: message.contents.map { ReminderContent(test: $0) },
      createdAt: message.createdAt)
    #expect(try text(try await Telling.parameters(Telling.attempt(test, hasButtons: false))) == "Buy milk\n\(Self.due)")
  }

  @Test(
    "entities count UTF-16 code units",
    arguments: [
      "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467} \u{1D11E}", "cafe\u{301} שלום 漢字", "*a* _b_ <b>c</b> [d](e)",
    ])
  func entities(headline: String) async throws {
    let attempt = Telling.attempt(try Sample.message(text: headline), actions: Self.actions)
    let parameters = try await Telling.parameters(attempt)
    let text = try text(parameters)
    let entities = try #require(parameters["entities"]?.arrayValue)
    #expect(entities.count == 4 && Telling.covered(entities[0], of: text) == headline)
    for entity in entities.dropFirst() {
      #expect(Telling.covered(entity, of: text)?.hasPrefix("belfry act ") == true)
    }
    #expect(parameters["parse_mode"] == nil)
  }

  @Test(
    "a text is cut to 4,096 code units between two characters, commands never are",
    arguments: ["x", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "e\u{301}"])
  func cuts(character: String) async throws {
    for length in 3_600...4_100 where length % 97 == 0 || length > 3_990 {
      let headline = String(repeating: character, count: length / character.utf16.count)
      let attempt = Telling.attempt(try Sample.message(text: headline), actions: Self.actions)
      let parameters = try await Telling.parameters(attempt)
      let text = try text(parameters)
      #expect(text.utf16.count <= 4_096 && !text.contains("\u{FFFD}"))
      #expect(text.hasSuffix("Edit: belfry act \(attempt.message.contents[0].reminderID.text) 'ed it'"))
      let entities = try #require(parameters["entities"]?.arrayValue)
      let bold = try #require(Telling.covered(entities[0], of: text))
      #expect(bold == headline || bold.hasSuffix("…") && headline.hasPrefix(bold.dropLast()))
    }
  }

  @Test("several reminders have named buttons, two in a row, as many as there is room for")
  func several() async throws {
    let messages = try (1...60).map { try Sample.message(text: "number \($0)", itemID: Int64($0)) }
    let message = Message(
      id: messages[0].id, sink: "sink", contents: messages.prefix(3).flatMap(\.contents), createdAt: Sample.now)
    let few = try await Telling.parameters(Telling.attempt(message, publicURL: "https://belfry.example.org"))
    #expect(
      keyboard(few).map { $0.map { $0["text"] } }
        == (1...3).map { ["Done: number \($0)", "Later: number \($0)"] })
    #expect(keyboard(few)[2][0]["callback_data"] == "token 2 done")
    #expect(
      few["entities"]?.arrayValue?.map { Telling.covered($0, of: few["text"]?.stringValue ?? "") }
        == ["number 1", "number 2", "number 3"])
    let full = Message(
      id: messages[0].id, sink: "sink", contents: messages.flatMap(\.contents), createdAt: Sample.now)
    let many = try await Telling.parameters(Telling.attempt(full))
    #expect(try text(many).utf16.count <= 4_096 && keyboard(many).flatMap(\.self).count <= 100)
    let named = try #require(keyboard(many).last?.last?["text"]?.stringValue?.split(separator: ": ").last)
    #expect(try text(many).contains(named))
  }

  @Test("a notice of a failure says it first, and why")
  func notice() async throws {
    let failure = DeliveryFailure(sink: "mail", recipient: nil, reason: "535 wrong", isFinal: true)
    let fired = try Sample.message()
    let notice = Message(
      id: Sample.uuid("notice"), sink: "chat", contents: fired.contents.map { ReminderContent($0, failure: failure) },
      createdAt: Sample.now)
    let parameters = try await Telling.parameters(Telling.attempt(notice, hasButtons: false))
    let text = try text(parameters)
    #expect(text == "Not delivered to mail: 535 wrong\n\nBuy milk\n\(Self.due)")
    #expect(
      parameters["entities"]?.arrayValue?.prefix(2).map { Telling.covered($0, of: text) }
        == ["Not delivered to mail", "Buy milk"])
  }
}
