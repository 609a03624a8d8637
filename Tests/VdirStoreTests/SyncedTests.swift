import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import TestSupport
import Testing
import VdirStore

/// vdirsyncer, Radicale, python-caldav as a phone, and khal. The clock stands at 2026-11-21 08:00 UTC.
@Suite("A folder of calendars in step with others")
struct SyncedTests {
  private let place: Place
  private let belfry: Belfry

  init() throws {
    place = try Place()
    belfry = place.belfry()
  }

  private func pending() throws -> [FireDate] {
    _ = try belfry.planEdits()
    return try belfry.store.read { try $0.pending().map(\.fireDate) }
  }

  private func add(_ text: String, due minutes: Int) throws {
    var draft = ItemDraft(text: text, due: try Sample.due(minutes).local)
    draft.shouldRemind = true
    _ = try belfry.add([draft], to: ListChoice("home"))
  }

  @Test("vdirsyncer takes changes to another folder and back, and rewrites nothing")
  func folders() throws {
    let other = place.folder.file("other")
    let vdirsyncer = try Synchroniser(place.root, withFolder: other, files: place.folder.path)
    try add("Milk", due: 60)
    try vdirsyncer.discover()
    try vdirsyncer.sync()
    let name = try #require(FileManager.default.contentsOfDirectory(atPath: "\(other)/home").first)
    let path = "\(other)/home/\(name)"
    #expect(try String(contentsOfFile: path, encoding: .utf8) == place.read("home/\(name)"))
    try Place.todo(uid: "b", "SUMMARY:Bread", "DUE:20261121T110000")
      .write(toFile: "\(other)/home/b.ics", atomically: true, encoding: .utf8)
    _ = try belfry.setChecked(true, [1])
    try vdirsyncer.sync()
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains("STATUS:COMPLETED"))
    #expect(try pending() == [Sample.fireDate(180)])
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try text.replacing("STATUS:COMPLETED\r\n", with: "").replacing(#/COMPLETED:.*\r\n/#, with: "")
      .write(toFile: path, atomically: true, encoding: .utf8)
    try FileManager.default.removeItem(atPath: "\(other)/home/b.ics")
    try vdirsyncer.sync()
    _ = try pending()
    place.time.advance(by: 60)
    #expect(try pending() == [Sample.fireDate(60)])
    #expect(try belfry.store.items().map(\.text) == ["Milk"])
    #expect(try belfry.store.damage().isEmpty)
  }

  @Test("a phone at a Radicale server adds, moves and completes to-dos, and sees what is done here")
  func phone() throws {
    let server = try RadicaleServer()
    let vdirsyncer = try Synchroniser(place.root, with: server, files: place.folder.path)
    try add("Milk", due: 60)
    try add("Bread", due: 90)
    try vdirsyncer.discover()
    try vdirsyncer.sync()
    try server.phone(
      """
      calendar('home').save_todo(summary='From the phone', due=datetime.datetime(2026, 11, 21, 12, 0))
      [t.complete() for t in named('home', 'Milk')]
      """)
    _ = try belfry.setChecked(true, [2])
    try vdirsyncer.sync()
    #expect(try pending() == [Sample.fireDate(240)])
    let done = try server.phone("print(sorted(summary(t) for t in todos('home') if 'COMPLETED' in t.data))")
    #expect(done == "['Bread', 'Milk']\n")
    let texts = try belfry.store.items().filter(\.isChecked).map(\.text)
    #expect(texts.sorted() == ["Bread", "Milk"])
    #expect(try belfry.store.damage().isEmpty)
  }

  @Test("the folder of Radicale itself: both write, under its lock, and its lists are made and named there")
  func radicaleFolder() throws {
    let server = try RadicaleServer()
    try server.makeCalendar("home")
    let store = VdirStore(path: server.folder, states: place.states, zones: place.zones, time: place.time)
    let belfry = Belfry(store: store, settings: belfry.settings, time: place.time, zones: place.zones)
    _ = try belfry.add([ItemDraft(text: "Milk")], to: ListChoice("home"))
    #expect(try server.phone("print(sorted(summary(t) for t in todos('home')))") == "['Milk']\n")
    try server.phone("[t.complete() for t in named('home', 'Milk')]")
    #expect(try store.items().map(\.isChecked) == [true])
    #expect(try store.damage().isEmpty)
    #expect(throws: BelfryError.self) { try belfry.createList("other") }
    #expect(throws: BelfryError.self) { try store.write { try $0.deleteList(id: 1) } }
    #expect(try server.phone("print(len(todos('home')))") == "1\n")
  }

  @Test("events that khal keeps in the same folder stay as they are")
  func khal() throws {
    let config = """
      [calendars]
      [[home]]
      path = \(place.path("home"))
      [locale]
      timeformat = %H:%M
      dateformat = %Y-%m-%d
      longdateformat = %Y-%m-%d
      datetimeformat = %Y-%m-%d %H:%M
      longdatetimeformat = %Y-%m-%d %H:%M
      [sqlite]
      path = \(place.folder.file("khal.db"))

      """
    let path = place.folder.file("khal")
    try config.write(toFile: path, atomically: true, encoding: .utf8)
    let khal = ["khal", "--config", path]
    _ = try Program.output(khal + ["new", "-a", "home", "2026-11-21", "12:00", "13:00", "Lunch", "--alarms", "15m"])
    let name = try #require(FileManager.default.contentsOfDirectory(atPath: place.path("home")).first)
    let before = try place.read("home/\(name)")
    try add("Milk", due: 60)
    #expect(try belfry.store.items().map(\.text) == ["Milk"])
    #expect(try belfry.store.damage().isEmpty)
    #expect(try place.read("home/\(name)") == before)
    let shown = try Program.output(khal + ["list", "--format", "{title}", "--day-format", "", "2026-11-21", "1d"])
    #expect(String(decoding: shown, as: UTF8.self).contains("Lunch"))
  }
}
