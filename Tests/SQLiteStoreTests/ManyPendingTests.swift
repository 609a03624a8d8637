import BelfryEngine
import BelfryTestKit
import CivilTime
import Foundation
import Testing

/// Many pending deliveries at the start of a daemon.
@Suite struct ManyPendingTests {
  @Test("a start after a kill reads the messages that may have been under way, and no others")
  func start() throws {
    let place = try Place()
    let store = place.open()
    try store.write { transaction in for item in 1...100 { try transaction.addSampleMessage(about: Int64(item)) } }
    // Reading any of these would fail.
    try place.python("c.execute(\"UPDATE message SET contents = 'no JSON' WHERE id > 4\")")
    let belfry = Belfry(
      store: store, settings: Settings(), time: ManualTimeSource(), zones: ZoneDatabase(environment: [:]))
    let sink = ActiveSink(name: "sink", sink: RecordingSink(concurrency: 2))
    _ = try TestDaemon(belfry, sinks: [sink], isAfterCrash: true)
    let outcomes = try store.read { view in try (1...5).map { try view.attempts(of: $0).map(\.outcome) } }
    #expect(outcomes == [[.unknown], [.unknown], [.unknown], [.unknown], []])
  }
}
