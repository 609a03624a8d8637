import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

/// The fate of deliveries whose reminders are answered.
@Suite struct AnsweredDeliveryTests {
  private let fixture: AnswerFixture

  init() throws { fixture = try AnswerFixture() }

  private func daemon(_ sink: RecordingSink) throws -> TestDaemon {
    try TestDaemon(fixture.engine.belfry, sinks: [ActiveSink(name: "sink", sink: sink)])
  }

  private static let words: [ActionOperation.Word] = [.acknowledge, .snooze, .check, .delete]

  @Test("a retry that waits ends with the answer, and nothing is attempted after it", arguments: words)
  func retries(word: ActionOperation.Word) async throws {
    try fixture.add()
    try fixture.add("Bread")
    try fixture.engine.setClock("2026-11-21T10:00:00+01:00")
    let sink = RecordingSink { _, _ in .later(reason: "busy") }
    let daemon = try daemon(sink)
    try await daemon.tick()
    #expect(sink.texts == ["Milk", "Bread"])
    try fixture.answer(word)
    #expect(try fixture.engine.deliveries().map(\.state) == [.discarded, .pending])
    for _ in 1...3 {
      fixture.engine.time.advance(by: 600)
      try await daemon.tick()
    }
    #expect(sink.texts == ["Milk", "Bread", "Bread", "Bread", "Bread"])
  }

  @Test("what waits in the queue of a slow sink is not attempted once it was answered")
  func queued() async throws {
    for text in ["Milk", "Bread"] { try fixture.add(text) }
    try fixture.engine.setClock("2026-11-21T10:00:00+01:00")
    let sink = RecordingSink()
    sink.hang()
    let daemon = try daemon(sink)
    try await daemon.tick(hanging: 2)
    try fixture.answer(.acknowledge, of: .item(2))
    try daemon.scheduler.storeChanged()
    sink.release()
    try await daemon.settle()
    #expect(sink.texts == ["Milk"])
    #expect(try fixture.engine.deliveries().map(\.state) == [.delivered, .discarded])
  }

  @Test("a message of several reminders goes out whole until all of them were answered")
  func groups() async throws {
    for text in ["Milk", "Bread", "Salt"] { try fixture.add(text) }
    try fixture.engine.setClock("2026-11-21T10:00:00+01:00")
    let sink = RecordingSink(grouping: .all) { _, _ in .later(reason: "busy") }
    try await daemon(sink).tick()
    try fixture.answer(.acknowledge)
    try fixture.answer(.check, of: .item(2))
    #expect(try fixture.engine.deliveries().map(\.state) == [.pending])
    let last = try fixture.answer(.snooze, of: .item(3))
    #expect(try fixture.engine.deliveries().map(\.state) == [.discarded])
    try fixture.takeBack(last)
    #expect(try fixture.engine.deliveries().map(\.state) == [.pending])
  }

  @Test("taking back makes deliveries pending again, under their identity, at once")
  func resumed() async throws {
    try fixture.add()
    try fixture.engine.setClock("2026-11-21T10:00:00+01:00")
    let sink = RecordingSink(inSequence: [.later(reason: "busy")])
    let daemon = try daemon(sink)
    try await daemon.tick()
    let answer = try fixture.answer(.acknowledge)
    fixture.engine.time.advance(by: 7_200)
    try await daemon.tick()
    #expect(try fixture.takeBack(answer).undone.resumedCount == 1)
    try await daemon.tick()
    #expect(try fixture.engine.deliveries().map(\.state) == [.delivered])
    #expect(Set(sink.attempts.map(\.message.id)).count == 1 && sink.attempts.count == 2)
  }

  @Test("answers and frozen actions are kept as long as a message's actions can be used, however short the history")
  func kept() async throws {
    try fixture.add()
    let sink = RecordingSink()
    var short = fixture
    short.engine.settings.history = CalendarDuration(days: 1, minutes: 0)
    let daemon = try TestDaemon(
      short.engine.belfry, sinks: [ActiveSink(name: "sink", sink: sink, retry: RetryPolicy(maxAge: 9 * 86_400))])
    try fixture.engine.setClock("2026-11-21T10:00:00+01:00")
    try await daemon.tick()
    try fixture.answer(.check)
    for (days, isKept) in [(1, true), (8, true), (1, true), (1, false)] {
      fixture.engine.time.advance(by: Double(days * 86_400))
      try daemon.scheduler.tidyWhenIdle()
      #expect(try fixture.answers().isEmpty == !isKept, "after \(days) more days")
      #expect(try fixture.engine.deliveries().isEmpty == !isKept)
    }
  }

  @Test("what arrived after its item was checked is not sent again by an undo", arguments: [false, true])
  func arrivedMeanwhile(isAnswer: Bool) async throws {
    try fixture.add()
    try fixture.engine.setClock("2026-11-21T10:00:00+01:00")
    let sink = RecordingSink()
    sink.hang()
    let daemon = try daemon(sink)
    try await daemon.tick(hanging: 1)
    await sink.waitForAttempts(1)
    if isAnswer { try fixture.answer(.check) } else { _ = try fixture.engine.belfry.setChecked(true, [1]) }
    sink.release()
    try await daemon.settle()
    #expect(try fixture.engine.deliveries().map(\.state) == [.discarded])
    let explained = try fixture.engine.belfry.read { reading in
      try reading.explain(1, settings: fixture.engine.settings, sinks: [ActiveSink(name: "sink", sink: sink)])
    }
    #expect(explained.reminders.flatMap(\.deliveries).map(\.stateWords) == ["discarded, but it arrived all the same"])
    fixture.engine.time.advance(by: 60)
    let undone = try isAnswer ? fixture.takeBack(only(fixture.answers())).undone : fixture.engine.belfry.undo()
    #expect(undone.resumedCount == 0)
    try await daemon.tick()
    #expect(sink.attempts.count == 1)
    let delivery = try only(fixture.engine.deliveries())
    #expect(delivery.state == .delivered && delivery.attempts == 1)
    #expect(try delivery.lastAttemptAt == instant("2026-11-21T10:00:00+01:00"))
  }

  @Test("a delivery that an undo could bring back stays discarded where its reminder was answered since")
  func undoneAfterAnswer() async throws {
    try fixture.add()
    try fixture.engine.setClock("2026-11-21T10:00:00+01:00")
    let sink = RecordingSink { _, _ in .later(reason: "busy") }
    let daemon = try daemon(sink)
    try await daemon.tick()
    _ = try fixture.engine.belfry.setChecked(true, [1])
    _ = try fixture.engine.belfry.setChecked(false, [1])
    try fixture.answer(.acknowledge)
    for _ in 1...2 { _ = try fixture.engine.belfry.undo() }
    fixture.engine.time.advance(by: 3_600)
    try await daemon.tick()
    #expect(sink.attempts.count == 1)
    #expect(try fixture.engine.deliveries().map(\.state) == [.discarded])
  }

  @Test("retrying what is dead leaves out what is over; by its number it is retried all the same")
  func deadAndOver() async throws {
    for text in ["Milk", "Bread", "Salt", "Oats"] { try fixture.add(text) }
    try fixture.engine.setClock("2026-11-21T10:00:00+01:00")
    try await daemon(RecordingSink { _, _ in .never(reason: "no such user") }).tick()
    #expect(try fixture.engine.deliveries().map(\.state) == [.dead, .dead, .dead, .dead])
    _ = try fixture.engine.belfry.setChecked(true, [1])
    try fixture.answer(.acknowledge, of: .item(2))
    _ = try fixture.engine.belfry.delete([3])
    #expect(try fixture.engine.belfry.retryDeliveries(nil).map(\.0.id) == [4])
    #expect(try fixture.engine.deliveries().map(\.state) == [.dead, .dead, .dead, .pending])
    #expect(try fixture.engine.belfry.retryDeliveries([1]).map(\.0.id) == [1])
  }
}
