import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

/// Steps that reach nobody, with the outbox that sends them. It is 21 November 2026 in Zurich.
@Suite struct HandOverTests {
  private let fixture: EscalationFixture

  init() throws {
    fixture = try EscalationFixture()
    try fixture.answers.add()
  }

  private func daemon(_ sinks: [String: RecordingSink]) throws -> TestDaemon {
    try TestDaemon(
      fixture.engine.belfry,
      sinks: EscalationFixture.sinks.compactMap { name in sinks[name].map { ActiveSink(name: name, sink: $0) } })
  }

  @Test("where every delivery of a step is refused, the next step comes at once")
  func refused() async throws {
    let (anna, ben) = (RecordingSink(inSequence: [.never(reason: "no such number")]), RecordingSink())
    let daemon = try daemon(["anna-phone": anna, "ben-phone": ben])
    try fixture.engine.setClock("2026-11-21T10:00:00+01:00")
    try await daemon.tick()
    try await daemon.tick()
    #expect(ben.attempts.map(\.message.contents.first?.escalation?.step) == [2])
    #expect(daemon.events.contains { $0.message.contains("every delivery of step 1 of 'home' failed") })
    #expect(try fixture.steps() == ["3.1 10:20"])
  }

  @Test("a step that reached somebody, or may yet, goes on by time")
  func reached() async throws {
    let anna = RecordingSink(inSequence: [.later(reason: "busy")])
    let daemon = try daemon(["anna-phone": anna, "ben-phone": RecordingSink()])
    try fixture.engine.setClock("2026-11-21T10:00:00+01:00")
    try await daemon.tick()
    #expect(try fixture.steps() == ["2.1 10:10"])
  }

  @Test("a failed delivery that was put away still reached nobody")
  func putAway() async throws {
    let anna = RecordingSink(
      recipients: ["home", "work"],
      inSequence: [.never(reason: "no such number"), .later(reason: "busy"), .never(reason: "no such number")])
    let ben = RecordingSink()
    let daemon = try daemon(["anna-phone": anna, "ben-phone": ben])
    try fixture.engine.setClock("2026-11-21T10:00:00+01:00")
    try await daemon.tick()
    #expect(try fixture.engine.belfry.discardDeliveries(nil).map(\.0.recipient) == ["home"])
    #expect(try fixture.steps() == ["2.1 10:10"])
    fixture.engine.time.advance(by: 60)
    try await daemon.tick()
    try await daemon.tick()
    #expect(ben.attempts.map(\.message.contents.first?.escalation?.step) == [2])
  }

  @Test("the last failure of a step that is put away before the daemon has followed it up hands over")
  func putAwayAtOnce() throws {
    #expect(try fixture.ring("10:00") == ["anna-phone 1.1"])
    try fixture.engine.store.write { transaction in
      var delivery = try #require(try transaction.delivery(id: 1))
      (delivery.state, delivery.closedAt, delivery.lastError) = (.dead, fixture.engine.time.now, "no such number")
      (delivery.nextAttemptAt, delivery.awaitsFollowUp) = (nil, true)
      try transaction.update(delivery)
    }
    #expect(try fixture.steps().first == "2.1 10:10")
    _ = try fixture.engine.belfry.discardDeliveries([1])
    #expect(try fixture.steps().first == "2.1 10:00")
    #expect(try fixture.engine.store.read { try $0.deliveriesToFollowUp() }.isEmpty)
  }

  @Test("a step whose sinks are gone from the config hands over as well, and the log says which")
  func noSink() async throws {
    let daemon = try daemon(["ben-phone": RecordingSink()])
    try fixture.engine.setClock("2026-11-21T10:00:00+01:00")
    try await daemon.tick()
    #expect(try fixture.steps() == ["3.1 10:20"])
    let words = "item 1, 'Milk': step 1 of 'home' reached nobody: no sink is enabled; step 2 follows at once"
    #expect(daemon.events.contains(Event(.warning, words)))
  }

  @Test("the log says of each reminder that reaches nobody which it is, and why")
  func unreached() async throws {
    var fixture = fixture
    try fixture.sendAway("anna")
    try fixture.sendAway("ben")
    try fixture.engine.add("Bread", to: "Inbox", due: "2026-11-21T10:00")
    fixture.engine.settings.routes = [Route(sinks: ["anna", "ben-phone"])]
    let daemon = try TestDaemon(fixture.engine.belfry, sinks: [])
    try fixture.engine.setClock("2026-11-21T10:00:00+01:00")
    try await daemon.tick()
    let silences = daemon.events.filter { $0.message.contains("reached nobody") }
    #expect(
      silences.map(\.message).sorted() == [
        "item 1, 'Milk': step 1 of 'home' reached nobody: anna is away; step 2 follows at once",
        "item 1, 'Milk': step 2 of 'home' reached nobody: ben is away; step 3 follows at once",
        "item 1, 'Milk': step 3 of 'home' reached nobody: anna and ben are away",
        "item 2, 'Bread' rang and reached nobody: anna is away, and no other sink is enabled",
      ])
    #expect(silences.map(\.level).filter { $0 == .error }.count == 2)
  }
}
