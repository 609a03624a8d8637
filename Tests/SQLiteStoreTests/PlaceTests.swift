import BelfryModel
import BelfryTestKit
import Foundation
import Synchronization
import Testing

@testable import SQLiteStore

@Suite("Where a database is, and what stands beside it")
struct SQLitePlaceTests {
  private let place: Place

  init() throws { place = try Place() }

  @Test(
    "what cannot be looked at is refused and not read as empty",
    arguments: [
      "ln -s belfry.sqlite belfry.sqlite", "mkfifo belfry.sqlite", "mkdir belfry.sqlite",
      "echo x >file && ln -s file/below belfry.sqlite", "ln -s $(printf '%0300d' 1) belfry.sqlite",
    ])
  func unreadable(command: String) throws {
    try place.shell("cd '\(place.folder.path)' && \(command)")
    for work in [
      { try place.open().read { _ = try $0.lists() } }, { _ = try place.open().damage() },
      { _ = try place.open().info() },
    ] {
      let error = try #require(throws: BelfryError.self) { try work() }
      #expect(error.kind == .storeFailed && error.message.contains(place.file), "\(error)")
    }
    let error = try #require(throws: BelfryError.self) { try place.open().write { _ = try $0.addSampleList() } }
    #expect([.storeFailed, .cannotCreate].contains(error.kind), "\(error)")
  }

  @Test("a link leads to the store, also before there is one; size and log are those of the file behind it")
  func link() throws {
    let file = place.folder.file("real.sqlite")
    try FileManager.default.createSymbolicLink(atPath: place.file, withDestinationPath: "real.sqlite")
    #expect(try place.open().read { try $0.lists() } == [])
    let store = place.open()
    try store.write { transaction in
      try transaction.addSampleList()
      _ = try transaction.addSampleItem(String(repeating: "x", count: 100_000), to: 1)
    }
    #expect(try store.info().sizeBytes == size(file) + size(file + "-wal"))
    try store.write { _ = try $0.addSampleItem(String(repeating: "x", count: 5_000_000), to: 1) }
    #expect(size(file) > 5_000_000 && size(file + "-wal") == 0, "the log is emptied behind the link")
    try store.tidy()
    #expect(try store.info().backup == file + ".bak")
    #expect(try place.folder.names().filter { $0.hasPrefix("belfry") } == ["belfry.sqlite"])
  }

  @Test("the lock of the daemon is open to whom the store is", arguments: [mode_t(0o600), 0o660])
  func lockMode(mode: mode_t) throws {
    try place.fill(items: 1)
    chmod(place.file, mode)
    try place.open().lockForDaemon().release()
    var status = stat()
    #expect(stat(place.file + ".lock", &status) == 0 && status.st_mode & 0o777 == mode)
  }

  @Test("drafts of killed processes are removed by the next creation or by tidying; a draft in progress stays")
  func litter() throws {
    let names = ["", "-wal", "-shm", "-journal"].map { place.file + ".new-4711" + $0 }
    let own = place.file + ".new-4712"
    for name in names + [own] { #expect(FileManager.default.createFile(atPath: name, contents: nil)) }
    let descriptor = open(own, O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    try place.fill(items: 1)
    #expect(try litterNames() == ["belfry.sqlite.new-4712"])
    for name in names { #expect(FileManager.default.createFile(atPath: name, contents: nil)) }
    try place.open().tidy()
    #expect(try litterNames() == ["belfry.sqlite.new-4712"])
  }

  @Test("a draft in progress stays while another process looks for drafts without end")
  func draftStays() throws {
    let end = Atomic(false)
    let sqlitePlace = try SQLitePlace(place.file)
    let remover = Thread { while !end.load(ordering: .relaxed) { SQLiteDraft.removeLitter(at: sqlitePlace) } }
    remover.start()
    defer { end.store(true, ordering: .relaxed) }
    for _ in 0..<2_000 {
      let draft = try SQLiteDraft(of: sqlitePlace)
      #expect(access(draft.path, F_OK) == 0)
      draft.remove()
    }
  }

  @Test(
    "a copy that is none is neither told nor named",
    arguments: [
      "head -c 9000 /dev/zero >copy", ": >copy", "mkdir copy", "head -c 20000 belfry.sqlite >copy", "mkfifo copy",
    ])
  func noCopy(command: String) throws {
    try place.fill()
    try place.shell("cd '\(place.folder.path)' && \(command) && mv copy belfry.sqlite.bak")
    #expect(try place.open().info().backup == nil)
    truncate(place.file, 5_000)
    let error = try #require(throws: BelfryError.self) { try place.open().records() }
    #expect(error.hint?.contains("no good copy") == true, "\(error)")
  }

  private func litterNames() throws -> [String] { try place.folder.names().filter { $0.contains(".new") } }

  private func size(_ path: String) -> Int64 {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : 0
  }
}

@Suite("Tables that somebody else has changed")
struct SQLiteTableTests {
  private let place: Place

  init() throws {
    place = try Place()
    try place.fill()
  }

  @Test(
    "they are refused as damage, whatever SQLite says of them",
    arguments: [
      "PRAGMA user_version = -1", "PRAGMA user_version = 0", "DROP TABLE delivery", "DELETE FROM meta",
      "ALTER TABLE item DROP COLUMN notes",
    ])
  func changed(sql: String) throws {
    try place.python(
      "c.execute('PRAGMA foreign_keys = OFF'); c.execute('DROP VIEW items'); c.execute('DROP VIEW overdue')")
    try place.python("c.execute('\(sql)')")
    let error = try #require(throws: BelfryError.self) {
      _ = try place.open().records()
      try place.open().write { _ = try $0.addSampleItem("next", to: 1) }
    }
    #expect(error.kind == .storeFailed && error.hint?.contains("left as it is") == true, "\(error)")
    #expect(error.hint?.contains(".v0.bak") != true, "\(error)")
  }

  @Test(
    "a value that is none is named by table, row and column",
    arguments: [
      ("UPDATE item SET due_at = 'soon', due_local = 1", "table item, row 0, column due_at"),
      ("UPDATE item SET repeat = 'often' WHERE id = 3", "table item, row 3: an invalid rule: 'often'"),
      ("UPDATE item SET tags = 'a,b' WHERE id = 3", "table item, row 3: invalid tags: 'a,b' is not a tag"),
      ("UPDATE item SET priority = 10 WHERE id = 3", "table item, row 3: a priority that is not from 1 to 9: 10"),
      ("UPDATE list SET name = x'00' WHERE id = 1", "table list, row 1, column name"),
      ("UPDATE item SET unknown = '[1]' WHERE id = 3", "table item, row 3: unknown fields that are not a JSON object"),
      ("UPDATE reminder SET state = 9", "table reminder, owner_id "),
      ("UPDATE delivery SET attempts = 'many'", "table delivery, row "),
      ("UPDATE message SET contents = replace(contents, 'T08:00', 'T25:00')", "is not an instant such as"),
      ("UPDATE message SET contents = '[{}]'", "this message's content has no \"version\""),
      ("UPDATE message SET contents = contents || ']'", "the contents of message "),
    ])
  func value(sql: String, words: String) throws {
    try place.python("c.execute('PRAGMA ignore_check_constraints = ON'); c.execute(\"\(sql)\")")
    let error = try #require(throws: BelfryError.self) { try place.open().records() }
    #expect(error.kind == .storeFailed && error.message.contains(words), "\(error)")
  }
}
