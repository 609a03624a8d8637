import BelfryEngine
import BelfryTestKit
import CivilTime
import Foundation
import RecurrenceRules
import SQLiteStore
import Testing

/// Rows that Belfry never writes, beside an ordinary item, which must still fire on time. It is 09:00 in Zurich.
@Suite struct WrongRowsTests {
  private let time = ManualTimeSource()
  private let place: Place
  private let belfry: Belfry

  init() throws {
    place = try Place()
    var settings = Settings()
    settings.timeZone = .named("Europe/Zurich")
    belfry = Belfry(store: place.open(), settings: settings, time: time, zones: ZoneDatabase(environment: [:]))
  }

  /// Values that SQLite stores in any column but Belfry never writes, in Python's notation.
  private static let values =
    "[None, -1, 0, 1, 2**40, 2**62, -2**63, 2**63 - 1, 1.5, 1e300, float('inf'), '', 'x', b'\\x00', b'']"

  /// Items or lists `bad N` with a due date at 09:01, and an ordinary one.
  private func add(_ count: Int) throws {
    let due = WallTime(parsing: "2026-11-21T09:01")
    let draft = { (text: String) in
      ItemDraft(text: text, due: due, shouldRemind: true, alerts: [.zero], rule: try RecurrenceRule("FREQ=DAILY"))
    }
    _ = try belfry.add((0..<count).map { try draft("bad \($0)") }, to: ListChoice("Bad", createsMissing: true))
    _ = try belfry.add([draft("ordinary")], to: ListChoice("Ordinary", createsMissing: true))
  }

  private func expectOrdinaryRings() throws -> [Event] {
    let daemon = try TestDaemon(belfry, sinks: [])
    let minutes: [Double] = [1, 2, 1_441]
    for minute in minutes {
      time.now = Sample.now + 60 * minute
      _ = try daemon.scheduler.tick()
      guard minute != 2 else { continue }
      let rang = try place.python(
        "print(c.execute('SELECT max(changed_at) FROM reminder JOIN item ON item.id = owner_id AND owner_is_list = 0"
          + " WHERE state = 1 AND text = \\'ordinary\\'').fetchone()[0])")
      #expect(rang == "\(Int(time.now.timeIntervalSince1970))\n", "minute \(minute)")
    }
    return daemon.events
  }

  @Test(
    "a row with one wrong value stops nobody else's ringing",
    arguments: [
      "item": "ORDER BY id", "reminder": "WHERE owner_is_list = 0 ORDER BY owner_id",
    ])
  func wrongValue(table: String, order: String) throws {
    try add(500)
    let key = table == "item" ? "id" : "owner_id"
    let count = try place.python(
      """
      rows = [r[0] for r in c.execute("SELECT \(key) FROM \(table) \(order)")][:500]
      columns = [r[1] for r in c.execute("PRAGMA table_info(\(table))") if r[1] not in ("id", "owner_id", "owner_is_list")]
      n = 0
      c.execute("PRAGMA foreign_keys = OFF")
      for column in columns:
        for value in \(Self.values):
          try:
            c.execute(f"UPDATE \(table) SET {column} = ? WHERE \(key) = ?", (value, rows[n]))
            n += 1
          except (sqlite3.IntegrityError, OverflowError): pass
      print(n)
      """)
    #expect(try #require(Int(count.dropLast())) > 100)
    let events = try expectOrdinaryRings()
    #expect(events.contains { $0.message.contains(table == "item" ? "is skipped" : "a record is skipped") })
    #expect(events.contains { $0.message.contains("table \(table), ") && $0.message.contains("column ") })
    #expect(events.count < 100, "told once, not for each tick or row: \(events.count)")
  }

  @Test("a set-aside item is told by its number once, and again after an hour; it rings once its row is mended")
  func toldAndMended() throws {
    try add(1)
    try place.python("c.execute(\"UPDATE item SET repeat = 'FREQ=NEVER' WHERE text = 'bad 0'\")")
    let daemon = try TestDaemon(belfry, sinks: [])
    let told = { daemon.events.filter { $0.message.hasPrefix("item 1 is skipped: table item, row 1") }.count }
    for minute in 1...60 {
      time.now = Sample.now + 60 * Double(minute)
      _ = try daemon.scheduler.tick()
      #expect(told() == 1)
    }
    time.now = Sample.now + 61 * 60
    _ = try daemon.scheduler.tick()
    #expect(told() == 2)
    #expect(try belfry.read { try $0.setAside() }.map(\.owner).isEmpty == false)
    try place.python("c.execute(\"UPDATE item SET repeat = 'FREQ=DAILY' WHERE text = 'bad 0'\")")
    time.now += 60
    _ = try daemon.scheduler.tick()
    #expect(try belfry.read { try $0.view.reminders(of: .item(1)).filter { $0.state == .fired }.count } == 1)
    #expect(try belfry.read { try $0.setAside() } == [])
  }
}
