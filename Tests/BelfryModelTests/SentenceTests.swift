import BelfryTestKit
import Foundation
import Testing
@testable import BelfryModel
@testable import CivilTime

@Suite("Sentences about escalations") struct SentenceTests {
  private func sentence(
    _ step: Int, ring: Int = 1, _ asked: [String], people: [String]? = nil, since: String? = nil
  ) throws -> String? {
    var content = try Sample.step(step, ring: ring, asked: asked, people: people ?? asked).contents[0]
    if let since { content.escalation?.since = try #require(OffsetInstant(since)) }
    return content.escalationSentence
  }

  @Test("the people who were asked have not answered; where a sink was asked, or nobody, nobody has")
  func silence() throws {
    #expect(try sentence(2, ["anna"]) == "Anna has not answered since 07:50 (step 2 of 3)")
    #expect(try sentence(3, ["anna", "ben"]) == "Anna and Ben have not answered since 07:50 (step 3 of 3)")
    #expect(
      try sentence(3, ["anna", "Ben", "carl"]) == "Anna, Ben and Carl have not answered since 07:50 (step 3 of 3)")
    #expect(try sentence(3, ["anna", "desk"], people: ["anna"]) == "Nobody has answered since 07:50 (step 3 of 3)")
    #expect(try sentence(2, []) == "Nobody has answered since 07:50 (step 2 of 3)")
  }

  @Test("the first ringing has nothing to tell, the next ring of the first step has")
  func first() throws {
    #expect(try sentence(1, []) == nil)
    #expect(try sentence(1, ring: 2, ["anna"]) == "Anna has not answered since 07:50 (step 1 of 3)")
    #expect(try Sample.message().contents[0].escalationSentence == nil)
  }

  @Test("another day is named")
  func day() throws {
    #expect(
      try sentence(2, ["anna"], since: "2026-11-20T23:55:00Z")
        == "Anna has not answered since Fri 20 Nov 2026 23:55 (step 2 of 3)")
  }

  @Test("an update tells nothing of the steps")
  func updates() throws {
    let fired = try Sample.step()
    for state in ReminderUpdate.State.allCases {
      #expect(Sample.update(of: fired, to: state).contents[0].escalationSentence == nil)
    }
  }

  private func news(
    _ operation: ActionOperation.Word?, by person: String? = nil, at: String = "2026-11-21T08:12:00Z"
  ) throws -> String? {
    let fired = try Sample.step()
    let update = ReminderUpdate(
      messageID: fired.id, number: 1, state: .answered, words: "", operation: operation, person: person,
      at: try #require(OffsetInstant(at)))
    return ReminderContent(fired.contents[0], update: update).news(of: "Medicine")
  }

  @Test("the news of an answer says who did what, when")
  func answered() throws {
    #expect(try news(.check, by: "ben") == "Ben checked 'Medicine' at 08:12: nothing is left to do for you")
    #expect(
      try news(.acknowledge)
        == "'Medicine' was acknowledged at 08:12: nothing is left to do for you unless it rings again")
    #expect(
      try news(.snooze, by: "ben")
        == "Ben snoozed 'Medicine' at 08:12: nothing is left to do for you until it rings again")
    #expect(
      try news(.deleteList, at: "2026-11-22T00:10:00Z")
        == "'Medicine' was deleted on Sun 22 Nov 2026 at 00:10: nothing is left to do for you")
    #expect(try news(nil, by: "ben")?.hasPrefix("Ben answered 'Medicine'") == true)
  }

  @Test("there is no news of what rings, or is open again")
  func none() throws {
    let fired = try Sample.step()
    #expect(fired.contents[0].news(of: "Medicine") == nil)
    #expect(Sample.update(of: fired, to: .open).contents[0].news(of: "Medicine") == nil)
  }
}
