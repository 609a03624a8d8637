import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel

/// Ticks with nothing to do. It is 09:00 in Zurich on 21 November 2026.
@Suite struct RestTests {
  private var fixture = EngineFixture()
  private let store: WatchedStore
  private let sink = RecordingSink(inSequence: [.later(reason: "busy")])

  init() throws {
    store = WatchedStore(fixture.store)
    fixture.store = store
    try fixture.add("first", due: "2026-11-21T10:00")
    try fixture.setClock("2026-11-21T09:30:00+01:00")
  }

  private func daemon() throws -> TestDaemon {
    try TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: sink)])
  }

  /// Runs a tick, and returns how often it used the store.
  private func uses(_ daemon: TestDaemon) async throws -> Int {
    let before = store.uses
    try await daemon.tick()
    return store.uses - before
  }

  @Test("while the store is unchanged, a tick only counts its changes")
  func unchanged() async throws {
    let daemon = try daemon()
    for _ in 1...2 { try await daemon.tick() }
    for minute in 1...10 {
      fixture.time.advance(by: 60)
      #expect(try await uses(daemon) == 1)
      #expect(try daemon.scheduler.tick() == fixture.time.now + 60, "minute \(minute)")
      #expect(daemon.scheduler.isResting)
    }
    try fixture.add("second", due: "2026-11-21T12:00")
    try await daemon.tick()
    #expect(!daemon.scheduler.isResting)
  }

  @Test("a tick that rests ends where something is due, and that rings")
  func due() async throws {
    let daemon = try daemon()
    for _ in 1...3 { try await daemon.tick() }
    try fixture.setClock("2026-11-21T09:59:30+01:00")
    #expect(try await uses(daemon) == 1)
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    try await daemon.tick()
    #expect(sink.texts == ["first"])
    // The next attempt is due within the minute.
    for _ in 1...3 { #expect(try await daemon.tick() == fixture.time.now + 5) }
    #expect(try await uses(daemon) == 1)
    fixture.time.advance(by: 5)
    try await daemon.tick()
    #expect(sink.texts == ["first", "first"])
  }

  @Test("a change, another config and a clock that was set back end the rest")
  func ended() async throws {
    let daemon = try daemon()
    for _ in 1...3 { try await daemon.tick() }
    try fixture.add("second", due: "2026-11-21T09:31")
    #expect(try await uses(daemon) > 1)
    for _ in 1...2 { try await daemon.tick() }
    #expect(try await uses(daemon) == 1)
    try daemon.scheduler.reload(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: sink)])
    #expect(try await uses(daemon) > 1)
    for _ in 1...2 { try await daemon.tick() }
    fixture.time.advance(by: -60)
    #expect(try await uses(daemon) > 1)
    #expect(daemon.events.contains { $0.message.hasPrefix("the clock was set back") })
    fixture.time.advance(by: 120)
    try await daemon.tick()
    #expect(sink.texts == ["second"])
  }

  @Test("the plan is compared with the zone data once a day all the same")
  func nextDay() async throws {
    _ = try fixture.belfry.delete([1])
    let daemon = try daemon()
    for _ in 1...3 { try await daemon.tick() }
    fixture.time.advance(by: 86_400)
    #expect(try await uses(daemon) > 1)
    #expect(try await uses(daemon) == 1)
  }
}
