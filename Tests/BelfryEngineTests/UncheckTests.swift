import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

/// Unchecking what was checked by mistake: a nag goes on until the item is checked. It is 21 November 2026 in Zurich.
@Suite struct UncheckTests {
  private let fixture: AnswerFixture

  init() throws { fixture = try AnswerFixture() }

  private func check(_ isChecked: Bool) throws { _ = try fixture.engine.belfry.setChecked(isChecked, [1]) }

  @Test("the item nags on, counted from now where the time of the nag has passed", arguments: [nil, "FREQ=DAILY"])
  func nag(rule: String?) throws {
    try fixture.add(nag: "5m", rule: rule)
    try fixture.ring("10:00")
    try check(true)
    #expect(try fixture.extra() == [])
    try fixture.ring("10:22")
    try check(false)
    #expect(try fixture.extra() == ["nag 10:27"])
    try fixture.ring("10:27")
    #expect(try fixture.extra() == ["nag 10:32"])
    try check(true)
    try fixture.ring("10:29")
    try check(false)
    #expect(try fixture.extra() == ["nag 10:32"])
  }

  @Test("the command tells when it rings again")
  func told() throws {
    try fixture.add(nag: "5m")
    try fixture.ring("10:00")
    try check(true)
    let change = try only(fixture.engine.belfry.setChecked(false, [1]))
    #expect(change.schedule.scheduled.map(\.date) == [try instant("2026-11-21T10:05:00+01:00")])
  }

  @Test("a nag goes on although one before was missed")
  func missedNag() throws {
    try fixture.add(nag: "5m")
    for time in ["10:00", "10:05"] { try fixture.ring(time) }
    // Longer than seven days later.
    try fixture.ring("11-29T10:00")
    #expect(
      try fixture.engine.reminders() == [
        "2026-11-21T10:00+01:00 fired", "2026-11-21T10:05+01:00 fired", "2026-11-21T10:10+01:00 missed",
        "2026-11-29T10:05+01:00 scheduled",
      ])
    try check(true)
    try fixture.ring("11-29T10:30")
    try check(false)
    #expect(try fixture.extra() == ["nag 10:35"])
  }

  @Test("it does not nag where it was answered, where it has not rung, or where a check has ended a snooze")
  func silent() throws {
    try fixture.add(nag: "30m")
    try check(true)
    try check(false)
    #expect(try fixture.extra() == [])
    try fixture.ring("10:00")
    try fixture.answer(.acknowledge)
    try check(true)
    try check(false)
    #expect(try fixture.extra() == [])
    try fixture.answer(.snooze)
    try check(true)
    try check(false)
    #expect(try fixture.extra() == [])
  }

  @Test("the nag of a later ringing stays, and no other comes beside it")
  func laterRinging() throws {
    try fixture.add(nag: "2h", rule: "FREQ=HOURLY")
    try fixture.ring("10:00")
    try check(true)
    try fixture.ring("11:00")
    #expect(try fixture.extra() == ["nag 13:00"])
    try check(false)
    #expect(try fixture.extra() == ["nag 13:00"])
  }

  @Test("the item nags on also where the check was undone and redone")
  func redone() throws {
    try fixture.add(nag: "5m")
    try fixture.ring("10:00")
    try check(true)
    _ = try fixture.engine.belfry.undo()
    try fixture.ring("10:02")
    _ = try fixture.engine.belfry.redo()
    #expect(try fixture.extra() == [])
    try check(false)
    #expect(try fixture.extra() == ["nag 10:05"])
  }

  @Test("an undo of the uncheck ends the nag again")
  func undone() throws {
    try fixture.add(nag: "5m")
    try fixture.ring("10:00")
    try check(true)
    try check(false)
    _ = try fixture.engine.belfry.undo()
    #expect(try fixture.extra() == [])
    _ = try fixture.engine.belfry.undo()
    #expect(try fixture.extra() == ["nag 10:05"])
  }
}
