import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel

/// The queues of sinks, and the records of their deliveries. It is 10:00 in Zurich, and reminders are due.
@Suite(.timeLimit(.minutes(10))) struct SinkQueueTests {
  private let bench: Bench

  init() throws {
    bench = Bench()
    try bench.setClock("2026-11-21T09:00:00+01:00")
  }

  /// Adds items due at 10:00, or one minute apart, and moves the clock there.
  private func ring(_ texts: [String], apart: Bool = false) throws {
    for (index, text) in texts.enumerated() {
      try bench.add(text, due: "2026-11-21T10:0\(apart ? index : 0)")
    }
    try bench.setClock("2026-11-21T10:0\(apart ? texts.count - 1 : 0):00+01:00")
  }

  private func daemon(_ sinks: (String, RecordingSink)..., random: Double = 0, maxAge: Double = 86_400) throws
    -> TestDaemon
  {
    try TestDaemon(
      bench.belfry, sinks: sinks.map { ActiveSink(name: $0.0, sink: $0.1, retry: RetryPolicy(maxAge: maxAge)) },
      random: random)
  }

  @Test("a sink that says yes closes the delivery")
  func delivered() async throws {
    try ring(["Milk"])
    bench.time.advance(by: 42.5)
    let sink = RecordingSink()
    try await daemon(("sink", sink)).tick()
    let delivery = try only(bench.deliveries())
    #expect(delivery.state == .delivered)
    #expect(delivery.attempts == 1)
    #expect(delivery.nextAttemptAt == nil)
    #expect(delivery.closedAt == bench.time.now.wholeSeconds)
    #expect(delivery.lastAttemptAt == bench.time.now.wholeSeconds)
    #expect(delivery.lastError == nil)
    #expect(delivery.lateSeconds == 42)
    let attempt = try only(sink.attempts)
    #expect(attempt.lateSeconds == 42)
    #expect(attempt.deliveryID == delivery.id)
    #expect(attempt.message.id == delivery.messageID)
    #expect(attempt.startedAt == bench.time.now)
  }

  @Test("a sink that says never makes the delivery dead, with the reason")
  func dead() async throws {
    try ring(["Milk"])
    let daemon = try daemon(("sink", RecordingSink(inSequence: [.never(reason: "550 no such user")])))
    try await daemon.tick()
    let delivery = try only(bench.deliveries())
    #expect(delivery.state == .dead)
    #expect(delivery.lastError == "550 no such user")
    #expect(delivery.nextAttemptAt == nil)
    #expect(delivery.closedAt == bench.time.now)
    #expect(daemon.events.contains { $0.level == .error && $0.message.contains("550 no such user") })
    bench.time.advance(by: 86_400)
    try await daemon.tick()
    #expect(try only(bench.deliveries()).attempts == 1)
  }

  @Test("a sink that says later is asked again after 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, with the same identity")
  func later() async throws {
    try ring(["Milk"])
    let sink = RecordingSink(inSequence: Array(repeating: .later(reason: "busy"), count: 7))
    let daemon = try daemon(("sink", sink))
    for (attempts, delay) in [5.0, 30, 120, 600, 1_800, 3_600, 3_600].enumerated() {
      try await daemon.tick()
      let delivery = try only(bench.deliveries())
      #expect(delivery.state == .pending)
      #expect(delivery.attempts == attempts + 1)
      #expect(delivery.lastError == "busy")
      #expect(delivery.nextAttemptAt == bench.time.now + delay)
      // Just before the retry is due.
      bench.time.advance(by: delay - 0.01)
      try await daemon.tick()
      #expect(sink.attempts.count == attempts + 1)
      bench.time.advance(by: 0.01)
    }
    try await daemon.tick()
    let delivery = try only(bench.deliveries())
    #expect(delivery.state == .delivered)
    #expect(delivery.attempts == 8)
    #expect(delivery.lastError == nil)
    #expect(Set(sink.attempts.map(\.message)).count == 1)
    #expect(sink.attempts.map(\.lateSeconds) == [0, 5, 35, 155, 755, 2_555, 6_155, 9_755])
  }

  @Test("jitter is added to the delay, in whole seconds")
  func jitter() async throws {
    try ring(["Milk"])
    try await daemon(("sink", RecordingSink(inSequence: [.later(reason: "busy")])), random: 1).tick()
    let next = try #require(try only(bench.deliveries()).nextAttemptAt)
    #expect(next == bench.time.now + 6)
  }

  @Test("an instant that the other side named is kept")
  func retryAfter() async throws {
    try ring(["Milk"])
    let named = bench.time.now + 777
    try await daemon(("sink", RecordingSink(inSequence: [.later(reason: "slow down", retryAfter: named)])), random: 1)
      .tick()
    #expect(try only(bench.deliveries()).nextAttemptAt == named)
  }

  @Test("an other side that says at once is not asked without a pause")
  func retryAtOnce() async throws {
    try ring(["Milk"])
    let time = bench.time
    let sink = RecordingSink { _, earlier in
      earlier < 50 ? .later(reason: "busy", retryAfter: time.now) : .never(reason: "asked without a pause")
    }
    try await daemon(("sink", sink)).tick()
    #expect(sink.attempts.count == 1)
    #expect(try only(bench.deliveries()).state == .pending)
  }

  @Test("a delivery dies when retry.max_age is over, with its last error")
  func maxAge() async throws {
    try ring(["Milk"])
    let sink = RecordingSink { _, _ in .later(reason: "still busy") }
    let daemon = try daemon(("sink", sink), maxAge: 60)
    var instants: [Double] = []
    let start = bench.time.now
    var next: Date? = start
    while let instant = next {
      bench.time.now = instant
      try await daemon.tick()
      instants.append(instant.timeIntervalSince(start))
      next = try only(bench.deliveries()).nextAttemptAt
    }
    #expect(instants == [0, 5, 35, 60])
    let delivery = try only(bench.deliveries())
    #expect(delivery.state == .dead)
    #expect(delivery.lastError == "still busy")
    #expect(delivery.attempts == 4)
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
    try bench.add("e", due: "2026-11-21T10:04")
    try bench.setClock("2026-11-21T10:04:00+01:00")
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
    #expect(try bench.deliveries().allSatisfy { $0.state == .delivered && $0.attempts == 1 })
  }

  @Test("while outcomes cannot be recorded, no more than twice the concurrency is attempted", arguments: [1, 3])
  func unrecorded(limit: Int) async throws {
    try ring((0..<20).map { "\($0)" })
    let store = FailingStore(bench.store)
    store.isFailing = false
    var bench = bench
    bench.store = store
    let sink = RecordingSink(concurrency: limit)
    sink.hang()
    let daemon = try TestDaemon(bench.belfry, sinks: [ActiveSink(name: "sink", sink: sink)])
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
    #expect(try bench.deliveries().filter { $0.sink == "free" }.allSatisfy { $0.state == .delivered })
    #expect(try bench.deliveries().filter { $0.sink == "stuck" }.allSatisfy { $0.state == .pending })
    try bench.add("late", due: "2026-11-21T10:30")
    try bench.setClock("2026-11-21T10:30:00+01:00")
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
    #expect(try bench.deliveries().map(\.state) == [.delivered, .dead, .pending])
    bench.time.advance(by: 5)
    try await daemon.tick()
    #expect(try bench.deliveries().map(\.state) == [.delivered, .dead, .delivered])
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
    bench.time.advance(by: 600)
    sink.release()
    try await daemon.settle()
    #expect(sink.attempts.map(\.lateSeconds) == [0, 600])
    #expect(try bench.deliveries().map(\.lateSeconds) == [0, 600])
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
    _ = try bench.belfry.setChecked(true, [1])
    sink.release()
    try await daemon.settle()
    #expect(try bench.deliveries().map(\.state) == [.discarded])
    bench.time.advance(by: 3_600)
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
    _ = try bench.belfry.delete([2])
    bench.time.advance(by: 60)
    try await daemon.tick(hanging: 3)
    sink.release()
    try await daemon.settle()
    #expect(sink.texts == ["a", "c"])
    #expect(try bench.deliveries().map(\.state) == [.delivered, .discarded, .delivered])
  }

  @Test("an outcome that cannot be recorded is recorded later, without another attempt")
  func recordingFails() async throws {
    try ring(["Milk"])
    let sink = RecordingSink()
    let store = FailingStore(bench.store)
    store.isFailing = false
    var bench = bench
    bench.store = store
    let daemon = try TestDaemon(bench.belfry, sinks: [ActiveSink(name: "sink", sink: sink)])
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
    #expect(try bench.deliveries().map(\.state) == [.delivered])
    #expect(sink.attempts.count == 1)
  }
}
