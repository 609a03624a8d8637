import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

/// Escalations on a clock that was ahead and is set back. It is 21 November 2026 in Zurich.
@Suite struct SetBackTests {
  @Test("steps follow the ringing that came last, whatever the clock showed at an earlier one")
  func ringingAfterSetBack() throws {
    let fixture = try EscalationFixture()
    try fixture.answers.add()
    try fixture.ring("10:00")
    try fixture.answers.answer(.acknowledge)
    try fixture.engine.setClock("2026-11-21T08:00:00+01:00")
    _ = try fixture.engine.belfry.snooze(1, until: .after(lead("30m")))
    #expect(try fixture.ring("08:30") == ["anna-phone 1.1"])
    #expect(try fixture.ring("08:40") == ["ben-phone 2.1"])
    let note = try fixture.engine.store.read { view in
      try fixture.engine.deliveries().last.flatMap { try view.message(id: $0.messageID) }?.contents.first?.escalation
    }
    #expect(note?.since.description == "2026-11-21T08:30:00+01:00")
    let snooze = try Check.present(fixture.answers.fired().first)
    #expect(try fixture.answers.answer(.acknowledge, on: snooze).effect == .done)
    #expect(try fixture.steps().isEmpty)
  }

  @Test("what rang on a clock that was ahead is no later ringing, which would keep the steps away")
  func takenBackAfterSetBack() throws {
    let fixture = try EscalationFixture()
    try fixture.answers.add(rule: "FREQ=DAILY;COUNT=4")
    try fixture.engine.setClock("2026-11-23T09:59:00+01:00")
    _ = try fixture.engine.belfry.setChecked(true, [1])
    try fixture.ring("11-23T10:00")
    try fixture.engine.setClock("2026-11-21T10:30:00+01:00")
    _ = try fixture.engine.belfry.undo()
    try fixture.ring("11-22T10:00")
    let day = try wall("2026-11-22T10:00")
    let ringing = try Check.present(fixture.answers.fired().first { $0.occurrence.wallTime == day })
    let answer = try fixture.answers.answer(.acknowledge, on: ringing)
    try fixture.answers.takeBack(answer)
    #expect(try fixture.steps() == ["2.1 10:10"])
  }

  @Test("a snooze until a minute at which one has rung already ends a minute later")
  func snoozeAgain() throws {
    let answers = try AnswerFixture()
    try answers.add()
    try answers.ring("10:00")
    try answers.answer(.snooze)
    try answers.ring("11:00")
    try answers.engine.setClock("2026-11-21T10:00:00+01:00")
    #expect(try answers.answer(.snooze).reply.contains("11:01"))
    #expect(try answers.extra() == ["snooze 11:01"])
    let change = try answers.engine.belfry.snooze(1, until: .at(wall("2026-11-21T11:00")))
    #expect(change.schedule.scheduled.map(\.date) == [try instant("2026-11-21T11:01:00+01:00")])
    try answers.ring("11:01")
    #expect(try answers.fired().count == 3)
  }

  @Test("an acknowledged reminder rings again although one has rung at that minute already")
  func acknowledgedAgain() throws {
    let fixture = try EscalationFixture(
      EscalationRule(name: "home", againAfter: try lead("1h"), again: .always))
    try fixture.answers.add()
    try fixture.ring("10:00")
    try fixture.answers.answer(.acknowledge)
    try fixture.ring("11:00")
    try fixture.engine.setClock("2026-11-21T10:00:00+01:00")
    try fixture.answers.answer(.acknowledge)
    #expect(try fixture.answers.extra() == ["snooze 11:01"])
  }
}
