import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import JSONStore
import MemoryStore
import PlistStore
import RecurrenceRules
import SQLiteStore
import TestSupport
import Testing

/// Every rule in a store beside ordinary items, which must still fire on time. It is 09:00 in Zurich, on a Saturday.
@Suite struct EveryRuleTests {
  /// The way in which the rules get into a store.
  enum Way: String, CaseIterable, Sendable {
    case add, imported, json, plist, row
  }

  /// The due times of the ordinary items, at each of which the daemon ticks.
  private static let moments = [
    "2026-11-21T09:01", "2026-11-21T09:02", "2026-11-22T09:01", "2026-12-01T00:00", "2027-11-21T09:01",
  ]
  private static let due = "2026-11-21T09:01"

  @Test("all rules of vectors and calendars are covered, and more")
  func complete() {
    #expect(EveryRule.written.count > (Corpus.isThere ? 300 : 40))
    #expect(EveryRule.all.count > (Corpus.isThere ? 700 : 500))
  }

  @Test("an ordinary item fires on time beside any rules", arguments: Way.allCases)
  func ordinaryRings(way: Way) throws {
    let time = ManualTimeSource()
    let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    let store = try Self.store(way, folder)
    var settings = Settings()
    settings.timeZone = .named("Europe/Zurich")
    let belfry = Belfry(store: store, settings: settings, time: time, zones: ZoneDatabase(environment: [:]))
    try Self.fill(belfry, way, folder)
    let daemon = try TestDaemon(belfry, sinks: [])
    let zone = try belfry.configuredZone()
    // Edits made by hand are planned first.
    _ = try daemon.scheduler.tick()
    for moment in Self.moments {
      time.now = zone.instant(of: try wall(moment)).instant
      _ = try daemon.scheduler.tick()
      let rang = try store.read { view -> [Reminder] in
        var item: Item?
        try view.forEachItem(ItemQuery(checked: .any)) { if $0.item.text == "ordinary \(moment)" { item = $0.item } }
        return try view.reminders(of: .item(#require(item).id)).filter { $0.state == .fired }
      }
      #expect(rang.map(\.changedAt) == [time.now], "\(moment)")
    }
    let faults = daemon.events.filter { $0.message.contains("skipped") }
    #expect(faults.isEmpty, "\(faults.map(\.message).prefix(3))")
  }

  private static func store(_ way: Way, _ folder: TemporaryFolder) throws -> any ItemStore {
    switch way {
    case .add: MemoryStore()
    case .imported, .row: SQLiteStore(path: folder.file("belfry.sqlite"))
    case .json: JSONStorePlugin.store(path: folder.file("belfry.json"))
    case .plist: PlistStorePlugin.store(path: folder.file("belfry.plist"), isBinary: false)
    }
  }

  private static func fill(_ belfry: Belfry, _ way: Way, _ folder: TemporaryFolder) throws {
    let rules = EveryRule.all
    switch way {
    case .add:
      for rule in rules {
        let draft = ItemDraft(text: rule, due: try wall(due), shouldRemind: true, rule: try RecurrenceRule(rule))
        // A rule without occurrences is refused.
        _ = try? belfry.add([draft], to: ListChoice("Rules", createsMissing: true))
      }
      try addOrdinary(to: belfry)
    case .imported: try importAll(rules, into: belfry)
    case .json: try handwrittenJSON(rules).write(toFile: folder.file("belfry.json"), atomically: true, encoding: .utf8)
    case .plist:
      try handwrittenPlist(rules).write(toFile: folder.file("belfry.plist"), atomically: true, encoding: .utf8)
    case .row:
      try importAll(rules.map { _ in "FREQ=DAILY" }, into: belfry)
      try rules.joined(separator: "\n").write(toFile: folder.file("rules"), atomically: true, encoding: .utf8)
      try python(
        """
        import sqlite3, sys
        c = sqlite3.connect(sys.argv[1])
        for n, rule in enumerate(open(sys.argv[2]).read().split("\\n")):
          c.execute("UPDATE item SET repeat = ? WHERE text = ?", (rule, f"rule {n}"))
        c.commit()
        """, [folder.file("belfry.sqlite"), folder.file("rules")])
    }
  }

  private static func addOrdinary(to belfry: Belfry) throws {
    let drafts = try moments.map { ItemDraft(text: "ordinary \($0)", due: try wall($0), shouldRemind: true) }
    _ = try belfry.add(drafts, to: ListChoice("Ordinary", createsMissing: true))
  }

  private static func importAll(_ rules: [String], into belfry: Belfry) throws {
    let entries = try rules.enumerated().map { index, rule in
      var item = ImportedItem(
        text: "rule \(index)", due: .local(try wall(due), .floating), shouldRemind: true, place: "\(index)")
      item.rule = try RecurrenceRule(rule)
      return ImportEntry.item(item, list: "Rules")
    }
    var source = ImportedEntries([.list(ImportedList(name: "Rules"))] + entries)
    _ = try belfry.take(&source)
    try addOrdinary(to: belfry)
  }

  private static func handwrittenJSON(_ rules: [String]) -> String {
    let items =
      rules.enumerated().map { index, rule in
        #"{"id":\#(index + 1),"list":"Rules","text":"rule \#(index)","due_local":"\#(due)","repeat":"\#(rule)","repeat_start":"\#(due)"}"#
      }
      + moments.enumerated().map { index, moment in
        #"{"id":\#(10_000 + index),"list":"Rules","text":"ordinary \#(moment)","due_local":"\#(moment)"}"#
      }
    return """
      {"format":"belfry-store","version":1,"next_id":0,
      "lists":[{"id":1,"name":"Rules"}],
      "items":[\(items.joined(separator: ",\n"))],
      "reminders":[],"messages":[],"deliveries":[]}
      """
  }

  private static func handwrittenPlist(_ rules: [String]) -> String {
    func item(_ id: Int, _ text: String, _ due: String, _ more: String = "") -> String {
      """
      <dict><key>ItemID</key><integer>\(id)</integer><key>List</key><string>Rules</string>
      <key>Text</key><string>\(text)</string><key>DueLocal</key><string>\(due)</string>\(more)</dict>
      """
    }
    let items =
      rules.enumerated().map { index, rule in
        item(
          index + 1, "rule \(index)", due,
          "<key>Repeat</key><string>\(rule)</string><key>RepeatStart</key><string>\(due)</string>")
      } + moments.enumerated().map { index, moment in item(10_000 + index, "ordinary \(moment)", moment) }
    return """
      <plist version="1.0"><dict>
      <key>Format</key><string>belfry-store</string><key>Version</key><integer>1</integer>
      <key>NextID</key><integer>0</integer>
      <key>Lists</key><array><dict><key>ListID</key><integer>1</integer><key>Name</key><string>Rules</string></dict></array>
      <key>Items</key><array>\(items.joined(separator: "\n"))</array>
      <key>Reminders</key><array/><key>Messages</key><array/><key>Deliveries</key><array/>
      </dict></plist>
      """
  }

  private static func python(_ program: String, _ arguments: [String]) throws {
    try Program.run(["python3", "-c", program] + arguments)
  }
}

private func wall(_ text: String) throws -> WallTime { try #require(WallTime(parsing: text)) }
