import Foundation
import Testing

/// Two items of a list have rung at 09:00, through `run --once`.
@Suite("Answers")
struct AnswersTests {
  let box: Sandbox
  let reminder: String

  init() async throws {
    box = try Sandbox(config: Sandbox.defaultConfig + ActTests.config)
    for text in ["Milk", "Bread"] {
      try await box.json("add", text, "--due", "09:00", "--nag", "10m", at: "2026-11-21 08:00:00")
    }
    let bodies = try await box.runOnce(at: "2026-11-21 09:00:05")
    reminder = try #require(bodies.first { $0["data"]?["item"]?["id"] == .integer(1) }?["data"]?["reminder_id"]?.text)
  }

  private func belfry(_ words: String..., at time: String = "2026-11-21 09:01:00") async throws -> Outcome {
    try await box.run([Programs.belfry] + words, .at(time))
  }

  @Test("every reminder can be answered without a category, and the answer is told everywhere")
  func told() async throws {
    let body = try await belfry("act", reminder, "later", "--json").json.elements?.first
    #expect(body?["done"]?.text?.hasPrefix("snoozed 'Milk' until Sat 21 Nov 2026 09:11") == true)
    #expect(body?["effect"] == .text("done"))
    let answers = try #require(try await box.json("answers").elements)
    #expect(Shape.answer.faults(in: answers) == [])
    let answer = try #require(answers.first)
    #expect(answers.count == 1)
    #expect(answer["reminder_id"] == .text(reminder) && answer["item_id"] == .integer(1))
    #expect(answer["list"] == .text("Inbox") && answer["text"] == .text("Milk"))
    #expect(answer["action"] == .text("later") && answer["do"] == .text("snooze"))
    #expect(answer["person"] == .null && answer["channel"] == .text("cli"))
    #expect(answer["at"] == .text("2026-11-21T09:01:00+01:00") && answer["taken_back_at"] == .null)
    let reminders = try #require(try await box.json("explain", "1")["reminders"]?.elements)
    #expect(reminders.compactMap { $0["answers"]?.elements?.first?["id"] } == [.integer(1)])
    #expect(try await box.belfry("explain", "1").output.contains("answer 1, 'later' by cli Sat 21 Nov 2026 09:01"))
    let deliveries = try #require(try await box.json("deliveries").elements)
    #expect(Shape.delivery.faults(in: deliveries) == [])
    #expect(deliveries.map { $0["answers"]?.elements?.count } == [0, 1])
    #expect(try await box.belfry("deliveries").output.contains("'later' by cli"))
    #expect(try await box.belfry("answers").output.contains("later"))
  }

  @Test("one that is not stronger changes nothing, and says which is in force: 0")
  func already() async throws {
    #expect(try await belfry("act", reminder, "done").isDone)
    let outcome = try await belfry("act", reminder, "later", at: "2026-11-21 09:02:00")
    #expect(outcome.isDone)
    #expect(outcome.messages.contains("checked 'Milk': 'done' by cli, Sat 21 Nov 2026 09:01"), "\(outcome)")
    #expect(try await box.json("answers", "-n", "1").elements?.map { $0["effect"] } == [.text("already")])
    #expect(try await box.json("answers", "2") == .array([]))
    #expect(try await box.belfry("answers", "9").status == 66)
  }

  @Test("of what was deleted nothing is left to do: 65")
  func gone() async throws {
    try await box.belfry("delete", "1").requireDone()
    let outcome = try await belfry("act", reminder, "done")
    #expect(outcome.status == 65 && outcome.messages.contains("the item was deleted"), "\(outcome)")
    #expect(try await box.json("answers").elements?.map { $0["effect"] } == [.text("gone")])
  }

  @Test("take-back puts back what an answer changed; twice, nothing; of none: 66")
  func takeBack() async throws {
    #expect(try await belfry("act", reminder, "done").isDone)
    let outcome = try await belfry("take-back", "1", at: "2026-11-21 09:05:00")
    #expect(outcome.isDone && outcome.messages.contains("Took back answer 1, 'done': Milk"), "\(outcome)")
    #expect(try await box.ids("show") == [1, 2])
    let pending = try #require(try await box.json("pending").elements)
    #expect(pending.first { $0["item_id"] == .integer(1) }?["fire_date"] == .text("2026-11-21T09:15:00+01:00"))
    #expect(try await belfry("take-back", "1").messages.contains("taken back already"))
    #expect(
      try await box.json("answers").elements?.map { $0["taken_back_at"] } == [.text("2026-11-21T09:05:00+01:00")])
    #expect(try await box.belfry("take-back", "9").status == 66)
  }

  @Test("what was changed since stands in the way: 65")
  func inTheWay() async throws {
    #expect(try await belfry("act", reminder, "done").isDone)
    try await box.belfry("edit", "1", "--text", "Oat milk").requireDone()
    let outcome = try await belfry("take-back", "1")
    #expect(outcome.status == 65 && outcome.messages.contains("'Milk' was changed after answer 1"), "\(outcome)")
  }

  @Test("undo takes back what act has done")
  func undo() async throws {
    #expect(try await belfry("act", reminder, "done").isDone)
    #expect(try await belfry("undo").messages.contains("Undid 'belfry act'"))
    #expect(try await box.ids("show") == [1, 2])
  }
}
