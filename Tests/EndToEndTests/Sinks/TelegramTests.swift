import Foundation
import Testing
import TestSupport

/// Reminders that are answered in a Telegram chat, by the built programs.
@Suite("Telegram")
struct TelegramTests {
  @Test("a press checks the item, is answered, and the message loses its buttons; an uncheck brings them back")
  func press() async throws {
    let chat = try TelegramChat()
    let daemon = try await chat.ring("Milk")
    let message = try chat.message("Milk")
    #expect(message.chat == TelegramChat.person && message.allButtons.map(\.text) == ["Done", "Later"])
    #expect(message.entities.map(\.type) == ["bold"] && message.entities.first?.length == 4)
    try chat.server.press(message: message, button: "Done", from: TelegramChat.person)
    try await chat.waitForChecked([1], daemon)
    try await chat.waitForEdit("Milk", "Checked 'Milk' ('done' by telegram)\n", daemon)
    try await waitUntil("the press is answered; log: \(daemon.log)") {
      try chat.server.queries().map { $0.answer?.text } == ["Checked 'Milk'"]
    }
    try await chat.box.json("uncheck", "1", at: "2026-11-21 09:00:20")
    try await waitUntil("the buttons are back; log: \(daemon.log)") {
      try chat.message("Milk").allButtons.map(\.text) == ["Done", "Later"]
    }
    #expect(try chat.server.sent().count == 1)
    #expect(await daemon.stop().end == .exited(0))
    let answer = try #require(try await chat.box.json("answers").elements?.first)
    #expect(answer["channel"] == .text("telegram") && answer["action"] == .text("done"))
  }

  @Test("what was answered elsewhere is told to the chat")
  func elsewhere() async throws {
    let chat = try TelegramChat()
    let daemon = try await chat.ring("Milk")
    try await chat.box.json("check", "1", at: "2026-11-21 09:00:10")
    try await chat.waitForEdit("Milk", "Checked\n", daemon)
    #expect(await daemon.stop().end == .exited(0))
  }

  @Test("presses of twelve hours in which no daemon ran are all taken up, each once")
  func outage() async throws {
    let chat = try TelegramChat()
    let texts = (1...100).map { "Item \($0)" }
    try await chat.add(texts)
    let first = try await chat.ring(texts.count)
    #expect(await first.stop().end == .exited(0))
    for message in try chat.server.sent() {
      try chat.server.press(message: message, button: "Done", from: TelegramChat.person)
    }
    try chat.server.advance(seconds: 12 * 3_600)
    let daemon = try await chat.box.daemon(at: "2026-11-21 21:00:02")
    try await chat.waitForChecked(Set(1...100), daemon)
    try await waitUntil("all messages are edited; log: \(daemon.log)") {
      try chat.server.sent().allSatisfy { $0.isEdited && $0.buttons.isEmpty }
    }
    #expect(await daemon.stop().end == .exited(0))
    #expect(try await chat.effects() == Array(repeating: "done", count: 100))
    #expect(try chat.server.pendingUpdates() == 0)
  }

  @Test("a single run takes up what was pressed before anything rings")
  func once() async throws {
    let chat = try TelegramChat()
    let daemon = try await chat.ring("Milk")
    #expect(await daemon.stop().end == .exited(0))
    try chat.server.press(message: try chat.message("Milk"), button: "Done", from: TelegramChat.person)
    try await chat.box.belfry("run", "--once", options: .at("2026-11-21 09:05:00")).requireDone()
    #expect(try await chat.effects() == ["done"])
    #expect(try chat.message("Milk").buttons.isEmpty && chat.server.pendingUpdates() == 0)
  }

  @Test("killed between an answer and its confirmation: one effect")
  func killed() async throws {
    let chat = try TelegramChat()
    let first = try await chat.ring("Milk")
    try chat.server.fail("answerCallbackQuery", .silence())
    try chat.server.press(message: try chat.message("Milk"), button: "Done", from: TelegramChat.person)
    try await waitUntil("the press is being answered; log: \(first.log)") {
      try chat.server.requests(of: "answerCallbackQuery").count == 1
    }
    #expect(await first.stop(SIGKILL).end == .signalled(SIGKILL))
    #expect(try chat.server.pendingUpdates() == 1)
    try chat.server.heal()
    let daemon = try await chat.box.daemon(at: "2026-11-21 09:01:10")
    try await chat.waitForEdit("Milk", "Checked 'Milk'", daemon)
    try await waitUntil("the press is confirmed; log: \(daemon.log)") { try chat.server.pendingUpdates() == 0 }
    #expect(await daemon.stop().end == .exited(0))
    #expect(try await chat.effects() == ["done"])
  }

  @Test("a person adds items and looks at lists, in the private chat alone")
  func commands() async throws {
    let chat = try TelegramChat(more: ", commands: true")
    let daemon = try await chat.box.daemon(at: "2026-11-21 09:00:02")
    try await waitUntil("it polls; log: \(daemon.log)") { try chat.server.isPolled() }
    try chat.server.write("Steal milk", in: 1_002, from: 1_002)
    try chat.server.write("Steal eggs", in: -5, from: TelegramChat.person)
    for text in ["Buy milk tomorrow 9am", "/list", "/agenda", "/what"] {
      try chat.server.write(text, in: TelegramChat.person, from: TelegramChat.person)
    }
    try await waitUntil("all are answered; log: \(daemon.log)") { try chat.server.sent().count == 4 }
    #expect(await daemon.stop().end == .exited(0))
    let said = try chat.server.sent()
    #expect(said.allSatisfy { $0.chat == TelegramChat.person })
    #expect(said[0].text.hasPrefix("Added 1 (Inbox): Buy milk\nrings Sun 22 Nov 2026 09:00 CET, in "))
    #expect(said[1].text == "Inbox\n• Buy milk · tomorrow 09:00")
    #expect(said[2].text == "Sun 22 Nov 2026\n• 09:00 · Buy milk")
    #expect(said[3].text.contains("/list NAME"))
    let items = try #require(try await chat.box.json("show").elements)
    #expect(items.map { $0["text"] } == [.text("Buy milk")])
    #expect(items.first?["due_local"] == .text("2026-11-22T09:00"))
    try await chat.box.belfry("undo", options: RunOptions(clock: "2026-11-21 09:01:00")).requireDone()
    #expect(try await chat.box.json("show").elements == [])
  }
}
