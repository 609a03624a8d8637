import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

/// Answers that are taken back. It is 10:00 in Zurich, and item 1, which nags, has just rung.
@Suite struct TakeBackTests {
  private let fixture: AnswerFixture

  init() throws {
    fixture = try AnswerFixture()
    try fixture.add(nag: "15m")
    try fixture.add("Oats", due: nil)
    try fixture.ring("10:00")
  }

  private func refused(_ answer: Answer) throws -> BelfryError {
    let digest = try fixture.engine.store.read(StoreDigest.init)
    let error = #expect(throws: BelfryError.self) { try fixture.takeBack(answer) }
    #expect(try fixture.engine.store.read(StoreDigest.init) == digest)
    return try #require(error)
  }

  @Test(
    "what an answer changed is put back, and nags count from now",
    arguments: [.acknowledge, .snooze, .check, .delete, .clearList, .deleteList] as [ActionOperation.Word])
  func all(word: ActionOperation.Word) throws {
    let answer = try fixture.answer(word)
    fixture.engine.time.advance(by: 300)
    let takenBack = try fixture.takeBack(answer)
    #expect(!takenBack.isRepetition && takenBack.answer.takenBackAt == fixture.engine.time.now.wholeSeconds)
    #expect(try fixture.items() == ["1 Milk", "2 Oats"])
    #expect(try fixture.extra() == ["nag 10:20"])
    #expect(try fixture.answers() == [takenBack.answer])
    // It can be answered again.
    #expect(try fixture.answer(word).effect == .done)
  }

  @Test("what was taken back already stays so, and says it")
  func twice() throws {
    let answer = try fixture.answer(.check)
    try fixture.takeBack(answer)
    let digest = try fixture.engine.store.read(StoreDigest.init)
    #expect(try fixture.takeBack(answer).isRepetition)
    #expect(try fixture.engine.store.read(StoreDigest.init) == digest)
  }

  @Test("an unknown answer, one that changed nothing and one of two days ago cannot be taken back")
  func impossible() throws {
    #expect(#expect(throws: BelfryError.self) { try fixture.engine.belfry.takeBack(9) }?.kind == .notFound)
    #expect(try refused(fixture.answer(.none)).message.contains("changed nothing"))
    let check = try fixture.answer(.check)
    #expect(try refused(fixture.answer(.acknowledge)).message.contains("changed nothing"))
    fixture.engine.time.advance(by: 86_401)
    #expect(try refused(check).message.contains("less than a day"))
  }

  @Test("what was changed since stands in the way under the name that it had, and nothing is taken back")
  func changed() throws {
    let check = try fixture.answer(.check)
    try fixture.engine.edit { $0.text = "Oat milk" }
    #expect(try refused(check).message == "cannot undo: 'Milk' was changed after answer 1")
  }

  @Test("a snooze that has rung, or was replaced, stays")
  func rung() throws {
    let snooze = try fixture.answer(.snooze)
    _ = try fixture.engine.belfry.snooze(1, until: .at(try wall("2026-11-21T12:00")))
    #expect(try refused(snooze).message.contains("was changed since"))
    let other = try AnswerFixture()
    try other.add()
    try other.ring("10:00")
    let rung = try other.answer(.snooze)
    try other.ring("11:00")
    let error = #expect(throws: BelfryError.self) { try other.takeBack(rung) }
    #expect(error?.message.contains("has rung again") == true)
  }

  @Test("a snooze of a later ringing until the same minute stays")
  func rungBefore() throws {
    let snooze = try fixture.answer(.snooze)
    _ = try fixture.engine.belfry.snooze(1, until: .at(try wall("2026-11-21T10:30")))
    try fixture.ring("10:30")
    _ = try fixture.engine.belfry.snooze(1, until: .at(try wall("2026-11-21T11:00")))
    #expect(try refused(snooze).message.contains("has rung again"))
    #expect(try fixture.extra() == ["snooze 11:00"])
  }

  // MARK: Order

  private static let chain: [ActionOperation.Word] = [.acknowledge, .snooze, .check]

  @Test(
    "in whichever order answers are taken back, the bell goes on as if none had been given",
    arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
  func order(order: [Int]) throws {
    let answers = try Self.chain.map { try fixture.answer($0) }
    #expect(answers.allSatisfy { $0.effect == .done })
    for index in order { try fixture.takeBack(answers[index]) }
    #expect(try fixture.items() == ["1 Milk", "2 Oats"])
    #expect(try fixture.extra() == ["nag 10:15"])
    let pending = try fixture.engine.deliveries().map(\.state)
    #expect(pending == [.pending])
    #expect(try fixture.answers().allSatisfy { $0.takenBackAt != nil })
  }

  @Test(
    "those that are not taken back stay in force",
    arguments: [
      ([0], ["1 Milk checked"], []), ([1], ["1 Milk checked"], []), ([2], ["1 Milk"], ["snooze 11:00"]),
      ([0, 1], ["1 Milk checked"], []), ([1, 2], ["1 Milk"], []), ([2, 1], ["1 Milk"], []),
      ([0, 2], ["1 Milk"], ["snooze 11:00"]), ([2, 0], ["1 Milk"], ["snooze 11:00"]),
    ] as [([Int], [String], [String])])
  func partOf(order: [Int], items: [String], extra: [String]) throws {
    let answers = try Self.chain.map { try fixture.answer($0) }
    for index in order { try fixture.takeBack(answers[index]) }
    #expect(try fixture.items().prefix(1) == items[...])
    #expect(try fixture.extra() == extra)
    #expect(try fixture.engine.deliveries().map(\.state) == [.discarded])
  }

  @Test("a snooze until the same minute as one that was taken back is another one")
  func sameMinute() throws {
    try fixture.takeBack(fixture.answer(.snooze))
    let (snooze, check) = (try fixture.answer(.snooze), try fixture.answer(.check))
    #expect(snooze.effect == .done && check.effect == .done)
    try fixture.takeBack(check)
    #expect(try fixture.extra() == ["snooze 11:00"])
    try fixture.takeBack(snooze)
    #expect(try fixture.extra() == ["nag 10:15"] && fixture.engine.deliveries().map(\.state) == [.pending])
  }

  @Test("a snooze by a command until the same minute stays when the answer's is taken back")
  func sameMinuteAsCommand() throws {
    _ = try fixture.engine.belfry.snooze(1, until: .at(try wall("2026-11-21T11:00")))
    for _ in 1...2 {
      let (snooze, check) = (try fixture.answer(.snooze), try fixture.answer(.check))
      try fixture.takeBack(snooze)
      try fixture.takeBack(check)
      #expect(try fixture.extra() == ["snooze 11:00"])
    }
  }

  @Test(
    "of several snoozes the last returns, in whichever order answers are taken back", arguments: [[0, 1], [1, 0]])
  func lastSnooze(order: [Int]) throws {
    var answers: [Answer] = []
    for (minute, word) in [("12:00", .acknowledge), ("10:30", .check)] as [(String, ActionOperation.Word)] {
      _ = try fixture.engine.belfry.snooze(1, until: .at(try wall("2026-11-21T\(minute)")))
      answers.append(try fixture.answer(word))
    }
    for index in order { try fixture.takeBack(answers[index]) }
    #expect(try fixture.extra() == ["snooze 10:30"])
  }

  @Test("answers about different items are taken back by themselves")
  func others() throws {
    try fixture.add("Bread", due: "2026-11-21T10:01")
    try fixture.ring("10:01")
    let milk = try fixture.answer(.check)
    let bread = try fixture.answer(.delete, of: .item(3))
    try fixture.takeBack(milk)
    #expect(try fixture.items() == ["1 Milk", "2 Oats"])
    try fixture.takeBack(bread)
    #expect(try fixture.items() == ["1 Milk", "2 Oats", "3 Bread"])
  }

  // MARK: The bell

  @Test("a snooze that has passed meanwhile does not return")
  func passed() throws {
    _ = try fixture.engine.belfry.snooze(1, until: .at(try wall("2026-11-21T10:30")))
    let check = try fixture.answer(.check)
    fixture.engine.time.advance(by: 3_600)
    try fixture.takeBack(check)
    #expect(try fixture.extra().isEmpty)
    _ = try fixture.engine.belfry.snooze(1, until: .at(try wall("2026-11-21T12:00")))
    let other = try fixture.answer(.check)
    try fixture.takeBack(other)
    #expect(try fixture.extra() == ["snooze 12:00"])
  }

  @Test("alerts that were cancelled ring again, those that have rung do not")
  func alerts() throws {
    try fixture.add("Bread", due: "2026-11-21T10:20", alerts: ["10m", "0m"])
    try fixture.ring("10:10")
    let check = try fixture.answer(.check, of: .item(3))
    #expect(try fixture.engine.scheduled(of: .item(3)).isEmpty)
    try fixture.takeBack(check)
    #expect(try fixture.engine.scheduled(of: .item(3)) == ["2026-11-21T10:20+01:00"])
  }

  @Test("what another person called off stays so")
  func discarded() throws {
    let acknowledge = try fixture.answer(.acknowledge)
    try fixture.takeBack(acknowledge)
    _ = try fixture.engine.belfry.discardDeliveries([1])
    try fixture.takeBack(fixture.answer(.check))
    #expect(try fixture.engine.deliveries().map(\.state) == [.discarded])
  }

  // MARK: Undo

  @Test(
    "of a command that answered undo is the taking back, and undone itself it is done again",
    arguments: [.acknowledge, .snooze, .check, .delete] as [ActionOperation.Word])
  func undo(word: ActionOperation.Word) throws {
    try fixture.press(word, command: "act")
    let after = try fixture.items() + fixture.extra()
    let undone = try fixture.engine.belfry.undo()
    #expect(undone.command == "act")
    #expect(try fixture.items() == ["1 Milk", "2 Oats"] && fixture.extra() == ["nag 10:15"])
    #expect(try only(fixture.answers()).takenBackAt != nil)
    _ = try fixture.engine.belfry.redo()
    #expect(try fixture.items() + fixture.extra() == after)
  }

  @Test("what came over another channel is no command: undo takes back the command before it")
  func otherChannel() throws {
    _ = try fixture.engine.belfry.setChecked(true, [2])
    try fixture.answer(.check)
    #expect(try fixture.engine.belfry.undo().command == "check")
    #expect(try fixture.items() == ["1 Milk checked", "2 Oats"])
  }
}
