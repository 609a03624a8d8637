import BelfryCore
import Foundation
import Testing

@testable import Interchange

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
    let rows = try Python.rows(ofTable: Contents.exported(belfry, as: .table))
    #expect(rows.count == 3)
    let row = Dictionary(uniqueKeysWithValues: zip(rows[0], rows[1]))
    #expect(row["text"] == "a, \"b\";\tc" && row["list"] == "L, M" && row["notes"] == "one\ntwo\n\"three\"")
    #expect(row["is_checked"] == "false" && row["category"] == "" && row["alerts"] == "P1D\nPT0S")
    #expect(row["properties"] == "X-A:b,c\nX-D:e" && row["due_local"] == "2026-11-23T18:30")
    #expect(rows[2][3] == "=1+1" && rows[2].count == TableWriter.keys.count)
  }
}

/// Python's own readers.
enum Python {
  /// The rows of a table, as the module csv reads them.
  static func rows(ofTable text: String) throws -> [[String]] {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c",
      "import csv,io,json,sys; t=sys.stdin.buffer.read().decode(); print(json.dumps(list(csv.reader(io.StringIO(t, newline=''), strict=True))))",
    ]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    try input.fileHandleForWriting.close()
    let answer = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return try JSONDecoder().decode([[String]].self, from: answer)
  }
}
