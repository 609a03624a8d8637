import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel

/// Follow-ups on outcomes that a process recorded before it was killed. It is 21 November 2026 in Zurich.
@Suite struct FollowUpTests {
  private func end(_ delivery: Delivery, as state: Delivery.State, in store: any ItemStore) throws {
    var ended = delivery
    ended.state = state
    ended.awaitsFollowUp = true
    if state != .pending { (ended.nextAttemptAt, ended.closedAt) = (nil, Sample.now) }
    try store.write { try $0.update(ended) }
  }

  @Test(
    "a delivery that died, or whose sink needs attention, is told once", arguments: [Delivery.State.dead, .pending])
  func notice(state: Delivery.State) async throws {
    var engine = EngineFixture()
    let failing = FailingStore(engine.store)
    failing.isFailing = false
    engine.store = failing
    engine.settings.routes = [Route(sinks: ["mail"])]
    let (mail, told) = (RecordingSink(), RecordingSink())
    mail.hang()
    let sinks = [ActiveSink(name: "mail", sink: mail, onFailure: "terminal"), ActiveSink(name: "terminal", sink: told)]
    try engine.add("Milk", due: "2026-11-21T10:00")
    try engine.setClock("2026-11-21T10:00:00+01:00")
    _ = try engine.belfry.claimDue(sinks: sinks, limit: 500)
    try end(try only(engine.deliveries()), as: state, in: engine.store)
    let hanging = state == .pending ? 1 : 0
    let daemon = try TestDaemon(engine.belfry, sinks: sinks)
    failing.isFailing = true
    #expect(throws: BelfryError.self) { try daemon.scheduler.tick() }
    failing.isFailing = false
    try await daemon.tick(hanging: hanging)
    for _ in 1...2 { try await TestDaemon(engine.belfry, sinks: sinks).tick(hanging: hanging) }
    #expect(told.attempts.map(\.message.kind) == [.failed])
    #expect(told.attempts.first?.message.contents.first?.failure?.isFinal == (state == .dead))
    #expect(try engine.store.read { try $0.deliveriesToFollowUp() }.isEmpty)
    mail.release()
  }

  @Test("a step whose delivery died hands over to the next, once")
  func handOver() async throws {
    let fixture = try EscalationFixture()
    try fixture.answers.add()
    #expect(try fixture.ring("10:00") == ["anna-phone 1.1"])
    let store = fixture.engine.store
    try end(try only(fixture.engine.deliveries()), as: .dead, in: store)
    let ben = RecordingSink()
    let sinks = ["anna-phone": RecordingSink(), "ben-phone": ben].map { ActiveSink(name: $0.key, sink: $0.value) }
    for _ in 1...3 { try await TestDaemon(fixture.engine.belfry, sinks: sinks).tick() }
    #expect(ben.attempts.map(\.message.contents.first?.escalation?.step) == [2])
    #expect(try fixture.steps() == ["3.1 10:20"])
  }

  @Test("an outcome of which nothing follows waits for nothing")
  func nothing() async throws {
    let engine = EngineFixture()
    try engine.add("Milk", due: "2026-11-21T10:00")
    try engine.setClock("2026-11-21T10:00:00+01:00")
    let sink = RecordingSink(inSequence: [.later(reason: "busy"), .unknown(reason: "?")])
    let daemon = try TestDaemon(engine.belfry, sinks: [ActiveSink(name: "sink", sink: sink)])
    for _ in 1...3 {
      try await daemon.tick()
      #expect(try engine.deliveries().allSatisfy { !$0.awaitsFollowUp })
      engine.time.advance(by: 60)
    }
    #expect(try engine.deliveries().map(\.state) == [.delivered])
  }

  @Test("an update that the follow-up of another delivery discards stays discarded")
  func discardedMeanwhile() async throws {
    let answers = try AnswerFixture()
    let phone = RecordingSink(canWithdraw: true)
    phone.hang()
    let sinks = [ActiveSink(name: "phone", sink: phone)]
    let store = answers.engine.store
    try answers.add()
    try answers.engine.setClock("2026-11-21T10:00:00+01:00")
    _ = try answers.engine.belfry.claimDue(sinks: sinks, limit: 500)
    let first = try only(answers.engine.deliveries())
    // It arrived while the item was being checked, and so did its update while that was being undone.
    try store.write { transaction in
      try transaction.add(
        AttemptRecord(deliveryID: first.id, startedAt: Sample.now, outcome: .delivered, words: nil))
    }
    try end(first, as: .delivered, in: store)
    _ = try answers.engine.belfry.setChecked(true, [1])
    let update = try Check.present(answers.engine.deliveries().last)
    #expect(update.id != first.id && update.state == .pending)
    try end(first, as: .discarded, in: store)
    try end(update, as: .pending, in: store)
    try store.write { transaction in
      var item = try Check.present(transaction.item(id: 1)).item
      item.isChecked = false
      try transaction.update(item)
    }
    let daemon = try TestDaemon(answers.engine.belfry, sinks: sinks)
    try await daemon.tick(hanging: 1)
    #expect(try answers.engine.deliveries().first { $0.id == update.id }?.state == .discarded)
    phone.release()
  }
}
