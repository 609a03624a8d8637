import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

/// A robot that presses the controls of a page in every order, until its presses are undone. It is 10:00 in Zurich, and
/// item 1, which nags, has just rung.
@Suite struct RobotOrderTests {
  /// The state before the robot starts.
  struct Standing: CustomTestStringConvertible, Sendable {
    var rule: String?
    /// The end of a snooze by a command, before anybody answered.
    var snoozed: String?
    var answers: [ActionOperation.Word] = []
    var isFirstTakenBack = false
    /// The seconds until it starts: its own answer may snooze until the same minute.
    var wait = 5.0

    var testDescription: String {
      let words = answers.map(\.rawValue) + (isFirstTakenBack ? ["first taken back"] : [])
      return ([rule, snoozed.map { "snoozed until \($0)" }].compactMap(\.self) + words + ["\(Int(wait)) s"])
        .joined(separator: ", ")
    }
  }

  private static let standing: [Standing] = [5, 300].flatMap { wait in
    [
      Standing(wait: wait), Standing(snoozed: "11:00", wait: wait),
      Standing(answers: [.acknowledge], wait: wait), Standing(answers: [.snooze], wait: wait),
      Standing(answers: [.check], wait: wait), Standing(answers: [.acknowledge, .snooze], wait: wait),
      Standing(answers: [.snooze, .check], wait: wait), Standing(snoozed: "10:30", answers: [.snooze], wait: wait),
      Standing(answers: [.acknowledge, .snooze], isFirstTakenBack: true, wait: wait),
      Standing(rule: "FREQ=DAILY", answers: [.snooze], wait: wait),
      Standing(rule: "FREQ=DAILY", answers: [.check], wait: wait),
    ]
  }

  enum Control: String, CaseIterable {
    case takeBackFirst, takeBackInForce, acknowledge, snooze, check
  }

  /// Every order of three controls, of those that a page shows before any press.
  private static let orders =
    arrangements(of: Control.allCases, 3) + arrangements(of: [.takeBackFirst, .acknowledge, .snooze, .check], 4)

  private static func arrangements(of controls: [Control], _ count: Int) -> [[Control]] {
    guard count > 0 else { return [[]] }
    return controls.flatMap { first in
      arrangements(of: controls.filter { $0 != first }, count - 1).map { [first] + $0 }
    }
  }

  @Test("nothing stays of it, and everything that was there before is back", arguments: standing)
  func everyOrder(standing: Standing) throws {
    for order in Self.orders {
      let robot = try Robot(standing)
      let before = try robot.state()
      for control in order { try robot.press(control) }
      try robot.undo()
      #expect(try robot.state() == before, "\(order.map(\.rawValue))")
      let digest = try robot.fixture.engine.store.read(StoreDigest.init)
      try robot.undo()
      #expect(try robot.fixture.engine.store.read(StoreDigest.init) == digest, "\(order.map(\.rawValue))")
    }
  }
}

/// A robot before a page.
private final class Robot {
  /// The state that it must leave unchanged. Nags count again.
  struct State: Equatable {
    let items: [String]
    let ringing: [String]
    let planned: [FireDate]
    let answers: [Answer]
    let deliveries: [Delivery.State]
  }

  let fixture: AnswerFixture
  private let reminder: Reminder
  private let standing: [Answer]
  private let start: Date
  private var takenBack: [TakenBack] = []

  init(_ standing: RobotOrderTests.Standing) throws {
    fixture = try AnswerFixture()
    try fixture.add(nag: "15m", rule: standing.rule)
    try fixture.ring("10:00")
    reminder = try only(fixture.fired())
    if let end = standing.snoozed {
      _ = try fixture.engine.belfry.snooze(1, until: .at(try wall("2026-11-21T\(end)")))
    }
    for word in standing.answers { try fixture.answer(word) }
    if standing.isFirstTakenBack, let first = try fixture.answers().first { try fixture.takeBack(first) }
    self.standing = try fixture.answers()
    fixture.engine.time.advance(by: standing.wait)
    start = fixture.engine.time.now
  }

  func state() throws -> State {
    let extra = try fixture.extra()
    return try fixture.engine.store.read { view in
      let scheduled = try view.reminders(of: .item(1), at: nil, state: .scheduled)
      return State(
        items: try view.items(ItemQuery(checked: .any)).map(\.undoImage),
        ringing: extra.map { $0.hasPrefix("nag") ? "nag" : $0 },
        planned: scheduled.filter { $0.occurrence.kind == .planned }.map(\.fireDate),
        answers: try view.answers(of: .item(1)).filter { $0.counts || $0.id <= standing.count },
        deliveries: try view.deliveries(of: .item(1), state: nil).map(\.0.state))
    }
  }

  func press(_ control: RobotOrderTests.Control) throws {
    switch control {
    case .takeBackFirst: try takeBack(standing.first)
    case .takeBackInForce: try takeBack(fixture.engine.belfry.sheet(of: reminder.id).answer)
    case .acknowledge: try answer(.acknowledge)
    case .snooze: try answer(.snooze)
    case .check: try answer(.check)
    }
  }

  private func answer(_ word: ActionOperation.Word) throws {
    let latest = try fixture.answers().last?.id ?? 0
    _ = try fixture.press(word, on: reminder, as: word.rawValue, latest: latest)
  }

  private func takeBack(_ answer: Answer?) throws {
    guard let answer else { return }
    do {
      let result = try fixture.engine.belfry.takeBack(answer.id, over: reminder.id)
      if !result.isRepetition { takenBack.append(result) }
    } catch let error as BelfryError where error.kind == .badInput {
      // The page says what prevents it.
    }
  }

  /// Undoes its presses, and forgets what it has taken back.
  func undo() throws {
    try fixture.engine.belfry.undoPresses(
      by: .link, ["acknowledge", "snooze", "check"], takenBack: takenBack, over: reminder.id, since: start)
    takenBack = []
  }
}
