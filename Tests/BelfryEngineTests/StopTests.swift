import BelfryTestKit
import Foundation
import Synchronization
import Testing
@testable import BelfryEngine
@testable import SystemThreads

/// Stop requests during long work. It is 09:00 in Zurich.
@Suite struct StopTests {
  private var fixture = EngineFixture()

  /// A request that is made after this many checks.
  private func stop(after count: Int) -> StopRequest {
    let asked = Counter()
    return StopRequest { asked.next() > count }
  }

  private func fill() throws {
    let drafts = try (1...200).map { ItemDraft(text: "\($0)", due: try wall("2026-11-21T09:01"), shouldRemind: true) }
    _ = try fixture.belfry.add(drafts, to: ListChoice("Many", createsMissing: true))
  }

  @Test("a claim keeps what it has claimed so far, and the next start claims the rest")
  func claim() throws {
    try fill()
    fixture.time.now = Sample.now + 60
    var belfry = fixture.belfry
    belfry.stop = stop(after: 50)
    let claim = try belfry.claimDue(sinks: [], limit: 500)
    #expect(claim.fired == 50 && claim.hasMore)
    #expect(try fixture.claim([]).fired == 150)
  }

  @Test("a move to another zone is taken back whole, and made at the next start", arguments: [0, 100, 300, 500])
  mutating func zoneChange(steps: Int) throws {
    try fill()
    fixture.settings.timeZone = .named("America/New_York")
    var belfry = fixture.belfry
    belfry.stop = stop(after: steps)
    #expect(throws: Stopped.self) { try belfry.followZones(.nothing) }
    #expect(try fixture.store.read { try $0.plannedZone() } == "Europe/Zurich")
    #expect(try fixture.scheduled() == ["2026-11-21T09:01+01:00"])
    #expect(try fixture.belfry.followZones(.nothing)?.owners == 200)
    #expect(try fixture.scheduled() == ["2026-11-21T09:01-05:00"])
  }
}

/// Counts from 1.
private final class Counter: Sendable {
  private let count = Mutex(0)

  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
