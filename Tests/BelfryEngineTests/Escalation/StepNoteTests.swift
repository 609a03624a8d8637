import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

/// The people asked before, in the messages of an escalation. It is 21 November 2026 in Zurich.
@Suite struct StepNoteTests {
  private func fixture(_ steps: [Escalation.Step]) throws -> EscalationFixture {
    var fixture = try EscalationFixture()
    fixture.engine.settings.escalations = [Escalation(name: "home", steps: steps)]
    try fixture.answers.add()
    return fixture
  }

  // Of each message, oldest first.
  private func sentences(_ fixture: EscalationFixture) throws -> [String?] {
    try fixture.engine.store.read { view in
      try fixture.engine.deliveries().map { try view.message(id: $0.messageID)?.contents.first?.escalationSentence }
    }
  }

  @Test("people are told apart from sinks, of which nobody knows who reads them")
  func sinks() throws {
    let (ten, twenty) = (try lead("10m"), try lead("20m"))
    let fixture = try fixture([
      Escalation.Step(to: ["anna"]), Escalation.Step(after: ten, to: ["ben", "desk-phone"]),
      Escalation.Step(after: twenty, to: ["ben"]),
    ])
    for time in ["10:00", "10:10", "10:20"] { try fixture.ring(time) }
    let notes = try fixture.engine.store.read { view in
      try fixture.engine.deliveries().compactMap { try view.message(id: $0.messageID)?.contents.first?.escalation }
    }
    #expect(notes.last?.asked == ["anna", "ben", "desk-phone"] && notes.last?.people == ["anna", "ben"])
    #expect(
      try sentences(fixture) == [
        nil, "Anna has not answered since 10:00 (step 2 of 3)", "Anna has not answered since 10:00 (step 2 of 3)",
        "Nobody has answered since 10:00 (step 3 of 3)",
      ])
  }

  @Test("a step that rings again has asked its own people before")
  func rings() throws {
    let ten = try lead("10m")
    let fixture = try fixture([
      Escalation.Step(to: ["anna"], every: ten, times: 3),
      Escalation.Step(after: try lead("15m"), to: ["ben"], every: ten, times: 2),
    ])
    for time in ["10:00", "10:10", "10:15", "10:25"] { try fixture.ring(time) }
    #expect(
      try sentences(fixture) == [
        nil, "Anna has not answered since 10:00 (step 1 of 2)", "Anna has not answered since 10:00 (step 2 of 2)",
        "Anna and Ben have not answered since 10:00 (step 2 of 2)",
      ])
  }

  @Test("who was away was not asked")
  func away() throws {
    var fixture = try EscalationFixture()
    try fixture.sendAway("anna")
    try fixture.answers.add()
    for time in ["10:00", "10:20"] { try fixture.ring(time) }
    #expect(
      try sentences(fixture) == [
        "Nobody has answered since 10:00 (step 2 of 3)", "Ben has not answered since 10:00 (step 3 of 3)",
      ])
  }
}
