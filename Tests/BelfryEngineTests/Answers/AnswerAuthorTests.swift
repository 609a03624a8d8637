import BelfryTestKit
import Foundation
import OrderedJSON
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

/// Answers of people, and where their names are said. Milk rings at 10:00 in Zurich.
@Suite struct AnswerAuthorTests {
  private func rung() throws -> AnswerFixture {
    let fixture = try AnswerFixture()
    try fixture.add()
    try fixture.ring("10:00")
    return fixture
  }

  @Test("a name gets its number with the first answer, and keeps it")
  func numbers() throws {
    let fixture = try rung()
    for name in ["ben", "anna", "ben"] { try fixture.answer(.none, by: .name(name)) }
    #expect(try fixture.answers().map(\.person) == [1, 2, 1])
    #expect(try fixture.engine.store.read { try $0.personNames() } == [1: "ben", 2: "anna"])
  }

  @Test("who comes later is told who answered")
  func already() throws {
    let fixture = try rung()
    try fixture.answer(.check, by: .name("anna"))
    let late = try fixture.answer(.check, by: .name("ben"))
    #expect(late.effect == .already)
    #expect(late.reply == "checked 'Milk': 'check' by Anna over link, Sat 21 Nov 2026 10:00 CET")
    let reminder = try only(fixture.fired()).id
    #expect(try fixture.engine.belfry.sheet(of: reminder).person == "anna")
  }

  @Test("JSON has the name as the config has it, words begin it with a capital letter; nobody has none")
  func shown() throws {
    let fixture = try rung()
    try fixture.answer(.none, by: .name("anna"))
    try fixture.answer(.none)
    let zone = try fixture.engine.belfry.configuredZone()
    try fixture.engine.belfry.read { reading in
      let answers = try reading.view.answers(of: .item(1))
      let people = try reading.view.personNames()
      #expect(answers.map { reading.json($0, people: people)["person"] } == ["anna", .null])
      #expect(
        answers.map { reading.words($0, in: zone, people: people).prefix { $0 != ":" } } == [
          "answer 1, 'none' by Anna over link Sat 21 Nov 2026 10", "answer 2, 'none' by link Sat 21 Nov 2026 10",
        ])
      #expect(try reading.explain(1, settings: fixture.engine.settings, sinks: []).people == [1: "anna"])
    }
    #expect(try fixture.engine.belfry.hindsight().people == [1: "anna"])
  }

  @Test("the copies that were delivered are told by whom")
  func copies() async throws {
    let fixture = try WithdrawalFixture()
    try await fixture.ring()
    try fixture.answers.answer(.acknowledge, by: .name("anna"))
    try await fixture.daemon.noticeChange()
    let update = try only(fixture.updates)
    #expect(update.person == "anna" && update.sentence == "acknowledged ('acknowledge' by Anna over link)")
  }
}
