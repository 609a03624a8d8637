import BelfryTestKit
import Foundation
import MemoryStore
import Testing
@testable import BelfryEngine
@testable import BelfryModel

@Suite("From where a change is told of")
struct ViewpointTests {
  @Test("the zone that the store planned in, at the instant after the change")
  func planned() throws {
    let fixture = EngineFixture(zone: "Asia/Tokyo")
    try fixture.add(due: "2026-11-21T10:00")
    var elsewhere = fixture
    elsewhere.settings.timeZone = .named("Europe/Zurich")
    fixture.time.advance(by: 7)
    let hindsight = try elsewhere.belfry.hindsight()
    #expect(hindsight.planner.floatingZone.identifier == "Asia/Tokyo")
    #expect(hindsight.now == fixture.time.now)
  }

  @Test("a store that cannot be read after it does not make it look like one that failed")
  func unreadable() throws {
    var fixture = EngineFixture()
    let change = try fixture.add(due: "2026-11-21T10:00")
    fixture.store = UnreadableStore()
    let hindsight = try fixture.belfry.hindsight()
    #expect(hindsight.planner.floatingZone.identifier == "Europe/Zurich")
    #expect(hindsight.json(change.listing)["due_date"] == "2026-11-21T10:00:00+01:00")
    #expect(throws: BelfryError.self) { try fixture.belfry.read { _ in } }
  }
}

/// A store that turned unreadable.
private struct UnreadableStore: ItemStore {
  private let error = BelfryError(.storeFailed, "the disk is gone")

  var location: String { "nowhere" }

  func read<Result>(_ body: (any StoreView) throws -> Result) throws -> Result { throw error }

  func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result { throw error }

  func lockForDaemon() throws -> any DaemonLock { throw error }

  func tidy() throws { throw error }

  func info() throws -> StoreInfo { throw error }

  func damage() throws -> [String] { throw error }
}
