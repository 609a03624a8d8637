import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

/// The escalation of a list's own reminder. It is 21 November 2026 in Zurich.
@Suite struct ListEscalationTests {
  @Test(
    "an answer ends the steps and snoozes of a list's reminder although something came onto the list since",
    arguments: [ActionOperation.Word.check, .clearList], [false, true])
  func answered(word: ActionOperation.Word, isSnoozed: Bool) throws {
    let fixture = try EscalationFixture()
    let answers = fixture.answers
    try answers.add(due: nil)
    _ = try fixture.engine.belfry.remindList(
      "Groceries", ListReminderDraft(at: wall("2026-11-21T10:00"), category: "all"))
    #expect(try fixture.ring("10:00") == ["anna-phone 1.1"])
    let reminder = try only(answers.fired(.list(1)))
    if isSnoozed { try answers.answer(.snooze, on: reminder, of: .list(1)) }
    try answers.add("Bread", due: nil)
    #expect(try answers.extra(.list(1)) == [isSnoozed ? "snooze 11:00" : "escalation 10:10"])
    let answer = try answers.answer(word, on: reminder, of: .list(1))
    #expect(answer.effect == .done)
    #expect(try answers.items().contains("2 Bread"))
    #expect(try answers.extra(.list(1)) == [])
    #expect(try fixture.ring("10:10") == [])
    try answers.takeBack(answer)
    #expect(try answers.extra(.list(1)) == [isSnoozed ? "snooze 11:00" : "escalation 10:10"])
  }
}
