import BelfryTestKit
import Foundation
import Testing
import Transport
@testable import BelfryEngine
@testable import BelfryModel

/// Begins and connections that take longer than a begin counts. It is 10:00 in Zurich, and reminders are due.
@Suite struct LateBeginTests {
  private var fixture = EngineFixture()
  private let store: SharedStore

  init() throws {
    store = SharedStore(fixture.store, time: fixture.time)
    fixture.store = store
    try fixture.setClock("2026-11-21T09:00:00+01:00")
  }

  private func ring(_ count: Int) throws {
    let drafts = try (0..<count).map { ItemDraft(text: "\($0)", due: try wall("2026-11-21T10:00"), shouldRemind: true) }
    _ = try fixture.belfry.add(drafts, to: ListChoice("Many", createsMissing: true))
    try fixture.setClock("2026-11-21T10:00:00+01:00")
  }

  private func daemon(_ sink: any ReminderSink) throws -> TestDaemon {
    try TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: sink)])
  }

  private func words(_ daemon: TestDaemon) -> [String] {
    daemon.events.map(\.message).filter { $0.contains("begin") }
  }

  @Test("commits that take too long only make deliveries late, and are told once, and their end")
  func slowCommits() async throws {
    try ring(40)
    let sink = RecordingSink(concurrency: 2)
    let daemon = try daemon(sink)
    store.commitDelay = 1.25
    try await daemon.tick()
    #expect(Set(sink.texts).count == 40 && sink.attempts.count == 40)
    #expect(try fixture.deliveries().allSatisfy { $0.state == .delivered && $0.attempts == 1 })
    #expect(words(daemon).count == 1)
    #expect(words(daemon).first?.contains("took 1.3 s to begin a delivery, more than 0.8 s") == true)
    store.commitDelay = 0
    try fixture.add("later", due: "2026-11-21T10:01")
    try fixture.setClock("2026-11-21T10:01:00+01:00")
    try await daemon.tick()
    #expect(words(daemon).count == 2)
    #expect(words(daemon).last?.hasSuffix("deliveries begin within 0.8 s again") == true)
  }

  @Test("what is answered while its begin is being committed does not go out, if that takes too long")
  func answeredMeanwhile() async throws {
    try ring(2)
    let sink = RecordingSink()
    sink.hang()
    let daemon = try daemon(sink)
    try await daemon.tick(hanging: 2)
    await sink.waitForAttempts(1)
    // The next commit has the outcome of the first delivery, and begins the second.
    store.commitDelay = 1
    let belfry = fixture.belfry
    store.whileCommitting { _ = try belfry.setChecked(true, [2]) }
    sink.release()
    try await daemon.settle()
    #expect(sink.texts == ["0"])
    #expect(try fixture.deliveries().map(\.state) == [.delivered, .discarded])
  }

  @Test("while the store tells nothing in time, nothing goes out; it does once the store is faster")
  func slowReadings() async throws {
    try ring(3)
    let sink = RecordingSink()
    let daemon = try daemon(sink)
    (store.commitDelay, store.readDelay) = (1, 1)
    _ = try daemon.scheduler.tick()
    for _ in 0..<50 { try daemon.scheduler.drain() }
    #expect(sink.attempts.isEmpty)
    #expect(words(daemon).count == 1)
    (store.commitDelay, store.readDelay) = (0, 0)
    try await daemon.settle()
    #expect(sink.texts == ["0", "1", "2"])
    #expect(try fixture.deliveries().allSatisfy { $0.state == .delivered && $0.attempts == 1 })
  }

  /// A sink whose attempts have a connection once they are released.
  private func connecting() -> RecordingSink {
    RecordingSink(concurrency: 2) { _, _ in
      StartLimit.current?.allowsStart() == true ? .delivered : .never(reason: "too late")
    }
  }

  @Test("what waits for a slow connection is looked at meanwhile, and goes out unless it was answered")
  func slowConnection() async throws {
    try ring(2)
    let sink = connecting()
    sink.hang()
    let daemon = try daemon(sink)
    try await daemon.tick(hanging: 2)
    await sink.waitForAttempts(2)
    for _ in 1...10 {
      #expect(daemon.scheduler.nextLook.map { $0 <= fixture.time.now + 0.5 } == true)
      fixture.time.uptime += 0.5
      try daemon.scheduler.drain()
    }
    _ = try fixture.belfry.setChecked(true, [2])
    fixture.time.uptime += 0.5
    try daemon.scheduler.drain()
    sink.release()
    try await daemon.settle()
    #expect(try fixture.deliveries().map(\.state) == [.delivered, .discarded])
    #expect(try fixture.deliveries().map(\.attempts) == [1, 0])
    #expect(daemon.scheduler.nextLook == nil)
  }

  @Test("what had no connection in time, and was not looked at meanwhile, is begun anew")
  func unseenConnection() async throws {
    try ring(1)
    let sink = connecting()
    sink.hang()
    let daemon = try daemon(sink)
    try await daemon.tick(hanging: 1)
    await sink.waitForAttempts(1)
    fixture.time.uptime += 0.9
    sink.release()
    while daemon.scheduler.nextLook != nil { await Task.yield() }
    try await daemon.settle()
    #expect(sink.attempts.count == 2)
    #expect(try only(fixture.deliveries()).state == .delivered)
    #expect(try only(fixture.deliveries()).attempts == 1)
  }
}
