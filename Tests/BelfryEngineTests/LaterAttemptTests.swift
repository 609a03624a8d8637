import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel

/// The attempts that follow one whose sink said later. It is 10:00 in Zurich, and one reminder is due.
@Suite struct LaterAttemptTests {
  private let fixture: EngineFixture

  init() throws {
    fixture = EngineFixture()
    try fixture.setClock("2026-11-21T09:00:00+01:00")
    try fixture.add("Milk", due: "2026-11-21T10:00")
    try fixture.setClock("2026-11-21T10:00:00+01:00")
  }

  private func daemon(_ sink: RecordingSink, random: Double = 0, maxAge: Double = 86_400) throws -> TestDaemon {
    try TestDaemon(
      fixture.belfry, sinks: [ActiveSink(name: "sink", sink: sink, retry: RetryPolicy(maxAge: maxAge))], random: random)
  }

  @Test("a sink that says later is asked again after 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, with the same identity")
  func later() async throws {
    let sink = RecordingSink(inSequence: Array(repeating: .later(reason: "busy"), count: 7))
    let daemon = try daemon(sink)
    for (attempts, delay) in [5.0, 30, 120, 600, 1_800, 3_600, 3_600].enumerated() {
      try await daemon.tick()
      let delivery = try only(fixture.deliveries())
      #expect(delivery.state == .pending)
      #expect(delivery.attempts == attempts + 1)
      #expect(delivery.lastError == "busy")
      #expect(delivery.nextAttemptAt == fixture.time.now + delay)
      // Just before the retry is due.
      fixture.time.advance(by: delay - 0.01)
      try await daemon.tick()
      #expect(sink.attempts.count == attempts + 1)
      fixture.time.advance(by: 0.01)
    }
    try await daemon.tick()
    let delivery = try only(fixture.deliveries())
    #expect(delivery.state == .delivered)
    #expect(delivery.attempts == 8)
    #expect(delivery.lastError == nil)
    #expect(Set(sink.attempts.map(\.message)).count == 1)
    #expect(sink.attempts.map(\.lateSeconds) == [0, 5, 35, 155, 755, 2_555, 6_155, 9_755])
  }

  @Test("jitter is added to the delay, in whole seconds")
  func jitter() async throws {
    try await daemon(RecordingSink(inSequence: [.later(reason: "busy")]), random: 1).tick()
    let next = try #require(try only(fixture.deliveries()).nextAttemptAt)
    #expect(next == fixture.time.now + 6)
  }

  @Test("an instant that the other side named is kept")
  func retryAfter() async throws {
    let named = fixture.time.now + 777
    try await daemon(RecordingSink(inSequence: [.later(reason: "slow down", retryAfter: named)]), random: 1)
      .tick()
    #expect(try only(fixture.deliveries()).nextAttemptAt == named)
  }

  @Test("an other side that says at once is not asked without a pause")
  func retryAtOnce() async throws {
    let time = fixture.time
    let sink = RecordingSink { _, earlier in
      earlier < 50 ? .later(reason: "busy", retryAfter: time.now) : .never(reason: "asked without a pause")
    }
    try await daemon(sink).tick()
    #expect(sink.attempts.count == 1)
    #expect(try only(fixture.deliveries()).state == .pending)
  }

  @Test("an attempt that comes due in the middle of a tick is made when the tick has ended", arguments: 1...20)
  func dueInTheMiddle(tenths: Int) async throws {
    let due = fixture.time.now + 5
    let sink = RecordingSink(inSequence: [.later(reason: "busy")])
    let store = SharedStore(fixture.store, time: fixture.time)
    var fixture = fixture
    fixture.store = store
    let daemon = try TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: sink)])
    try await daemon.tick()
    fixture.time.now = due - Double(tenths) / 10
    store.readDelay = 0.1
    let next = try await daemon.tick()
    #expect(sink.attempts.count == 2 || next == due)
    store.readDelay = 0
    fixture.time.now = max(fixture.time.now, due)
    try await daemon.tick()
    #expect(sink.attempts.count == 2)
  }

  @Test("a delivery dies when retry.max_age is over, with its last error")
  func maxAge() async throws {
    let sink = RecordingSink { _, _ in .later(reason: "still busy") }
    let daemon = try daemon(sink, maxAge: 60)
    var instants: [Double] = []
    let start = fixture.time.now
    var next: Date? = start
    while let instant = next {
      fixture.time.now = instant
      try await daemon.tick()
      instants.append(instant.timeIntervalSince(start))
      next = try only(fixture.deliveries()).nextAttemptAt
    }
    #expect(instants == [0, 5, 35, 60])
    let delivery = try only(fixture.deliveries())
    #expect(delivery.state == .dead)
    #expect(delivery.lastError == "still busy")
    #expect(delivery.attempts == 4)
  }
}
