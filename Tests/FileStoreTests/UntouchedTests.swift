import BelfryEngine
import BelfryTestKit
import Foundation
import Testing

@Suite("What a change does not touch stays as it stands, and the file is the one that writing everything anew gives")
struct UntouchedTests {
  private enum Work: CaseIterable {
    case addItem, addItems, changeText, check, move, deleteItem, schedule, cancel, addList, setZone, addMessage
    case closeDelivery, readOneItem
  }

  @Test("change by change a file becomes what a new store with the same records has", arguments: Format.allCases)
  func equality(format: Format) throws {
    let place = try Place(format)
    try place.fill(items: 9)
    try place.open().write { _ = try $0.addSampleList("Work") }
    let kept = place.open()
    var generator = SeededGenerator(seed: 11)
    for step in 0..<400 {
      let work = try #require(Work.allCases.randomElement(using: &generator))
      // Alternates between a store with a cache and a new one that reads the file.
      let store = step.isMultiple(of: 3) ? place.open() : kept
      try store.write { try change($0, work, step, &generator) }
      guard step % 20 == 19 else { continue }
      let whole = try Place(format)
      let records = try place.open().records()
      try whole.open().write { transaction in
        for record in records { try transaction.restore(record) }
      }
      try #require(place.data == whole.data, "step \(step): \(work)")
    }
  }

  private func change(
    _ transaction: any StoreTransaction, _ work: Work, _ step: Int, _ generator: inout SeededGenerator
  ) throws {
    let next = try transaction.counters().nextItemID
    let id = Int64.random(in: 1..<next, using: &generator)
    let lists = try transaction.lists().map(\.id)
    let listID = lists.randomElement(using: &generator) ?? 1
    switch work {
    case .addItem: try transaction.addSampleItem("step \(step)", to: listID, due: step)
    case .addItems:
      for part in 0..<3 {
        let item = try transaction.addSampleItem("step \(step) part \(part)", to: listID, due: step)
        try transaction.put(Sample.reminder(of: .item(item.id), at: step))
      }
    case .changeText, .check, .move:
      guard var item = try transaction.item(id: id)?.item else { return }
      switch work {
      case .changeText: item.text = "changed in \(step) \u{1F514} \"<&>\""
      case .check: item.isChecked.toggle()
      default:
        item.listID = listID
        item.position = try transaction.endPosition(listID: listID)
      }
      try transaction.update(item)
    case .deleteItem: try transaction.deleteItem(id: id)
    case .schedule:
      // Times that none of the items has from the start.
      try transaction.put(Sample.reminder(of: .item(id), at: Int.random(in: 500..<505, using: &generator)))
      try transaction.put(Sample.reminder(of: .list(listID), at: step))
    case .cancel:
      for var reminder in try transaction.reminders(of: .item(id)) {
        reminder.state = .cancelled
        try transaction.put(reminder)
      }
    case .addList: if lists.count < 5 { try transaction.addSampleList("List \(step)") }
    case .setZone: try transaction.setPlannedZone("Etc/GMT-\(step % 12)")
    case .addMessage: try transaction.addSampleMessage(about: id, at: step)
    case .closeDelivery:
      guard var delivery = try transaction.deliveries(of: .item(id), state: .pending).first?.0 else { return }
      delivery.state = .delivered
      try transaction.update(delivery)
    case .readOneItem:
      guard let listing = try transaction.item(id: id) else { return }
      #expect(listing.item.id == id)
      #expect(try transaction.items().contains(listing.item))
    }
  }

  @Test(
    "damage that leaves size and time as they were is found before anything is built upon it, and the good copy stays",
    arguments: Format.texts)
  func damageWithoutTrace(format: Format) throws {
    let place = try Place(format)
    try place.fill(items: 40)
    try place.open().write { _ = try $0.addSampleItem("Last", to: 1) }
    let copy = place.contents(place.file + ".bak")
    // With the same length and times, so that only the bytes show that the file has changed.
    try place.withoutTrace { try place.replace("Item 20", with: "\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}") }
    let damaged = place.data
    try Check.throwsError(.storeFailed) { try place.open().write { _ = try $0.addSampleItem("New", to: 1) } }
    try Check.throwsError(.storeFailed) { _ = try place.open().read { try $0.item(id: 40) } }
    #expect(place.data == damaged)
    #expect(place.contents(place.file + ".bak") == copy)
  }

  @Test("texts of several lines take one line each, and every change finds the others", arguments: Format.texts)
  func severalLines(format: Format) throws {
    let place = try Place(format)
    let belfry = place.belfry()
    let choice = ListChoice("Home", createsMissing: true)
    let notes = ["first\nsecond", "a\n<dict><key>ItemID</key><integer>1</integer>\n\n\n", "{\"id\":1,\n\n"]
    for text in notes { _ = try belfry.add([ItemDraft(text: "Item", notes: text)], to: choice) }
    let count = place.text.split(separator: "\n").count
    for id in 1...3 as ClosedRange<Int64> {
      var edit = ItemEdit()
      edit.text = "Other \(id)"
      let before = place.data
      _ = try place.belfry().edit(id, edit)
      #expect(place.data.lines(notIn: before).count == 1, "a diff shows one line for one item")
    }
    _ = try place.belfry().setChecked(true, [2])
    _ = try place.belfry().add([ItemDraft(text: "Other 4")], to: choice)
    #expect(place.text.split(separator: "\n").count == count + 1)
    let items = try place.open().read { try $0.items() }.sorted { $0.id < $1.id }
    #expect(items.map(\.text) == (1...4).map { "Other \($0)" })
    #expect(items.map { $0.notes?.utf8.count } == notes.map(\.utf8.count) + [nil])
  }

  @Test("unknown values whose lines look like records are nobody's but their record's", arguments: Format.texts)
  func linesLikeRecords(format: Format) throws {
    let place = try Place(format)
    let belfry = place.belfry()
    let choice = ListChoice("Home", createsMissing: true)
    _ = try belfry.add((1...3).map { ItemDraft(text: "Item \($0)") }, to: choice)
    if format == .json {
      let line = #"{"id":3,"list":"Home","position":9,"text":"x-mark"}"#
      try place.replace(#""text":"Item 1""#, with: "\"x\":[\n\(line),\n{\"id\":3}],\"text\":\"Item 1\"")
    } else {
      let line = "<dict><key>ItemID</key><integer>3</integer><key>List</key><string>Home</string></dict>"
      try place.replace(
        "<dict><key>ItemID</key><integer>1</integer>",
        with: "<dict><key>x</key><array>\n\(line)\n<string>x-mark</string></array><!--\n\(line)\n-->"
          + "<key>y</key><string><![CDATA[\n\(line)\n]]></string><key>ItemID</key><integer>1</integer>")
    }
    for round in 1...4 {
      _ = try place.belfry().add([ItemDraft(text: "More \(round)")], to: choice)
      for id in [3, 1, 2] as [Int64] {
        var edit = ItemEdit()
        edit.text = "Item \(id) round \(round)"
        _ = try place.belfry().edit(id, edit)
      }
      #expect(place.text.matches(of: /x-mark/).count == 1)
      let texts = try place.open().read { try $0.items() }.sorted { $0.id < $1.id }.map(\.text)
      #expect(texts == (1...3).map { "Item \($0) round \(round)" } + (1...round).map { "More \($0)" })
    }
  }

  @Test("an item whose line a hand has written in another way is found and kept as it stands")
  func foreignLine() throws {
    let place = try Place(.json)
    try place.fill(items: 5)
    try place.replace("{\"id\":3,", with: "{ \"colour\":\"red\", \"id\" : 3 ,")
    try place.open().write { transaction in
      try transaction.acknowledgeEdits()
      try transaction.addSampleItem("New", to: 1)
    }
    #expect(try place.open().read { try $0.item(id: 3)?.item.text } == "Item 3")
    #expect(try place.open().read { try $0.item(id: 7) } == nil)
    try place.open().write { try $0.deleteItem(id: 2) }
    #expect(place.text.contains("{ \"colour\":\"red\", \"id\" : 3 ,"))
    try place.open().write { transaction in
      var item = try #require(try transaction.item(id: 3)).item
      item.text = "Other"
      try transaction.update(item)
    }
    #expect(place.text.contains("\"Other\"") && place.text.contains("\"colour\":\"red\""))
    #expect(try place.open().read { try $0.items().map(\.id) } == [1, 3, 4, 5, 6])
  }

  @Test(
    "a note that says nothing of the file does no harm: the file counts as edited", arguments: ["", "x y\n", "\u{0}"])
  func wrongNote(text: String) throws {
    let place = try Place(.json)
    try place.fill(items: 5)
    let before = try RecordSet(place.open().records())
    for note in [text, String(place.note.dropLast()), place.note + "1 2\n"] {
      try Data(note.utf8).write(to: URL(fileURLWithPath: place.file + ".write-lock"))
      #expect(try RecordSet(place.open().records()) == before)
      #expect(try place.open().read { try $0.isEditedElsewhere() }, "\(note)")
    }
    try place.open().write { transaction in
      try transaction.acknowledgeEdits()
      _ = try transaction.addSampleItem("Next", to: 1)
    }
    #expect(try place.open().read { try $0.items().count } == 6)
    #expect(try !place.open().read { try $0.isEditedElsewhere() })
  }
}

extension Place {
  var note: String { String(decoding: contents(file + ".write-lock"), as: UTF8.self) }

  /// Changes the file without changing its inode, size and times.
  func withoutTrace(_ work: () throws -> Void) throws {
    let before = try status(of: file)
    let note = note
    try work()
    var times = [before.st_atim, before.st_mtim]
    #expect(utimensat(AT_FDCWD, file, &times, 0) == 0)
    let after = try status(of: file)
    try #require(after.st_ino == before.st_ino && after.st_size == before.st_size, "the test has made another file")
    try #require(
      after.st_mtim.tv_sec == before.st_mtim.tv_sec && after.st_mtim.tv_nsec == before.st_mtim.tv_nsec)
    #expect(self.note == note)
  }
}
