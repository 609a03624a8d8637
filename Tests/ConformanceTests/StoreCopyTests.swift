import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import JSONStore
import MemoryStore
import PlistStore
import SQLiteStore
import Synchronization
import Testing
import VdirStore

/// The stores on disk, each in its own file in one folder, or in its own schema of a server.
private struct Shelf {
  let folder: TemporaryFolder
  private let server: PostgresPlace

  init() throws {
    folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    server = try PostgresPlace()
  }

  func path(_ name: String) -> String { folder.file(name) }

  func store(_ kind: StoreKind, _ name: String = "store") -> any ItemStore {
    switch kind {
    case .memory: MemoryStore()
    case .sqlite: SQLiteStore(path: path("\(name).sqlite"))
    case .json: JSONStorePlugin.store(path: path("\(name).json"))
    case .plist: PlistStorePlugin.store(path: path("\(name).plist"))
    case .binaryPlist: PlistStorePlugin.store(path: path("\(name).binary"), isBinary: true)
    case .postgres: server.store(name)
    case .vdir:
      VdirStore(path: path("\(name).vdir"), states: path("states"), zones: ZoneDatabase(environment: [:]))
    }
  }

  func bytes(_ name: String) -> Data { FileManager.default.contents(atPath: path(name)) ?? Data() }
}

extension ItemStore {
  fileprivate func fill() throws {
    try write { transaction in
      for record in try Sample.everything() { try transaction.restore(record) }
    }
  }

  fileprivate func digest() throws -> StoreDigest { try read(StoreDigest.init) }
}

@Suite("Copies of stores")
struct StoreCopyTests {
  private static let kinds = StoreKind.allCases
  private let shelf: Shelf

  init() throws { shelf = try Shelf() }

  @Test("from every kind to every kind and back keep everything", arguments: kinds, kinds.dropFirst())
  func thereAndBack(from: StoreKind, to: StoreKind) throws {
    let (one, other) = (shelf.store(from, "a"), shelf.store(to, "b"))
    let back = shelf.store(from, "c")
    try one.fill()
    var steps: [Int] = []
    let digest = try StoreCopy(from: one, to: other).run(replacing: false) { done, total in
      steps.append(done)
      #expect(total == 74)
    }
    #expect(steps == Array(0...74).filter { $0 > 0 || steps.first == 0 })
    _ = try StoreCopy(from: shelf.store(to, "b"), to: back).run(replacing: false)
    #expect(digest.records == 74)
    #expect(try one.digest() == digest)
    #expect(try RecordSet(back.records()) == RecordSet(Sample.everything()))
  }

  @Test(
    "from every kind to every kind and back keep what Belfry does not know, to the byte", arguments: kinds,
    kinds.dropFirst())
  func unknownFields(from: StoreKind, to: StoreKind) throws {
    let everything = try Sample.everythingWithUnknownFields()
    let one = shelf.store(from, "a")
    try one.write { transaction in
      for record in everything { try transaction.restore(record) }
    }
    _ = try StoreCopy(from: one, to: shelf.store(to, "b")).run(replacing: false)
    #expect(try RecordSet(shelf.store(to, "b").records()) == RecordSet(everything))
    let back = shelf.store(from, "c")
    _ = try StoreCopy(from: shelf.store(to, "b"), to: back).run(replacing: false)
    #expect(try RecordSet(back.records()) == RecordSet(everything))
  }

  @Test("plist → JSON → SQLite → plist ends byte-equal", arguments: [false, true])
  func bytes(isBinary: Bool) throws {
    let kind = isBinary ? StoreKind.binaryPlist : .plist
    let file = isBinary ? "binary" : "plist"
    try shelf.store(kind, "a").fill()
    _ = try StoreCopy(from: shelf.store(kind, "a"), to: shelf.store(.json, "b")).run(replacing: false)
    _ = try StoreCopy(from: shelf.store(.json, "b"), to: shelf.store(.sqlite, "c")).run(replacing: false)
    _ = try StoreCopy(from: shelf.store(.sqlite, "c"), to: shelf.store(kind, "d")).run(replacing: false)
    #expect(shelf.bytes("a.\(file)").count > 5_000)
    #expect(shelf.bytes("a.\(file)") == shelf.bytes("d.\(file)"))
  }

  @Test("a copy finds nothing wrong with what it made", arguments: kinds)
  func inOrder(kind: StoreKind) throws {
    let memory = shelf.store(.json, "source")
    try memory.fill()
    let store = shelf.store(kind)
    _ = try StoreCopy(from: memory, to: store).run(replacing: false)
    let findings = try findings(of: store)
    #expect(try findings == self.findings(of: memory))
    // The sample contains values that commands would refuse.
    #expect(findings.allSatisfy { $0.contains(#/: the (text|notes|message) /#) }, "\(findings)")
  }

  private func findings(of store: any ItemStore) throws -> [String] {
    let zones = ZoneDatabase(environment: [:])
    return try Belfry(store: store, settings: Settings(), time: ManualTimeSource(), zones: zones).checkStore()
  }

  @Test("a copy onto what is not empty is refused, and with leave replaces all of it", arguments: kinds)
  func replacing(kind: StoreKind) throws {
    let source = shelf.store(.json, "source")
    try source.fill()
    let target = shelf.store(kind)
    try target.write { transaction in
      try transaction.addSampleList("Old")
      for id in 1...5 { try transaction.addSampleItem("\(id)", to: 1, due: id) }
      try transaction.addSampleMessage(about: 1)
    }
    let before = try target.digest()
    try Check.throwsError(.usage) { _ = try StoreCopy(from: source, to: target).run(replacing: false) }
    #expect(try target.digest() == before)
    _ = try StoreCopy(from: source, to: target).run(replacing: true)
    #expect(try RecordSet(target.records()) == RecordSet(Sample.everything()))
  }

  @Test("a store whose last item was deleted is not empty: its numbers count", arguments: kinds)
  func numbersCount(kind: StoreKind) throws {
    let target = shelf.store(kind)
    try target.write { transaction in
      try transaction.addSampleList()
      try transaction.addSampleItem(to: 1)
      try transaction.deleteItem(id: 1)
      try transaction.deleteList(id: 1)
    }
    let copy = try StoreCopy(from: shelf.store(.json, "other"), to: target)
    #expect(try !copy.targetDigest().isEmpty)
    try Check.throwsError(.usage) { _ = try copy.run(replacing: false) }
  }

  @Test("a copy that fails on its way leaves the target empty", arguments: kinds.dropFirst())
  func failing(kind: StoreKind) throws {
    let target = shelf.store(kind)
    try Check.throwsError(.internalError) {
      _ = try StoreCopy(from: try brokenSource(), to: target).run(replacing: false)
    }
    #expect(try target.digest().isEmpty)
    #expect(try target.write { try $0.addSampleList().id } == 1)
  }

  @Test("a copy that fails while it replaces leaves what was there", arguments: kinds.dropFirst())
  func failingToReplace(kind: StoreKind) throws {
    let target = shelf.store(kind)
    try target.fill()
    try Check.throwsError(.internalError) {
      _ = try StoreCopy(from: try brokenSource(), to: target).run(replacing: true)
    }
    #expect(try RecordSet(target.records()) == RecordSet(Sample.everything()))
  }

  // Its last deliveries belong to a missing message, which every store refuses.
  private func brokenSource() throws -> MemoryStore {
    let transaction = StateTransaction(state: StoreState(), storedUndo: { UndoTrail() })
    for record in try Sample.everything() { try transaction.restore(record) }
    var state = transaction.state
    state.messages[Sample.uuid("message 2")] = nil
    return MemoryStore(state)
  }

  @Test("a time between two seconds is no reason to refuse a copy", arguments: kinds)
  func fractions(kind: StoreKind) throws {
    let source = shelf.store(.sqlite, "other")
    try source.write { transaction in
      try transaction.addSampleMessage(about: 1)
      var delivery = try Check.present(transaction.delivery(id: 1))
      delivery.nextAttemptAt = Sample.now + 30.7
      try transaction.update(delivery)
    }
    let target = shelf.store(kind)
    _ = try StoreCopy(from: source, to: target).run(replacing: false)
    let kept = try #require(try target.read { try $0.delivery(id: 1) }?.nextAttemptAt)
    #expect(kept >= Sample.now + 30.7 && kept <= Sample.now + 31)
  }

  @Test("values that a property list cannot represent are refused with the record's name, and the target stays empty")
  func forbidden() throws {
    let source = MemoryStore()
    try source.write { transaction in
      try transaction.addSampleList()
      for text in ["fine", "not\u{1}fine"] { try transaction.addSampleItem(text, to: 1) }
    }
    let target = shelf.store(.plist)
    let error = try #require(throws: BelfryError.self) {
      try StoreCopy(from: source, to: target).run(replacing: false)
    }
    #expect(error.kind == .badInput)
    #expect(error.message.contains("item 2") && error.message.contains("text"), "\(error)")
    #expect(FileManager.default.fileExists(atPath: shelf.path("store.plist")) == false)
  }

  @Test("a copy while a daemon has the target is refused", arguments: kinds)
  func daemon(kind: StoreKind) throws {
    let target = shelf.store(kind)
    let lock = try target.lockForDaemon()
    defer { lock.release() }
    let source = shelf.store(.json, "other")
    try source.fill()
    try Check.throwsError(.tryAgain) { _ = try StoreCopy(from: source, to: target).run(replacing: false) }
    #expect(try target.digest().isEmpty)
  }

  @Test("a copy onto itself is refused, also through a link or another spelling", arguments: StoreKind.files)
  func ontoItself(kind: StoreKind) throws {
    let store = shelf.store(kind)
    try store.fill()
    let path = store.location
    let link = shelf.path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    for other in [path, link, "\(shelf.folder.path)/./\(path.split(separator: "/").last ?? "")"] {
      let same: any ItemStore =
        switch kind {
        case .sqlite: SQLiteStore(path: other)
        case .json: JSONStorePlugin.store(path: other)
        default: PlistStorePlugin.store(path: other, isBinary: kind == .binaryPlist)
        }
      try Check.throwsError(.usage) { _ = try StoreCopy(from: store, to: same).run(replacing: true) }
    }
    #expect(try RecordSet(store.records()) == RecordSet(Sample.everything()))
  }

  @Test("looking for damage reads what is on disk, not what is remembered", arguments: StoreKind.files)
  func readBack(kind: StoreKind) throws {
    let target = shelf.store(kind)
    try target.fill()
    try spoilKeepingStamp(target.location)
    #expect(throws: BelfryError.self) { if try !target.damage().isEmpty { throw BelfryError(.storeFailed, "damage") } }
  }

  // Simulates a disk that returns other bytes than were written.
  private func spoilKeepingStamp(_ path: String) throws {
    var status = stat()
    #expect(stat(path, &status) == 0)
    let size = Int(status.st_size)
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.write(contentsOf: Data(repeating: 0x5A, count: size))
    try handle.close()
    for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
    var times = [status.st_atim, status.st_mtim]
    #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
  }
}
