import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import Testing
import VdirStore

@Suite("What Belfry writes into a folder of calendars")
struct OwnChangesTests {
  private let place: Place

  init() throws { place = try Place() }

  @Test("a check changes the lines about it and no others")
  func check() throws {
    let folded = "X-ODD;P=\"a:b\":folded by anoth\r\n er program"
    try place.write(
      Place.todo("summary:lower case", "DESCRIPTION:one\\ntwo", folded, "STATUS:NEEDS-ACTION", "CATEGORIES:x,y"))
    let store = place.open()
    try store.check(try #require(store.items().first).id)
    let expected = Place.todo(
      "summary:lower case", "DESCRIPTION:one\\ntwo", folded, "STATUS:COMPLETED", "CATEGORIES:x,y",
      "LAST-MODIFIED:20261121T080000Z", "COMPLETED:20261121T080000Z")
    let written = try place.read()
    #expect(
      written.replacing("DTSTAMP:20261121T080000Z", with: "DTSTAMP:20261101T000000Z") == expected, "\(written)")
  }

  @Test("tags are read of CATEGORIES and written there; other names in it stay")
  func tags() throws {
    try place.write(Place.todo("SUMMARY:Milk", "CATEGORIES:x,two words", "X-KEPT:1", "CATEGORIES:y"))
    let belfry = place.belfry()
    let item = try #require(try belfry.store.items().first)
    #expect(item.tags.names == ["x", "y"])
    var edit = ItemEdit()
    edit.tags = try ItemTags(["x", "z"])
    _ = try belfry.edit(item.id, edit)
    let lines = try place.read().split(separator: "\r\n").filter {
      $0.hasPrefix("CATEGORIES") || $0.hasPrefix("X-KEPT")
    }
    #expect(lines == ["CATEGORIES:x,z", "CATEGORIES:two words", "X-KEPT:1"])
    try place.write(place.read().replacing("CATEGORIES:x,z\r\n", with: ""))
    #expect(try place.open().items().map(\.tags.names) == [[]])
  }

  @Test("a priority keeps the number of the file until its level changes")
  func priority() throws {
    try place.write(Place.todo("SUMMARY:Milk", "PRIORITY:2"))
    let belfry = place.belfry()
    let item = try #require(try belfry.store.items().first)
    var edit = ItemEdit.text("Bread")
    edit.priority = .set(.high)
    _ = try belfry.edit(item.id, edit)
    #expect(try place.read().contains("PRIORITY:2\r\n"))
    edit.priority = .set(.low)
    _ = try belfry.edit(item.id, edit)
    #expect(try place.read().contains("PRIORITY:9\r\n"))
    edit.priority = .clear
    _ = try belfry.edit(item.id, edit)
    #expect(try !place.read().contains("PRIORITY"))
  }

  @Test("a file in Unix lines keeps them")
  func lineEnds() throws {
    try place.write(Place.todo("SUMMARY:Milk").replacing("\r\n", with: "\n"))
    let store = place.open()
    try store.check(1)
    let text = try place.read()
    #expect(text.contains("\nSTATUS:COMPLETED\n"))
    #expect(!text.contains("\r"))
  }

  @Test("an item that does not ring when it is due says so in its file, also to another machine")
  func silent() throws {
    let (belfry, other) = (place.belfry(), try Place())
    var draft = ItemDraft(text: "Own", due: try Sample.due(60).local)
    draft.shouldRemind = false
    _ = try belfry.add([draft], to: ListChoice("home"))
    try place.write(Place.todo("SUMMARY:Foreign", "DUE:20261121T090000"))
    try place.write(Place.todo(uid: "b", "SUMMARY:Rings", "DUE:20261121T090000"), to: "home/b.ics")
    let foreign = try #require(try belfry.store.items().first { $0.text == "Foreign" })
    var edit = ItemEdit()
    edit.shouldRemind = false
    _ = try belfry.edit(foreign.id, edit)
    for name in try FileManager.default.contentsOfDirectory(atPath: place.path("home")) {
      try other.write(place.read("home/\(name)"), to: "home/\(name)")
    }
    let items = try other.open().items()
    #expect(items.count == 3 && items.filter(\.shouldRemind).map(\.text) == ["Rings"])
    edit.shouldRemind = true
    _ = try belfry.edit(foreign.id, edit)
    #expect(try !place.read().contains("X-BELFRY-ALERTS"))
  }

  @Test("a new text of a to-do that rings without an alarm writes no alarm")
  func noAlarm() throws {
    try place.write(Place.todo("SUMMARY:Milk", "DUE:20261121T090000"))
    let belfry = place.belfry()
    #expect(try belfry.store.items().map(\.shouldRemind) == [true])
    _ = try belfry.edit(1, .text("Bread"))
    let text = try place.read()
    #expect(text.contains("SUMMARY:Bread\r\n"))
    #expect(!text.contains("VALARM"))
  }

  @Test("only alarms ring with remind: alarms")
  func alarms() throws {
    try place.write(Place.todo("SUMMARY:Milk", "DUE:20261121T090000"))
    #expect(try place.open(remind: .alarms).items().map(\.shouldRemind) == [false])
  }

  @Test("files whose items do not change keep their bytes, through many changes of others")
  func untouched() throws {
    for number in 1...9 {
      try place.write(
        Place.todo(uid: "n\(number)", "SUMMARY:\(number)", "X-KEPT:\(number)"), to: "home/\(number).ics")
    }
    let belfry = place.belfry()
    let kept = try (2...9).map { try Data(contentsOf: URL(filePath: place.path("home/\($0).ics"))) }
    let id = try #require(belfry.store.items().first { $0.text == "1" }).id
    for number in 1...100 {
      _ = try belfry.edit(id, .text("text \(number)"))
      _ = try belfry.setChecked(number.isMultiple(of: 2), [id])
    }
    #expect(try (2...9).map { try Data(contentsOf: URL(filePath: place.path("home/\($0).ics"))) } == kept)
    #expect(try place.read("home/1.ics").contains("SUMMARY:text 100\r\n"))
  }

  @Test("an item that is added, moved and deleted is one file that comes, moves and goes")
  func wholeLife() throws {
    let belfry = place.belfry()
    _ = try belfry.add([ItemDraft(text: "Milk")], to: ListChoice("Work & Play", createsMissing: true))
    func files(_ list: String) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: place.path(list)).filter { $0.hasSuffix(".ics") }
    }
    #expect(try place.read("work-play/displayname") == "Work & Play")
    #expect(try files("work-play").count == 1)
    _ = try belfry.edit(1, .list("home"))
    #expect(try files("work-play").isEmpty)
    let name = try #require(files("home").first)
    #expect(try place.read("home/\(name)").contains("SUMMARY:Milk\r\n"))
    _ = try belfry.delete([1])
    #expect(try files("home").isEmpty)
  }

  @Test("the colour of a list is a file of its folder, which goes with it")
  func color() throws {
    let belfry = place.belfry()
    _ = try belfry.createList("Work")
    let id = try #require(belfry.store.read { try $0.list(named: "Work") }).id
    var edit = ListEdit()
    edit.color = .set(try ListColor(parsing: "green"))
    _ = try belfry.editList(id, edit)
    #expect(try place.read("work/color") == "#30a46c")
    edit.color = .clear
    _ = try belfry.editList(id, edit)
    #expect(!FileManager.default.fileExists(atPath: place.path("work/color")))
    #expect(try place.read("work/displayname") == "Work")
    _ = try belfry.undo()
    #expect(try place.read("work/color") == "#30a46c")
    _ = try belfry.deleteList(id)
    #expect(!FileManager.default.fileExists(atPath: place.path("work")))
  }

  @Test("a state begun anew reads back what was written")
  func begunAnew() throws {
    let belfry = place.belfry()
    var draft = ItemDraft(text: "Rent, due; \u{1F9C0}", notes: "one\ntwo", due: try Sample.due(90).local)
    (draft.shouldRemind, draft.nag, draft.category) = (true, CalendarDuration(days: 0, minutes: 15), "bills")
    _ = try belfry.add([draft], to: ListChoice("home"))
    let before = try #require(belfry.store.items().first)
    try FileManager.default.removeItem(atPath: place.states)
    #expect(throws: BelfryError.self) { try place.open().items() }
    try place.remove(".belfry-vdir")
    let after = try #require(place.open().items().first)
    #expect(after.uuid == before.uuid)
    #expect(after.text == before.text && after.notes == before.notes && after.due?.local == before.due?.local)
    #expect(after.nag == before.nag && after.category == before.category && after.alerts == before.alerts)
  }

  @Test("a list whose folder holds an event is not removed")
  func eventStays() throws {
    try place.write("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:e\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n", to: "home/e.ics")
    let store = place.open()
    #expect(try store.items().isEmpty)
    #expect(try store.damage().isEmpty)
    let error = #expect(throws: BelfryError.self) { try store.write { try $0.deleteList(id: 1) } }
    #expect(error?.kind == .badInput)
    #expect(error?.message.contains("e.ics") == true)
    #expect(try store.read { try $0.lists().count } == 1)
  }
}

extension ItemEdit {
  fileprivate static func text(_ text: String) -> ItemEdit {
    var edit = ItemEdit()
    edit.text = text
    return edit
  }

  fileprivate static func list(_ name: String) -> ItemEdit {
    var edit = ItemEdit()
    edit.list = ListChoice(name)
    return edit
  }
}
