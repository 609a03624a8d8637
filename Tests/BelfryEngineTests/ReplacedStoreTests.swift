import BelfryTestKit
import Foundation
import MemoryStore
import Synchronization
import Testing
@testable import BelfryEngine

@Suite struct ReplacedStoreTests {
  private let sink = RecordingSink()

  @Test("another store in the place of the one before is taken up anew: what was under way is not recorded in it")
  func takenUp() async throws {
    let store = ReplaceableStore(MemoryStore())
    var bench = Bench()
    bench.store = store
    let daemon = try TestDaemon(bench.belfry, sinks: [ActiveSink(name: "sink", sink: sink)])
    try bench.add("old", due: "2026-11-21T09:01")
    bench.time.now = Sample.now + 60
    sink.hang()
    try await daemon.tick(hanging: 1)
    #expect(try bench.deliveries().map(\.state) == [.pending])

    let other = MemoryStore()
    store.replace(with: other)
    try bench.add("new", due: "2026-11-21T09:02")
    try other.write { transaction in
      try transaction.addSampleMessage(about: 1, at: 500, permittedFrom: Sample.now + 30_000)
      try transaction.addSampleMessage(about: 1, sink: "gone")
    }
    sink.release()
    try await daemon.settle()
    #expect(
      try bench.deliveries().filter { $0.sink == "sink" }.map(\.state) == [.pending], "the other store's number 1")
    #expect(try bench.deliveries().filter { $0.sink == "gone" }.map(\.state) == [.dead], "begun anew")
    bench.time.now = Sample.now + 120
    try await daemon.tick()
    #expect(sink.texts.last == "new")
    #expect(daemon.events.contains { $0.level == .warning && $0.message.contains("another store") })
  }
}

/// A store that can be replaced by another.
private final class ReplaceableStore: ItemStore {
  private let present: Mutex<(store: MemoryStore, count: Int)>

  init(_ store: MemoryStore) { present = Mutex((store, 0)) }

  func replace(with store: MemoryStore) { present.withLock { $0 = (store, $0.count + 1) } }

  private var store: MemoryStore { present.withLock { $0.store } }

  var location: String { "replaceable" }

  var identity: String? { present.withLock { "\($0.count)" } }

  func read<Result>(_ body: (any StoreView) throws -> Result) throws -> Result { try store.read(body) }

  func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result { try store.write(body) }

  func lockForDaemon() throws -> any DaemonLock { try store.lockForDaemon() }

  func tidy() { store.tidy() }

  func info() -> StoreInfo { store.info() }

  func damage() -> [String] { store.damage() }
}
