import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

/// The steps of an escalation, from the first ringing on. It is 21 November 2026 in Zurich.
@Suite struct EngineEscalationTests {
  @Test("each step rings at its time, by its own people, in place of the routes")
  func steps() throws {
    let fixture = try EscalationFixture()
    try fixture.answers.add()
    #expect(try fixture.ring("10:00") == ["anna-phone 1.1"])
    #expect(try fixture.steps() == ["2.1 10:10"])
    #expect(try fixture.ring("10:09").isEmpty)
    #expect(try fixture.ring("10:10") == ["ben-phone 2.1"])
    #expect(try fixture.ring("10:30") == ["anna-phone 3.1", "ben-phone 3.1"])
    #expect(try fixture.steps() == ["3.2 10:40"])
    #expect(try fixture.ring("10:40") == ["anna-phone 3.2", "ben-phone 3.2"])
    #expect(try fixture.ring("10:50") == ["anna-phone 3.3", "ben-phone 3.3"])
    #expect(try fixture.steps().isEmpty)
    #expect(try fixture.ring("12:00").isEmpty)
  }

  @Test("a message says who was asked, and since when")
  func note() throws {
    let fixture = try EscalationFixture()
    try fixture.answers.add()
    for time in ["10:00", "10:10", "10:30"] { try fixture.ring(time) }
    let notes = try fixture.engine.store.read { view in
      try fixture.engine.deliveries().compactMap { try view.message(id: $0.messageID)?.contents.first?.escalation }
    }
    #expect(notes.map(\.asked) == [[], ["anna"], ["anna", "ben"], ["anna", "ben"]])
    #expect(notes.allSatisfy { $0.name == "home" && $0.of == 3 && $0.since.description == "2026-11-21T10:00:00+01:00" })
  }

  @Test(
    "an answer ends it in its transaction",
    arguments: [ActionOperation.Word.acknowledge, .snooze, .check, .delete], ["10:00", "10:10", "10:30"])
  func answered(word: ActionOperation.Word, last: String) throws {
    let fixture = try EscalationFixture()
    try fixture.answers.add()
    for time in ["10:00", "10:10", "10:30"] where time <= last { try fixture.ring(time) }
    #expect(try fixture.answers.answer(word).effect == .done)
    #expect(try fixture.steps().isEmpty)
    #expect(try fixture.ring("10:55").isEmpty)
  }

  @Test("what changes the item ends it as well")
  func changed() throws {
    let changes: [(EngineFixture) throws -> Void] = [
      { _ = try $0.belfry.setChecked(true, [1]) }, { _ = try $0.belfry.delete([1]) },
      { _ = try $0.belfry.snooze(1, until: .after(lead("3h"))) },
      { engine in try engine.edit { $0.due = .at(try wall("2026-11-22T10:00")) } },
      { engine in try engine.edit { $0.shouldRemind = false } },
    ]
    for change in changes {
      let fixture = try EscalationFixture()
      try fixture.answers.add()
      try fixture.ring("10:00")
      try change(fixture.engine)
      #expect(try fixture.steps().isEmpty)
      #expect(try fixture.ring("10:55").isEmpty)
    }
  }

  @Test("after an outage the first step not made comes at once, and the others keep their distance")
  func outage() throws {
    let fixture = try EscalationFixture()
    try fixture.answers.add()
    try fixture.ring("10:00")
    #expect(try fixture.ring("11:05") == ["ben-phone 2.1"])
    #expect(try fixture.steps() == ["3.1 11:25"])
    try fixture.ring("11:25")
    #expect(try fixture.ring("11:55") == ["anna-phone 3.2", "ben-phone 3.2"])
    #expect(try fixture.steps() == ["3.3 12:05"])
  }

  @Test("rings of a step and the next step are late together")
  func lateRings() throws {
    var fixture = try EscalationFixture()
    let ten = try lead("10m")
    fixture.engine.settings.escalations = [
      Escalation(
        name: "home",
        steps: [
          Escalation.Step(to: ["anna"], every: ten, times: 9), Escalation.Step(after: try lead("25m"), to: ["ben"]),
        ])
    ]
    try fixture.answers.add()
    #expect(try fixture.ring("10:00") == ["anna-phone 1.1"])
    #expect(try fixture.steps() == ["1.2 10:10", "2.1 10:25"])
    #expect(try fixture.ring("10:31") == ["anna-phone 1.2"])
    #expect(try fixture.steps() == ["1.3 10:41", "2.1 10:46"])
    try fixture.ring("10:41")
    #expect(try fixture.steps() == ["2.1 10:46"])
    #expect(try fixture.ring("10:46") == ["ben-phone 2.1"])
    #expect(try fixture.steps().isEmpty)
  }

  @Test("the next occurrence ends it, and begins one of its own")
  func nextOccurrence() throws {
    let fixture = try EscalationFixture()
    try fixture.answers.add(rule: "FREQ=MINUTELY;INTERVAL=20")
    try fixture.ring("10:00")
    try fixture.ring("10:10")
    #expect(try fixture.ring("10:20") == ["anna-phone 1.1"])
    #expect(try fixture.steps() == ["2.1 10:30"])
  }

  @Test("a snooze that rings again begins anew")
  func snoozed() throws {
    let fixture = try EscalationFixture()
    try fixture.answers.add()
    try fixture.ring("10:00")
    try fixture.ring("10:10")
    try fixture.answers.answer(.snooze)
    #expect(try fixture.ring("11:10") == ["anna-phone 1.1"])
    #expect(try fixture.steps() == ["2.1 11:20"])
    #expect(try fixture.ring("11:20") == ["ben-phone 2.1"])
  }

  @Test("a step that everybody is away for is skipped: the next comes at once")
  func away() throws {
    var fixture = try EscalationFixture()
    try fixture.sendAway("ben")
    try fixture.answers.add()
    try fixture.ring("10:00")
    #expect(try fixture.ring("10:10") == ["anna-phone 3.1"])
    #expect(try fixture.steps() == ["3.2 10:20"])
    var other = try EscalationFixture()
    try other.sendAway("anna")
    try other.answers.add()
    #expect(try other.ring("10:00") == ["ben-phone 2.1"])
    #expect(try other.steps() == ["3.1 10:20"])
  }

  @Test("the last step rings on although it reaches nobody: somebody may be there for a later ring")
  func lastAway() throws {
    var fixture = try EscalationFixture()
    let people = fixture.engine.settings.people
    try fixture.sendAway("anna")
    try fixture.sendAway("ben")
    try fixture.answers.add()
    #expect(try fixture.ring("10:00").isEmpty)
    #expect(try fixture.steps() == ["3.2 10:10"])
    fixture.engine.settings.people = people
    #expect(try fixture.ring("10:10") == ["anna-phone 3.2", "ben-phone 3.2"])
    #expect(try fixture.steps() == ["3.3 10:20"])
  }

  @Test("nags are left out under an escalation")
  func nags() throws {
    let fixture = try EscalationFixture()
    try fixture.answers.add(nag: "5m")
    try fixture.ring("10:00")
    #expect(try fixture.answers.extra() == ["escalation 10:10"])
    #expect(try fixture.ring("10:09").isEmpty)
  }

  // MARK: A config that changes

  @Test("a step that the config has no more ends, and the next is found by time")
  func fewerSteps() throws {
    var fixture = try EscalationFixture()
    try fixture.answers.add()
    for time in ["10:00", "10:10"] { try fixture.ring(time) }
    fixture.engine.settings.escalations = [
      Escalation(
        name: "home",
        steps: [Escalation.Step(to: ["anna"]), Escalation.Step(after: try lead("45m"), to: ["desk-phone"])])
    ]
    #expect(try fixture.ring("10:30").isEmpty)
    #expect(try fixture.steps() == ["2.1 10:45"])
    fixture.engine.settings.lists = []
    #expect(try fixture.ring("10:45").isEmpty)
    #expect(try fixture.steps().isEmpty)
  }

  @Test("rings that a step has no more end, and the next step stays")
  func fewerRings() throws {
    var fixture = try EscalationFixture()
    try fixture.answers.add()
    for time in ["10:00", "10:10", "10:30"] { try fixture.ring(time) }
    #expect(try fixture.steps() == ["3.2 10:40"])
    try fixture.setTimes(1, ofStep: 3)
    #expect(try fixture.ring("10:40").isEmpty)
    #expect(try fixture.steps().isEmpty)

    var other = try EscalationFixture()
    try other.answers.add()
    try other.setTimes(2, ofStep: 1)
    try other.ring("10:00")
    #expect(try other.steps() == ["1.2 10:05", "2.1 10:10"])
    try other.setTimes(1, ofStep: 1)
    #expect(try other.ring("10:05").isEmpty)
    #expect(try other.ring("10:10") == ["ben-phone 2.1"])
  }

  // MARK: Taking back

  @Test("an answer that is taken back brings the steps back: at their times, or the first at once")
  func takenBack() throws {
    for (time, steps) in [("10:05", ["2.1 10:10"]), ("10:40", ["2.1 10:40"])] {
      let fixture = try EscalationFixture()
      try fixture.answers.add()
      try fixture.ring("10:00")
      let answer = try fixture.answers.answer(.acknowledge)
      try fixture.ring(time)
      try fixture.answers.takeBack(answer)
      #expect(try fixture.steps() == steps)
    }
  }

  @Test("the steps of one alert that come late put off none of another")
  func takenBackAlerts() throws {
    let fixture = try EscalationFixture()
    try fixture.answers.add(alerts: ["5m", "0m"])
    for time in ["09:55", "10:00"] { try fixture.ring(time) }
    let answer = try fixture.answers.answer(.check)
    try fixture.ring("10:08")
    try fixture.answers.takeBack(answer)
    #expect(try fixture.steps() == ["2.1 10:08", "2.1 10:10"])
  }

  @Test("a check that is undone brings the steps back")
  func undone() throws {
    let fixture = try EscalationFixture()
    try fixture.answers.add()
    try fixture.ring("10:00")
    _ = try fixture.engine.belfry.setChecked(true, [1])
    try fixture.ring("10:20")
    _ = try fixture.engine.belfry.undo()
    #expect(try fixture.ring("10:21") == ["ben-phone 2.1"])
    #expect(try fixture.steps() == ["3.1 10:41"])
  }

  // MARK: After an acknowledgement

  @Test("an acknowledged reminder rings again while its item is open, once or after each acknowledgement")
  func again() throws {
    for again in [Escalation.Again.once, .always] {
      let fixture = try EscalationFixture(EscalationRule(name: "home", againAfter: try lead("1h"), again: again))
      try fixture.answers.add()
      try fixture.ring("10:00")
      let answer = try fixture.answers.answer(.acknowledge)
      #expect(answer.reply.hasPrefix("acknowledged; unless it is done, it rings again "))
      #expect(try fixture.ring("11:00") == ["anna-phone 1.1"])
      #expect(try fixture.ring("11:10") == ["ben-phone 2.1"])
      try fixture.answers.answer(.acknowledge)
      #expect(try fixture.answers.extra() == (again == .once ? [] : ["snooze 12:10"]))
    }
  }

  @Test("acknowledgements that a check ended all ring again once it is taken back")
  func againAfterCheck() throws {
    let fixture = try EscalationFixture(EscalationRule(name: "home", againAfter: try lead("2h")))
    try fixture.answers.add(alerts: ["30m", "0m"])
    for time in ["09:30", "10:00"] {
      try fixture.ring(time)
      try fixture.answers.answer(.acknowledge)
    }
    let scheduled = try fixture.answers.extra()
    #expect(scheduled == ["snooze 11:30", "snooze 12:00"])
    let check = try fixture.answers.answer(.check)
    #expect(try fixture.answers.extra().isEmpty)
    try fixture.answers.takeBack(check)
    #expect(try fixture.answers.extra() == scheduled)
  }

  @Test("neither a check nor a taken back acknowledgement rings again")
  func notAgain() throws {
    let rule = EscalationRule(name: "home", againAfter: try lead("1h"))
    let checked = try EscalationFixture(rule)
    try checked.answers.add()
    try checked.ring("10:00")
    try checked.answers.answer(.acknowledge)
    try checked.answers.answer(.check)
    #expect(try checked.ring("11:00").isEmpty)
    let takenBack = try EscalationFixture(rule)
    try takenBack.answers.add()
    try takenBack.ring("10:00")
    try takenBack.answers.takeBack(takenBack.answers.answer(.acknowledge))
    #expect(try takenBack.answers.extra() == ["escalation 10:10"])
  }
}
