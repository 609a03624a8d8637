import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

/// The same press more than once: a form sent twice, a robot, a message of a channel that is received again.
@Suite struct RepeatedPressTests {
  private let bench: AnswerBench

  init() throws {
    bench = try AnswerBench()
    try bench.add(nag: "15m")
    try bench.ring("10:00")
  }

  private static let words: [ActionOperation.Word] = [
    .none, .acknowledge, .snooze, .check, .delete, .clearList, .deleteList,
  ]

  @Test("it has one effect, one row, and the same reply each time", arguments: words)
  func same(word: ActionOperation.Word) throws {
    let reminder = try only(bench.fired())
    guard case .answered(let first, false) = try bench.press(word, on: reminder, as: "token") else {
      throw Unexpected("no answer")
    }
    let digest = try bench.bench.store.read(StoreDigest.init)
    for minutes in [0, 5, 600] {
      bench.bench.time.advance(by: Double(60 * minutes))
      #expect(try bench.press(word, on: reminder, as: "token") == .answered(first, isRepetition: true))
    }
    #expect(try bench.bench.store.read(StoreDigest.init) == digest)
  }

  @Test("also where it had no effect", arguments: words)
  func already(word: ActionOperation.Word) throws {
    let reminder = try only(bench.fired())
    try bench.answer(.delete)
    guard case .answered(let first, false) = try bench.press(word, on: reminder, as: "other") else {
      throw Unexpected("no answer")
    }
    #expect(first.effect == .already)
    #expect(try bench.press(word, on: reminder, as: "other") == .answered(first, isRepetition: true))
    #expect(try bench.answers().count == 2)
  }

  @Test("also where it was superseded by a stronger answer, or rang again")
  func superseded() throws {
    let reminder = try only(bench.fired())
    guard case .answered(let snooze, false) = try bench.press(.snooze, on: reminder, as: "token") else {
      throw Unexpected("no answer")
    }
    try bench.ring("11:00")
    #expect(try bench.press(.snooze, on: reminder, as: "token") == .answered(snooze, isRepetition: true))
    try bench.answer(.check)
    #expect(try bench.press(.snooze, on: reminder, as: "token") == .answered(snooze, isRepetition: true))
    #expect(try bench.items() == ["1 Milk checked"])
  }

  @Test("the same identity of two channels is two presses")
  func channels() throws {
    let reminder = try only(bench.fired())
    for channel in [Answer.Channel.phone, .watch] {
      let press = Press(
        reminder: reminder.id, choice: .identifier("acknowledge"), channel: channel, externalID: "1")
      guard case .answered(let answer, false) = try bench.bench.belfry.answer(press) else {
        throw Unexpected("no answer")
      }
      #expect(answer.effect == (channel == .phone ? .done : .already))
    }
  }

  @Test("what was refused is carried out once the person has signed in")
  func signedIn() throws {
    let reminder = try only(bench.fired())
    for isRepetition in [false, true] {
      guard
        case .answered(let answer, isRepetition) = try bench.press(
          .delete, on: reminder, as: "token", isAuthenticated: false)
      else { throw Unexpected("no answer") }
      #expect(answer.effect == .refused)
    }
    guard case .answered(let answer, false) = try bench.press(.delete, on: reminder, as: "token") else {
      throw Unexpected("no answer")
    }
    #expect(answer.effect == .done)
    #expect(try bench.answers().map(\.effect) == [.refused, .done])
  }

  @Test(
    "what was taken back is spent, and acts once more only with the number of the latest answer",
    arguments: [.acknowledge, .snooze, .check, .delete] as [ActionOperation.Word])
  func spent(word: ActionOperation.Word) throws {
    let reminder = try only(bench.fired())
    func press(_ latest: Int64? = nil) throws -> PressResult {
      try bench.press(word, on: reminder, as: "token", latest: latest)
    }
    guard case .answered(let first, _) = try press() else { throw Unexpected("no answer") }
    try bench.takeBack(first)
    let digest = try bench.bench.store.read(StoreDigest.init)
    for latest in [nil, 0, 9] as [Int64?] {
      guard case .spent(first.id, let reply) = try press(latest) else { throw Unexpected("not spent") }
      #expect(reply.hasPrefix("this was taken back Sat 21 Nov 2026 10:00"), "\(reply)")
    }
    #expect(try bench.bench.store.read(StoreDigest.init) == digest)
    guard case .answered(let second, false) = try press(first.id) else { throw Unexpected("no answer") }
    #expect(second.effect == .done && second.id == first.id + 1)
    // The doubled form of that.
    #expect(try press(first.id) == .answered(second, isRepetition: true))
    #expect(try press() == .answered(second, isRepetition: true))
    #expect(try bench.answers().count == 2)
  }

  @Test("what was unchecked since is spent too")
  func unchecked() throws {
    let reminder = try only(bench.fired())
    guard case .answered(let first, _) = try bench.press(.check, on: reminder, as: "token") else {
      throw Unexpected("no answer")
    }
    _ = try bench.bench.belfry.setChecked(false, [1])
    guard case .spent(first.id, _) = try bench.press(.check, on: reminder, as: "token") else {
      throw Unexpected("not spent")
    }
    #expect(try bench.items() == ["1 Milk"])
    #expect(
      try bench.press(.check, on: reminder, as: "token", latest: first.id)
        == .answered(try #require(bench.answers().last), isRepetition: false))
    #expect(try bench.items() == ["1 Milk checked"])
  }

  @Test("a press that came too late is spent once the answer in force was taken back")
  func lateOne() throws {
    let reminder = try only(bench.fired())
    let check = try bench.answer(.check)
    guard case .answered(let late, _) = try bench.press(.snooze, on: reminder, as: "token") else {
      throw Unexpected("no answer")
    }
    #expect(late.effect == .already)
    try bench.takeBack(check)
    guard case .spent(late.id, _) = try bench.press(.snooze, on: reminder, as: "token") else {
      throw Unexpected("not spent")
    }
    #expect(try bench.extra() == ["nag 10:15"])
  }
}
