import BelfryTestKit
import Foundation
import Synchronization
import Testing
@testable import BelfryEngine
@testable import BelfryModel

/// The handover of claimed deliveries to their sinks. It is 10:00 in Zurich, and reminders are due.
@Suite struct HandoverTests {
  private let fixture: EngineFixture

  init() throws {
    fixture = EngineFixture()
    try fixture.setClock("2026-11-21T09:00:00+01:00")
  }

  /// Adds this many items that are due at 10:00, and moves the clock there.
  private func ring(_ count: Int) throws {
    let drafts = try (0..<count).map { ItemDraft(text: "\($0)", due: try wall("2026-11-21T10:00"), shouldRemind: true) }
    _ = try fixture.belfry.add(drafts, to: ListChoice("Many", createsMissing: true))
    try fixture.setClock("2026-11-21T10:00:00+01:00")
  }

  @Test("the handed-over message equals the stored one")
  func asWritten() async throws {
    try ring(3)
    let sink = RecordingSink(recipients: ["a", "b"])
    try await TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: sink)]).tick()
    let kept = try fixture.deliveries()
    #expect(kept.map(\.id) == sink.attempts.map(\.deliveryID))
    #expect(kept.map(\.recipient) == sink.attempts.map(\.recipient))
    let messages = try kept.map { delivery in try fixture.store.read { try $0.message(id: delivery.messageID) } }
    #expect(messages == sink.attempts.map(\.message))
  }

  @Test("a claim that is not kept hands nothing over")
  func failedClaim() async throws {
    try ring(3)
    let store = FailingStore(fixture.store)
    var fixture = fixture
    fixture.store = store
    let sink = RecordingSink()
    store.isFailing = false
    let daemon = try TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: sink)])
    store.isFailing = true
    #expect(throws: BelfryError.self) { try daemon.scheduler.tick() }
    #expect(daemon.scheduler.inFlightCount == 0)
    store.isFailing = false
    try await daemon.tick()
    #expect(sink.texts == ["0", "1", "2"])
  }

  @Test("while a sink hangs, no more are in memory than its window holds; all go out in order, once")
  func window() async throws {
    try ring(5_000)
    let sink = RecordingSink(concurrency: 64)
    sink.hang()
    let daemon = try TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: sink)])
    _ = try daemon.scheduler.tick()
    #expect(try fixture.deliveries().count == 5_000)
    #expect((1...4_160).contains(daemon.scheduler.inFlightCount))
    sink.release()
    try await daemon.settle()
    #expect(sink.texts == (0..<5_000).map { "\($0)" })
    #expect(try fixture.deliveries().allSatisfy { $0.state == .delivered && $0.attempts == 1 })
  }

  @Test("an attempt that fails between ticks is tried again at its time, not at the next minute")
  func retryBetweenTicks() async throws {
    try ring(1)
    let sink = RecordingSink(inSequence: [.later(reason: "busy")])
    sink.hang()
    let daemon = try TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: sink)])
    #expect(try daemon.scheduler.tick() == fixture.time.now + 60)
    await sink.waitForAttempts(1)
    sink.release()
    #expect(try await daemon.settle() == fixture.time.now + 5)
    #expect(try daemon.scheduler.drain() == nil)
  }

  @Test("a sink that blocks its thread delays no other")
  func blockingSink() async throws {
    try ring(20)
    let (stuck, free) = (BlockingSink(), RecordingSink())
    let sinks = [ActiveSink(name: "stuck", sink: stuck), ActiveSink(name: "free", sink: free)]
    let daemon = try TestDaemon(fixture.belfry, sinks: sinks)
    try await daemon.tick(hanging: 20)
    #expect(free.attempts.count == 20)
    #expect(try fixture.deliveries().filter { $0.sink == "stuck" }.allSatisfy { $0.state == .pending })
    stuck.gate.signal()
    try await daemon.settle()
    #expect(try fixture.deliveries().allSatisfy { $0.state == .delivered })
  }

  @Test("an attempt that ends while others are recorded wakes the scheduler again")
  func endsWhileRecording() async throws {
    try ring(3)
    let sink = SteppedSink()
    let wakes = Mutex(0)
    let scheduler = Scheduler(
      belfry: fixture.belfry, sinks: [ActiveSink(name: "sink", sink: sink)],
      // Called while the outcome of the first attempt is recorded.
      random: {
        sink.endAttempt()
        return 0
      },
      log: { _ in }, wake: { wakes.withLock { $0 += 1 } })
    try scheduler.start()
    _ = try scheduler.tick()
    sink.waitForAttempt()
    sink.endAttempt()
    #expect(wakes.withLock { $0 } == 1)
    try scheduler.drain()
    #expect(wakes.withLock { $0 } == 2)
    sink.release()
  }
}

/// A sink whose attempts run one after the other, each until the test ends it.
private final class SteppedSink: ReminderSink {
  let recipients: [String?] = [nil]
  let concurrency = 3
  private let begun = DispatchSemaphore(value: 0)
  private let gate = DispatchSemaphore(value: 0)

  func waitForAttempt() { begun.wait() }

  /// Ends the attempt under way, and waits for the next one, which begins once the outcome of this one is there.
  func endAttempt() {
    gate.signal()
    begun.wait()
  }

  func release() { gate.signal() }

  func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
    block()
    return .later(reason: "busy")
  }

  // The compiler refuses to block in an asynchronous function.
  private func block() {
    begun.signal()
    gate.wait()
  }
}

/// A sink whose first attempt blocks until the gate opens.
private final class BlockingSink: ReminderSink {
  let gate = DispatchSemaphore(value: 0)
  let recipients: [String?] = [nil]
  let concurrency = 4

  func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
    block()
    return .delivered
  }

  // The compiler refuses to block in an asynchronous function.
  private func block() {
    gate.wait()
    gate.signal()
  }
}
