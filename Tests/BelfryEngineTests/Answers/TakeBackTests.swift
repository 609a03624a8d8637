import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

/// Answers that are taken back. It is 10:00 in Zurich, and item 1, which nags, has just rung.
@Suite struct TakeBackTests {
  private let bench: AnswerBench

  init() throws {
    bench = try AnswerBench()
    try bench.add(nag: "15m")
    try bench.add("Oats", due: nil)
    try bench.ring("10:00")
  }

  private func refused(_ answer: Answer) throws -> BelfryError {
    let digest = try bench.bench.store.read(StoreDigest.init)
    let error = #expect(throws: BelfryError.self) { try bench.takeBack(answer) }
    #expect(try bench.bench.store.read(StoreDigest.init) == digest)
    return try #require(error)
  }

  @Test(
    "what an answer changed is put back, and nags count from now",
    arguments: [.acknowledge, .snooze, .check, .delete, .clearList, .deleteList] as [ActionOperation.Word])
  func all(word: ActionOperation.Word) throws {
    let answer = try bench.answer(word)
    bench.bench.time.advance(by: 300)
    let takenBack = try bench.takeBack(answer)
    #expect(!takenBack.isRepetition && takenBack.answer.takenBackAt == bench.bench.time.now.wholeSeconds)
    #expect(try bench.items() == ["1 Milk", "2 Oats"])
    #expect(try bench.extra() == ["nag 10:20"])
    #expect(try bench.answers() == [takenBack.answer])
    // It can be answered again.
    #expect(try bench.answer(word).effect == .done)
  }

  @Test("what was taken back already stays so, and says it")
  func twice() throws {
    let answer = try bench.answer(.check)
    try bench.takeBack(answer)
    let digest = try bench.bench.store.read(StoreDigest.init)
    #expect(try bench.takeBack(answer).isRepetition)
    #expect(try bench.bench.store.read(StoreDigest.init) == digest)
  }

  @Test("an unknown answer, one that changed nothing and one of two days ago cannot be taken back")
  func impossible() throws {
    #expect(#expect(throws: BelfryError.self) { try bench.bench.belfry.takeBack(9) }?.kind == .notFound)
    #expect(try refused(bench.answer(.none)).message.contains("changed nothing"))
    let check = try bench.answer(.check)
    #expect(try refused(bench.answer(.acknowledge)).message.contains("changed nothing"))
    bench.bench.time.advance(by: 86_401)
    #expect(try refused(check).message.contains("less than a day"))
  }

  @Test("what was changed since stands in the way under the name that it had, and nothing is taken back")
  func changed() throws {
    let check = try bench.answer(.check)
    try bench.bench.edit { $0.text = "Oat milk" }
    #expect(try refused(check).message == "cannot undo: 'Milk' was changed after answer 1")
  }

  @Test("a snooze that has rung, or was replaced, stays")
  func rung() throws {
    let snooze = try bench.answer(.snooze)
    _ = try bench.bench.belfry.snooze(1, until: .at(try wall("2026-11-21T12:00")))
    #expect(try refused(snooze).message.contains("was changed since"))
    let other = try AnswerBench()
    try other.add()
    try other.ring("10:00")
    let rung = try other.answer(.snooze)
    try other.ring("11:00")
    let error = #expect(throws: BelfryError.self) { try other.takeBack(rung) }
    #expect(error?.message.contains("has rung again") == true)
  }

  @Test("a snooze of a later ringing until the same minute stays")
  func rungBefore() throws {
    let snooze = try bench.answer(.snooze)
    _ = try bench.bench.belfry.snooze(1, until: .at(try wall("2026-11-21T10:30")))
    try bench.ring("10:30")
    _ = try bench.bench.belfry.snooze(1, until: .at(try wall("2026-11-21T11:00")))
    #expect(try refused(snooze).message.contains("has rung again"))
    #expect(try bench.extra() == ["snooze 11:00"])
  }

  // MARK: Order

  private static let chain: [ActionOperation.Word] = [.acknowledge, .snooze, .check]

  @Test(
    "in whichever order answers are taken back, the bell goes on as if none had been given",
    arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
  func order(order: [Int]) throws {
    let answers = try Self.chain.map { try bench.answer($0) }
    #expect(answers.allSatisfy { $0.effect == .done })
    for index in order { try bench.takeBack(answers[index]) }
    #expect(try bench.items() == ["1 Milk", "2 Oats"])
    #expect(try bench.extra() == ["nag 10:15"])
    let pending = try bench.bench.deliveries().map(\.state)
    #expect(pending == [.pending])
    #expect(try bench.answers().allSatisfy { $0.takenBackAt != nil })
  }

  @Test(
    "those that are not taken back stay in force",
    arguments: [
      ([0], ["1 Milk checked"], []), ([1], ["1 Milk checked"], []), ([2], ["1 Milk"], ["snooze 11:00"]),
      ([0, 1], ["1 Milk checked"], []), ([1, 2], ["1 Milk"], []), ([2, 1], ["1 Milk"], []),
      ([0, 2], ["1 Milk"], ["snooze 11:00"]), ([2, 0], ["1 Milk"], ["snooze 11:00"]),
    ] as [([Int], [String], [String])])
  func partOf(order: [Int], items: [String], extra: [String]) throws {
    let answers = try Self.chain.map { try bench.answer($0) }
    for index in order { try bench.takeBack(answers[index]) }
    #expect(try bench.items().prefix(1) == items[...])
    #expect(try bench.extra() == extra)
    #expect(try bench.bench.deliveries().map(\.state) == [.discarded])
  }

  @Test("a snooze until the same minute as one that was taken back is another one")
  func sameMinute() throws {
    try bench.takeBack(bench.answer(.snooze))
    let (snooze, check) = (try bench.answer(.snooze), try bench.answer(.check))
    #expect(snooze.effect == .done && check.effect == .done)
    try bench.takeBack(check)
    #expect(try bench.extra() == ["snooze 11:00"])
    try bench.takeBack(snooze)
    #expect(try bench.extra() == ["nag 10:15"] && bench.bench.deliveries().map(\.state) == [.pending])
  }

  @Test("a snooze by a command until the same minute stays when the answer's is taken back")
  func sameMinuteAsCommand() throws {
    _ = try bench.bench.belfry.snooze(1, until: .at(try wall("2026-11-21T11:00")))
    for _ in 1...2 {
      let (snooze, check) = (try bench.answer(.snooze), try bench.answer(.check))
      try bench.takeBack(snooze)
      try bench.takeBack(check)
      #expect(try bench.extra() == ["snooze 11:00"])
    }
  }

  @Test(
    "of several snoozes the last returns, in whichever order answers are taken back", arguments: [[0, 1], [1, 0]])
  func lastSnooze(order: [Int]) throws {
    var answers: [Answer] = []
    for (minute, word) in [("12:00", .acknowledge), ("10:30", .check)] as [(String, ActionOperation.Word)] {
      _ = try bench.bench.belfry.snooze(1, until: .at(try wall("2026-11-21T\(minute)")))
      answers.append(try bench.answer(word))
    }
    for index in order { try bench.takeBack(answers[index]) }
    #expect(try bench.extra() == ["snooze 10:30"])
  }

  @Test("answers about different items are taken back by themselves")
  func others() throws {
    try bench.add("Bread", due: "2026-11-21T10:01")
    try bench.ring("10:01")
    let milk = try bench.answer(.check)
    let bread = try bench.answer(.delete, of: .item(3))
    try bench.takeBack(milk)
    #expect(try bench.items() == ["1 Milk", "2 Oats"])
    try bench.takeBack(bread)
    #expect(try bench.items() == ["1 Milk", "2 Oats", "3 Bread"])
  }

  // MARK: The bell

  @Test("a snooze that has passed meanwhile does not return")
  func passed() throws {
    _ = try bench.bench.belfry.snooze(1, until: .at(try wall("2026-11-21T10:30")))
    let check = try bench.answer(.check)
    bench.bench.time.advance(by: 3_600)
    try bench.takeBack(check)
    #expect(try bench.extra().isEmpty)
    _ = try bench.bench.belfry.snooze(1, until: .at(try wall("2026-11-21T12:00")))
    let other = try bench.answer(.check)
    try bench.takeBack(other)
    #expect(try bench.extra() == ["snooze 12:00"])
  }

  @Test("alerts that were cancelled ring again, those that have rung do not")
  func alerts() throws {
    try bench.add("Bread", due: "2026-11-21T10:20", alerts: ["10m", "0m"])
    try bench.ring("10:10")
    let check = try bench.answer(.check, of: .item(3))
    #expect(try bench.bench.scheduled(of: .item(3)).isEmpty)
    try bench.takeBack(check)
    #expect(try bench.bench.scheduled(of: .item(3)) == ["2026-11-21T10:20+01:00"])
  }

  @Test("what another person called off stays so")
  func discarded() throws {
    let acknowledge = try bench.answer(.acknowledge)
    try bench.takeBack(acknowledge)
    _ = try bench.bench.belfry.discardDeliveries([1])
    try bench.takeBack(bench.answer(.check))
    #expect(try bench.bench.deliveries().map(\.state) == [.discarded])
  }

  // MARK: Undo

  @Test(
    "of a command that answered undo is the taking back, and undone itself it is done again",
    arguments: [.acknowledge, .snooze, .check, .delete] as [ActionOperation.Word])
  func undo(word: ActionOperation.Word) throws {
    try bench.press(word, command: "act")
    let after = try bench.items() + bench.extra()
    let undone = try bench.bench.belfry.undo()
    #expect(undone.command == "act")
    #expect(try bench.items() == ["1 Milk", "2 Oats"] && bench.extra() == ["nag 10:15"])
    #expect(try only(bench.answers()).takenBackAt != nil)
    _ = try bench.bench.belfry.redo()
    #expect(try bench.items() + bench.extra() == after)
  }

  @Test("what came over another channel is no command: undo takes back the command before it")
  func otherChannel() throws {
    _ = try bench.bench.belfry.setChecked(true, [2])
    try bench.answer(.check)
    #expect(try bench.bench.belfry.undo().command == "check")
    #expect(try bench.items() == ["1 Milk checked", "2 Oats"])
  }
}
