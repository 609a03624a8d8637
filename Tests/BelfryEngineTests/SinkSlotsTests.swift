import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel

/// The slots of sinks, and the records of their deliveries. It is 10:00 in Zurich, and reminders are due.
@Suite struct SinkSlotsTests {
  private let fixture: EngineFixture

  init() throws {
    fixture = EngineFixture()
    try fixture.setClock("2026-11-21T09:00:00+01:00")
  }

  /// Adds items due at 10:00, or one minute apart, and moves the clock there.
  private func ring(_ texts: [String], apart: Bool = false) throws {
    for (index, text) in texts.enumerated() {
      try fixture.add(text, due: "2026-11-21T10:0\(apart ? index : 0)")
    }
    try fixture.setClock("2026-11-21T10:0\(apart ? texts.count - 1 : 0):00+01:00")
  }

  private func daemon(_ sinks: (String, RecordingSink)...) throws -> TestDaemon {
    try TestDaemon(fixture.belfry, sinks: sinks.map { ActiveSink(name: $0.0, sink: $0.1) })
  }

  @Test("a sink that says yes closes the delivery")
  func delivered() async throws {
    try ring(["Milk"])
    fixture.time.advance(by: 42.5)
    let sink = RecordingSink()
    try await daemon(("sink", sink)).tick()
    let delivery = try only(fixture.deliveries())
    #expect(delivery.state == .delivered)
    #expect(delivery.attempts == 1)
    #expect(delivery.nextAttemptAt == nil)
    #expect(delivery.closedAt == fixture.time.now.wholeSeconds)
    #expect(delivery.lastAttemptAt == fixture.time.now.wholeSeconds)
    #expect(delivery.lastError == nil)
    #expect(delivery.lateSeconds == 42)
    let attempt = try only(sink.attempts)
    #expect(attempt.lateSeconds == 42)
    #expect(attempt.deliveryID == delivery.id)
    #expect(attempt.message.id == delivery.messageID)
    #expect(attempt.startedAt == fixture.time.now)
  }

  @Test("a sink that says never makes the delivery dead, with the reason")
  func dead() async throws {
    try ring(["Milk"])
    let daemon = try daemon(("sink", RecordingSink(inSequence: [.never(reason: "550 no such user")])))
    try await daemon.tick()
    let delivery = try only(fixture.deliveries())
    #expect(delivery.state == .dead)
    #expect(delivery.lastError == "550 no such user")
    #expect(delivery.nextAttemptAt == nil)
    #expect(delivery.closedAt == fixture.time.now)
    #expect(daemon.events.contains { $0.level == .error && $0.message.contains("550 no such user") })
    fixture.time.advance(by: 86_400)
    try await daemon.tick()
    #expect(try only(fixture.deliveries()).attempts == 1)
  }

  @Test("with a concurrency of 1 messages go out in order of fire date, earlier ones that were put off behind")
  func order() async throws {
    try ring(["a", "b", "c", "d"], apart: true)
    let sink = RecordingSink { attempt, earlier in
      earlier < 4 && attempt.message.contents.first?.text == "b" ? .later(reason: "busy") : .delivered
    }
    let daemon = try daemon(("sink", sink))
    try await daemon.tick()
    #expect(sink.texts == ["a", "b", "c", "d"])
    try fixture.add("e", due: "2026-11-21T10:04")
    try fixture.setClock("2026-11-21T10:04:00+01:00")
    try await daemon.tick()
    #expect(sink.texts == ["a", "b", "c", "d", "b", "e"])
  }

  @Test("no more attempts are under way than a sink allows", arguments: [1, 3])
  func concurrency(limit: Int) async throws {
    try ring((0..<7).map { "\($0)" })
    let sink = RecordingSink(concurrency: limit)
    sink.hang()
    let daemon = try daemon(("sink", sink))
    try await daemon.tick(hanging: 7)
    await sink.waitForAttempts(limit)
    #expect(sink.attempts.count == limit)
    sink.release()
    try await daemon.settle()
    #expect(sink.attempts.count == 7)
    #expect(try fixture.deliveries().allSatisfy { $0.state == .delivered && $0.attempts == 1 })
  }

  @Test("while outcomes cannot be recorded, no more than twice the concurrency is attempted", arguments: [1, 3])
  func unrecorded(limit: Int) async throws {
    try ring((0..<20).map { "\($0)" })
    let store = FailingStore(fixture.store)
    store.isFailing = false
    var fixture = fixture
    fixture.store = store
    let sink = RecordingSink(concurrency: limit)
    sink.hang()
    let daemon = try TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: sink)])
    try await daemon.tick(hanging: 20)
    store.isFailing = true
    sink.release()
    while sink.attempts.count < 2 * limit {
      _ = try? daemon.scheduler.drain()
      await Task.yield()
    }
    for _ in 1...20 { #expect(throws: BelfryError.self) { try daemon.scheduler.drain() } }
    #expect(sink.attempts.count == 2 * limit)
    store.isFailing = false
    try await daemon.settle()
    #expect(sink.attempts.count == 20)
    #expect(Set(sink.attempts.map(\.deliveryID)).count == 20)
  }

  @Test("a sink that hangs delays no other")
  func hangingSink() async throws {
    try ring((0..<20).map { "\($0)" })
    let (stuck, free) = (RecordingSink(concurrency: 4), RecordingSink())
    stuck.hang()
    let daemon = try daemon(("stuck", stuck), ("free", free))
    try await daemon.tick(hanging: 20)
    #expect(free.attempts.count == 20)
    #expect(try fixture.deliveries().filter { $0.sink == "free" }.allSatisfy { $0.state == .delivered })
    #expect(try fixture.deliveries().filter { $0.sink == "stuck" }.allSatisfy { $0.state == .pending })
    try fixture.add("late", due: "2026-11-21T10:30")
    try fixture.setClock("2026-11-21T10:30:00+01:00")
    try await daemon.tick(hanging: 21)
    #expect(free.texts.last == "late")
    stuck.release()
    try await daemon.settle()
    #expect(stuck.attempts.count == 21)
  }

  @Test("each recipient is a delivery of its own: one that is refused is retried or dead alone")
  func recipients() async throws {
    try ring(["Milk"])
    let sink = RecordingSink(recipients: ["a", "b", "c"]) { attempt, earlier in
      switch attempt.recipient {
      case "a": .delivered
      case "b": .never(reason: "no such user")
      default: earlier < 3 ? .later(reason: "mailbox full") : .delivered
      }
    }
    let daemon = try daemon(("mail", sink))
    try await daemon.tick()
    #expect(try fixture.deliveries().map(\.state) == [.delivered, .dead, .pending])
    fixture.time.advance(by: 5)
    try await daemon.tick()
    #expect(try fixture.deliveries().map(\.state) == [.delivered, .dead, .delivered])
    #expect(sink.attempts.map(\.recipient) == ["a", "b", "c", "c"])
    #expect(Set(sink.attempts.map(\.message.id)).count == 1)
  }

  @Test("late_seconds is counted when an attempt begins, not when it was queued behind a slow one")
  func lateness() async throws {
    try ring(["a", "b"])
    let sink = RecordingSink()
    sink.hang()
    let daemon = try daemon(("sink", sink))
    try await daemon.tick(hanging: 2)
    await sink.waitForAttempts(1)
    fixture.time.advance(by: 600)
    sink.release()
    try await daemon.settle()
    #expect(sink.attempts.map(\.lateSeconds) == [0, 600])
    #expect(try fixture.deliveries().map(\.lateSeconds) == [0, 600])
  }

  @Test(
    "what is discarded while its attempt is under way stays discarded, whatever the sink says",
    arguments: [DeliveryOutcome.delivered, .later(reason: "busy"), .unknown(reason: "?"), .never(reason: "no")])
  func discardedInFlight(outcome: DeliveryOutcome) async throws {
    try ring(["Milk"])
    let sink = RecordingSink { _, _ in outcome }
    sink.hang()
    let daemon = try daemon(("sink", sink))
    try await daemon.tick(hanging: 1)
    await sink.waitForAttempts(1)
    _ = try fixture.belfry.setChecked(true, [1])
    sink.release()
    try await daemon.settle()
    #expect(try fixture.deliveries().map(\.state) == [.discarded])
    fixture.time.advance(by: 3_600)
    try await daemon.tick()
    #expect(sink.attempts.count == 1)
  }

  @Test("a delivery discarded while it is queued behind another is not sent")
  func discardedInQueue() async throws {
    try ring(["a", "b", "c"])
    let sink = RecordingSink()
    sink.hang()
    let daemon = try daemon(("sink", sink))
    try await daemon.tick(hanging: 3)
    await sink.waitForAttempts(1)
    _ = try fixture.belfry.delete([2])
    fixture.time.advance(by: 60)
    try await daemon.tick(hanging: 3)
    sink.release()
    try await daemon.settle()
    #expect(sink.texts == ["a", "c"])
    #expect(try fixture.deliveries().map(\.state) == [.delivered, .discarded, .delivered])
  }

  @Test("an outcome that cannot be recorded is recorded later, without another attempt")
  func recordingFails() async throws {
    try ring(["Milk"])
    let sink = RecordingSink()
    let store = FailingStore(fixture.store)
    store.isFailing = false
    var fixture = fixture
    fixture.store = store
    let daemon = try TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: sink)])
    sink.hang()
    try await daemon.tick(hanging: 1)
    await sink.waitForAttempts(1)
    store.isFailing = true
    sink.release()
    await #expect(throws: BelfryError.self) { try await daemon.settle() }
    #expect(daemon.scheduler.inFlightCount == 1)
    #expect(throws: BelfryError.self) { try daemon.scheduler.tick() }
    store.isFailing = false
    try await daemon.tick()
    #expect(daemon.scheduler.inFlightCount == 0)
    #expect(try fixture.deliveries().map(\.state) == [.delivered])
    #expect(sink.attempts.count == 1)
  }
}
