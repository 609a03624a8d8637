import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import Synchronization
import Testing

/// Programs that use the same key over every store.
@Suite struct StoreKeyedItemTests {
  private static let (writers, rounds) = (8, 5)
  private let time = ManualTimeSource(Sample.now)

  private func belfry(_ store: any ItemStore) -> Belfry {
    var settings = Settings()
    settings.timeZone = .named("UTC")
    return Belfry(store: store, settings: settings, time: time, zones: ZoneDatabase(environment: [:]))
  }

  private func item(_ key: String, _ text: String) throws -> KeyedItem {
    var fields = ItemEdit()
    fields.due = .at(try #require(WallTime(parsing: "2026-11-21T08:01")))
    fields.shouldRemind = true
    return KeyedItem(
      key: key, text: text, fields: fields, dueWords: "in 1 minute",
      defaultList: ListChoice("Alerts", createsMissing: true))
  }

  @Test("many that add the same key at once make one item, and each knows what it did", arguments: StoreKind.allCases)
  func race(kind: StoreKind) throws {
    let fixture = try kind.makeFixture()
    let effects = Mutex<[Int: [KeyedChange.Effect]]>([:])
    let failure = Mutex<(any Error)?>(nil)
    DispatchQueue.concurrentPerform(iterations: Self.writers) { writer in
      do {
        let belfry = belfry(try fixture.open())
        for round in 1...Self.rounds {
          let effect = try belfry.add(item("round \(round)", "by \(writer)")).effect
          effects.withLock { $0[round, default: []].append(effect) }
        }
      } catch { failure.withLock { $0 = error } }
    }
    if let error = failure.withLock({ $0 }) { throw error }
    for (round, effects) in effects.withLock({ $0 }) {
      #expect(effects.count == Self.writers && effects.count { $0 == .added } == 1, "round \(round): \(effects)")
      #expect(!effects.contains(.opened))
    }
    let store = try fixture.open()
    #expect(try store.read { try $0.items().compactMap(\.key).sorted() } == (1...Self.rounds).map { "round \($0)" })
    #expect(try store.read { try $0.pending().count } == Self.rounds)
    #expect(try belfry(store).checkStore() == [])
  }

  @Test("an item is added, repeated, checked and opened by one process after another", arguments: StoreKind.allCases)
  func processes(kind: StoreKind) throws {
    let fixture = try kind.makeFixture()
    func add(_ text: String) throws -> KeyedChange { try belfry(fixture.open()).add(item("caf\u{e9}", text)) }
    #expect(try add("Down").effect == .added)
    #expect(try add("Down").effect == .unchanged)
    #expect(try add("Still down").effect == .changed)
    #expect(try belfry(fixture.open()).check(key: "caf\u{e9}").map(\.listing.item.isChecked) == [true])
    #expect(try fixture.open().read { try $0.pending() }.isEmpty)
    let opened = try add("Down again")
    #expect(opened.effect == .opened && opened.change.listing.item.id == 1)
    #expect(try fixture.open().read { try $0.pending().map(\.text) } == ["Down again"])
    // Another spelling of the same word is another key.
    #expect(throws: BelfryError.self) { try belfry(fixture.open()).check(key: "cafe\u{301}") }
  }
}
