import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

/// The nags, snoozes and steps after an undo: what came by itself or by an answer since is not the change's. It is 21
/// November 2026 in Zurich.
@Suite struct UndoneRingingTests {
  private let bench: AnswerBench

  init() throws { bench = try AnswerBench() }

  private func setText() throws { try bench.bench.edit { $0.text = "X" } }

  @Test("nags that followed a change by themselves go on after its undo, and after the redo")
  func nags() throws {
    try bench.add(nag: "5m")
    try bench.ring("10:00")
    try setText()
    try bench.ring("10:05")
    #expect(try bench.extra() == ["nag 10:10"])
    _ = try bench.bench.belfry.undo()
    #expect(try bench.extra() == ["nag 10:10"])
    try bench.ring("10:10")
    _ = try bench.bench.belfry.redo()
    #expect(try bench.extra() == ["nag 10:15"])
  }

  @Test("an escalation goes on after the undo of a change during it")
  func escalation() throws {
    let fixture = try EscalationFixture()
    try fixture.answers.add()
    try fixture.ring("10:00")
    try fixture.bench.edit { $0.text = "X" }
    try fixture.ring("10:10")
    #expect(try fixture.steps() == ["3.1 10:30"])
    _ = try fixture.bench.belfry.undo()
    #expect(try fixture.steps() == ["3.1 10:30"])
  }

  @Test("an answer after a change keeps its effect when the change is undone: a snooze rings, an ended nag does not")
  func answered() throws {
    try bench.add(nag: "30m")
    try bench.ring("10:00")
    try setText()
    try bench.answer(.acknowledge)
    #expect(try bench.extra() == [])
    _ = try bench.bench.belfry.undo()
    #expect(try bench.extra() == [])
    try setText()
    try bench.answer(.snooze)
    #expect(try bench.extra() == ["snooze 11:00"])
    _ = try bench.bench.belfry.undo()
    #expect(try bench.extra() == ["snooze 11:00"])
  }

  @Test("a nag whose time passed while the item was checked counts from the undo")
  func passedNag() throws {
    try bench.add(nag: "5m")
    try bench.ring("10:00")
    _ = try bench.bench.belfry.setChecked(true, [1])
    try bench.ring("10:20")
    _ = try bench.bench.belfry.undo()
    #expect(try bench.extra() == ["nag 10:25"])
  }

  @Test("what a change scheduled goes with its undo")
  func snoozed() throws {
    try bench.add(nag: "30m")
    try bench.ring("10:00")
    _ = try bench.bench.belfry.snooze(1, until: .after(lead("10m")))
    #expect(try bench.extra() == ["snooze 10:10"])
    _ = try bench.bench.belfry.undo()
    #expect(try bench.extra() == ["nag 10:30"])
    _ = try bench.bench.belfry.redo()
    #expect(try bench.extra() == ["snooze 10:10"])
  }
}
