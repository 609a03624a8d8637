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
    var bench = Bench()
    let failing = FailingStore(bench.store)
    failing.isFailing = false
    bench.store = failing
    bench.settings.routes = [Route(sinks: ["mail"])]
    let (mail, told) = (RecordingSink(), RecordingSink())
    mail.hang()
    let sinks = [ActiveSink(name: "mail", sink: mail, onFailure: "terminal"), ActiveSink(name: "terminal", sink: told)]
    try bench.add("Milk", due: "2026-11-21T10:00")
    try bench.setClock("2026-11-21T10:00:00+01:00")
    _ = try bench.belfry.claimDue(sinks: sinks, limit: 500)
    try end(try only(bench.deliveries()), as: state, in: bench.store)
    let hanging = state == .pending ? 1 : 0
    let daemon = try TestDaemon(bench.belfry, sinks: sinks)
    failing.isFailing = true
    #expect(throws: BelfryError.self) { try daemon.scheduler.tick() }
    failing.isFailing = false
    try await daemon.tick(hanging: hanging)
    for _ in 1...2 { try await TestDaemon(bench.belfry, sinks: sinks).tick(hanging: hanging) }
    #expect(told.attempts.map(\.message.kind) == [.failed])
    #expect(told.attempts.first?.message.contents.first?.failure?.isFinal == (state == .dead))
    #expect(try bench.store.read { try $0.deliveriesToFollowUp() }.isEmpty)
    mail.release()
  }

  @Test("a step whose delivery died hands over to the next, once")
  func handOver() async throws {
    let fixture = try EscalationFixture()
    try fixture.answers.add()
    #expect(try fixture.ring("10:00") == ["anna-phone 1.1"])
    let store = fixture.bench.store
    try end(try only(fixture.bench.deliveries()), as: .dead, in: store)
    let ben = RecordingSink()
    let sinks = ["anna-phone": RecordingSink(), "ben-phone": ben].map { ActiveSink(name: $0.key, sink: $0.value) }
    for _ in 1...3 { try await TestDaemon(fixture.bench.belfry, sinks: sinks).tick() }
    #expect(ben.attempts.map(\.message.contents.first?.escalation?.step) == [2])
    #expect(try fixture.steps() == ["3.1 10:20"])
  }

  @Test("an outcome of which nothing follows waits for nothing")
  func nothing() async throws {
    let bench = Bench()
    try bench.add("Milk", due: "2026-11-21T10:00")
    try bench.setClock("2026-11-21T10:00:00+01:00")
    let sink = RecordingSink(inSequence: [.later(reason: "busy"), .unknown(reason: "?")])
    let daemon = try TestDaemon(bench.belfry, sinks: [ActiveSink(name: "sink", sink: sink)])
    for _ in 1...3 {
      try await daemon.tick()
      #expect(try bench.deliveries().allSatisfy { !$0.awaitsFollowUp })
      bench.time.advance(by: 60)
    }
    #expect(try bench.deliveries().map(\.state) == [.delivered])
  }

  @Test("an update that the follow-up of another delivery discards stays discarded")
  func discardedMeanwhile() async throws {
    let bench = try AnswerBench()
    let phone = RecordingSink(canWithdraw: true)
    phone.hang()
    let sinks = [ActiveSink(name: "phone", sink: phone)]
    let store = bench.bench.store
    try bench.add()
    try bench.bench.setClock("2026-11-21T10:00:00+01:00")
    _ = try bench.bench.belfry.claimDue(sinks: sinks, limit: 500)
    let first = try only(bench.bench.deliveries())
    // It arrived while the item was being checked, and so did its update while that was being undone.
    try store.write { transaction in
      try transaction.add(
        AttemptRecord(deliveryID: first.id, startedAt: Sample.now, outcome: .delivered, words: nil))
    }
    try end(first, as: .delivered, in: store)
    _ = try bench.bench.belfry.setChecked(true, [1])
    let update = try Check.present(bench.bench.deliveries().last)
    #expect(update.id != first.id && update.state == .pending)
    try end(first, as: .discarded, in: store)
    try end(update, as: .pending, in: store)
    try store.write { transaction in
      var item = try Check.present(transaction.item(id: 1)).item
      item.isChecked = false
      try transaction.update(item)
    }
    let daemon = try TestDaemon(bench.bench.belfry, sinks: sinks)
    try await daemon.tick(hanging: 1)
    #expect(try bench.bench.deliveries().first { $0.id == update.id }?.state == .discarded)
    phone.release()
  }
}
