import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel

/// Presses of a robot that are undone. It is 10:00 in Zurich, and item 1, which nags, has just rung.
@Suite struct UndonePressesTests {
  private static let words: [ActionOperation.Word] = [.acknowledge, .snooze, .check]

  private let fixture: AnswerFixture

  init() throws {
    fixture = try AnswerFixture()
    try fixture.add(nag: "15m")
    try fixture.ring("10:00")
  }

  private func undo(_ presses: Set<String>, _ takenBack: [TakenBack] = [], since start: Date? = nil) throws {
    let reminder = try Check.present(fixture.fired().first).id
    try fixture.engine.belfry.undoPresses(
      by: .link, presses, takenBack: takenBack, over: reminder, since: start ?? fixture.engine.time.now)
  }

  private func takeBack(_ answer: Answer) throws -> TakenBack {
    try fixture.engine.belfry.takeBack(answer.id, over: answer.reminderID)
  }

  private func standing() throws -> [String] { try fixture.answers().filter { $0.takenBackAt == nil }.map(\.action) }

  @Test("the latest presses are taken back together, the others stay")
  func latest() throws {
    for word in Self.words { try fixture.press(word, as: word.rawValue) }
    try fixture.press(.delete, as: "other")
    let all = ["acknowledge", "snooze", "check", "delete"]
    try undo(["check"])
    #expect(try standing() == all)
    try undo(["other", "check", "snooze", "acknowledge"], since: fixture.engine.time.now.addingTimeInterval(1))
    #expect(try standing() == all)
    try undo(["other", "check", "snooze", "acknowledge"])
    #expect(try standing() == [] && fixture.items() == ["1 Milk"] && fixture.extra() == ["nag 10:15"])
  }

  /// The place of taking an answer back among the presses of a robot.
  private static let orders: [[ActionOperation.Word?]] = [
    [nil], [nil, .check], [.check, nil], [nil, .snooze, .check], [.snooze, nil, .check], [.snooze, .check, nil],
    [nil, .acknowledge, .snooze, .check], [.check, nil, .snooze], [nil, .check, .snooze, .acknowledge],
  ]

  @Test(
    "an answer that stood before a robot took it back stands again, and can be taken back", arguments: Self.words,
    Self.orders)
  func again(word: ActionOperation.Word, order: [ActionOperation.Word?]) throws {
    let answer = try fixture.answer(word)
    let (items, extra) = (try fixture.items(), try fixture.extra())
    fixture.engine.time.advance(by: 300)
    var takenBack: [TakenBack] = []
    for other in order {
      if let other { try fixture.press(other, as: other.rawValue) } else { takenBack.append(try takeBack(answer)) }
    }
    try undo(Set(Self.words.map(\.rawValue)), takenBack)
    #expect(try fixture.items() == items && fixture.extra() == extra)
    #expect(try fixture.answers().first == answer)
    #expect(try fixture.answers().dropFirst().allSatisfy { $0.takenBackAt != nil || $0.effect != .done })
    #expect(try fixture.engine.deliveries().map(\.state) == [.discarded])
    let digest = try fixture.engine.store.read(StoreDigest.init)
    try undo(Set(Self.words.map(\.rawValue)), takenBack)
    #expect(try fixture.engine.store.read(StoreDigest.init) == digest)
    _ = try takeBack(answer)
    #expect(try fixture.items() == ["1 Milk"] && fixture.extra() == ["nag 10:20"])
  }

  @Test("two answers that stood stand again, and the robot's own stay taken back")
  func several() throws {
    let (weak, strong) = (try fixture.answer(.acknowledge), try fixture.answer(.snooze))
    fixture.engine.time.advance(by: 300)
    var takenBack = [try takeBack(strong)]
    try fixture.press(.check, as: "check")
    takenBack.append(try takeBack(try Check.present(fixture.answers().last)))
    takenBack.append(try takeBack(weak))
    try undo(["check"], takenBack)
    #expect(try fixture.items() == ["1 Milk"] && fixture.extra() == ["snooze 11:00"])
    #expect(try standing() == ["acknowledge", "snooze"])
  }

  @Test("what somebody has changed since stays as it is")
  func changed() throws {
    let check = try fixture.answer(.check)
    let takenBack = try takeBack(check)
    try fixture.engine.edit { $0.text = "Oat milk" }
    try undo([], [takenBack])
    #expect(try fixture.items() == ["1 Oat milk"] && standing() == [])
  }

  @Test("a snooze whose time has passed meanwhile rings at once")
  func passed() throws {
    let takenBack = try takeBack(try fixture.answer(.snooze))
    fixture.engine.time.advance(by: 3_601)
    try undo([], [takenBack])
    #expect(try fixture.extra() == ["snooze 11:00"] && standing() == ["snooze"])
    try fixture.engine.claim()
    #expect(try fixture.fired().count == 2 && fixture.extra() == ["nag 11:15"])
  }

  @Test("what another person has answered since stays, and so does what was taken back before")
  func answeredSince() throws {
    let takenBack = try takeBack(try fixture.answer(.snooze))
    try fixture.press(.check, as: "other")
    try undo(["check"], [takenBack])
    #expect(try fixture.items() == ["1 Milk checked"] && standing() == ["check"])
  }

  @Test("what stands in the way of undoing one press does not keep the others")
  func obstacle() throws {
    for word in [.acknowledge, .snooze] as [ActionOperation.Word] { try fixture.press(word, as: word.rawValue) }
    _ = try fixture.engine.belfry.snooze(1, until: .at(try wall("2026-11-21T10:30")))
    try undo(["acknowledge", "snooze"])
    #expect(try fixture.extra() == ["snooze 10:30"] && standing() == ["snooze"])
  }

  @Test("a snooze that another one has replaced stays replaced")
  func replaced() throws {
    let takenBack = try takeBack(try fixture.answer(.snooze))
    _ = try fixture.engine.belfry.snooze(1, until: .at(try wall("2026-11-21T10:30")))
    try undo([], [takenBack])
    #expect(try fixture.extra() == ["snooze 10:30"] && standing() == [])
  }
}
