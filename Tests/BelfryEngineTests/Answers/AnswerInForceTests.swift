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
    let bench = try AnswerBench()
    try bench.add(nag: "15m")
    try bench.ring("10:00")
    let reminder = try only(bench.fired())
    let standing = try bench.answer(first, on: reminder)
    let digest = try bench.items() + bench.extra()
    let answer = try bench.answer(second, on: reminder)
    guard second.strength <= first.strength else {
      #expect(answer.effect == .done, "\(answer)")
      return
    }
    #expect(answer.effect == .already, "\(answer)")
    #expect(
      answer.reply.hasPrefix("\(standing.reply): '\(first.rawValue)' by link, Sat 21 Nov 2026 10:00"), "\(answer)")
    #expect(answer.reply.hasSuffix("; 'belfry snooze 1' changes it") == (first == .snooze && second == .snooze))
    #expect(try bench.items() + bench.extra() == digest)
  }

  @Test("an answer that only takes note ends nothing and stands in nobody's way")
  func none() throws {
    let bench = try AnswerBench()
    try bench.add(nag: "15m")
    try bench.ring("10:00")
    for _ in 1...2 { #expect(try bench.answer(.none).effect == .done) }
    #expect(try bench.extra() == ["nag 10:15"])
    #expect(try bench.answer(.acknowledge).effect == .done)
    #expect(try bench.answer(.none).effect == .already)
  }

  @Test("a nag and the reminder that it repeats share one answer, whichever is answered")
  func nags() throws {
    let bench = try AnswerBench()
    try bench.add(nag: "15m")
    for time in ["10:00", "10:15", "10:30"] { try bench.ring(time) }
    let rung = try bench.fired()
    #expect(rung.count == 3)
    #expect(try bench.answer(.acknowledge, on: rung[1]).effect == .done)
    #expect(try bench.extra().isEmpty)
    for reminder in rung { #expect(try bench.answer(.acknowledge, on: reminder).effect == .already) }
    #expect(try bench.answer(.check, on: rung[0]).effect == .done)
    for reminder in rung { #expect(try bench.answer(.check, on: reminder).effect == .already) }
  }

  @Test("an acknowledgement ends the nagging, and the item stays open")
  func acknowledge() throws {
    let bench = try AnswerBench()
    try bench.add(nag: "15m")
    try bench.ring("10:00")
    try bench.answer(.acknowledge)
    for time in ["10:15", "11:00", "12:00"] { try bench.ring(time) }
    #expect(try bench.fired().count == 1)
    #expect(try bench.items() == ["1 Milk"])
  }

  @Test("a snooze that rings again begins anew, its nags included")
  func anew() throws {
    let bench = try AnswerBench()
    try bench.add(nag: "15m")
    try bench.ring("10:00")
    let first = try only(bench.fired())
    #expect(try bench.answer(.snooze).effect == .done)
    #expect(try bench.extra() == ["snooze 11:00"])
    try bench.ring("11:00")
    #expect(try bench.extra() == ["nag 11:15"])
    let again = try #require(try bench.fired().last)
    let answer = try bench.answer(.acknowledge, on: again)
    #expect(answer.effect == .done && answer.ring == again.id)
    #expect(try bench.extra().isEmpty)
    // The first one shares it.
    #expect(try bench.answer(.acknowledge, on: first).effect == .already)
    #expect(try bench.answer(.snooze, on: first).effect == .done)
    #expect(try bench.extra() == ["snooze 12:00"])
  }

  @Test("each alert of an item rings, and is acknowledged, by itself; a check counts for all")
  func alerts() throws {
    let bench = try AnswerBench()
    try bench.add(alerts: ["10m", "0m"])
    try bench.ring("09:50")
    try bench.ring("10:00")
    let rung = try bench.fired()
    #expect(try bench.answer(.acknowledge, on: rung[0]).effect == .done)
    #expect(try bench.answer(.acknowledge, on: rung[1]).effect == .done)
    #expect(try bench.answer(.snooze, on: rung[0]).effect == .done)
    #expect(try bench.answer(.check, on: rung[1]).effect == .done)
    #expect(try bench.answer(.check, on: rung[0]).effect == .already)
  }

  @Test("what was unchecked is no longer in force")
  func unchecked() throws {
    let bench = try AnswerBench()
    try bench.add()
    try bench.ring("10:00")
    try bench.answer(.check)
    _ = try bench.bench.belfry.setChecked(false, [1])
    #expect(try bench.answer(.acknowledge).effect == .done)
    #expect(try bench.answer(.check).effect == .done)
    #expect(try bench.items() == ["1 Milk checked"])
  }

  @Test("'belfry snooze' changes a snooze that was an answer")
  func replaced() throws {
    let bench = try AnswerBench()
    try bench.add()
    try bench.ring("10:00")
    try bench.answer(.snooze)
    _ = try bench.bench.belfry.snooze(1, until: .at(try wall("2026-11-21T15:00")))
    #expect(try bench.extra() == ["snooze 15:00"])
    #expect(try bench.answer(.snooze).effect == .already)
  }
}
