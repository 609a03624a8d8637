import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime
@testable import RecurrenceRules

/// Updates of the system's zone data. It is 09:00 in Zurich.
///
/// The zone Test/Place starts as New York's and becomes Kathmandu's.
@Suite struct ZoneDataTests {
  private let fixture = EngineFixture()
  private let root: TemporaryFolder

  init() throws {
    root = try TemporaryFolder()
    for name in ["Europe/Zurich", "Asia/Tokyo"] { try install(name, as: name) }
    try install("America/New_York", as: "Test/Place")
  }

  private func install(_ name: String, as path: String) throws {
    let file = URL(fileURLWithPath: root.file("zoneinfo/\(path)"))
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/\(name)")).write(to: file, options: .atomic)
  }

  /// Belfry as a newly started process sees it.
  private func belfry(zone: String = "Europe/Zurich") -> Belfry {
    var settings = fixture.settings
    settings.timeZone = .named(zone)
    let zones = ZoneDatabase(environment: ["TZDIR": root.file("zoneinfo")], root: root.path)
    return Belfry(store: fixture.store, settings: settings, time: fixture.time, zones: zones)
  }

  private func add(_ due: String, zone: ItemZone = .fixed("Test/Place"), alerts: [String] = [], rule: String? = nil)
    throws
  {
    let draft = ItemDraft(
      text: "item", due: try wall(due), zone: zone, shouldRemind: true, alerts: try alerts.map(lead),
      rule: try rule.map { try RecurrenceRule($0) })
    _ = try belfry().add([draft], to: ListChoice("Groceries", createsMissing: true))
  }

  private func scheduled(_ owner: ReminderOwner = .item(1)) throws -> [String] { try fixture.scheduled(of: owner) }

  @Test("an update while the daemon runs moves fixed zones within a minute, and is told once")
  func whileRunning() async throws {
    try add("2026-11-25T09:00", alerts: ["1d", "10m"])
    try add("2026-11-25T09:00", rule: "FREQ=DAILY")
    try add("2026-11-25T09:00", zone: .fixed("Asia/Tokyo"))
    let list = ListReminderDraft(at: try wall("2026-11-25T09:00"), zone: .fixed("Test/Place"))
    _ = try belfry().remindList("Groceries", list)
    let daemon = try TestDaemon(belfry(), sinks: [])
    try await daemon.tick()
    #expect(try scheduled() == ["2026-11-24T15:00+01:00", "2026-11-25T14:50+01:00"])
    try install("Asia/Kathmandu", as: "Test/Place")
    for _ in 1...3 {
      fixture.time.advance(by: 60)
      try await daemon.tick()
    }
    #expect(try scheduled() == ["2026-11-24T04:15+01:00", "2026-11-25T04:05+01:00"])
    #expect(try scheduled(.item(2)) == ["2026-11-25T04:15+01:00"])
    #expect(try scheduled(.item(3)) == ["2026-11-25T01:00+01:00"])
    #expect(try scheduled(.list(1)) == ["2026-11-25T04:15+01:00"])
    #expect(try fixture.item(1).due?.instant.date == instant("2026-11-25T03:15:00Z"))
    #expect(daemon.events.map(\.message) == ["zone data changed: 3 items and lists rescheduled"])
  }

  @Test("an update of the zone of floating items moves them, checked ones too")
  func floating() async throws {
    try add("2026-11-25T09:00", zone: .floating)
    try add("2026-11-25T09:00", zone: .floating)
    _ = try belfry().setChecked(true, [2])
    let daemon = try TestDaemon(belfry(), sinks: [])
    try await daemon.tick()
    try install("Asia/Kathmandu", as: "Europe/Zurich")
    fixture.time.advance(by: 60)
    try await daemon.tick()
    for id in [1, 2] as [Int64] {
      #expect(try fixture.item(id).due?.instant.date == instant("2026-11-25T03:15:00Z"))
    }
    #expect(daemon.events.map(\.message) == ["zone data changed: 2 items and lists rescheduled"])
  }

  @Test("an update while no daemon runs is seen at the next start, due dates far ahead included")
  func whileOff() async throws {
    try add("2026-11-25T09:00")
    try add("2028-06-25T09:00")
    try await TestDaemon(belfry(), sinks: []).tick()
    try install("Asia/Kathmandu", as: "Test/Place")
    let daemon = try TestDaemon(belfry(), sinks: [])
    try await daemon.tick()
    #expect(try scheduled() == ["2026-11-25T04:15+01:00"])
    #expect(try fixture.item(2).due?.instant.date == instant("2028-06-25T03:15:00Z"))
    #expect(daemon.events.map(\.message) == ["zone data changed: 2 items and lists rescheduled"])
  }

  @Test("a reminder that an update of zone data moves into the past fires late")
  func movedIntoThePast() async throws {
    try add("2026-11-21T10:00")
    let sink = RecordingSink()
    try install("Asia/Kathmandu", as: "Test/Place")
    let daemon = try TestDaemon(belfry(), sinks: [ActiveSink(name: "sink", sink: sink)])
    try await daemon.tick()
    #expect(sink.attempts.map(\.lateSeconds) == [13_500])
    #expect(daemon.events.map(\.message).contains("zone data changed: 1 item or list rescheduled"))
  }

  @Test("a reminder that fired before an update of zone data does not fire again")
  func rangAlready() async throws {
    try install("Asia/Kathmandu", as: "Test/Place")
    try add("2026-11-21T14:00")
    let sink = RecordingSink()
    let daemon = try TestDaemon(belfry(), sinks: [ActiveSink(name: "sink", sink: sink)])
    fixture.time.advance(by: 3_600)
    try await daemon.tick()
    #expect(sink.attempts.count == 1)
    try install("America/New_York", as: "Test/Place")
    for _ in 1...24 {
      fixture.time.advance(by: 3_600)
      try await daemon.tick()
    }
    #expect(sink.attempts.count == 1)
  }

  @Test("files that are replaced without a change of their zone plan nothing anew")
  func sameRules() async throws {
    try add("2026-11-25T09:00")
    let daemon = try TestDaemon(belfry(), sinks: [])
    try await daemon.tick()
    let before = try fixture.store.read { try $0.reminders(of: .item(1)) }
    for name in ["Europe/Zurich", "Asia/Tokyo"] { try install(name, as: name) }
    try install("America/New_York", as: "Test/Place")
    fixture.time.advance(by: 60)
    try await daemon.tick()
    #expect(try fixture.store.read { try $0.reminders(of: .item(1)) } == before)
    #expect(daemon.events == [])
  }

  @Test("a zone that is gone leaves its items as they are and does not keep the others from the update")
  func zoneGone() async throws {
    try add("2026-11-25T09:00", zone: .fixed("Asia/Tokyo"))
    try add("2026-11-25T09:00")
    let daemon = try TestDaemon(belfry(), sinks: [])
    try await daemon.tick()
    try FileManager.default.removeItem(atPath: root.file("zoneinfo/Asia/Tokyo"))
    try install("Asia/Kathmandu", as: "Test/Place")
    fixture.time.advance(by: 60)
    try await daemon.tick()
    #expect(try scheduled(.item(1)) == ["2026-11-25T01:00+01:00"])
    #expect(try scheduled(.item(2)) == ["2026-11-25T04:15+01:00"])
  }

  @Test("of very many items those due within three days are compared, and one difference makes all be compared")
  func soonest() throws {
    try add("2026-11-21T12:00", zone: .fixed("Asia/Tokyo"))
    try add("2026-11-21T18:00", zone: .fixed("Asia/Tokyo"))
    try add("2026-11-24T09:00", zone: .fixed("Test/Place"))
    try add("2026-12-23T09:00", zone: .fixed("Test/Place"))
    try install("Asia/Kathmandu", as: "Test/Place")
    #expect(try belfry().followZones(.nothing) == nil)
    #expect(try belfry().followZones(.soonest(1)) == nil)
    fixture.time.advance(by: 6 * 3_600)
    let change = ZoneChange(from: "Europe/Zurich", to: "Europe/Zurich", owners: 2)
    #expect(try belfry().followZones(.soonest(1)) == change)
    #expect(try scheduled(.item(3)) == ["2026-11-24T04:15+01:00"])
    #expect(try scheduled(.item(4)) == ["2026-12-23T04:15+01:00"])
    #expect(try belfry().followZones(.everything) == nil)
  }

  @Test("the database counts what was replaced, and tzdata.zi for what it has not read")
  func replacements() throws {
    let zones = ZoneDatabase(environment: ["TZDIR": root.file("zoneinfo")], root: root.path)
    _ = try zones.zone("Europe/Zurich")
    try install("tzdata.zi", as: "tzdata.zi")
    let first = zones.replacements()
    _ = try zones.zone("Asia/Tokyo")
    #expect(zones.replacements() == first)
    try install("Europe/Zurich", as: "Europe/Zurich")
    #expect(zones.replacements() == first + 1)
    try install("tzdata.zi", as: "tzdata.zi")
    #expect(zones.replacements() == first + 2)
    #expect(zones.replacements() == first + 2)
  }
}
