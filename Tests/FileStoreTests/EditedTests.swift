import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import Testing

@testable import BelfryEngine

@Suite("What a hand has edited is planned by the next change, or by the daemon")
struct EditedTests {
  private let time = ManualTimeSource(Sample.now)

  @Test("a moved date rings at its new time, whoever plans it", arguments: Format.texts, [false, true])
  func moved(format: Format, isDaemon: Bool) throws {
    let place = try placeWithItems(format)
    try place.replace("2026-11-21T09:02", with: "2026-12-24T18:30")
    #expect(try place.open().read { try $0.isEditedElsewhere() })
    try plan(place, isDaemon)
    #expect(
      try rings(place) == ["Item 1 2026-11-21T09:01:00Z", "Item 3 2026-11-21T09:03:00Z", "Item 2 2026-12-24T18:30:00Z"])
    let item = try #require(try place.open().read { try $0.item(id: 2)?.item })
    #expect(item.due?.instant.date == parseRFC3339("2026-12-24T18:30:00Z"))
    #expect(try !place.open().read { try $0.isEditedElsewhere() })
    #expect(try place.belfry(time).planEdits() == nil)
  }

  @Test("a mark set by hand silences an item, taken away it rings again", arguments: Format.texts)
  func marks(format: Format) throws {
    let place = try placeWithItems(format)
    let (no, yes) =
      format == .json
      ? ("\"is_checked\":false", "\"is_checked\":true") : ("<key>Checked</key><false/>", "<key>Checked</key><true/>")
    try place.replace(no, with: yes)
    #expect(try place.belfry(time).planEdits()?.count == 3)
    #expect(try rings(place) == [])
    try place.replace(yes, with: no)
    #expect(try place.belfry(time).planEdits()?.count == 3)
    #expect(try rings(place).count == 3)
    #expect(try place.belfry(time).checkStore() == [])
  }

  @Test("an item that Belfry has checked and a hand unchecks leaves the store in order", arguments: Format.texts)
  func uncheckedByHand(format: Format) throws {
    let place = try placeWithItems(format)
    _ = try place.belfry(time).setChecked(true, [2])
    #expect(try rings(place).count == 2)
    let (no, yes) =
      format == .json
      ? ("\"is_checked\":false", "\"is_checked\":true") : ("<key>Checked</key><false/>", "<key>Checked</key><true/>")
    try place.replace(yes, with: no)
    _ = try place.belfry(time).planEdits()
    #expect(try rings(place).count == 3)
    #expect(try place.belfry(time).checkStore() == [])
  }

  @Test("an item whose line is taken out no longer rings, and the store is in order", arguments: Format.texts)
  func removed(format: Format) throws {
    let place = try placeWithItems(format)
    let lines = place.text.split(separator: "\n", omittingEmptySubsequences: false)
    try place.edit(lines.filter { !$0.contains("Item 2") }.joined(separator: "\n"))
    #expect(try place.belfry(time).checkStore() == [], "what is not planned yet is no damage")
    #expect(try place.belfry(time).planEdits()?.count == 1)
    #expect(try place.open().read { try $0.items().map(\.id) } == [1, 3])
    #expect(try place.open().read { try $0.dueReminders(at: .distantFuture, limit: 9).count } == 2)
    #expect(try place.belfry(time).checkStore() == [])
  }

  @Test("a list whose lines are taken out, with its items, no longer rings", arguments: Format.texts)
  func removedList(format: Format) throws {
    let place = try placeWithItems(format)
    _ = try place.belfry(time).add([ItemDraft(text: "On it")], to: ListChoice("Other", createsMissing: true))
    let at = try #require(WallTime(parsing: "2026-11-22T09:00"))
    _ = try place.belfry(time).remindList("Other", ListReminderDraft(at: at, zone: .floating))
    #expect(try rings(place).count == 4)
    let lines = place.text.split(separator: "\n", omittingEmptySubsequences: false)
    let kept = lines.filter { !$0.contains("\"Other\"") && !$0.contains("<string>Other</string>") }
    try place.edit(mendCommas(kept.joined(separator: "\n")))
    _ = try place.belfry(time).planEdits()
    #expect(try place.open().read { try $0.dueReminders(at: .distantFuture, limit: 9).count } == 3)
    #expect(try place.belfry(time).checkStore() == [])
  }

  @Test("an item written by hand rings", arguments: Format.texts, [false, true])
  func written(format: Format, isDaemon: Bool) throws {
    let place = try Place(format)
    try place.edit(HandEditTests.minimal(format))
    time.now = Sample.now
    try plan(place, isDaemon)
    let rings = try rings(place)
    #expect(rings.contains("Bread 2026-12-24T18:00:00Z"), "\(rings)")
    #expect(try place.belfry(time).checkStore() == [])
  }

  @Test("a list's reminder needs no more than a time, and rings", arguments: Format.texts)
  func listReminder(format: Format) throws {
    let place = try placeWithItems(format)
    if format == .json {
      try place.replace(#""name":"Home""#, with: #""name":"Home","reminder":{"due_local":"2026-12-24T07:30"}"#)
    } else {
      try place.replace(
        "<key>Name</key><string>Home</string>",
        with: "<key>Name</key><string>Home</string><key>Reminder</key>"
          + "<dict><key>DueLocal</key><string>2026-12-24T07:30</string></dict>")
    }
    #expect(try place.belfry(time).planEdits()?.count == 1)
    #expect(try rings(place).last == "Home 2026-12-24T07:30:00Z")
    #expect(try place.belfry(time).checkStore() == [])
  }

  @Test("an identity changed by hand keeps its item ringing, once", arguments: Format.texts)
  func identity(format: Format) throws {
    let place = try placeWithItems(format)
    let old = try #require(try place.open().read { try $0.item(id: 2)?.item.uuid.text })
    try place.replace(old, with: "11111111-2222-4333-8444-555555555555")
    _ = try place.belfry(time).planEdits()
    #expect(try rings(place).count == 3)
  }

  @Test(
    "an edit saved before its time and seen after it rings, unless it was seen before", arguments: Format.texts,
    [false, true])
  func savedInTime(format: Format, isSeen: Bool) throws {
    let place = try placeWithItems(format)
    // The edit has the file's own time, which is the machine's.
    let due = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 / 60).rounded(.down) * 60 + 120)
    try place.replace("2026-11-21T09:02", with: Zone.utc.wallTime(at: due).description)
    time.now = due + 0.2
    _ = try place.belfry(time).planEdits(since: isSeen ? due + 0.1 : due - 60)
    #expect(try owners(of: due, in: place) == (isSeen ? [] : [.item(2)]))
  }

  @Test("an edit that comes as zones are followed counts from when it was saved, too", arguments: Format.texts)
  func beforeZones(format: Format) throws {
    let place = try placeWithItems(format)
    let due = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 / 60).rounded(.down) * 60 + 120)
    let name = format == .json ? #""due_local":""# : "<key>DueLocal</key><string>"
    try place.replace("\(name)2026-11-21T09:02", with: "\(name)\(Zone.utc.wallTime(at: due))")
    time.now = due + 0.2
    var told: [PlannedEdits] = []
    let change = try place.belfry(time).followZones(.everything, since: due - 60) { told.append($0) }
    #expect(change == nil && told.map(\.count) == [1])
    #expect(try owners(of: due, in: place) == [.item(2)])
  }

  private func owners(of due: Date, in place: Place) throws -> [ReminderOwner] {
    try place.open().read { try $0.dueReminders(at: due, limit: 9) }.filter { $0.fireDate.date == due }
      .map(\.occurrence.owner)
  }

  @Test(
    "a time zone that the system does not know stops nobody else, and is told with its item", arguments: Format.texts)
  func unknownZone(format: Format) throws {
    let place = try placeWithItems(format)
    try place.replace(
      format == .json ? #""text":"Item 2""# : "<string>Item 2</string>",
      with: format == .json
        ? #""text":"Item 2","time_zone":"Mars/X""# : "<string>Item 2</string><key>TimeZone</key><string>Mars/X</string>"
    )
    try place.replace("2026-11-21T09:03", with: "2026-11-21T10:30")
    let findings = try place.belfry(time).checkStore()
    #expect(findings.count == 1 && findings[0].hasPrefix("item 2 cannot be scheduled: 'Mars/X'"), "\(findings)")
    let edits = try #require(try place.belfry(time).planEdits())
    #expect(edits.count == 1 && edits.warnings == findings, "\(edits)")
    let kept = ["Item 1 2026-11-21T09:01:00Z", "Item 2 2026-11-21T09:02:00Z", "Item 3 2026-11-21T10:30:00Z"]
    #expect(try rings(place) == kept, "what was scheduled stays")
    var edit = ItemEdit()
    edit.text = "Item 2 of Mars"
    _ = try place.belfry(time).edit(2, edit)
    #expect(try rings(place).count == 3)
    _ = try place.belfry(time).setChecked(true, [2])
    #expect(try rings(place) == [kept[0], kept[2]])
  }

  @Test("the check reports hand-written values that commands would refuse", arguments: Format.texts)
  func uncommonTexts(format: Format) throws {
    let place = try placeWithItems(format)
    let (ends, line) = format == .json ? ("\"", "\\n") : ("<", "\n")
    let start = format == .json ? "\"" : ">"
    try place.replace("\(start)Item 1\(ends)", with: "\(start)\(ends)")
    try place.replace("\(start)Item 2\(ends)", with: "\(start)Item\(line)2\(ends)")
    try place.replace("\(start)Home\(ends)", with: "\(start)a\(line)b\(ends)")
    #expect(
      try place.belfry(time).checkStore() == [
        "list 1: the list's name holds a line break, which one line cannot have", "item 1: the text is empty",
        "item 2: the text holds a line break, which one line cannot have",
      ])
    #expect(try place.open().read { try $0.items().count } == 3, "it is read all the same")
  }

  @Test("Belfry's own changes never count as edits, a file put back does", arguments: Format.allCases)
  func ownChanges(format: Format) throws {
    let place = try placeWithItems(format)
    let before = place.data
    for id in 1...3 {
      _ = try place.belfry(time).setChecked(true, [Int64(id)])
      #expect(try !place.open().read { try $0.isEditedElsewhere() })
    }
    #expect(rename(place.file + ".bak", place.file) == 0)
    #expect(try place.open().read { try $0.isEditedElsewhere() })
    _ = try place.belfry(time).planEdits()
    #expect(try !place.open().read { try $0.isEditedElsewhere() })
    #expect(try rings(place).count == 1)
    try place.edit(before)
    #expect(try place.open().read { try $0.isEditedElsewhere() })
  }

  @Test("an edit that leaves the file's number, size and times as they were is seen", arguments: Format.allCases)
  func equalStamp(format: Format) throws {
    let place = try placeWithItems(format)
    let kept = place.open()
    #expect(try !kept.read { try $0.isEditedElsewhere() })
    // An editor that writes in place, within one tick of the file system's clock.
    try place.withoutTrace { try place.edit(place.data.replacing("Item 2", with: "Item X")) }
    for store in [kept, place.open()] {
      #expect(try store.read { try $0.isEditedElsewhere() })
      #expect(try store.read { try $0.item(id: 2)?.item.text } == "Item X")
    }
    try kept.write { try $0.setPlannedZone("Asia/Tokyo") }
    #expect(try place.open().read { try $0.item(id: 2)?.item.text } == "Item X", "a change does not undo the edit")
    #expect(try kept.read { try $0.isEditedElsewhere() })
    _ = try place.belfry(time).planEdits()
    #expect(try !kept.read { try $0.isEditedElsewhere() })
  }

  @Test("an edit in the very moment of a change, which leaves no other trace, is not written over")
  func equalStampMeanwhile() throws {
    let place = try placeWithItems(.json)
    try Check.throwsError(.tryAgain) {
      try place.open().write { transaction in
        try transaction.setPlannedZone("Asia/Tokyo")
        try place.withoutTrace { try place.edit(place.data.replacing("Item 2", with: "Item X")) }
      }
    }
    #expect(try place.open().read { try $0.item(id: 2)?.item.text } == "Item X")
  }

  @Test("bytes that are written again as they were are no edit")
  func sameBytes() throws {
    let place = try placeWithItems(.json)
    try place.edit(place.data)
    #expect(try !place.open().read { try $0.isEditedElsewhere() })
  }

  @Test("an edit that is not planned yet stays known over changes that do not plan")
  func stays() throws {
    let place = try placeWithItems(.json)
    try place.replace("2026-11-21T09:02", with: "2026-12-24T18:30")
    try place.open().write { try $0.setPlannedZone("Asia/Tokyo") }
    #expect(try place.open().read { try $0.isEditedElsewhere() })
    try place.open().write { _ in }
    #expect(try place.open().read { try $0.isEditedElsewhere() })
  }

  @Test("the daemon's look for edits costs no change while there are none")
  func noChange() throws {
    let place = try placeWithItems(.json)
    let before = try status(of: place.file)
    #expect(try place.belfry(time).planEdits() == nil)
    #expect(try status(of: place.file).st_ino == before.st_ino)
  }

  private func placeWithItems(_ format: Format) throws -> Place {
    let place = try Place(format)
    let drafts = (1...3).map { number in
      ItemDraft(text: "Item \(number)", due: WallTime(parsing: "2026-11-21T09:0\(number)"), shouldRemind: true)
    }
    _ = try place.belfry(time).add(drafts, to: ListChoice("Home", createsMissing: true))
    #expect(try rings(place).count == 3)
    return place
  }

  private func plan(_ place: Place, _ isDaemon: Bool) throws {
    if isDaemon {
      #expect(try (place.belfry(time).planEdits()?.count ?? 0) > 0)
    } else {
      _ = try place.belfry(time).add([ItemDraft(text: "Other")], to: ListChoice("Home", createsMissing: true))
    }
  }

  private func rings(_ place: Place) throws -> [String] {
    try place.open().read { try $0.pending().map { "\($0.text) \(Zone.utc.rfc3339($0.reminder.fireDate.date))" } }
  }

  // Removes the comma after what is now the last line, as a person would.
  private func mendCommas(_ text: String) -> String { text.replacingOccurrences(of: "},\n]", with: "}\n]") }
}

extension Data {
  fileprivate func replacing(_ part: String, with other: String) -> Data {
    guard let range = range(of: Data(part.utf8)) else { return self }
    var data = self
    data.replaceSubrange(range, with: other.utf8)
    return data
  }
}
