import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

/// One answer is in force over a reminder, its nags and its snoozes.
@Suite struct AnswerInForceTests {
  private static let words: [ActionOperation.Word] = [.acknowledge, .snooze, .check, .delete, .clearList, .deleteList]

  @Test("only a stronger answer changes anything, and the other is told of the one in force", arguments: words, words)
  func strength(first: ActionOperation.Word, second: ActionOperation.Word) throws {
    let fixture = try AnswerFixture()
    try fixture.add(nag: "15m")
    try fixture.ring("10:00")
    let reminder = try only(fixture.fired())
    let standing = try fixture.answer(first, on: reminder)
    let digest = try fixture.items() + fixture.extra()
    let answer = try fixture.answer(second, on: reminder)
    guard second.strength <= first.strength else {
      #expect(answer.effect == .done, "\(answer)")
      return
    }
    #expect(answer.effect == .already, "\(answer)")
    #expect(
      answer.reply.hasPrefix("\(standing.reply): '\(first.rawValue)' by link, Sat 21 Nov 2026 10:00"), "\(answer)")
    #expect(answer.reply.hasSuffix("; 'belfry snooze 1' changes it") == (first == .snooze && second == .snooze))
    #expect(try fixture.items() + fixture.extra() == digest)
  }

  @Test("an answer that only takes note ends nothing and stands in nobody's way")
  func none() throws {
    let fixture = try AnswerFixture()
    try fixture.add(nag: "15m")
    try fixture.ring("10:00")
    for _ in 1...2 { #expect(try fixture.answer(.none).effect == .done) }
    #expect(try fixture.extra() == ["nag 10:15"])
    #expect(try fixture.answer(.acknowledge).effect == .done)
    #expect(try fixture.answer(.none).effect == .already)
  }

  @Test("a nag and the reminder that it repeats share one answer, whichever is answered")
  func nags() throws {
    let fixture = try AnswerFixture()
    try fixture.add(nag: "15m")
    for time in ["10:00", "10:15", "10:30"] { try fixture.ring(time) }
    let rung = try fixture.fired()
    #expect(rung.count == 3)
    #expect(try fixture.answer(.acknowledge, on: rung[1]).effect == .done)
    #expect(try fixture.extra().isEmpty)
    for reminder in rung { #expect(try fixture.answer(.acknowledge, on: reminder).effect == .already) }
    #expect(try fixture.answer(.check, on: rung[0]).effect == .done)
    for reminder in rung { #expect(try fixture.answer(.check, on: reminder).effect == .already) }
  }

  @Test("an acknowledgement ends the nagging, and the item stays open")
  func acknowledge() throws {
    let fixture = try AnswerFixture()
    try fixture.add(nag: "15m")
    try fixture.ring("10:00")
    try fixture.answer(.acknowledge)
    for time in ["10:15", "11:00", "12:00"] { try fixture.ring(time) }
    #expect(try fixture.fired().count == 1)
    #expect(try fixture.items() == ["1 Milk"])
  }

  @Test("a snooze that rings again begins anew, its nags included")
  func anew() throws {
    let fixture = try AnswerFixture()
    try fixture.add(nag: "15m")
    try fixture.ring("10:00")
    let first = try only(fixture.fired())
    #expect(try fixture.answer(.snooze).effect == .done)
    #expect(try fixture.extra() == ["snooze 11:00"])
    try fixture.ring("11:00")
    #expect(try fixture.extra() == ["nag 11:15"])
    let again = try #require(try fixture.fired().last)
    let answer = try fixture.answer(.acknowledge, on: again)
    #expect(answer.effect == .done && answer.ring == again.id)
    #expect(try fixture.extra().isEmpty)
    // The first one shares it.
    #expect(try fixture.answer(.acknowledge, on: first).effect == .already)
    #expect(try fixture.answer(.snooze, on: first).effect == .done)
    #expect(try fixture.extra() == ["snooze 12:00"])
  }

  @Test("each alert of an item rings, and is acknowledged, by itself; a check counts for all")
  func alerts() throws {
    let fixture = try AnswerFixture()
    try fixture.add(alerts: ["10m", "0m"])
    try fixture.ring("09:50")
    try fixture.ring("10:00")
    let rung = try fixture.fired()
    #expect(try fixture.answer(.acknowledge, on: rung[0]).effect == .done)
    #expect(try fixture.answer(.acknowledge, on: rung[1]).effect == .done)
    #expect(try fixture.answer(.snooze, on: rung[0]).effect == .done)
    #expect(try fixture.answer(.check, on: rung[1]).effect == .done)
    #expect(try fixture.answer(.check, on: rung[0]).effect == .already)
  }

  @Test("what was unchecked is no longer in force")
  func unchecked() throws {
    let fixture = try AnswerFixture()
    try fixture.add()
    try fixture.ring("10:00")
    try fixture.answer(.check)
    _ = try fixture.engine.belfry.setChecked(false, [1])
    #expect(try fixture.answer(.acknowledge).effect == .done)
    #expect(try fixture.answer(.check).effect == .done)
    #expect(try fixture.items() == ["1 Milk checked"])
  }

  @Test("'belfry snooze' changes a snooze that was an answer")
  func replaced() throws {
    let fixture = try AnswerFixture()
    try fixture.add()
    try fixture.ring("10:00")
    try fixture.answer(.snooze)
    _ = try fixture.engine.belfry.snooze(1, until: .at(try wall("2026-11-21T15:00")))
    #expect(try fixture.extra() == ["snooze 15:00"])
    #expect(try fixture.answer(.snooze).effect == .already)
  }
}
