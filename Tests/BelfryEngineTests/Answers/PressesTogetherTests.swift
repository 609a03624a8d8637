import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

/// Presses that share a transaction. Three items have rung, each with a nag.
@Suite struct PressesTogetherTests {
  private var fixture: AnswerFixture

  init() throws {
    fixture = try AnswerFixture()
    for text in ["Milk", "Bread", "Oats"] { try fixture.add(text, nag: "15m") }
    try fixture.ring("10:00")
  }

  private func press(_ word: ActionOperation.Word, on item: Int64, as externalID: String? = nil) throws -> Press {
    Press(
      reminder: try only(fixture.fired(.item(item))).id, choice: .identifier(word.rawValue), channel: .link,
      externalID: externalID, isAuthenticated: true)
  }

  // As `1 done` with the answer's number, `1 again` for a repetition, or the kind of the error.
  private func words(_ results: [Result<PressResult, any Error>]) -> [String] {
    results.map { result in
      switch result {
      case .success(.answered(let answer, let isRepetition)):
        "\(answer.id) \(isRepetition ? "again" : answer.effect.name)"
      case .success(let other): "\(other)"
      case .failure(let error): ((error as? BelfryError)?.kind).map { "\($0)" } ?? "\(error)"
      }
    }
  }

  @Test("each finds what the ones before it have done, as one by one")
  func inOrder() throws {
    let presses = [
      try press(.check, on: 1, as: "token"), try press(.snooze, on: 1), try press(.snooze, on: 2),
      try press(.check, on: 2), try press(.check, on: 1, as: "token"), try press(.delete, on: 3),
    ]
    #expect(
      words(fixture.engine.belfry.answer(presses)) == ["1 done", "2 already", "3 done", "4 done", "1 again", "5 done"])
    #expect(try fixture.items() == ["1 Milk checked", "2 Bread checked"])
    #expect(try fixture.extra(.item(1)) == [] && fixture.extra(.item(2)) == [])
    let taken = try fixture.engine.belfry.takeBack(4)
    #expect(!taken.isRepetition)
    #expect(try fixture.items() == ["1 Milk checked", "2 Bread"] && fixture.extra(.item(2)) == ["snooze 11:00"])
  }

  @Test("one that fails has its own error, and the others are done once")
  func failing() throws {
    var unknown = try press(.check, on: 2)
    unknown.reminder = UUID()
    var nameless = try press(.check, on: 2)
    nameless.choice = .number(99)
    let presses = [try press(.check, on: 1), unknown, nameless, try press(.snooze, on: 3)]
    #expect(words(fixture.engine.belfry.answer(presses)) == ["1 done", "notFound", "notFound", "2 done"])
    #expect(try fixture.answers().map(\.owner) == [.item(1), .item(3)])
    #expect(try fixture.items() == ["1 Milk checked", "2 Bread", "3 Oats"])
    #expect(try fixture.extra(.item(2)) == ["nag 10:15"] && fixture.extra(.item(3)) == ["snooze 11:00"])
    #expect(words(fixture.engine.belfry.answer([unknown])) == ["notFound"])
    #expect(fixture.engine.belfry.answer([]).isEmpty)
  }

  @Test("a store that is locked, and a disk that is full, refuse all at once; nothing is done, or half done")
  mutating func noStore() throws {
    let store = fixture.engine.store
    let presses = [try press(.check, on: 1), try press(.check, on: 2), try press(.check, on: 3)]
    let digest = try store.read(StoreDigest.init)
    for kind in [BelfryError.Kind.tryAgain, .storeFailed] {
      let failing = FailingStore(store, error: BelfryError(kind, "it cannot be written"))
      fixture.engine.store = failing
      #expect(words(fixture.engine.belfry.answer(presses)) == Array(repeating: "\(kind)", count: 3))
      #expect(failing.failedChanges == 1)
      #expect(try store.read(StoreDigest.init) == digest)
    }
    fixture.engine.store = store
    #expect(words(fixture.engine.belfry.answer(presses)) == ["1 done", "2 done", "3 done"])
  }
}
