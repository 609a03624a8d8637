import BelfryEngine
import BelfryModel
import BelfryTestKit
import Foundation
import Testing

@Suite("The order and the layout of a store's file")
struct LayoutTests {
  @Test("the same content gives the same file, however it came about", arguments: Format.allCases)
  func canonical(format: Format) throws {
    let (one, other) = (try Place(format), try Place(format))
    let everything = try Sample.everything()
    try one.open().write { transaction in
      for record in everything { try transaction.restore(record) }
    }
    // One by one, with the deliveries after their messages.
    let store = other.open()
    for record in everything { try store.write { try $0.restore(record) } }
    #expect(one.data.count > 3_000)
    #expect(one.data == other.data)
  }

  @Test("one changed item is one changed line, and those of its reminders", arguments: Format.texts)
  func oneLine(format: Format) throws {
    let place = try Place(format)
    try place.fill(items: 40)
    let before = place.data
    var edit = ItemEdit()
    edit.text = "Changed"
    _ = try place.belfry().edit(20, edit)
    let removed = before.lines(notIn: place.data)
    let added = place.data.lines(notIn: before)
    #expect(removed.count == 1 && removed[0].contains("Item 20"), "\(removed)")
    #expect(added.count == 1 && added[0].contains("Changed"), "\(added)")
  }

  @Test("checking an item changes its line and that of its reminder", arguments: Format.texts)
  func checking(format: Format) throws {
    let place = try Place(format)
    try place.fill(items: 40)
    let before = place.data
    _ = try place.belfry().setChecked(true, [7])
    let added = place.data.lines(notIn: before)
    #expect(before.lines(notIn: place.data).count == 2)
    #expect(added.count == 2, "\(added)")
    #expect(added.contains { $0.contains("cancelled") } && added.contains { $0.contains("Item 7") }, "\(added)")
  }

  @Test("adding an item adds its lines and changes the counter; deleting one takes its line", arguments: Format.texts)
  func addingAndDeleting(format: Format) throws {
    let place = try Place(format)
    try place.fill(items: 40)
    var before = place.data
    try place.open().write { _ = try $0.addSampleItem("New", to: 1) }
    // In JSON the preceding line gains a comma.
    #expect(place.data.lines(notIn: before).filter { $0.contains("\"New\"") || $0.contains(">New<") }.count == 1)
    #expect(before.lines(notIn: place.data).count <= 2)
    before = place.data
    try place.open().write { try $0.deleteItem(id: 12) }
    let removed = before.lines(notIn: place.data)
    #expect(removed.count == 1 && removed[0].contains("Item 12"), "\(removed)")
    #expect(place.data.lines(notIn: before) == [])
  }

  @Test("people stand on one line, which is not there without them", arguments: Format.texts)
  func people(format: Format) throws {
    let place = try Place(format)
    try place.fill(items: 2)
    let without = place.data
    for name in ["anna", "ben"] { _ = try place.open().write { try $0.addPerson(named: name) } }
    let added = place.data.lines(notIn: without)
    #expect(added.count == 2 && added.contains { $0.contains("anna") && $0.contains("ben") }, "\(added)")
    #expect(without.lines(notIn: place.data).count == 1, "the counter alone has changed")
    _ = try place.open().write { try $0.addPerson(named: "anna") }
    #expect(place.data.lines(notIn: without) == added)
  }

  @Test("a position that moves is one changed line; a store without inboxes has none", arguments: Format.texts)
  func position(format: Format) throws {
    let place = try Place(format)
    try place.fill(items: 2)
    let without = place.data
    try place.open().write { try $0.put(SinkInbox(sink: "phone", position: "first", changedAt: Sample.now)) }
    let before = place.data
    try place.open().write { try $0.put(SinkInbox(sink: "phone", position: "second", changedAt: Sample.now)) }
    let (removed, added) = (before.lines(notIn: place.data), place.data.lines(notIn: before))
    #expect(removed.count == 1 && removed[0].contains("first"), "\(removed)")
    #expect(added.count == 1 && added[0].contains("second"), "\(added)")
    try place.open().write { try $0.removeInbox(ofSink: "phone") }
    #expect(place.data == without)
  }

  @Test("a change and its opposite leave the file as it was but for the time of the change", arguments: Format.allCases)
  func backAgain(format: Format) throws {
    let place = try Place(format)
    try place.fill(items: 9)
    let before = place.data
    for text in ["Other", "Item 5"] {
      try place.open().write { transaction in
        var item = try Check.present(transaction.item(id: 5)).item
        item.text = text
        try transaction.update(item)
      }
    }
    #expect(place.data == before)
  }

  @Test("items stand in the order of their lists and places, whatever their numbers", arguments: Format.texts)
  func order(format: Format) throws {
    let place = try Place(format)
    try place.open().write { transaction in
      for name in ["One", "Two"] { try transaction.addSampleList(name) }
      for number in 1...6 { try transaction.addSampleItem("text-\(number)", to: number.isMultiple(of: 2) ? 1 : 2) }
    }
    try place.open().write { transaction in
      var item = try Check.present(transaction.item(id: 6)).item
      item.position = -1
      try transaction.update(item)
    }
    let found = place.text.matches(of: /text-(\d)/).map { String($0.1) }
    #expect(found == ["6", "2", "4", "1", "3", "5"])
    #expect(try place.open().read { try $0.items(ItemQuery(listID: 1)).map(\.id) } == [6, 2, 4])
  }

  @Test("a renamed list is renamed in the lines of its items", arguments: Format.allCases)
  func renaming(format: Format) throws {
    let place = try Place(format)
    try place.fill(items: 3)
    _ = try place.belfry().renameList("Groceries", to: "GROCERIES")
    let items = try place.open().read { view in
      try (1...3).compactMap { try view.item(id: $0)?.listName }
    }
    #expect(items == ["GROCERIES", "GROCERIES", "GROCERIES"])
    if format != .binary { #expect(!place.text.contains("Groceries")) }
  }

  @Test("JSON is one record a line; each line of a record is JSON by itself")
  func records() throws {
    let place = try Place(.json)
    try place.fill()
    let lines = place.text.split(separator: "\n").map(String.init)
    let records = lines.filter { $0.hasPrefix("{\"") && !$0.hasPrefix("{\"format") }
    #expect(records.count == 61)
    for record in records {
      let json = record.hasSuffix(",") ? String(record.dropLast()) : record
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(json.utf8)) }
    }
    #expect(place.text.hasPrefix("{\"format\":\"belfry-store\",\"version\":1,\n"))
    #expect(place.text.hasSuffix("\n}\n"))
  }

  @Test("other readers read the file and find the keys that they know", arguments: [Format.plist, .binary])
  func foundation(format: Format) throws {
    let place = try Place(format)
    try place.fill(items: 2)
    let list = try #require(
      try PropertyListSerialization.propertyList(from: place.data, format: nil) as? [String: Any])
    let items = try #require(list["Items"] as? [[String: Any]])
    #expect(items.map { $0["Text"] as? String } == ["Item 1", "Item 2"])
    #expect(items.map { $0["ItemID"] as? Int } == [1, 2])
    #expect(items.map { $0["Checked"] as? Bool } == [false, false])
    #expect(items.map { $0["ShouldRemind"] as? Bool } == [true, true])
    #expect(items[0]["DueDate"] as? Date == (try Sample.due(1).instant.date))
    #expect(items[0]["DueLocal"] as? String == "2026-11-21T08:01")
  }
}
