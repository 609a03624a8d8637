import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import Testing
import VdirStore

@Suite("A folder of calendars that vanishes")
struct VanishedTests {
  private let place: Place
  private let belfry: Belfry

  init() throws {
    place = try Place()
    belfry = place.belfry()
    for number in 1...6 {
      try place.write(
        Place.todo(uid: "n\(number)", "SUMMARY:\(number)", "DUE:20261121T2\(number % 4)0000"),
        to: "home/\(number).ics")
    }
    _ = try belfry.planEdits()
    #expect(try pendingCount() == 6)
  }

  private func pendingCount() throws -> Int { try belfry.store.read { try $0.pending().count } }

  private func faults() throws -> [String] { try belfry.store.read { try $0.editFaults() } }

  @Test(
    "the whole folder, or its marker: commands are refused, and the daemon rings for a day, then it is an error",
    arguments: [(false, false), (false, true), (true, false), (true, true)])
  func root(isMarkerAlone: Bool, isLater: Bool) throws {
    let lock = try belfry.store.lockForDaemon()
    defer { lock.release() }
    let (path, aside) = (isMarkerAlone ? place.path(".belfry-vdir") : place.root, place.folder.file("aside"))
    try FileManager.default.moveItem(atPath: path, toPath: aside)
    let command = place.belfry()
    let refusals: [() throws -> Void] = [
      { _ = try command.store.items() }, { _ = try command.setChecked(true, [1]) }, { _ = try command.store.damage() },
      { _ = try (command.store as? any TiedStore)?.acceptDeletions() }, { _ = try command.planEdits() },
    ]
    for refusal in refusals {
      let error = #expect(throws: BelfryError.self, performing: refusal)
      #expect(error?.kind == .storeFailed)
      #expect(error?.message.contains(isMarkerAlone ? "marker" : "gone") == true)
    }
    _ = try #require(try belfry.planEdits())
    #expect(try faults().contains { $0.contains(isMarkerAlone ? "marker" : "gone") })
    #expect(try pendingCount() == 6)
    _ = try belfry.setChecked(true, [1])
    #expect(throws: BelfryError.self) { try belfry.createList("new") }
    if isLater {
      place.time.advance(by: 86_400)
      let error = #expect(throws: BelfryError.self) { try pendingCount() }
      #expect(error?.kind == .storeFailed)
    }
    try FileManager.default.moveItem(atPath: aside, toPath: path)
    #expect(try command.store.read { try $0.pending().count } == 5)
    #expect(try faults().isEmpty)
    #expect(try (1...6).filter { try place.read("home/\($0).ics").contains("STATUS:COMPLETED") }.count == 1)
  }

  @Test("a list's folder: it rings for a day, then counts as deleted, or is back", arguments: [false, true])
  func folder(isBack: Bool) throws {
    let aside = place.folder.file("aside")
    try FileManager.default.moveItem(atPath: place.path("home"), toPath: aside)
    _ = try #require(try belfry.planEdits())
    #expect(try faults().contains { $0.contains("home is gone, and with it the files of 6 to-dos") })
    #expect(try pendingCount() == 6)
    #expect(try !belfry.store.damage().isEmpty)
    place.time.advance(by: 86_399)
    #expect(try belfry.store.items().count == 6)
    if isBack { try FileManager.default.moveItem(atPath: aside, toPath: place.path("home")) }
    place.time.advance(by: 1)
    #expect(try belfry.store.items().count == (isBack ? 6 : 0))
    #expect(try belfry.store.read { try $0.lists().count } == (isBack ? 1 : 0))
    #expect(try belfry.store.damage().isEmpty)
    place.time.advance(by: 86_400)
    #expect(try belfry.store.items().count == (isBack ? 6 : 0))
  }

  @Test("a single file that goes is a deleted item after a minute, and not before")
  func single() throws {
    try place.remove("home/1.ics")
    _ = try belfry.planEdits()
    #expect(try pendingCount() == 6)
    place.time.advance(by: 59)
    _ = try belfry.planEdits()
    #expect(try pendingCount() == 6)
    #expect(try faults().isEmpty)
    place.time.advance(by: 1)
    _ = try belfry.planEdits()
    #expect(try pendingCount() == 5)
    #expect(try belfry.store.items().count == 5)
  }

  @Test("a file that is back within the minute was never gone, whatever its name")
  func back() throws {
    let before = try belfry.store.items()
    let text = try place.read("home/1.ics")
    try place.remove("home/1.ics")
    _ = try belfry.planEdits()
    place.time.advance(by: 30)
    try place.write(text, to: "home/other.ics")
    _ = try belfry.planEdits()
    place.time.advance(by: 86_400)
    #expect(try belfry.store.items() == before)
  }

  @Test("a clock that was set back does not keep a file for longer than a minute")
  func setBack() throws {
    try place.remove("home/1.ics")
    _ = try belfry.store.items()
    place.time.advance(by: -86_400)
    _ = try belfry.store.items()
    place.time.advance(by: 60)
    #expect(try belfry.store.items().count == 5)
  }

  @Test("a copy in another list takes over when the first file goes")
  func copied() throws {
    let before = try belfry.store.items().map(\.id)
    try FileManager.default.createDirectory(atPath: place.path("work"), withIntermediateDirectories: true)
    try place.write(place.read("home/1.ics"), to: "work/1.ics")
    #expect(try faults().contains { $0.contains("work/1.ics") })
    try place.remove("home/1.ics")
    #expect(try belfry.store.read { try $0.item(id: 1)?.listName } == "work")
    #expect(try faults().isEmpty)
    place.time.advance(by: 86_400)
    #expect(try belfry.store.items().map(\.id).sorted() == before.sorted())
  }

  @Test("what is done here with an item whose file vanished writes the file again")
  func changedHere() throws {
    try place.remove("home")
    _ = try belfry.planEdits()
    let item = try #require(belfry.store.items().first)
    _ = try belfry.setChecked(true, [item.id])
    let name = "home/\(item.text).ics"
    #expect(try place.read(name).contains("STATUS:COMPLETED"))
    _ = try belfry.delete([try #require(belfry.store.items().last).id])
    place.time.advance(by: 86_400)
    #expect(try belfry.store.items().map(\.id) == [item.id])
    #expect(try place.read(name).contains("STATUS:COMPLETED"))
  }

  @Test("a folder that cannot be read, or a link in a file's place, has not vanished")
  func unreadable() throws {
    try place.remove("home/1.ics")
    symlink("/nowhere", place.path("home/1.ics"))
    for _ in 1...3 {
      _ = try belfry.planEdits()
      #expect(try faults().contains { $0.contains("home/1.ics is not a regular file") })
      #expect(try pendingCount() == 6)
      place.time.advance(by: 50)
    }
  }

  @Test("a marker without its state is damage, and so is a copy of the folder")
  func marker() throws {
    let copy = place.folder.file("copy")
    try FileManager.default.copyItem(atPath: place.root, toPath: copy)
    let other = VdirStore(path: copy, states: place.states, zones: Sample.zones)
    #expect(throws: BelfryError.self) { try other.items() }
    try FileManager.default.removeItem(atPath: place.states)
    let error = #expect(throws: BelfryError.self) { try place.open().items() }
    #expect(error?.kind == .storeFailed)
    #expect(error?.hint?.contains("--adopt") == true)
  }

  @Test("a folder whose state is gone is adopted: new numbers, the same reminders, nothing past")
  func adoptedWithoutState() throws {
    try place.write(Place.todo(uid: "old", "SUMMARY:Old", "DUE:20261101T090000"), to: "home/old.ics")
    try FileManager.default.removeItem(atPath: place.states)
    let store = place.open()
    #expect(try store.adopt()?.contains("starts over") == true)
    #expect(try store.adopt() == nil)
    let belfry = place.belfry()
    _ = try belfry.planEdits()
    #expect(try belfry.store.read { try $0.pending().count } == 6)
    #expect(try belfry.store.read { try $0.dueReminders(at: place.time.now, limit: 9).isEmpty })
  }

  @Test("a folder that was fetched anew is adopted: numbers and reminders are as they were")
  func adoptedWithoutMarker() throws {
    let before = try belfry.store.items()
    let store = place.open()
    #expect(try store.adopt() == nil)
    try place.remove(".belfry-vdir")
    #expect(throws: BelfryError.self) { try store.damage() }
    #expect(try store.adopt()?.contains("marker") == true)
    #expect(try store.items() == before)
    #expect(try store.read { try $0.pending().count } == 6)
  }

  @Test("a copy of a folder is adopted as a store of its own, and a folder that is not there is not")
  func adoptedCopy() throws {
    let copy = place.folder.file("copy")
    try FileManager.default.copyItem(atPath: place.root, toPath: copy)
    let other = VdirStore(path: copy, states: place.states, zones: Sample.zones, time: place.time)
    #expect(try other.adopt() != nil)
    #expect(try other.items().count == 6)
    #expect(other.identity != belfry.store.identity)
    #expect(try pendingCount() == 6)
    try FileManager.default.removeItem(atPath: place.root)
    #expect(throws: BelfryError.self) { try place.open().adopt() }
  }

  @Test("a folder that moved is the same store")
  func moved() throws {
    let elsewhere = place.folder.file("elsewhere")
    try FileManager.default.moveItem(atPath: place.root, toPath: elsewhere)
    let store = VdirStore(path: elsewhere, states: place.states, zones: Sample.zones, time: place.time)
    try store.check(1)
    #expect(try store.read { try $0.pending().count } == 6)
    #expect(try store.items().count == 6)
  }
}

extension Sample {
  fileprivate static var zones: ZoneDatabase { ZoneDatabase(environment: [:]) }
}
