import BelfryModel
import BelfryTestKit
import Foundation
import SQLRecords
import Testing

@testable import SQLiteStore

@Suite("The write-ahead log")
struct SQLiteLogTests {
  private let place: Place

  init() throws { place = try Place() }

  @Test("the log is emptied once it is long; who fills it again has it written over in its place")
  func reused() throws {
    let store = place.open()
    let sizes = try (1...60).map { number in try logSize(afterAdding: 300_000, number, to: store) }
    #expect(sizes.count { $0 == 0 } == 1, "\(sizes)")
    #expect(sizes.suffix(20).allSatisfy { 4_000_000...4_600_000 ~= $0 }, "\(sizes)")
    #expect(try logSize(afterAdding: 10_000_000, 61, to: store) == 0, "what one change has made long stays so")
  }

  @Test("the log of one large change is empty when the change is kept")
  func large() throws {
    #expect(try logSize(afterAdding: 5_000_000, 1, to: place.open()) == 0)
  }

  @Test("changes by one process after another never leave a long log, which each would read anew")
  func short() throws {
    let sizes = try (1...30).map { number in try logSize(afterAdding: 100_000, number, to: place.open()) }
    #expect(sizes.allSatisfy { $0 < 1_200_000 } && sizes.contains(0), "\(sizes)")
  }

  private func logSize(afterAdding length: Int, _ number: Int, to store: SQLiteStore) throws -> Int {
    try store.write { transaction in
      if number == 1 { _ = try transaction.addList(name: "a", uuid: Sample.uuid("list"), at: Sample.now) }
      _ = try transaction.addItem(listID: 1, preferredID: nil) { id, position in
        Item(
          id: id, uuid: Sample.uuid("\(id)"), listID: 1, position: position,
          text: String(repeating: "x", count: length), createdAt: Sample.now, updatedAt: Sample.now)
      }
    }
    return try FileManager.default.attributesOfItem(atPath: place.file + "-wal")[.size] as? Int ?? 0
  }
}

@Suite("Versions and copies of the database")
struct SQLiteVersionTests {
  private let place: Place

  init() throws { place = try Place() }

  @Test("a newer database is refused and stays as it is")
  func newer() throws {
    try place.fill()
    try place.python("c.execute('PRAGMA user_version = 99')")
    place.removeLog()
    let before = place.data
    for work in [
      { _ = try place.open().records() }, { try place.open().write { _ = try $0.addSampleList() } },
      { _ = try place.open().damage() }, { _ = try place.open().info() }, { try place.open().tidy() },
    ] {
      let error = try #require(throws: BelfryError.self) { try work() }
      #expect(error.kind == .storeFailed && error.message.contains("version 99"), "\(error)")
    }
    #expect(place.data == before)
  }

  @Test("a database that a newer Belfry migrates while it is open is refused from then on")
  func newerMeanwhile() throws {
    try place.fill()
    let store = place.open()
    let items = try store.read { try $0.item(id: 1) }
    try place.python("c.execute('PRAGMA user_version = 99')")
    for work in [{ _ = try store.read { try $0.item(id: 1) } }, { try store.write { _ = try $0.addSampleList() } }] {
      let error = try #require(throws: BelfryError.self) { try work() }
      #expect(error.kind == .storeFailed && error.message.contains("version 99"), "\(error)")
    }
    try place.python("c.execute('PRAGMA user_version = \(Schema.version)')")
    #expect(try store.read { try $0.item(id: 1) } == items)
    try store.write { _ = try $0.addSampleList("After") }
  }

  @Test("a database of another program is refused and stays as it is")
  func foreign() throws {
    try place.fill()
    try place.python("c.execute('PRAGMA application_id = 17')")
    place.removeLog()
    let before = place.data
    let error = try #require(throws: BelfryError.self) { try place.open().write { _ = try $0.addSampleList() } }
    #expect(error.kind == .storeFailed && error.message.contains("not one of Belfry's"), "\(error)")
    #expect(place.data == before)
  }

  @Test("a database of version 0 is copied before it is brought up to date")
  func migration() throws {
    try place.python("c.execute('PRAGMA application_id = 0x426c6679'); c.execute('VACUUM')")
    try place.open().write { _ = try $0.addSampleList("new") }
    #expect(try place.open().read { try $0.lists().map(\.name) } == ["new"])
    let copy = place.file + ".v0.bak"
    #expect(FileManager.default.fileExists(atPath: copy))
    #expect(
      try place.python("print(sqlite3.connect(sys.argv[1] + '.v0.bak').execute('PRAGMA user_version').fetchone()[0])")
        == "0\n")
    #expect(try place.open().info().backup == copy)
    #expect(try place.folder.names().filter { $0.contains(".new") } == [])
  }

  @Test(
    "a file of each version opens and holds what it held, a property in the field that it has become", arguments: 1...11
  )
  func golden(version: Int) throws {
    let fixture = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("Fixtures/version-\(version).sqlite")
    try FileManager.default.copyItem(atPath: fixture.path, toPath: place.file)
    let held =
      switch version {
      case 1: try Sample.everythingOfVersion1()
      case 2: try Sample.everythingOfVersion2()
      case 3: try Sample.everythingOfVersion4()
      case 4: try Sample.withUnknownFields(Sample.everythingOfVersion4())
      case 5: try Sample.withUnknownFields(Sample.everythingOfVersion5())
      case 6: try Sample.withUnknownFields(Sample.everythingOfVersion6())
      case 7, 8: try Sample.withUnknownFields(Sample.everythingOfVersion7())
      case 9: try Sample.withUnknownFields(Sample.everythingOfVersion9())
      case 10: try Sample.withUnknownFields(Sample.everythingOfVersion10())
      default: try Sample.withUnknownFields(Sample.everythingOfVersion11())
      }
    let found = try RecordSet(place.open().records())
    let expected = RecordSet(held.map(Self.withFields))
    #expect(found == expected, "\(found.difference(from: expected))")
    #expect(try place.open().damage() == [])
    #expect(try place.open().info().version == 14)
    #expect(try place.folder.names().contains { $0.hasSuffix(".v\(version).bak") })
    let undo = version == 11 ? [UndoRecord(date: Sample.now, content: "{}")] : []
    #expect(try place.open().read { try $0.undoRecords(.undo) } == undo)
    try place.open().write { _ = try $0.addSampleItem("next", to: 1) }
    #expect(try place.open().read { try $0.item(id: 9_007_199_254_740_993)?.item.text } == "next")
  }

  // A priority that is there counts more than the property.
  private static func withFields(_ record: StoreRecord) -> StoreRecord {
    guard case .item(var item) = record, item.properties.first == "PRIORITY:1", item.priority == nil else {
      return record
    }
    item.priority = ItemPriority(number: 1)
    item.properties.removeFirst()
    return .item(item)
  }

  @Test("the to-dos of a list are counted by an index alone, its events by one that has no other rows")
  func counting() throws {
    try place.fill()
    let count = "SELECT count(*) FROM item WHERE list_id = 1 AND is_checked = 0"
    let plans = try [count, "\(count) AND is_event"].map { sql in
      try place.python("print(c.execute('EXPLAIN QUERY PLAN \(sql)').fetchall()[0][3])")
    }
    #expect(plans[0].contains("USING COVERING INDEX item_place"), "\(plans)")
    #expect(plans[1].contains("USING INDEX item_event"), "\(plans)")
  }

  @Test("what is overdue in all lists is counted by an index, without reading each item to find the events")
  func countingOverdue() throws {
    try place.fill()
    let count = SQLTransaction.uncheckedCount(ofList: false, isDue: true, no: "0")
    let plan = try place.python(
      "for row in c.execute('EXPLAIN QUERY PLAN \(count)', (0, 0)): print(row[3])"
    ).split(separator: "\n").filter { $0.contains(" item ") }
    #expect(plan.count == 2, "\(plan)")
    #expect(plan.first?.contains("USING INDEX item_open (due_at<?)") == true, "\(plan)")
    #expect(plan.last?.contains("INDEX item_event (list_id=? AND is_checked=? AND due_at<?)") == true, "\(plan)")
  }

  @Test("items are found by their keys through an index")
  func keys() throws {
    try place.fill()
    let plan = try place.python(
      "print(c.execute(\"EXPLAIN QUERY PLAN SELECT id FROM item WHERE item.key = 'a'\").fetchall()[0][3])")
    #expect(plan.contains("USING") && plan.contains("item_key"), "\(plan)")
  }

  @Test("fired reminders are found by their identifiers through an index")
  func identity() throws {
    try place.fill()
    let plans = try SQLTransaction.remindersByIdentity.map { sql in
      try place.python("print(c.execute('EXPLAIN QUERY PLAN ' + '''\(sql)''', (b'',)).fetchall()[0][3])")
    }
    #expect(plans == ["SEARCH reminder USING INDEX reminder_rung (uuid=?)\n", "SCAN reminder\n"])
  }

  @Test("tidying up makes a copy a day, whole and for its owner alone, and none while nothing is written")
  func daily() throws {
    try place.fill()
    let copy = place.file + ".bak"
    try place.open().tidy()
    #expect(try RecordSet(place.open(copy).records()) == RecordSet(Sample.everything()))
    var first = stat()
    #expect(stat(copy, &first) == 0 && first.st_mode & 0o777 == 0o600)
    try place.open().write { try $0.setPlannedZone("UTC") }
    try place.open().tidy()
    var second = stat()
    #expect(stat(copy, &second) == 0 && second.st_ino == first.st_ino, "a second copy on one day")
    // The copy is made to look two days old.
    var times = [
      timespec(tv_sec: first.st_mtim.tv_sec - 2 * 86_400, tv_nsec: 0),
      timespec(tv_sec: first.st_mtim.tv_sec - 2 * 86_400, tv_nsec: 0),
    ]
    #expect(utimensat(AT_FDCWD, copy, &times, 0) == 0)
    try place.open().tidy()
    #expect(stat(copy, &second) == 0 && second.st_ino != first.st_ino, "no copy after two days")
    #expect(try place.open(copy).read { try $0.plannedZone() } == "UTC")
    #expect(try place.folder.names().filter { $0.contains(".new") } == [])
  }
}

@Suite("Damaged databases")
struct SQLiteDamageTests {
  private let place: Place
  private let whole: Data

  init() throws {
    place = try Place()
    try place.fill()
    whole = place.data
  }

  @Test("a row without what it refers to is found, and told by its table")
  func references() throws {
    try place.python("c.execute('PRAGMA foreign_keys = OFF'); c.execute('DELETE FROM list WHERE id = 7')")
    let found = try place.open().damage()
    #expect(found.contains { $0.contains("item") && $0.contains("list") }, "\(found)")
  }

  @Test("an index that does not fit its table is found")
  func index() throws {
    try place.python(
      """
      c.execute('PRAGMA writable_schema = ON')
      c.execute("UPDATE sqlite_schema SET sql = replace(sql, 'checked = 0', 'checked = 1') WHERE name = 'item_open'")
      """)
    #expect(try !place.open().damage().isEmpty)
  }

  @Test("a database cut at any length is refused, or was not needed there; reading never changes it")
  func truncated() throws {
    var refused = 0
    for length in Array(stride(from: 0, to: whole.count, by: 1_777)) + [1, 16, 99, 100, 512, 4_095, 4_096, 4_097] {
      refused += try read(whole.prefix(length), "cut to \(length)") ? 0 : 1
    }
    #expect(refused > whole.count / 1_777)
  }

  @Test("flipped bits are refused or read; nothing crashes and reading never changes the file")
  func flipped() throws {
    let isDeep = ProcessInfo.processInfo.environment["BELFRY_DEEP"] == "1"
    var position = 0
    for round in 0..<(isDeep ? 4_000 : 400) {
      position = (position + 7_919) % whole.count
      if round.isMultiple(of: 5) { position %= 100 }
      var bytes = whole
      bytes[position] ^= 1 << UInt8(round % 8)
      _ = try read(bytes, "byte \(position)")
    }
  }

  @Test("zeroed pages, NUL and garbage are refused, and the last good copy is named")
  func garbage() throws {
    try place.open().tidy()
    place.removeLog()
    for bytes in [
      Data(), Data(count: whole.count), Data(repeating: 0x5A, count: whole.count),
      whole.prefix(100) + Data(count: whole.count - 100),
    ] {
      try bytes.write(to: URL(fileURLWithPath: place.file))
      place.removeLog()
      let error = try #require(throws: BelfryError.self) { try place.open().records() }
      #expect(error.kind == .storeFailed && error.message.contains(place.file), "\(error)")
      #expect(error.hint?.contains("\(place.file).bak") == true, "\(error)")
      #expect(place.data == bytes)
    }
  }

  private func read(_ bytes: Data, _ what: String) throws -> Bool {
    try bytes.write(to: URL(fileURLWithPath: place.file))
    place.removeLog()
    defer { #expect(place.data == bytes, "\(what): changed") }
    do {
      _ = try place.open().records()
      _ = try place.open().damage()
      return true
    } catch let error as BelfryError {
      #expect(error.kind == .storeFailed, "\(what): \(error)")
      return false
    }
  }
}
