import BelfryTestKit
import Foundation
import MemoryStore
import Testing
@testable import BelfryEngine
@testable import BelfryModel

/// Reloading the config while the daemon runs. It is 09:00 in Zurich on 21 November 2026.
@Suite struct ReloadTests {
  private let fixture = EngineFixture()

  @Test("an attempt in flight during a reload ends, is recorded, and is not sent again")
  func underWay() async throws {
    for text in ["a", "b"] { try fixture.add(text, due: "2026-11-21T10:00") }
    let (old, new) = (RecordingSink(), RecordingSink())
    let daemon = try TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: old)])
    old.hang()
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    try await daemon.tick(hanging: 2)
    await old.waitForAttempts(1)
    try daemon.scheduler.reload(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: new)])
    _ = try daemon.scheduler.tick()
    try await daemon.settle(hanging: 1)
    #expect(new.attempts.map { $0.message.contents[0].text } == ["b"])
    old.release()
    try await daemon.settle()
    #expect(old.attempts.map { $0.message.contents[0].text } == ["a"])
    #expect(try fixture.deliveries().map(\.state) == [.delivered, .delivered])
  }

  @Test("a paused sink stays paused across a config reload")
  func staysPaused() async throws {
    for text in ["a", "b"] { try fixture.add(text, due: "2026-11-21T10:00") }
    let gone = RecordingSink { _, _ in .never(reason: "410 Gone", pausesSink: true) }
    let daemon = try TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: gone)])
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    try await daemon.tick()
    let new = RecordingSink()
    for _ in 0..<2 {
      try daemon.scheduler.reload(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: new)])
      try await daemon.tick()
    }
    #expect(gone.attempts.count == 1)
    #expect(new.attempts.isEmpty)
    #expect(try fixture.deliveries().map(\.state) == [.dead, .pending])
  }

  @Test("a reload while the store cannot be read is made up for at the next tick")
  func unreadable() async throws {
    let store = ReplaceableStore(MemoryStore())
    var fixture = fixture
    fixture.store = store
    try fixture.add("Milk", due: "2026-11-21T10:00")
    let (old, new) = (RecordingSink(), RecordingSink())
    let daemon = try TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: old)])
    try await daemon.tick()
    store.isUnreadable = true
    #expect(throws: BelfryError.self) {
      try daemon.scheduler.reload(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: new)])
    }
    #expect(throws: BelfryError.self) { try daemon.scheduler.tick() }
    store.isUnreadable = false
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    for _ in 1...2 { try await daemon.tick() }
    #expect(old.texts.isEmpty)
    #expect(new.texts == ["Milk"])
    #expect(try fixture.deliveries().map(\.state) == [.delivered])
  }

  @Test("deliveries of a sink that the new config does not have are given up, visibly")
  func gone() async throws {
    try fixture.add(due: "2026-11-21T10:00")
    let sink = RecordingSink(inSequence: [.later(reason: "busy")])
    let daemon = try TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: sink)])
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    try await daemon.tick()
    try daemon.scheduler.reload(fixture.belfry, sinks: [ActiveSink(name: "other", sink: RecordingSink())])
    let delivery = try only(fixture.deliveries())
    #expect(delivery.state == .dead)
    #expect(delivery.lastError == "the sink 'sink' is switched off or not in the config")
  }
}
