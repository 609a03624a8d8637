import BelfryTestKit
import Foundation
import Testing
import Transport
@testable import BelfryEngine
@testable import BelfryModel

/// Attempts that come too late to send, and are begun anew. It is 10:00 in Zurich, and reminders are due.
@Suite struct BeginAnewTests {
  private var fixture = EngineFixture()

  init() throws { try fixture.setClock("2026-11-21T09:00:00+01:00") }

  /// Adds items that are due at 10:00, and moves the clock there.
  private mutating func ring(_ count: Int, isShared: Bool) throws {
    if isShared { fixture.store = SharedStore(fixture.store) }
    let drafts = try (0..<count).map { ItemDraft(text: "\($0)", due: try wall("2026-11-21T10:00"), shouldRemind: true) }
    _ = try fixture.belfry.add(drafts, to: ListChoice("Many", createsMissing: true))
    try fixture.setClock("2026-11-21T10:00:00+01:00")
  }

  private func daemon(_ sink: any ReminderSink) throws -> TestDaemon {
    try TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: sink)])
  }

  /// A sink whose attempts have a connection once they are released.
  private func connecting(
    concurrency: Int = 1, _ sent: @escaping @Sendable (DeliveryAttempt) -> DeliveryOutcome = { _ in .delivered }
  ) -> RecordingSink {
    RecordingSink(concurrency: concurrency) { attempt, _ in attempt.maySend() ? sent(attempt) : .tooLate }
  }

  @Test("what slots of the config before began and could not send in time is begun by those of the config")
  mutating func forReload() async throws {
    try ring(1, isShared: true)
    let earlier = connecting()
    earlier.hang()
    let daemon = try daemon(earlier)
    try await daemon.tick(hanging: 1)
    await earlier.waitForAttempts(1)
    let present = RecordingSink()
    try daemon.scheduler.reload(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: present)])
    try daemon.scheduler.drain()
    fixture.time.uptime += 0.9
    earlier.release()
    while daemon.scheduler.inFlightCount > 0 { await Task.yield() }
    try await daemon.settle()
    #expect(present.texts == ["0"])
    #expect(try only(fixture.deliveries()).attempts == 1)
  }

  @Test("that happens at once, also while slots of the config before have another attempt under way")
  mutating func forReloadAtOnce() async throws {
    try ring(2, isShared: true)
    let (slow, quick) = (RecordingSink(), connecting())
    slow.hang()
    quick.hang()
    let daemon = try daemon(SplitSink(first: slow, others: quick))
    try await daemon.tick(hanging: 2)
    await slow.waitForAttempts(1)
    await quick.waitForAttempts(1)
    let present = RecordingSink()
    try daemon.scheduler.reload(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: present)])
    try daemon.scheduler.drain()
    fixture.time.uptime += 0.9
    quick.release()
    while daemon.scheduler.inFlightCount > 1 { await Task.yield() }
    try await daemon.settle(hanging: 1)
    #expect(present.texts == ["1"])
    slow.release()
    try await daemon.settle()
    #expect(present.texts == ["1"])
    #expect(try fixture.deliveries().allSatisfy { $0.state == .delivered && $0.attempts == 1 })
  }

  @Test("an attempt that is sending is not looked at, however long that takes", arguments: [false, true])
  mutating func sending(isShared: Bool) async throws {
    try ring(1, isShared: isShared)
    let sink = SendingSink()
    sink.sending.hang()
    let daemon = try daemon(sink)
    try await daemon.tick(hanging: 1)
    await sink.sending.waitForAttempts(1)
    #expect(daemon.scheduler.nextLook == nil)
    fixture.time.uptime += 30
    sink.sending.release()
    try await daemon.settle()
    #expect(try only(fixture.deliveries()).attempts == 1)
  }

  @Test(
    "an attempt whose connection was lost, and another opened too late, is made anew at once", arguments: [false, true])
  mutating func lostRequest(isShared: Bool) async throws {
    try ring(1, isShared: isShared)
    let time = fixture.time
    let sink = connecting { _ in Self.outcome(after: time.uptime == 0 ? 2 : 0, time) }
    let daemon = try daemon(sink)
    try await daemon.tick()
    #expect(sink.attempts.count == 2)
    #expect(try only(fixture.deliveries()).state == .delivered)
    #expect(try fixture.store.read { try $0.attempts(of: 1) }.map(\.outcome) == [.delivered])
  }

  @Test("unless it was answered meanwhile: then its request may have arrived", arguments: [false, true])
  mutating func lostAndAnswered(isShared: Bool) async throws {
    try ring(1, isShared: isShared)
    let (time, belfry) = (fixture.time, fixture.belfry)
    let sink = connecting { _ in
      _ = try? belfry.setChecked(true, [1])
      return Self.outcome(after: 2, time)
    }
    let daemon = try daemon(sink)
    try await daemon.tick()
    #expect(sink.attempts.count == 1)
    #expect(try only(fixture.deliveries()).state == .discarded)
    #expect(try fixture.store.read { try $0.attempts(of: 1) }.map(\.outcome) == [.unknown])
  }

  // The outcome of a request whose connection is lost some seconds after it was sent.
  private static func outcome(after seconds: Double, _ time: ManualTimeSource) -> DeliveryOutcome {
    time.uptime += seconds
    return StartLimit.current?.allowsRepetition() == false ? .unknown(reason: "the connection was lost") : .delivered
  }
}

/// A sink that sends the first item over one way, and the others over another.
private struct SplitSink: ReminderSink {
  let first: RecordingSink
  let others: RecordingSink

  var recipients: [String?] { [nil] }
  var concurrency: Int { 2 }

  func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
    await (attempt.message.contents[0].text == "0" ? first : others).deliver(attempt)
  }
}

/// A sink that begins to send at once.
private struct SendingSink: ReminderSink {
  let sending = RecordingSink()

  var recipients: [String?] { [nil] }
  var concurrency: Int { 1 }

  func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
    attempt.maySend() ? await sending.deliver(attempt) : .tooLate
  }
}
