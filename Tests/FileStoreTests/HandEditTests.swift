import BelfryModel
import BelfryTestKit
import Foundation
import Testing

@Suite("What a hand writes into a store's file is read and kept")
struct HandEditTests {
  static let minimalJSON = """
    {"format":"belfry-store","version":1,"next_id":0,
    "lists":[{"id":1,"name":"Home"}],
    "items":[{"id":1,"list":"Home","text":"Milk"},
     {"text":"Bread", "list":"home", "id":2, "due_local":"2026-12-24T18:00"}],
    "reminders":[],"messages":[],"deliveries":[]}
    """

  static let minimalPlist = """
    <plist version="1.0"><dict>
      <key>Format</key><string>belfry-store</string><key>Version</key><integer>1</integer>
      <key>NextID</key><integer>0</integer>
      <!-- what there is to do -->
      <key>Lists</key><array><dict><key>ListID</key><integer>1</integer><key>Name</key><string>Home</string></dict></array>
      <key>Items</key>
      <array>
        <dict>
          <key>ItemID</key><integer>1</integer>
          <key>List</key> <string>Home</string> <!-- <key>Text</key> -->
          <key>Text</key><string><![CDATA[Milk]]></string>
        </dict>
        <dict><key>Text</key><string>Br&#101;&#x61;d</string><key>List</key><string>home</string>
          <key>ItemID</key><integer>2</integer><key>DueLocal</key><string>2026-12-24T18:00</string></dict>
      </array>
      <key>Reminders</key><array/><key>Messages</key><array></array>
      <key>Deliveries</key><array/>
    </dict></plist>
    """

  static func minimal(_ format: Format) -> String { format == .json ? minimalJSON : minimalPlist }

  @Test("an item needs no more than number, list and text; the rest follows", arguments: Format.texts)
  func minimalItems(format: Format) throws {
    let place = try Place(format)
    try place.edit(Self.minimal(format))
    try place.open().read { view in
      let items = try view.items()
      #expect(items.map(\.text) == ["Bread", "Milk"])
      #expect(items.map(\.position) == [2, 1])
      #expect(items.map(\.shouldRemind) == [true, false])
      #expect(items[0].zone == .floating && items[0].alerts == [.zero] && !items[0].isChecked)
      #expect(items[0].due?.local.description == "2026-12-24T18:00")
      #expect(items[0].uuid != items[1].uuid)
      #expect(try view.counters().nextItemID == 3)
      #expect(try view.isEditedElsewhere())
    }
    let identities = try place.open().read { try $0.items().map(\.uuid) }
    #expect(try place.open().read { try $0.items().map(\.uuid) } == identities, "identities differ from time to time")
    try place.open().write { _ = try $0.addSampleItem("Eggs", to: 1) }
    let after = try place.open().read { try $0.items() }
    #expect(after.map(\.id) == [2, 1, 3])
    #expect(after.prefix(2).map(\.uuid) == identities)
    #expect(place.text.contains(identities[0].text), "what follows is written down with the next change")
  }

  @Test("a mark before UTF-8 is read over, UTF-16 is named", arguments: Format.texts)
  func marks(format: Format) throws {
    let place = try Place(format)
    try place.fill(items: 2)
    try place.edit(Data([0xEF, 0xBB, 0xBF]) + place.data)
    #expect(try place.open().read { try $0.items().count } == 2)
    try place.open().write { _ = try $0.addSampleItem("Third", to: 1) }
    #expect(try place.open().read { try $0.items().count } == 3)
    let text = place.text
    for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian] {
      try place.edit(try #require(text.data(using: encoding)))
      #expect(try place.refusal().message.hasSuffix(":1:1: is in UTF-16: save it in UTF-8"))
    }
  }

  @Test("sections in any order, white space and several lines a record mean the same", arguments: Format.texts)
  func movedSections(format: Format) throws {
    let place = try Place(format)
    try place.fill()
    let canonical = place.data
    try place.edit(try Rearranged(place.text, format).text)
    #expect(place.data != canonical)
    #expect(try RecordSet(place.open().records()) == RecordSet(Sample.everything()))
    try place.open().write { try $0.setPlannedZone("UTC") }
    try place.open().write { try $0.setPlannedZone("Europe/Zurich") }
    #expect(place.text == String(decoding: canonical, as: UTF8.self), "a change puts everything back in its order")
  }

  @Test("keys that Belfry does not know stay with their record, at every level", arguments: Format.texts)
  func unknownKeys(format: Format) throws {
    let place = try Place(format)
    try place.fill()
    try addUnknownKeys(place)
    let count = marks(place)
    #expect(count >= 9)
    let known = try place.open().records().map(\.withoutUnknownFields)
    #expect(try RecordSet(known) == RecordSet(Sample.everything()))
    try changeEverything(place)
    #expect(marks(place) == count, "\(place.text)")
    try changeEverything(place)
    #expect(marks(place) == count)
    try place.open().write { try $0.deleteItem(id: 0) }
    #expect(marks(place) == count - 1, "the mark of a deleted item goes with it")
  }

  @Test("a binary file keeps keys that Belfry does not know as well")
  func unknownInBinary() throws {
    let place = try Place(.plist)
    try place.fill()
    try addUnknownKeys(place)
    let count = marks(place)
    try Format.binary.store(place.file).write { try $0.setPlannedZone("UTC") }
    #expect(place.data.starts(with: Data("bplist00".utf8)))
    try Format.binary.store(place.file).write { try $0.setPlannedZone("Europe/Zurich") }
    try place.open().write { try $0.setPlannedZone("UTC") }
    #expect(place.text.hasPrefix("<?xml"))
    #expect(marks(place) == count)
  }

  @Test("an unknown value over several lines comes back on its record's line", arguments: Format.texts)
  func unknownLines(format: Format) throws {
    let place = try Place(format)
    try place.fill(items: 2)
    if format == .json {
      try place.replace("\"text\":\"Item 1\"", with: "\"text\":\"Item 1\",\n  \"x\": {\n  \"a\" : [ 1,\n 2 ] }")
    } else {
      try place.replace(
        "<string>Item 1</string>",
        with:
          "<string>Item 1</string>\n <key>x</key>\n <array>\n <string>a\n&amp;</string>\n <real>1.5</real>\n</array>")
    }
    try place.open().write { try $0.setPlannedZone("Asia/Tokyo") }
    let line = try #require(place.text.split(separator: "\n").first { $0.contains("Item 1") })
    if format == .json {
      #expect(line.contains("\"x\"") && line.contains(" 2 ] }"), "\(line)")
    } else {
      #expect(line.contains("<key>x</key><array><string>a&#10;&amp;</string><real>1.5</real></array>"), "\(line)")
    }
    let before = place.data
    try place.open().write { try $0.setPlannedZone("UTC") }
    #expect(place.data.lines(notIn: before).count == 1)
  }

  private func marks(_ place: Place) -> Int { place.text.matches(of: /x-mark/).count }

  private func addUnknownKeys(_ place: Place) throws {
    if place.format == .json {
      for key in ["next_id", "uuid", "due_date", "reminder_id", "contents", "problem"] {
        try place.edit(
          place.text.replacing(
            "\"\(key)\":", with: "\"x-mark \(key)\":[null,1.50,{\"b\":2,\"a\":1}],\"\(key)\":", maxReplacements: 3))
      }
      try place.replace("\"last_error\":\"550", with: "\"x-mark\":\"\u{1D11E}\\n\",\"last_error\":\"550")
    } else {
      for key in ["NextID", "UUID", "DueDate", "ReminderID", "Contents", "Problem"] {
        try place.edit(
          place.text.replacing(
            "<key>\(key)</key>",
            with: "<key>x-mark \(key)</key><array><real>1.5</real><data>AAEC</data></array><key>\(key)</key>",
            maxReplacements: 3))
      }
      try place.replace("<key>LastError</key>", with: "<key>x-mark</key><string>\u{1D11E}</string><key>LastError</key>")
    }
  }

  // Changes every record, so that each is written again.
  private func changeEverything(_ place: Place) throws {
    try place.open().write { transaction in
      for var list in try transaction.lists() {
        list.updatedAt += 1
        try transaction.update(list)
      }
      for var item in try transaction.items() {
        item.updatedAt += 1
        try transaction.update(item)
      }
      for owner in [ReminderOwner.item(40), .list(7), .list(12)] {
        for var reminder in try transaction.reminders(of: owner) {
          reminder.changedAt += 1
          try transaction.put(reminder)
        }
      }
      for var delivery in try transaction.deliveries() {
        delivery.attempts += 1
        try transaction.update(delivery)
      }
    }
  }
}

/// A store's file with its sections reversed, and with more white space and lines.
private struct Rearranged {
  let text: String

  init(_ text: String, _ format: Format) throws {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let (opening, closing) = format == .json ? ("\"", "]") : ("<key>", "</array>")
    var (head, sections, end): ([String], [[String]], [String]) = ([], [], [])
    for line in lines {
      // Sink problems, inboxes and people are in the head.
      let isHead = ["sinks", "inboxes", "people"].contains { line.hasPrefix("\"\($0)\"") }
      if line.hasPrefix(opening), line.contains("s\":[") || line.hasSuffix("<array>"), !isHead {
        sections.append([line])
      } else if sections.isEmpty {
        head.append(line)
      } else if sections[sections.count - 1].last?.hasPrefix(closing) == true || line == "}" {
        end.append(line)
      } else {
        sections[sections.count - 1].append(line)
      }
    }
    try #require(sections.count == 6)
    let parts = sections.reversed().map { section in
      let text = section.joined(separator: "\n")
      return format == .json && text.hasSuffix(",") ? String(text.dropLast()) : text
    }
    let separator = format == .json ? " ,\n\n" : "\n<!-- moved -->\n"
    let moved = (head + [parts.joined(separator: separator)] + end).joined(separator: "\n")
    self.text =
      format == .json
      ? moved.replacing(#","uuid":""#, with: " ,\r\n\t\"uuid\" : \"")
      : moved.replacing("<key>UUID</key>", with: " \n<!-- - --><key>UUID</key>\t")
  }
}
