import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel

/// Stored attempts and sink problems. It is 09:00 in Zurich on 21 November 2026.
@Suite struct AttemptTests {
  private let fixture = EngineFixture()

  private func daemon(_ sink: RecordingSink, items: [String] = ["a"]) throws -> TestDaemon {
    for text in items { try fixture.add(text, due: "2026-11-21T10:00") }
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    return try TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: sink)])
  }

  private func attempts(_ delivery: Int64 = 1) throws -> [AttemptRecord] {
    try fixture.store.read { try $0.attempts(of: delivery) }
  }

  private func problems() throws -> [SinkProblem] { try fixture.store.read { try $0.sinkProblems() } }

  @Test("every attempt is kept, with when it began and what was said, and explain shows them")
  func history() async throws {
    let sink = RecordingSink(inSequence: [
      .later(reason: "HTTP 503"), .later(reason: "HTTP 401", needsAttention: true), .unknown(reason: "no answer"),
      .delivered(reply: "HTTP 204"),
    ])
    let daemon = try daemon(sink)
    for clock in ["10:00:00", "10:00:10", "10:01:00", "10:05:00"] {
      try fixture.setClock("2026-11-21T\(clock)+01:00")
      try await daemon.tick()
    }
    let start = try instant("2026-11-21T10:00:00+01:00")
    let expected = [
      AttemptRecord(deliveryID: 1, startedAt: start, outcome: .later, words: "HTTP 503"),
      AttemptRecord(deliveryID: 1, startedAt: start + 10, outcome: .later, words: "HTTP 401"),
      AttemptRecord(deliveryID: 1, startedAt: start + 60, outcome: .unknown, words: "no answer"),
      AttemptRecord(deliveryID: 1, startedAt: start + 300, outcome: .delivered, words: "HTTP 204"),
    ]
    #expect(try attempts() == expected)
    let explained = try fixture.belfry.read { try $0.explain(1, settings: fixture.settings, sinks: []) }
      .reminders.flatMap(\.deliveries)
    #expect(try only(explained).attempts == expected)
    #expect(try only(explained).delivery.attempts == 4)
  }

  @Test("whoever looks at what others changed is told when a failed attempt is made again")
  func retryAfterLook() async throws {
    let sink = RecordingSink(inSequence: [.later(reason: "HTTP 503")])
    let daemon = try daemon(sink)
    sink.hang()
    try await daemon.tick(hanging: 1)
    await sink.waitForAttempts(1)
    sink.release()
    var retry: Date?
    while try attempts().isEmpty {
      retry = try daemon.scheduler.storeChanged()
      await Task.yield()
    }
    #expect(try retry == instant("2026-11-21T10:00:05+01:00"))
  }

  @Test("a delivery discarded during its attempt keeps the attempt")
  func discarded() async throws {
    let sink = RecordingSink()
    let daemon = try daemon(sink)
    sink.hang()
    try await daemon.tick(hanging: 1)
    await sink.waitForAttempts(1)
    _ = try fixture.belfry.discardDeliveries([1])
    sink.release()
    try await daemon.settle()
    #expect(try only(fixture.deliveries()).state == .discarded)
    #expect(try attempts().map(\.outcome) == [.delivered])
  }

  @Test("an attempt that is under way when the daemon ends is kept as one whose outcome nobody knows")
  func unknown() async throws {
    let sink = RecordingSink()
    let daemon = try daemon(sink, items: ["a", "b"])
    sink.hang()
    try await daemon.tick(hanging: 2)
    await sink.waitForAttempts(1)
    daemon.scheduler.stop()
    #expect(try daemon.scheduler.abandon() == 1)
    #expect(try attempts().map(\.outcome) == [.unknown])
    #expect(try attempts(2).isEmpty)
    #expect(try fixture.deliveries().map(\.state) == [.pending, .pending])
    #expect(try fixture.deliveries().map(\.attempts) == [0, 0])
    sink.release()
  }

  @Test("a pause stands in the store, survives a config reload, and ends when the daemon starts")
  func pause() async throws {
    let gone = RecordingSink { _, _ in .never(reason: "HTTP 410", pausesSink: true) }
    let daemon = try daemon(gone, items: ["a", "b"])
    try await daemon.tick()
    let pause = SinkProblem(
      sink: "sink", kind: .paused, since: try instant("2026-11-21T10:00:00+01:00"), reason: "HTTP 410")
    #expect(try problems() == [pause])
    try fixture.setClock("2026-11-21T11:00:00+01:00")
    try daemon.scheduler.reload(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: gone)])
    try await daemon.tick()
    #expect(try problems() == [pause])
    #expect(gone.attempts.count == 1)
    let next = RecordingSink()
    let restarted = try TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: next)])
    #expect(try problems().isEmpty)
    try await restarted.tick()
    #expect(next.texts == ["b"])
  }

  @Test("a pause that a sink of the config before asks for late holds for the one that took over")
  func latePause() async throws {
    let gone = RecordingSink { _, _ in .never(reason: "HTTP 410", pausesSink: true) }
    let daemon = try daemon(gone, items: ["a", "b"])
    gone.hang()
    try await daemon.tick(hanging: 2)
    await gone.waitForAttempts(1)
    let new = RecordingSink()
    try daemon.scheduler.reload(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: new)])
    gone.release()
    try await daemon.waitForWake()
    try await daemon.settle()
    try fixture.add("c", due: "2026-11-21T10:01")
    try fixture.setClock("2026-11-21T10:01:00+01:00")
    try await daemon.tick()
    #expect(new.attempts.isEmpty)
    #expect(try problems().map(\.kind) == [.paused])
  }

  @Test("that a sink needs somebody stands in the store until it delivers again, or is gone from the config")
  func needsAttention() async throws {
    let wrong = DeliveryOutcome.later(reason: "535 wrong password", needsAttention: true)
    let sink = RecordingSink(inSequence: [wrong, wrong])
    let daemon = try daemon(sink)
    try await daemon.tick()
    let since = try instant("2026-11-21T10:00:00+01:00")
    let problem = SinkProblem(sink: "sink", kind: .needsAttention, since: since, reason: "535 wrong password")
    #expect(try problems() == [problem])
    try fixture.setClock("2026-11-21T10:01:00+01:00")
    try await daemon.tick()
    #expect(try problems() == [problem])
    try fixture.setClock("2026-11-21T10:05:00+01:00")
    try await daemon.tick()
    #expect(try problems().isEmpty)
    try fixture.store.write { try $0.put(problem) }
    _ = try TestDaemon(fixture.belfry, sinks: [])
    #expect(try problems().isEmpty)
  }

  @Test("a sink problem that cannot be recorded is recorded later")
  func failedRecording() async throws {
    let store = FailingStore(fixture.store)
    var fixture = fixture
    fixture.store = store
    store.isFailing = false
    try fixture.add(due: "2026-11-21T10:00")
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    let sink = RecordingSink(inSequence: [.later(reason: "535", needsAttention: true)])
    let daemon = try TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: sink)])
    sink.hang()
    try await daemon.tick(hanging: 1)
    await sink.waitForAttempts(1)
    store.isFailing = true
    sink.release()
    do {
      try await daemon.settle()
      Issue.record("the store did not fail")
    } catch let error as BelfryError {
      #expect(error.kind == .storeFailed)
    }
    #expect(try problems().isEmpty)
    store.isFailing = false
    try await daemon.settle()
    #expect(try problems().map(\.kind) == [.needsAttention])
    #expect(try attempts().count == 1)
  }

  @Test("a message keeps the domain that its sink had when it was claimed")
  func domain() async throws {
    try fixture.add(due: "2026-11-21T10:00")
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    let old = RecordingSink(messageDomain: "old.example") { _, _ in .later(reason: "busy") }
    try await TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: old)]).tick()
    let new = RecordingSink(messageDomain: "new.example")
    try fixture.setClock("2026-11-21T10:01:00+01:00")
    try await TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: new)]).tick()
    #expect(new.attempts.map(\.message.domain) == ["old.example"])
  }

  @Test("a message keeps whether its sink could withdraw it when it was claimed", arguments: [false, true])
  func withdrawable(canWithdraw: Bool) async throws {
    try fixture.add(due: "2026-11-21T10:00")
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    let old = RecordingSink(canWithdraw: canWithdraw) { _, _ in .later(reason: "busy") }
    try await TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: old)]).tick()
    let new = RecordingSink(canWithdraw: !canWithdraw)
    try fixture.setClock("2026-11-21T10:01:00+01:00")
    try await TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: new)]).tick()
    #expect(new.attempts.map(\.message.isWithdrawable) == [canWithdraw])
  }
}
