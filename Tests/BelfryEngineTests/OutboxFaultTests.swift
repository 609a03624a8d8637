import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

/// Faults of the store and of the clock at each stage of a delivery. It is 10:00 in Zurich, and reminders are due.
@Suite struct OutboxFaultTests {
  enum Fault: CaseIterable {
    case diskFull
    case brokenDisk
    case locked

    var error: BelfryError {
      switch self {
      case .diskFull: BelfryError(.storeFailed, "the disk is full")
      case .brokenDisk: BelfryError(.storeFailed, "input/output error")
      case .locked: BelfryError(.tryAgain, "another program has locked the store")
      }
    }
  }

  private var fixture = EngineFixture()

  init() throws { try fixture.setClock("2026-11-21T09:00:00+01:00") }

  /// A store that fails later, over which items are due at 10:00; moves the clock there.
  private mutating func ring(_ count: Int, with fault: Fault, isShared: Bool) throws -> FailingStore {
    let drafts = try (0..<count).map { ItemDraft(text: "\($0)", due: try wall("2026-11-21T10:00"), shouldRemind: true) }
    _ = try fixture.belfry.add(drafts, to: ListChoice("Many", createsMissing: true))
    let failing = FailingStore(fixture.store, error: fault.error)
    failing.isFailing = false
    fixture.store = isShared ? SharedStore(failing) : failing
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    return failing
  }

  private func daemon(_ sink: RecordingSink) throws -> TestDaemon {
    try TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: sink)])
  }

  private func isEachDeliveredOnce(_ sink: RecordingSink, _ count: Int) throws -> Bool {
    let deliveries = try fixture.deliveries()
    return sink.texts == (0..<count).map { "\($0)" } && deliveries.count == count
      && deliveries.allSatisfy { $0.state == .delivered && $0.attempts == 1 }
  }

  @Test("a claim that fails sends nothing, and is made again", arguments: Fault.allCases, [false, true])
  mutating func claim(fault: Fault, isShared: Bool) async throws {
    let store = try ring(3, with: fault, isShared: isShared)
    let sink = RecordingSink()
    let daemon = try daemon(sink)
    store.isFailing = true
    for _ in 1...3 {
      #expect(throws: BelfryError.self) { try daemon.scheduler.tick() }
      #expect(throws: Never.self) { try daemon.scheduler.drain() }
    }
    #expect(sink.attempts.isEmpty)
    #expect(daemon.scheduler.inFlightCount == 0)
    store.isFailing = false
    try await daemon.tick()
    #expect(try isEachDeliveredOnce(sink, 3))
  }

  @Test(
    "a begin or record that fails is made again: each is sent once, in order", arguments: Fault.allCases, [false, true])
  mutating func beginAndRecord(fault: Fault, isShared: Bool) async throws {
    let store = try ring(6, with: fault, isShared: isShared)
    let sink = RecordingSink()
    sink.hang()
    let daemon = try daemon(sink)
    try await daemon.tick(hanging: 6)
    await sink.waitForAttempts(1)
    store.isFailing = true
    sink.release()
    await #expect(throws: BelfryError.self) { try await daemon.settle() }
    for _ in 1...3 { #expect(throws: BelfryError.self) { try daemon.scheduler.tick() } }
    #expect(sink.attempts.count <= 2)
    store.isFailing = false
    try await daemon.tick()
    #expect(try isEachDeliveredOnce(sink, 6))
  }

  @Test(
    "a clock that is set between begin and send keeps nothing from going out, and sends nothing twice",
    arguments: [-86_400.0, -1, 1, 86_400], [0.1, 0.9])
  mutating func clockStep(step: Double, uptime: Double) async throws {
    for isShared in [false, true] {
      fixture = EngineFixture()
      try fixture.setClock("2026-11-21T09:00:00+01:00")
      _ = try ring(4, with: .diskFull, isShared: isShared)
      let sink = RecordingSink()
      sink.hang()
      let daemon = try daemon(sink)
      try await daemon.tick(hanging: 4)
      await sink.waitForAttempts(1)
      fixture.time.advance(by: step)
      fixture.time.uptime += uptime
      sink.release()
      try await daemon.settle(hanging: 0)
      // The daemon wakes when the clock is set.
      try await daemon.tick()
      #expect(try isEachDeliveredOnce(sink, 4), "shared: \(isShared): \(sink.texts)")
    }
  }

  @Test("a clock that is set back while the store fails is followed as soon as it works")
  mutating func clockSetBackWithFault() async throws {
    let store = try ring(1, with: .locked, isShared: false)
    let sink = RecordingSink(inSequence: [.later(reason: "busy")])
    let daemon = try daemon(sink)
    try await daemon.tick()
    #expect(sink.attempts.count == 1)
    fixture.time.advance(by: -3_600)
    store.isFailing = true
    #expect(throws: BelfryError.self) { try daemon.scheduler.tick() }
    store.isFailing = false
    try await daemon.tick()
    #expect(sink.attempts.count == 2)
  }

  @Test("what quiet hours hold stays held where the clock is set back")
  func quietHours() async throws {
    let (start, end) = try (#require(TimeOfDay(parsing: "09:30")), #require(TimeOfDay(parsing: "11:00")))
    let quiet = try #require(QuietHours(from: start, to: end, except: nil))
    try fixture.add(due: "2026-11-21T10:00")
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    let sink = RecordingSink()
    let daemon = try TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: sink, quietHours: quiet)])
    try await daemon.tick()
    try fixture.setClock("2026-11-21T09:45:00+01:00")
    try await daemon.tick()
    #expect(sink.attempts.isEmpty)
    try fixture.setClock("2026-11-21T11:00:00+01:00")
    try await daemon.tick()
    #expect(sink.attempts.count == 1)
  }

  @Test("a sink that takes a message and never replies keeps its slot only; the others and the answers go on")
  mutating func silentSink() async throws {
    _ = try ring(4, with: .diskFull, isShared: false)
    let (silent, other) = (RecordingSink(concurrency: 2), RecordingSink())
    silent.hang()
    let daemon = try TestDaemon(
      fixture.belfry, sinks: [ActiveSink(name: "silent", sink: silent), ActiveSink(name: "other", sink: other)])
    try await daemon.tick(hanging: 4)
    await silent.waitForAttempts(2)
    #expect(other.attempts.count == 4)
    _ = try fixture.belfry.setChecked(true, [1, 4])
    fixture.time.advance(by: 3_600)
    fixture.time.uptime += 3_600
    try await daemon.tick(hanging: 4)
    #expect(silent.attempts.count == 2)
    silent.release()
    try await daemon.settle()
    #expect(silent.texts == ["0", "1", "2"])
    let states = try fixture.deliveries().filter { $0.sink == "silent" }.map(\.state)
    #expect(states == [.discarded, .delivered, .delivered, .discarded])
  }

  @Test("a config that is reloaded while a sink is busy, and while the store fails, loses and repeats nothing")
  mutating func reload() async throws {
    let store = try ring(5, with: .diskFull, isShared: true)
    let earlier = RecordingSink(concurrency: 2)
    earlier.hang()
    let daemon = try daemon(earlier)
    try await daemon.tick(hanging: 5)
    await earlier.waitForAttempts(2)
    store.isFailing = true
    let present = RecordingSink()
    try daemon.scheduler.reload(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: present)])
    earlier.release()
    #expect(throws: BelfryError.self) { try daemon.scheduler.tick() }
    store.isFailing = false
    try await daemon.tick()
    #expect(Set(earlier.texts + present.texts).count == 5)
    #expect(earlier.attempts.count + present.attempts.count == 5)
    #expect(try fixture.deliveries().allSatisfy { $0.state == .delivered && $0.attempts == 1 })
  }
}
