import BelfryEngine
import BelfryModel
import BelfryTestKit
import Foundation
import SQLiteStore
import Testing

@Suite("Databases that are replaced, removed and brought back")
struct SQLiteReplacedTests {
  private let place: Place

  init() throws { place = try Place() }

  @Test("another database in the place of the one before is the store from the next use on")
  func replaced() throws {
    let store = place.open()
    try store.write { _ = try $0.addSampleList("old") }
    let identity = store.identity
    try place.open(place.folder.file("other")).write { _ = try $0.addSampleList("new") }
    try place.shell(
      "cd '\(place.folder.path)' && rm belfry.sqlite-* && mv other belfry.sqlite && mv other-wal belfry.sqlite-wal")
    #expect(store.identity != nil && store.identity != identity)
    #expect(try store.read { try $0.lists().map(\.name) } == ["new"])
    try store.write { _ = try $0.addSampleList("next") }
    #expect(try place.open().read { try $0.lists().map(\.name) } == ["new", "next"])
  }

  @Test("another database is the store from the next use on also where it has the number of the one that is gone")
  func sameNumber() throws {
    // On a disk, whose file system reuses inode numbers.
    let folder = try TemporaryFolder()
    let file = folder.file("belfry.sqlite")
    let store = place.open(file)
    try store.write { _ = try $0.addSampleList("old") }
    let (identity, number) = (store.identity, number(of: file))
    try place.shell("rm '\(file)'*")
    #expect(throws: BelfryError.self) { try store.read { try $0.lists() } }
    // Each that has another number keeps it from the next.
    for other in (1...100).map({ folder.file("other-\($0)") }) {
      try place.open(other).write { _ = try $0.addSampleList("new") }
      try place.shell("ln -f '\(other)' '\(file)'; ln -f '\(other)-wal' '\(file)-wal'")
      if self.number(of: file) == number { break }
    }
    #expect(store.identity != nil && store.identity != identity)
    #expect(try store.read { try $0.lists().map(\.name) } == ["new"])
  }

  private func number(of path: String) -> ino_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_ino : 0
  }

  @Test("a database that was spoiled for a while is a store again to who had it open")
  func mended() throws {
    try place.fill()
    let store = place.open()
    #expect(try store.read { try $0.plannedZone() } != "UTC")
    try place.open().write { try $0.setPlannedZone("UTC") }
    let whole = place.data
    try overwrite(with: Data(count: whole.count))
    #expect(throws: BelfryError.self) { try store.records() }
    #expect(throws: BelfryError.self) { try store.records() }
    try overwrite(with: whole)
    #expect(try store.read { try $0.plannedZone() } == "UTC")
    #expect(try store.records().count == Sample.everything().count)
  }

  @Test("a store that vanishes under who has it open is missed, not made anew and not read as empty")
  func vanished() throws {
    let store = place.open()
    try store.write { _ = try $0.addSampleList() }
    try place.shell("rm '\(place.file)'*")
    for _ in 1...2 {
      try Check.throwsError(.storeFailed) { try store.read { _ = try $0.lists() } }
      try Check.throwsError(.storeFailed) { try store.write { _ = try $0.addSampleList("b") } }
    }
    #expect(try place.folder.names() == [])
  }

  @Test("a log whose database is gone is neither read as nothing nor taken for a new one's; moved away, it is")
  func logAlone() throws {
    try place.fill(items: 3)
    unlink(place.file)
    let before = try place.folder.names()
    for work in [
      { try place.open().read { _ = try $0.lists() } }, { try place.open().write { _ = try $0.addSampleList() } },
      { _ = try place.open().damage() }, { _ = try place.open().info() },
    ] {
      let error = try #require(throws: BelfryError.self) { try work() }
      #expect(error.kind == .storeFailed && error.message.contains("\(place.file)-wal"), "\(error)")
    }
    #expect(try place.folder.names() == before)
    try place.shell("mv '\(place.file)-wal' '\(place.file).kept'")
    #expect(try place.open().read { try $0.lists() } == [])
  }

  @Test("a store that is gone while its copy is there is refused, and the copy brought back is the store")
  func goneBesideCopy() throws {
    try place.fill(items: 3)
    try place.open().tidy()
    for suffix in ["", "-wal", "-shm"] { unlink(place.file + suffix) }
    let error = try #require(throws: BelfryError.self) { try place.open().write { _ = try $0.addSampleList("b") } }
    #expect(error.kind == .storeFailed, "\(error)")
    #expect(error.hint?.contains("'belfry store restore'") == true, "\(error)")
    #expect(throws: BelfryError.self) { try place.open().read { try $0.lists() } }
    #expect(try restored().replaced == nil)
    #expect(try place.open().read { try $0.items().count } == 3)
  }

  @Test("the damage message names the way back to the last good copy, without the damaged database's log")
  func wayBack() throws {
    try place.fill(items: 3)
    try place.open().tidy()
    try place.open().write { transaction in
      for number in 0..<60 {
        _ = try transaction.addSampleItem("\(number) " + String(repeating: "x", count: 300), to: 1)
      }
    }
    truncate(place.file, off_t(place.data.count / 2))
    let error = try #require(throws: BelfryError.self) { try place.open().records() }
    #expect(error.hint?.contains("'belfry store restore' goes back to the last good copy") == true, "\(error)")
    #expect(try restored().replaced == place.file + ".replaced")
    #expect(try place.open().read { try $0.items().count } == 3)
    #expect(try place.open().write { try $0.addSampleItem("next", to: 1).id } == 4)
    #expect(try place.open().damage() == [])
    #expect(try place.folder.names().contains("belfry.sqlite.replaced-wal"))
  }

  private func restored() throws -> Restoration { try place.open().restore(from: nil) { _, _ in } }

  @Test("a file that is put beside another's log is not read with it, nor written to; moved away, it is as it was")
  func foreignLog() throws {
    try place.fill(items: 3)
    try place.python("c.execute(\"VACUUM INTO '\(place.file).copy'\")")
    try place.open().write { transaction in
      for number in 0..<60 {
        _ = try transaction.addSampleItem("\(number) " + String(repeating: "x", count: 300), to: 1)
      }
    }
    // Moves the log into the file, so that the next log contains nothing from before the copy.
    try place.python("c.execute('PRAGMA wal_checkpoint(TRUNCATE)')")
    try place.open().write { transaction in
      for number in 0..<60 {
        _ = try transaction.addSampleItem("\(number) " + String(repeating: "z", count: 300), to: 1)
      }
    }
    let copy = FileManager.default.contents(atPath: place.file + ".copy") ?? Data()
    // The file system's clock has a resolution of a few milliseconds.
    try place.shell("sleep 0.05")
    try overwrite(with: copy)
    for _ in 1...2 {
      let error = try #require(throws: BelfryError.self) { try place.open().write { _ = try $0.addSampleList("b") } }
      #expect(error.kind == .storeFailed && error.message.contains("-wal"), "\(error)")
      #expect(place.data == copy)
      #expect(throws: BelfryError.self) { try place.open().records() }
    }
    let error = try #require(throws: BelfryError.self) { try place.open().records() }
    try place.shell(try command(in: error))
    #expect(try place.open().write { try $0.addSampleItem("next", to: 1).id } == 4)
    #expect(try place.open().damage() == [])
  }

  @Test("a log is its file's own, whatever happens to the file's mode, name and content by SQLite's own hand")
  func ownLog() throws {
    try place.fill(items: 30)
    let last = try place.open().info().lastWrite
    try place.shell("sleep 0.05; chmod 640 '\(place.file)'")
    #expect(try place.open().read { try $0.items().count } == 30)
    try place.python("c.execute('PRAGMA wal_checkpoint(PASSIVE)'); c.execute('BEGIN IMMEDIATE')")
    #expect(try place.open().read { try $0.items().count } == 30)
    let now = try #require(try place.open().info().lastWrite)
    #expect(now >= (try #require(last)))
  }

  private func overwrite(with bytes: Data) throws {
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: place.file))
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: bytes)
    try handle.close()
  }

  // The command in brackets in a hint, at its end or before more advice.
  private func command(in error: BelfryError) throws -> Substring {
    let hint = try #require(error.hint)
    let start = try #require(hint.firstIndex(of: "("))
    let end = try #require(hint.lastIndex(of: ")"))
    return hint[start...end]
  }
}
