import BelfryEngine
import CivilTime
import Foundation
import OrderedJSON
import Testing

@testable import Interchange
import TestSupport

@Suite("CSV")
struct TableTests {
  @Test("the header has the keys of an item in JSON, in their order")
  func header() throws {
    let belfry = Contents.belfry()
    _ = try belfry.add([ItemDraft(text: "a")], to: ListChoice("L", createsMissing: true))
    let keys = try belfry.read { reading in
      try Contents.listings(belfry).first.map { reading.json($0).objectValue?.keys }
    }
    #expect(keys == TableWriter.keys)
    #expect(try Contents.exported(Contents.belfry(), as: .table) == TableWriter.keys.joined(separator: ",") + "\r\n")
  }

  @Test("Python's reader finds the same fields, whatever stands in them")
  func python() throws {
    let belfry = Contents.belfry()
    var draft = ItemDraft(
      text: "a, \"b\";\tc", notes: "one\ntwo\r\n\"three\"", alerts: [.zero, CalendarDuration(days: 1, minutes: 0)])
    draft.due = WallTime(parsing: "2026-11-23T18:30")
    draft.properties = ["X-A:b,c", "X-D:e"]
    _ = try belfry.add([draft, ItemDraft(text: "=1+1")], to: ListChoice("L, M", createsMissing: true))
    let rows = try Self.rows(ofTable: Contents.exported(belfry, as: .table))
    #expect(rows.count == 3)
    let row = Dictionary(uniqueKeysWithValues: zip(rows[0], rows[1]))
    #expect(row["text"] == "a, \"b\";\tc" && row["list"] == "L, M" && row["notes"] == "one\ntwo\n\"three\"")
    #expect(row["is_checked"] == "false" && row["category"] == "" && row["alerts"] == "P1D\nPT0S")
    #expect(row["properties"] == "X-A:b,c\nX-D:e" && row["due_local"] == "2026-11-23T18:30")
    #expect(rows[2][3] == "=1+1" && rows[2].count == TableWriter.keys.count)
  }

  @Test("a table that a person changed is read: fewer columns, others, TRUE; what is wrong is told with its line")
  func changed() throws {
    let text = """
      \u{FEFF}List,Text,is_checked,due_local,alerts,Shop
      Home,"Milk, bread",TRUE,,,Corner
      ,Ring Anna,no,,,
      Work,Report,false,2026-12-24T18:30,soon,
      Work,Report,false,2026-12-24T18:30,"P1D
      PT0S",

      """
    let entries = try Contents.entries(text)
    #expect(entries.items.map(\.text) == ["Milk, bread", "Report"] && entries.lists == ["Home", "Work"])
    #expect(entries.items.map(\.isChecked) == [true, false] && entries.items[0].properties == ["X-CSV-SHOP:Corner"])
    #expect(entries.items[1].due == .local(try #require(WallTime(parsing: "2026-12-24T18:30")), .floating))
    #expect(entries.items[1].alerts == [CalendarDuration(days: 1, minutes: 0), .zero])
    #expect(entries.refusals.count == 2)
    #expect(entries.refusals.first?.hasPrefix("line 3: its \"is_checked\" is text") == true, "\(entries.refusals)")
    #expect(entries.refusals.last?.hasPrefix("line 4: its \"alerts\" is 'soon'") == true, "\(entries.refusals)")
    #expect(throws: ImportError.self) { try Contents.entries("Name,Due\nMilk,\n", .table) }
  }

  /// The rows of a table, as Python's module csv reads them.
  private static func rows(ofTable text: String) throws -> [[String]] {
    let program = "import csv, io; print(json.dumps(list(csv.reader(io.StringIO(given, newline=''), strict=True))))"
    return try Python.answer(program, .string(text)).arrayValue?.map { row in
      (row.arrayValue ?? []).compactMap(\.stringValue)
    } ?? []
  }
}
