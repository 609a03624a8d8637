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
    try fixture.bench.setClock("2026-11-21T08:00:00+01:00")
    _ = try fixture.bench.belfry.snooze(1, until: .after(lead("30m")))
    #expect(try fixture.ring("08:30") == ["anna-phone 1.1"])
    #expect(try fixture.ring("08:40") == ["ben-phone 2.1"])
    let note = try fixture.bench.store.read { view in
      try fixture.bench.deliveries().last.flatMap { try view.message(id: $0.messageID) }?.contents.first?.escalation
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
    try fixture.bench.setClock("2026-11-23T09:59:00+01:00")
    _ = try fixture.bench.belfry.setChecked(true, [1])
    try fixture.ring("11-23T10:00")
    try fixture.bench.setClock("2026-11-21T10:30:00+01:00")
    _ = try fixture.bench.belfry.undo()
    try fixture.ring("11-22T10:00")
    let day = try wall("2026-11-22T10:00")
    let ringing = try Check.present(fixture.answers.fired().first { $0.occurrence.wallTime == day })
    let answer = try fixture.answers.answer(.acknowledge, on: ringing)
    try fixture.answers.takeBack(answer)
    #expect(try fixture.steps() == ["2.1 10:10"])
  }
}
