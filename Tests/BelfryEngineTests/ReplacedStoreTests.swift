import BelfryTestKit
import Foundation
import MemoryStore
import Testing
@testable import BelfryEngine
@testable import BelfryModel

@Suite struct ReplacedStoreTests {
  private let sink = RecordingSink()

  @Test("another store in the place of the one before is taken up anew: what was under way is not recorded in it")
  func takenUp() async throws {
    let store = ReplaceableStore(MemoryStore())
    var fixture = EngineFixture()
    fixture.store = store
    let daemon = try TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: sink)])
    try fixture.add("old", due: "2026-11-21T09:01")
    fixture.time.now = Sample.now + 60
    sink.hang()
    try await daemon.tick(hanging: 1)
    #expect(try fixture.deliveries().map(\.state) == [.pending])

    let other = MemoryStore()
    store.replace(with: other)
    try fixture.add("new", due: "2026-11-21T09:02")
    try other.write { transaction in
      try transaction.addSampleMessage(about: 1, at: 500, permittedFrom: Sample.now + 30_000)
      try transaction.addSampleMessage(about: 1, sink: "gone")
    }
    sink.release()
    try await daemon.settle()
    #expect(
      try fixture.deliveries().filter { $0.sink == "sink" }.map(\.state) == [.pending], "the other store's number 1")
    #expect(try fixture.deliveries().filter { $0.sink == "gone" }.map(\.state) == [.dead], "begun anew")
    fixture.time.now = Sample.now + 120
    try await daemon.tick()
    #expect(sink.texts.last == "new")
    #expect(daemon.events.contains { $0.level == .warning && $0.message.contains("another store") })
  }

  @Test("a store that cannot be read in its place stops nothing for good: with the one before back, it is sent, once")
  func unreadable() async throws {
    let first = MemoryStore()
    let store = ReplaceableStore(first)
    var fixture = EngineFixture()
    fixture.store = store
    let daemon = try TestDaemon(fixture.belfry, sinks: [ActiveSink(name: "sink", sink: sink)])
    for text in ["old", "new"] { try fixture.add(text, due: text == "old" ? "2026-11-21T09:01" : "2026-11-21T09:02") }
    fixture.time.now = Sample.now + 60
    sink.hang()
    try await daemon.tick(hanging: 1)
    await sink.waitForAttempts(1)

    store.replace(with: MemoryStore())
    store.isUnreadable = true
    for _ in 1...2 { #expect(throws: BelfryError.self) { try daemon.scheduler.tick() } }
    sink.release()
    store.replace(with: first, as: "0")
    store.isUnreadable = false
    fixture.time.now = Sample.now + 120
    try await daemon.tick()
    try await daemon.tick()
    #expect(sink.texts == ["old", "old", "new"], "nobody knows whether the first attempt arrived")
    #expect(try fixture.deliveries().map(\.state) == [.delivered, .delivered])
  }
}
