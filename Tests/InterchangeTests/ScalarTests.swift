import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import Testing

@testable import Interchange

@Suite("Marks that combine with what a format writes around a text")
struct ScalarTests {
  /// Scalars that combine with a neighbour into one Character, among characters with a meaning in some format.
  private static let scalars: [Unicode.Scalar] =
    Array("abx +@:;,=()\\\"'-%&<>#/.".unicodeScalars) + [
      "\u{301}", "\u{338}", "\u{200d}", "\u{20e3}", "\u{fe0f}", "\u{600}", "\u{1100}", "\u{1161}", "\u{11a8}",
      "\u{1f1e8}", "\u{1f3fd}", "\u{93f}", "\u{37e}", "\u{212a}", "\u{a0}", "\u{10ffff}", "\u{e0061}", "\u{feff}",
    ]

  private static func text(_ generator: inout SeededGenerator) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 1...8, using: &generator) {
      if Bool.random(using: &generator), let scalar = scalars.randomElement(using: &generator) {
        text.append(scalar)
      } else if let scalar = Unicode.Scalar(UInt32.random(in: 0x20...0x2FFFF, using: &generator)) {
        text.append(scalar)
      }
    }
    return String(text)
  }

  private static func belfry(seed: UInt64, items: Int) throws -> Belfry {
    var generator = SeededGenerator(seed: seed)
    let belfry = Contents.belfry()
    var count = 0
    while count < items {
      var draft = ItemDraft(text: text(&generator))
      draft.notes = text(&generator)
      draft.category = text(&generator)
      draft.properties = [
        ContentLine.text("X-TODOTXT-PROJECT", text(&generator)),
        ContentLine.texts("CATEGORIES", [text(&generator), "b"]),
      ]
      draft.content.takeFields()
      let list = ListChoice(text(&generator), createsMissing: true)
      // Blank texts and control characters are refused.
      if (try? belfry.add([draft], to: list)) != nil { count += 1 }
    }
    return belfry
  }

  private func parts(_ belfry: Belfry) throws -> [String: [[UInt8]]] {
    var parts: [String: [[UInt8]]] = [:]
    for listing in try Contents.listings(belfry) {
      let item = listing.item
      parts[item.uuid.text] =
        ([item.text, item.notes ?? "", item.category ?? "", listing.listName] + item.tags.names
        + item.properties.sorted())
        .map { Array($0.utf8) }
    }
    return parts
  }

  @Test(
    "texts, notes, lists and properties of any scalars read back to the byte",
    arguments: [(.todoTxt, .todoTxt), (.calendar, .calendar), (.belfry, .belfry)] as [(ExportFormat, ImportFormat)],
    1...20 as ClosedRange<UInt64>)
  func roundTrip(format: (ExportFormat, ImportFormat), seed: UInt64) throws {
    let belfry = try Self.belfry(seed: seed, items: 60)
    let text = try Contents.exported(belfry, as: format.0)
    let (again, refused) = try Contents.imported(text, format.1)
    #expect(refused == [])
    let (old, new) = (try parts(belfry), try parts(again))
    #expect(old.count == 60 && new.count == 60)
    for (uuid, parts) in old {
      #expect(new[uuid] == parts, "\(parts.map { String(decoding: $0, as: UTF8.self).unicodeScalars.map(\.value) })")
    }
  }

  @Test("a mark behind what begins a word belongs to the word")
  func words() throws {
    let entries = try Contents.entries(
      "\u{301}text +\u{301}list @\u{301}context belfry-notes:\u{301}notes a: +x\u{301}", .todoTxt)
    let item = try #require(entries.items.first)
    #expect(item.text.utf8.elementsEqual("\u{301}text a:".utf8))
    #expect(item.notes?.utf8.elementsEqual("\u{301}notes".utf8) == true)
    #expect(entries.lists.first?.utf8.elementsEqual("\u{301}list".utf8) ?? false)
    #expect(item.tags.names == ["\u{301}context"] && item.properties == ["X-TODOTXT-PROJECT:x\u{301}"])
  }

  @Test("every zone of the system survives todo.txt")
  func zones() throws {
    let folder = "/usr/share/zoneinfo"
    let names = (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []).filter { name in
      name.utf8.first.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 } == true
        && Contents.planner.zone(ifKnown: name) != nil
    }
    try #require(names.count > 400 && Set(["EST", "CET", "GMT", "Japan", "Cuba", "UTC", "W-SU"]).isSubset(of: names))
    let belfry = Contents.belfry()
    for name in names {
      var draft = ItemDraft(text: name, zone: .fixed(name))
      draft.due = WallTime(parsing: "2027-01-04T10:00")
      _ = try belfry.add([draft], to: ListChoice("Inbox", createsMissing: true))
    }
    let (again, refused) = try Contents.imported(Contents.exported(belfry, as: .todoTxt), .todoTxt)
    #expect(refused == [])
    let items = try Contents.listings(again).map(\.item)
    #expect(items.count == names.count)
    for item in items {
      #expect(item.zone == .fixed(item.text) && item.due?.local == WallTime(parsing: "2027-01-04T10:00"), "\(item)")
    }
  }

  @Test("a word that is no zone stays in the text, and an unknown name with a slash is refused by name")
  func noZones() throws {
    let item = try #require(try Contents.entries("Fix zone:kitchen due:2027-01-04 zone:EST", .todoTxt).items.first)
    let morning = try #require(WallTime(parsing: "2027-01-04T09:00"))
    #expect(item.text == "Fix zone:kitchen zone:EST")
    #expect(item.due == .local(morning, .floating))
    let refused = try Contents.imported("Fix due:2027-01-04 zone:Mars/Olympus", .todoTxt).refused
    #expect(refused.first?.reason.contains("Mars/Olympus") == true)
    let lower = try #require(try Contents.entries("Fix due:2027-01-04 zone:est", .todoTxt).items.first)
    #expect(lower.due == .local(morning, .fixed("EST")))
  }

  @Test("an item does not become much larger than its line", arguments: ["+a ", "@a ", "belfry-property:a "])
  func manyMarks(mark: String) throws {
    let entries = try Contents.entries("x " + String(repeating: mark, count: 30_000), .todoTxt)
    #expect(entries.refusals == ["line 1: it has more than 20000 projects, contexts and properties"])
    let alerts = try Contents.entries("x alert:" + String(repeating: "P1D,", count: 30_000) + "P1D", .todoTxt)
    #expect(alerts.refusals == ["line 1: it has more than 20000 alerts"])
  }
}
