import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

/// The nags, snoozes and steps after an undo: what came by itself or by an answer since is not the change's. It is 21
/// November 2026 in Zurich.
@Suite struct UndoneRingingTests {
  private let answers: AnswerFixture

  init() throws { answers = try AnswerFixture() }

  private func setText() throws { try answers.engine.edit { $0.text = "X" } }

  @Test("nags that followed a change by themselves go on after its undo, and after the redo")
  func nags() throws {
    try answers.add(nag: "5m")
    try answers.ring("10:00")
    try setText()
    try answers.ring("10:05")
    #expect(try answers.extra() == ["nag 10:10"])
    _ = try answers.engine.belfry.undo()
    #expect(try answers.extra() == ["nag 10:10"])
    try answers.ring("10:10")
    _ = try answers.engine.belfry.redo()
    #expect(try answers.extra() == ["nag 10:15"])
  }

  @Test("an escalation goes on after the undo of a change during it")
  func escalation() throws {
    let fixture = try EscalationFixture()
    try fixture.answers.add()
    try fixture.ring("10:00")
    try fixture.engine.edit { $0.text = "X" }
    try fixture.ring("10:10")
    #expect(try fixture.steps() == ["3.1 10:30"])
    _ = try fixture.engine.belfry.undo()
    #expect(try fixture.steps() == ["3.1 10:30"])
  }

  @Test("an answer after a change keeps its effect when the change is undone: a snooze rings, an ended nag does not")
  func answered() throws {
    try answers.add(nag: "30m")
    try answers.ring("10:00")
    try setText()
    try answers.answer(.acknowledge)
    #expect(try answers.extra() == [])
    _ = try answers.engine.belfry.undo()
    #expect(try answers.extra() == [])
    try setText()
    try answers.answer(.snooze)
    #expect(try answers.extra() == ["snooze 11:00"])
    _ = try answers.engine.belfry.undo()
    #expect(try answers.extra() == ["snooze 11:00"])
  }

  @Test("a nag whose time passed while the item was checked counts from the undo")
  func passedNag() throws {
    try answers.add(nag: "5m")
    try answers.ring("10:00")
    _ = try answers.engine.belfry.setChecked(true, [1])
    try answers.ring("10:20")
    _ = try answers.engine.belfry.undo()
    #expect(try answers.extra() == ["nag 10:25"])
  }

  @Test("what a change scheduled goes with its undo")
  func snoozed() throws {
    try answers.add(nag: "30m")
    try answers.ring("10:00")
    _ = try answers.engine.belfry.snooze(1, until: .after(lead("10m")))
    #expect(try answers.extra() == ["snooze 10:10"])
    _ = try answers.engine.belfry.undo()
    #expect(try answers.extra() == ["nag 10:30"])
    _ = try answers.engine.belfry.redo()
    #expect(try answers.extra() == ["snooze 10:10"])
  }
}
