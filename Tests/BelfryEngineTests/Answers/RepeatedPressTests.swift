import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

/// The same press more than once: a form sent twice, a robot, a message of a channel that is received again.
@Suite struct RepeatedPressTests {
  private let fixture: AnswerFixture

  init() throws {
    fixture = try AnswerFixture()
    try fixture.add(nag: "15m")
    try fixture.ring("10:00")
  }

  private static let words: [ActionOperation.Word] = [
    .none, .acknowledge, .snooze, .check, .delete, .clearList, .deleteList,
  ]

  @Test("it has one effect, one row, and the same reply each time", arguments: words)
  func same(word: ActionOperation.Word) throws {
    let reminder = try only(fixture.fired())
    guard case .answered(let first, false) = try fixture.press(word, on: reminder, as: "token") else {
      throw Unexpected("no answer")
    }
    let digest = try fixture.engine.store.read(StoreDigest.init)
    for minutes in [0, 5, 600] {
      fixture.engine.time.advance(by: Double(60 * minutes))
      #expect(try fixture.press(word, on: reminder, as: "token") == .answered(first, isRepetition: true))
    }
    #expect(try fixture.engine.store.read(StoreDigest.init) == digest)
  }

  @Test("also where it had no effect", arguments: words)
  func already(word: ActionOperation.Word) throws {
    let reminder = try only(fixture.fired())
    try fixture.answer(.delete)
    guard case .answered(let first, false) = try fixture.press(word, on: reminder, as: "other") else {
      throw Unexpected("no answer")
    }
    #expect(first.effect == .already)
    #expect(try fixture.press(word, on: reminder, as: "other") == .answered(first, isRepetition: true))
    #expect(try fixture.answers().count == 2)
  }

  @Test("also where it was superseded by a stronger answer, or rang again")
  func superseded() throws {
    let reminder = try only(fixture.fired())
    guard case .answered(let snooze, false) = try fixture.press(.snooze, on: reminder, as: "token") else {
      throw Unexpected("no answer")
    }
    try fixture.ring("11:00")
    #expect(try fixture.press(.snooze, on: reminder, as: "token") == .answered(snooze, isRepetition: true))
    try fixture.answer(.check)
    #expect(try fixture.press(.snooze, on: reminder, as: "token") == .answered(snooze, isRepetition: true))
    #expect(try fixture.items() == ["1 Milk checked"])
  }

  @Test("the same identity of two channels is two presses")
  func channels() throws {
    let reminder = try only(fixture.fired())
    for channel in [Answer.Channel.phone, .watch] {
      let press = Press(
        reminder: reminder.id, choice: .identifier("acknowledge"), channel: channel, externalID: "1")
      guard case .answered(let answer, false) = try fixture.engine.belfry.answer(press) else {
        throw Unexpected("no answer")
      }
      #expect(answer.effect == (channel == .phone ? .done : .already))
    }
  }

  @Test("what was refused is carried out once the person has signed in")
  func signedIn() throws {
    let reminder = try only(fixture.fired())
    for isRepetition in [false, true] {
      guard
        case .answered(let answer, isRepetition) = try fixture.press(
          .delete, on: reminder, as: "token", isAuthenticated: false)
      else { throw Unexpected("no answer") }
      #expect(answer.effect == .refused)
    }
    guard case .answered(let answer, false) = try fixture.press(.delete, on: reminder, as: "token") else {
      throw Unexpected("no answer")
    }
    #expect(answer.effect == .done)
    #expect(try fixture.answers().map(\.effect) == [.refused, .done])
  }

  @Test(
    "what was taken back is spent, and acts once more only with the number of the latest answer",
    arguments: [.acknowledge, .snooze, .check, .delete] as [ActionOperation.Word])
  func spent(word: ActionOperation.Word) throws {
    let reminder = try only(fixture.fired())
    func press(_ latest: Int64? = nil) throws -> PressResult {
      try fixture.press(word, on: reminder, as: "token", latest: latest)
    }
    guard case .answered(let first, _) = try press() else { throw Unexpected("no answer") }
    try fixture.takeBack(first)
    let digest = try fixture.engine.store.read(StoreDigest.init)
    for latest in [nil, 0, 9] as [Int64?] {
      guard case .spent(first.id, let reply) = try press(latest) else { throw Unexpected("not spent") }
      #expect(reply.hasPrefix("this was taken back Sat 21 Nov 2026 10:00"), "\(reply)")
    }
    #expect(try fixture.engine.store.read(StoreDigest.init) == digest)
    guard case .answered(let second, false) = try press(first.id) else { throw Unexpected("no answer") }
    #expect(second.effect == .done && second.id == first.id + 1)
    // The doubled form of that.
    #expect(try press(first.id) == .answered(second, isRepetition: true))
    #expect(try press() == .answered(second, isRepetition: true))
    #expect(try fixture.answers().count == 2)
  }

  @Test("what was unchecked since is spent too")
  func unchecked() throws {
    let reminder = try only(fixture.fired())
    guard case .answered(let first, _) = try fixture.press(.check, on: reminder, as: "token") else {
      throw Unexpected("no answer")
    }
    _ = try fixture.engine.belfry.setChecked(false, [1])
    guard case .spent(first.id, _) = try fixture.press(.check, on: reminder, as: "token") else {
      throw Unexpected("not spent")
    }
    #expect(try fixture.items() == ["1 Milk"])
    #expect(
      try fixture.press(.check, on: reminder, as: "token", latest: first.id)
        == .answered(try #require(fixture.answers().last), isRepetition: false))
    #expect(try fixture.items() == ["1 Milk checked"])
  }

  @Test("a press that came too late is spent once the answer in force was taken back")
  func lateOne() throws {
    let reminder = try only(fixture.fired())
    let check = try fixture.answer(.check)
    guard case .answered(let late, _) = try fixture.press(.snooze, on: reminder, as: "token") else {
      throw Unexpected("no answer")
    }
    #expect(late.effect == .already)
    try fixture.takeBack(check)
    guard case .spent(late.id, _) = try fixture.press(.snooze, on: reminder, as: "token") else {
      throw Unexpected("not spent")
    }
    #expect(try fixture.extra() == ["nag 10:15"])
  }
}
