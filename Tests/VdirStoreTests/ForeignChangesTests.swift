import BelfryEngine
import BelfryModel
import BelfryTestKit
import Foundation
import SQLiteStore
import Testing
import VdirStore

@Suite("What other programs change in a folder of calendars")
struct ForeignChangesTests {
  private let place: Place

  init() throws { place = try Place() }

  @Test("the items that other programs have changed or removed are known until they are planned")
  func edited() throws {
    let store = place.open()
    func edited() throws -> [Int64]? { try store.read { try $0.editedItems() } }
    for uid in ["a", "b", "c"] { try place.write(Place.todo(uid: uid, "SUMMARY:\(uid)"), to: "home/\(uid).ics") }
    #expect(try edited() == nil)
    try store.write { try $0.acknowledgeEdits() }
    try place.write(Place.todo(uid: "b", "SUMMARY:other"), to: "home/b.ics")
    #expect(try edited() == [2])
    try place.remove("home/a.ics")
    #expect(try edited() == [2])
    place.time.advance(by: 120)
    #expect(try edited() == [1, 2])
    try store.write { try $0.acknowledgeEdits() }
    #expect(try edited() == nil && !store.read { try $0.isEditedElsewhere() })
  }

  @Test("what goes with a change is read without a look at the files, since the change looks")
  func asKnown() throws {
    let store = place.open()
    func texts(_ view: any StoreView) throws -> [String] { try view.items().map(\.text) }
    try place.write(Place.todo("SUMMARY:Milk"))
    #expect(try store.readAsKnown(texts) == ["Milk"])
    try place.write(Place.todo("SUMMARY:Bread"))
    #expect(try store.readAsKnown(texts) == ["Milk"])
    #expect(try store.write { try texts($0) } == ["Bread"] && store.readAsKnown(texts) == ["Bread"])
  }

  @Test("a daemon looks at all files once a minute, and sooner if it is told of a change or a folder has changed")
  func looks() throws {
    let store = place.open()
    try place.write(Place.todo("SUMMARY:Milk"))
    let lock = try store.lockForDaemon()
    defer { lock.release() }
    let attributes = try FileManager.default.attributesOfItem(atPath: place.path("home"))
    place.time.now = try #require(attributes[.modificationDate] as? Date) + 3_600
    // The first reading takes a change, the second finds none.
    func texts() throws -> [String] {
      _ = try store.items()
      return try store.items().map(\.text)
    }
    func writeInPlace(_ text: String) throws {
      try Place.todo("SUMMARY:\(text)").write(toFile: place.path("home/a.ics"), atomically: false, encoding: .utf8)
    }
    #expect(try texts() == ["Milk"])
    try writeInPlace("Bread")
    #expect(try texts() == ["Milk"] && place.open().wasChangedElsewhere())
    #expect(try store.wasChangedElsewhere() && texts() == ["Bread"])
    try writeInPlace("Eggs")
    place.time.advance(by: 60)
    #expect(try texts() == ["Eggs"])
    try place.write(Place.todo("SUMMARY:Salt"))
    #expect(try texts() == ["Salt"])
    try place.write(Place.todo(uid: "b", "SUMMARY:Oil"), to: "home/b.ics")
    #expect(try texts() == ["Salt", "Oil"])
  }

  @Test("new, changed, moved and removed files are noticed, and a UID keeps its number for good")
  func life() throws {
    try place.write(Place.todo("SUMMARY:Milk", "DUE:20261121T090000"))
    let store = place.open()
    #expect(try store.items().map(\.text) == ["Milk"])
    #expect(try store.read { try $0.isEditedElsewhere() })
    try store.write { try $0.acknowledgeEdits() }
    #expect(try !store.wasChangedElsewhere() || !store.wasChangedElsewhere())
    try place.write(Place.todo("SUMMARY:Bread", "DUE:20261121T100000"))
    #expect(try store.wasChangedElsewhere())
    #expect(try store.items().map(\.text) == ["Bread"])
    #expect(try store.read { try $0.isEditedElsewhere() })
    try FileManager.default.createDirectory(atPath: place.path("work"), withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: place.path("home/a.ics"), toPath: place.path("work/b.ics"))
    #expect(try store.read { try $0.item(id: 1)?.listName } == "work")
    try place.remove("work/b.ics")
    #expect(try store.items().count == 1)
    place.time.advance(by: 60)
    #expect(try store.items().isEmpty)
    try place.write(Place.todo(uid: "other", "SUMMARY:Other"), to: "work/other.ics")
    #expect(try store.items().map(\.id) == [2])
    try place.write(Place.todo("SUMMARY:Back"))
    #expect(try store.read { try $0.item(id: 1)?.item.text } == "Back")
  }

  @Test("a check elsewhere ends the reminder here, and a new due date moves it")
  func planned() throws {
    let belfry = place.belfry()
    try place.write(Place.todo("SUMMARY:Milk", "DUE:20261121T090000"))
    _ = try belfry.planEdits()
    #expect(try belfry.store.read { try $0.pending().map(\.fireDate) } == [Sample.fireDate(60)])
    try place.write(Place.todo("SUMMARY:Milk", "DUE:20261121T100000"))
    _ = try belfry.planEdits()
    #expect(try belfry.store.read { try $0.pending().map(\.fireDate) } == [Sample.fireDate(120)])
    try place.write(Place.todo("SUMMARY:Milk", "DUE:20261121T100000", "STATUS:COMPLETED"))
    _ = try belfry.planEdits()
    #expect(try belfry.store.read { try $0.pending().isEmpty })
  }

  @Test("what came before its time rings late, however often the folder is read before it is planned")
  func readOften() throws {
    let belfry = place.belfry()
    _ = try belfry.planEdits()
    try place.write(Place.todo("SUMMARY:Milk", "DUE:20261121T080200"))
    for number in 1...5 {
      try place.write(Place.todo(uid: "\(number)", "SUMMARY:Other"), to: "home/\(number).ics")
      _ = try belfry.store.items()
      place.time.advance(by: 50)
    }
    _ = try belfry.planEdits()
    #expect(try belfry.store.read { try $0.pending().map(\.fireDate) } == [Sample.fireDate(2)])
  }

  @Test("what came before its time rings late, also if it is the first that another program wrote")
  func firstForeign() throws {
    try place.remove("home")
    let belfry = place.belfry()
    _ = try belfry.add([ItemDraft(text: "Own")], to: ListChoice("own", createsMissing: true))
    try place.write(Place.todo("SUMMARY:Milk", "DUE:20261121T080200"), to: "own/a.ics")
    try FileManager.default.setAttributes([.modificationDate: place.time.now], ofItemAtPath: place.path("own/a.ics"))
    place.time.advance(by: 300)
    _ = try belfry.planEdits()
    #expect(try belfry.store.read { try $0.pending().map(\.fireDate) } == [Sample.fireDate(2)])
  }

  @Test("a folder that is used for the first time rings nothing that is past")
  func nothingPast() throws {
    let belfry = place.belfry()
    try place.write(Place.todo("SUMMARY:Old", "DUE:20251121T090000"))
    _ = try belfry.planEdits()
    #expect(try belfry.store.read { try $0.dueReminders(at: place.time.now, limit: 9).isEmpty })
  }

  @Test("what a file cannot say stays with its item when another program changes it")
  func merge() throws {
    let belfry = place.belfry()
    var draft = ItemDraft(text: "Milk", due: try Sample.due(60).local)
    (draft.shouldRemind, draft.key) = (true, "milk")
    _ = try belfry.add([draft], to: ListChoice("home"))
    let file = try #require(
      FileManager.default.contentsOfDirectory(atPath: place.path("home")).first { $0.hasSuffix(".ics") })
    let text = try place.read("home/\(file)")
    let bare = text.split(separator: "\r\n").filter { !$0.hasPrefix("X-BELFRY") }.joined(separator: "\r\n") + "\r\n"
    try place.write(bare.replacing("SUMMARY:Milk", with: "SUMMARY:Bread"), to: "home/\(file)")
    let item = try #require(belfry.store.items().first)
    #expect((item.text, item.key) == ("Bread", "milk"))
    #expect(item.due == (try Sample.due(60)))
  }

  @Test("a file that cannot be read is told by name, its item stays, and it is read once it is whole")
  func halfWritten() throws {
    try place.write(Place.todo("SUMMARY:Milk"))
    let store = place.open()
    _ = try store.items()
    try place.write(String(Place.todo("SUMMARY:Bread").prefix(60)))
    #expect(try store.items().map(\.text) == ["Milk"])
    #expect(try store.damage().contains { $0.contains("home/a.ics") })
    try store.check(1)
    try place.write(Place.todo("SUMMARY:Bread"))
    #expect(try store.items().map(\.text) == ["Bread"])
    #expect(try store.damage().isEmpty)
    #expect(try place.read().contains("STATUS:COMPLETED"), "the check follows into the file")
  }

  @Test("bad files are told by name, and the rest goes on")
  func badFiles() throws {
    try place.write(Place.todo("SUMMARY:Milk"))
    _ = try place.open().items()
    try place.write(Place.todo("SUMMARY:Twice"), to: "home/twice.ics")
    try place.write("", to: "home/empty.ics")
    try Data((0...255).map { UInt8($0) }).write(to: URL(filePath: place.path("home/binary.ics")))
    try place.write("BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nSUMMARY:x\r\nEND:VTODO\r\nEND:VCALENDAR\r\n", to: "home/no.ics")
    try place.write(Place.todo(uid: "../../etc/passwd", "SUMMARY:Slashes"), to: "home/slashes.ics")
    symlink("/etc/passwd", place.path("home/link.ics"))
    mkfifo(place.path("home/pipe.ics"), 0o600)
    let store = place.open()
    #expect(try store.items().map(\.text).sorted() == ["Milk", "Slashes"])
    let damage = try store.damage()
    for name in ["twice", "empty", "binary", "no", "link", "pipe"] {
      #expect(damage.contains { $0.contains("home/\(name).ics") }, "\(name): \(damage)")
    }
    #expect(damage.count == 6)
  }

  @Test("a change that meets another one in the last moment is merged with it")
  func conflict() throws {
    try place.write(Place.todo("SUMMARY:Milk"))
    let store = place.open()
    let before = try Array(place.read().utf8)
    try store.check(try #require(store.items().first).id)
    // As a kill between commit and exchange leaves it, when another program was there before the next start.
    let after = try Array(place.read().utf8)
    try SQLiteStore(path: try #require(store.watchedFile)).write { _, database in
      try database.statement("INSERT INTO vdir_intent VALUES (1, 'home/a.ics', ?, ?)").run(before, after) { _ in }
    }
    try place.write(Place.todo("SUMMARY:Bread"))
    let item = try #require(place.open().items().first)
    #expect(item.text == "Bread" && item.isChecked)
    let text = try place.read()
    #expect(text.contains("SUMMARY:Bread\r\n") && text.contains("STATUS:COMPLETED\r\n"))
  }

  @Test("a change that a kill left is made at the next use")
  func redone() throws {
    try place.write(Place.todo("SUMMARY:Milk"))
    let store = place.open()
    let before = try place.read()
    try store.check(try #require(store.items().first).id)
    let after = try place.read()
    try SQLiteStore(path: try #require(store.watchedFile)).write { _, database in
      try database.statement("INSERT INTO vdir_intent VALUES (1, 'home/a.ics', ?, ?)")
        .run(Array(before.utf8), Array(after.utf8)) { _ in }
    }
    try place.write(before)
    #expect(try place.open().items().map(\.isChecked) == [true])
    #expect(try place.read() == after)
  }

  @Test("lists follow their displayname, and a second one of a name is told apart")
  func names() throws {
    try place.write("Chores\n", to: "home/displayname")
    try FileManager.default.createDirectory(atPath: place.path("other"), withIntermediateDirectories: true)
    try place.write("chores", to: "other/displayname")
    let store = place.open()
    #expect(try store.read { try $0.lists().map(\.name) } == ["Chores", "chores (other)"])
    try place.write("Renamed", to: "home/displayname")
    #expect(try store.read { try $0.lists().map(\.name) } == ["Renamed", "chores (other)"])
    try place.remove("other")
    _ = try store.items()
    place.time.advance(by: 60)
    #expect(try store.read { try $0.lists().map(\.name) } == ["Renamed"])
  }

  @Test("lists follow their colour; what is none changes nothing, and a file that is gone takes it away")
  func colors() throws {
    try place.write("#FF2968FF\n", to: "home/color")
    let store = place.open()
    func color() throws -> String? { try store.read { try $0.lists().first?.color?.hex } }
    #expect(try color() == "#ff2968")
    try place.write("#00ff00", to: "home/color")
    #expect(try color() == "#00ff00")
    try place.write("grass", to: "home/color")
    #expect(try color() == "#00ff00")
    try place.remove("home/color")
    #expect(try color() == nil)
  }
}
