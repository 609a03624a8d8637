import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel

/// Failed deliveries and failure notices. It is 09:00 in Zurich on 21 November 2026.
@Suite struct FailureTests {
  private let fixture = EngineFixture()

  private func failing(_ outcomes: [DeliveryOutcome], _ count: Int = 1) async throws -> (
    failing: RecordingSink, told: RecordingSink, daemon: TestDaemon
  ) {
    for index in 0..<count { try fixture.add("\(index)", due: "2026-11-21T10:00") }
    let (sink, told) = (RecordingSink(inSequence: outcomes), RecordingSink(inSequence: [.never(reason: "full")]))
    var fixture = fixture
    fixture.settings.routes = [Route(sinks: ["mail"])]
    let daemon = try TestDaemon(
      fixture.belfry,
      sinks: [
        ActiveSink(name: "mail", sink: sink, onFailure: "terminal"),
        ActiveSink(name: "terminal", sink: told, onFailure: "mail"),
      ])
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    try await daemon.tick()
    return (sink, told, daemon)
  }

  @Test("the death of a delivery is told to another sink, once, and the death of that is only logged")
  func deathIsTold() async throws {
    let run = try await failing([.never(reason: "550 no such user")])
    let told = try only(run.told.attempts).message
    #expect(told.kind == .failed)
    #expect(told.contents[0].text == "0")
    #expect(
      told.contents[0].failure
        == DeliveryFailure(sink: "mail", recipient: nil, reason: "550 no such user", isFinal: true))
    #expect(try fixture.deliveries().map(\.state) == [.dead, .dead])
    #expect(run.failing.attempts.count == 1)
  }

  @Test("a failure that needs the user causes one notice until the sink delivers again, and is retried")
  func complaintIsToldOnce() async throws {
    let wrong = DeliveryOutcome.later(reason: "535 wrong password", needsAttention: true)
    let run = try await failing([wrong, wrong, wrong], 3)
    let told = try only(run.told.attempts).message
    #expect(told.contents[0].failure?.isFinal == false)
    #expect(told.contents[0].failure?.words == "mail needs your attention: 535 wrong password")
    #expect(try fixture.deliveries().filter { $0.sink == "mail" }.allSatisfy { $0.state == .pending })
  }

  @Test(
    "a failure that needs the user causes one notice, whichever process finds it, while the notified delivery is pending"
  )
  func complaintOutlivesProcess() async throws {
    let wrong = DeliveryOutcome.later(reason: "535 wrong password", needsAttention: true)
    let run = try await failing([wrong, wrong], 2)
    #expect(run.told.attempts.count == 1)
    #expect(try await toldAgain(at: "10:01", [wrong, wrong]).isEmpty)
    #expect(try await toldAgain(at: "10:05", [.delivered, .delivered]).isEmpty)
    // The sink recovers, and then fails for another reason.
    for text in ["c", "d"] { try fixture.add(text, due: "2026-11-21T10:10") }
    #expect(try await toldAgain(at: "10:10", [wrong, wrong]).count == 1)
  }

  // The failure notices of another process, which makes these attempts.
  private func toldAgain(at clock: String, _ outcomes: [DeliveryOutcome]) async throws -> [DeliveryAttempt] {
    var fixture = fixture
    fixture.settings.routes = [Route(sinks: ["mail"])]
    let (sink, told) = (RecordingSink(inSequence: outcomes), RecordingSink())
    try fixture.setClock("2026-11-21T\(clock):00+01:00")
    try await TestDaemon(
      fixture.belfry,
      sinks: [ActiveSink(name: "mail", sink: sink, onFailure: "terminal"), ActiveSink(name: "terminal", sink: told)]
    ).tick()
    #expect(sink.attempts.count == outcomes.count)
    return told.attempts
  }

  @Test("that a sink needs somebody is told although the item that waited for it first is checked")
  func complaintOutlivesItem() async throws {
    let run = try await failing([.later(reason: "535", needsAttention: true)])
    let told = try only(run.told.attempts)
    #expect(try fixture.store.read { try $0.delivery(id: told.deliveryID)?.state } == .dead)
    _ = try fixture.belfry.retryDeliveries([told.deliveryID])
    _ = try fixture.belfry.setChecked(true, [1])
    let states = try fixture.deliveries().reduce(into: [:]) { $0[$1.sink] = $1.state }
    #expect(states == ["mail": .discarded, "terminal": .pending])
    try fixture.setClock("2026-11-21T10:01:00+01:00")
    try await run.daemon.tick()
    #expect(run.told.attempts.count == 2)
  }

  @Test("a delivery that is tried again and dies again is told again")
  func secondDeathIsTold() async throws {
    let run = try await failing([.never(reason: "404"), .never(reason: "404")])
    _ = try fixture.belfry.retryDeliveries(try fixture.deliveries().filter { $0.sink == "mail" }.map(\.id))
    try fixture.setClock("2026-11-21T10:01:00+01:00")
    try await run.daemon.tick()
    #expect(run.failing.attempts.count == 2)
    #expect(run.told.attempts.map(\.message.kind) == [.failed, .failed])
    #expect(Set(run.told.attempts.map(\.message.id)).count == 2)
  }

  @Test(
    "what was claimed for a recipient that the config has no more is given up, saying so; a sink without any takes all",
    arguments: [
      (["a", "b"], ["b"], ["a is no longer one of the sink's recipients", nil]),
      ([nil], ["b"], ["it was claimed when the sink had no recipients; now it has some"]),
      (["a", "b"], [nil], [nil, nil]),
    ] as [([String?], [String?], [String?])])
  func changedRecipients(claimed: [String?], now: [String?], errors: [String?]) async throws {
    try fixture.add(due: "2026-11-21T10:00")
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    let busy = RecordingSink(recipients: claimed) { _, _ in .later(reason: "busy") }
    try await TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "mail", sink: busy)]).tick()
    try fixture.setClock("2026-11-21T10:01:00+01:00")
    let sink = RecordingSink(recipients: now)
    try await TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "mail", sink: sink)]).tick()
    let deliveries = try fixture.deliveries()
    #expect(deliveries.map(\.lastError) == errors)
    #expect(deliveries.map(\.state) == errors.map { $0 == nil ? .delivered : .dead })
    #expect(sink.attempts.count == errors.count { $0 == nil })
  }

  @Test(
    "pending deliveries of a disabled sink die with a notice if it has on_failure; those of a removed sink without one")
  func switchedOffDiesTold() async throws {
    let run = try await failing([.later(reason: "busy")])
    run.daemon.scheduler.stop()
    let told = RecordingSink()
    var fixture = fixture
    fixture.settings.failureTargets = ["mail": "terminal"]
    let terminal = ActiveSink(name: "terminal", sink: told)
    let daemon = try TestDaemon(fixture.belfry, sinks: [terminal])
    try await daemon.tick()
    let notice = try only(told.attempts).message
    let reason = "the sink 'mail' is switched off or not in the config"
    #expect(notice.kind == .failed)
    #expect(
      notice.contents[0].failure == DeliveryFailure(sink: "mail", recipient: nil, reason: reason, isFinal: true))
    #expect(
      daemon.events.map(\.message).contains { $0.hasPrefix("notice queued for 'terminal': not delivered to mail") })
    // The sink is removed from the config with its `on_failure`.
    _ = try fixture.belfry.retryDeliveries(try fixture.deliveries().filter { $0.state == .dead }.map(\.id))
    fixture.settings.failureTargets = [:]
    _ = try TestDaemon(fixture.belfry, sinks: [terminal])
    #expect(try fixture.deliveries().map(\.state) == [.dead, .delivered])
  }

  @Test("a sink whose receiver is gone is paused until the next start, and its deliveries stay pending")
  func pause() async throws {
    let run = try await failing([.never(reason: "410 Gone", pausesSink: true)], 2)
    #expect(run.failing.attempts.count == 1)
    #expect(try fixture.deliveries().filter { $0.sink == "mail" }.map(\.state) == [.dead, .pending])
    try fixture.setClock("2026-11-21T11:00:00+01:00")
    try await run.daemon.tick()
    #expect(run.failing.attempts.count == 1)
    let next = RecordingSink()
    try await TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "mail", sink: next)]).tick()
    #expect(next.attempts.count == 1)
  }
}
