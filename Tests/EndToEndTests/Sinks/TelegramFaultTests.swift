import Foundation
import Testing
import TestSupport

/// Strangers, broken servers and blocked bots in a Telegram chat.
@Suite("Faults of Telegram")
struct TelegramFaultTests {
  @Test("presses of strangers, and with data that is foreign, cut or old, change nothing; the next one counts")
  func strangers() async throws {
    let chat = try TelegramChat()
    let daemon = try await chat.ring("Milk", "Bread")
    let (milk, bread) = (try chat.message("Milk"), try chat.message("Bread"))
    let token = try #require(milk.allButtons.first?.data)
    for place: Int64 in [1_002, -7] {
      let number = try chat.server.write("hello", in: place, from: 1_002)
      let message = try #require(try chat.server.messages().first { $0.chat == place && $0.id == number })
      try chat.server.callBack(token, message: message, from: 1_002)
    }
    for data in ["x", String(token.dropLast()), String(token.reversed()), token + token] {
      try chat.server.callBack(data, message: milk, from: TelegramChat.person)
    }
    try chat.server.press(message: bread, button: "Done", from: TelegramChat.person)
    try await chat.waitForChecked([2], daemon)
    try await waitUntil("the last press is answered; log: \(daemon.log)") {
      try chat.server.queries().last?.answer != nil
    }
    #expect(await daemon.stop().end == .exited(0))
    #expect(try await chat.effects() == ["done"])
    let answers = try chat.server.queries().map { $0.answer?.text }
    let unknown = "This button is not known here: nothing was changed"
    #expect(answers == Array(repeating: unknown, count: 6) + ["Checked 'Bread'"])
    #expect(daemon.log.components(separatedBy: "not an answer").count == 2, "\(daemon.log)")
    #expect(!daemon.log.contains(token))
  }

  @Test("a text whose update comes twice is one item")
  func duplicate() async throws {
    let chat = try TelegramChat(more: ", commands: true")
    let daemon = try await chat.box.daemon(at: "2026-11-21 09:00:02")
    // While it is down, so that the fault meets a poll with news.
    try chat.server.goDown()
    try chat.server.fail("getUpdates", .duplicate)
    try chat.server.write("Bread", in: TelegramChat.person, from: TelegramChat.person)
    try chat.server.comeUp()
    try await waitUntil("the text is taken; log: \(daemon.log)") {
      try chat.server.pendingUpdates() == 0 && chat.server.isPolled()
    }
    #expect(await daemon.stop().end == .exited(0))
    #expect(try chat.server.sent().map(\.text) == ["Added 1 (Inbox): Bread"])
    #expect(try await chat.box.json("show").elements?.count == 1)
  }

  @Test("an answer that is cut is asked for again")
  func cut() async throws {
    let chat = try TelegramChat()
    let daemon = try await chat.ring("Milk")
    try chat.server.goDown()
    try chat.server.fail("getUpdates", .cut)
    try chat.server.press(message: try chat.message("Milk"), button: "Done", from: TelegramChat.person)
    try chat.server.comeUp()
    try await chat.waitForChecked([1], daemon)
    #expect(await daemon.stop().end == .exited(0))
    #expect(try await chat.effects() == ["done"])
  }

  @Test("a server whose ids of updates begin anew is followed")
  func anew() async throws {
    let chat = try TelegramChat()
    let first = try await chat.ring("Milk", "Bread")
    let (milk, bread) = (try chat.message("Milk"), try chat.message("Bread"))
    try chat.server.press(message: milk, button: "Done", from: TelegramChat.person)
    try await chat.waitForChecked([1], first)
    #expect(await first.stop().end == .exited(0))
    try chat.server.restart(firstUpdate: 3)
    for message in [milk, bread] {
      let token = try #require(message.allButtons.first?.data)
      try chat.server.callBack(token, message: message, from: TelegramChat.person)
    }
    let daemon = try await chat.box.daemon(at: "2026-11-21 09:05:00")
    try await chat.waitForChecked([1, 2], daemon)
    try await waitUntil("both are confirmed; log: \(daemon.log)") { try chat.server.pendingUpdates() == 0 }
    #expect(await daemon.stop().end == .exited(0))
    #expect(try chat.server.queries().map { $0.answer?.text } == ["Checked 'Milk'", "Checked 'Bread'"])
    #expect(try await chat.effects() == ["done", "done"])
  }

  @Test("another program that takes the updates is told once, with the way out, and answers come again")
  func conflict() async throws {
    let chat = try TelegramChat()
    let daemon = try await chat.ring("Milk")
    // Twice, since the end of a connection that lasted a minute, as on a slow machine, is not reported.
    try chat.server.fail("getUpdates", .status(409), times: 2)
    try await daemon.waitForLog("sink 'phone' receives no answers: HTTP 409, another program or sink")
    try await daemon.waitForLog("sink 'phone' receives answers again")
    try chat.server.press(message: try chat.message("Milk"), button: "Done", from: TelegramChat.person)
    try await chat.waitForChecked([1], daemon)
    #expect(await daemon.stop().end == .exited(0))
  }

  @Test("a bot that was blocked waits for the user; once it is not, the reminder arrives")
  func blocked() async throws {
    let chat = try TelegramChat()
    try await chat.add(["Milk"])
    try chat.server.block(TelegramChat.person)
    let daemon = try await chat.box.daemon(at: "2026-11-21 09:00:02")
    try await daemon.waitForLog("bot was blocked by the user")
    let sinks = try await chat.box.belfry("sinks").output
    #expect(sinks.contains("needs your attention") && sinks.contains("bot was blocked by the user"), "\(sinks)")
    try chat.server.block(TelegramChat.person, false)
    #expect(await daemon.stop().end == .exited(0))
    // The pauses between attempts grow, so on a busy machine the next one may be far away.
    let later = try await chat.box.daemon(at: "2026-11-21 12:00:00")
    try await waitUntil("it arrives; log: \(later.log)") { try chat.server.sent().count == 1 }
    #expect(await later.stop().end == .exited(0))
  }

  @Test("a message that the person has deleted ends its update, and nothing else")
  func deleted() async throws {
    let chat = try TelegramChat()
    let daemon = try await chat.ring("Milk")
    try chat.server.delete(try chat.message("Milk"))
    try await chat.box.json("check", "1", at: "2026-11-21 09:00:10")
    try await daemon.waitForLog("message to edit not found")
    #expect(try chat.server.requests(of: "editMessageText").count == 1)
    #expect(try chat.server.sent().isEmpty)
    #expect(await daemon.stop().end == .exited(0))
  }

  @Test("a test and a probe: 0 with the right token, 69 and what to do with a wrong one, which is nowhere")
  func test() async throws {
    let chat = try TelegramChat()
    #expect(try await chat.box.belfry("config", "check", "--probe").isDone)
    #expect(try chat.server.requests(of: "getMe").count == 1 && chat.server.sent().isEmpty)
    let text = chat.box.text("belfry.yaml")
    try chat.box.write(text.replacing("chat_id: \(TelegramChat.person)", with: "chat_id: 4711"), to: "belfry.yaml")
    let elsewhere = try await chat.box.belfry("config", "check", "--probe")
    #expect(elsewhere.status == 69 && elsewhere.messages.contains("chat not found"), "\(elsewhere)")
    try chat.box.write(text, to: "belfry.yaml")
    let good = try await chat.box.belfry("sinks", "test", "phone", "-v")
    #expect(good.isDone, "\(good)")
    #expect(try chat.server.sent().count == 1)
    let secret = "AAF-wr0ng_token_of_a_bot"
    try chat.box.write("7000000001:\(secret)\n", to: "bot-token")
    for words in [["sinks", "test", "phone", "-v"], ["config", "check", "--probe"]] {
      let outcome = try await chat.box.run([Programs.belfry] + words, RunOptions())
      #expect(outcome.status == 69 && outcome.messages.contains("@BotFather"), "\(outcome)")
      #expect(!outcome.messages.contains(secret) && !good.messages.contains(TelegramServer.token), "\(outcome)")
    }
  }
}
