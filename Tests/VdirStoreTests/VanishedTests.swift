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

  @Test("the whole folder: what is scheduled rings for a day, then it is an error", arguments: [false, true])
  func root(isLater: Bool) throws {
    let aside = place.folder.file("aside")
    try FileManager.default.moveItem(atPath: place.root, toPath: aside)
    let edits = try #require(try belfry.planEdits())
    #expect(edits.warnings.contains { $0.contains("gone") })
    #expect(try pendingCount() == 6)
    #expect(try belfry.store.damage().contains { $0.contains("gone") })
    _ = try belfry.setChecked(true, [1])
    #expect(throws: BelfryError.self) { try belfry.createList("new") }
    if isLater {
      place.time.advance(by: 86_400)
      let error = #expect(throws: BelfryError.self) { try pendingCount() }
      #expect(error?.kind == .storeFailed)
    }
    try FileManager.default.moveItem(atPath: aside, toPath: place.root)
    #expect(try pendingCount() == 5)
    #expect(try (1...6).filter { try place.read("home/\($0).ics").contains("STATUS:COMPLETED") }.count == 1)
  }

  @Test("a list's folder, or most of its files: they ring for a day, then count as deleted", arguments: [false, true])
  func files(hasFolder: Bool) throws {
    if hasFolder {
      for number in 1...5 { try place.remove("home/\(number).ics") }
    } else {
      try place.remove("home")
    }
    let edits = try #require(try belfry.planEdits())
    #expect(edits.warnings.contains { $0.contains("home") })
    #expect(try pendingCount() == 6)
    #expect(try !belfry.store.damage().isEmpty)
    place.time.advance(by: 86_399)
    #expect(try belfry.store.items().count == 6)
    place.time.advance(by: 1)
    #expect(try belfry.store.items().count == (hasFolder ? 1 : 0))
    #expect(try belfry.store.damage().isEmpty)
  }

  @Test("a single file that goes is a deleted item")
  func single() throws {
    try place.remove("home/1.ics")
    _ = try belfry.planEdits()
    #expect(try pendingCount() == 5)
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
    #expect(try store.adopt()?.contains("anew") == true)
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
    #expect(try store.damage().contains { $0.contains("marker") })
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
