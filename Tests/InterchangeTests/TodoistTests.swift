import BelfryModel
import CivilTime
import Foundation
import RecurrenceRules
import Testing

@testable import Interchange

/// It is 09:00 in Zurich on Saturday, 2026-11-21.
@Suite("Todoist's tables")
struct TodoistTests {
  private static let header =
    "TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE,DURATION,DURATION_UNIT"

  private func entries(_ rows: String...) throws -> [ImportEntry] {
    try Contents.entries(([Self.header] + rows).joined(separator: "\r\n") + "\r\n")
  }

  /// The item of a task with a date in some language and zone.
  private func item(_ date: String, _ language: String = "en", _ zone: String = "") throws -> ImportedItem {
    let entries = try entries("task,Call,,4,1,,,\(date),\(language),\(zone)")
    return try #require(entries.items.first, "\(entries)")
  }

  @Test("a task has its text, labels, priority and notes; sections, comments and all other columns are kept")
  func tasks() throws {
    let entries = try entries(
      "meta,view_style=list,,,,,,,,,,", "section,Before,,,,,,,,,,",
      "task,Ring Anna @phone me@example.org,\"first, \"\"quoted\"\"\nsecond\",1,1,Ann (7),Ben (8),,,,,",
      "note,she is away,,,,Ann (7),,2026-11-20,,,,", ",,,,,,,,,,,", "task,Buy milk,,3,2,,,,,,45,minute",
      "task,x,,4,1,,,,,,,")
    #expect(
      entries.items.map(\.text) == ["Ring Anna me@example.org", "Buy milk", "x"] && entries.refusals == [])
    #expect(entries.items.first?.notes == "first, \"quoted\"\nsecond\nshe is away")
    #expect(
      entries.items.map(\.properties) == [
        [
          "X-TODOIST-SECTION:Before", "X-TODOIST-AUTHOR:Ann (7)",
          "X-TODOIST-RESPONSIBLE:Ben (8)",
        ],
        [
          "X-TODOIST-SECTION:Before", "X-TODOIST-DURATION:45", "X-TODOIST-DURATION-UNIT:minute",
        ], ["X-TODOIST-SECTION:Before"],
      ])
    #expect(entries.items.map(\.tags.names) == [["phone"], [], []])
    #expect(entries.items.map(\.priority?.level) == [.high, .low, nil])
    #expect(entries.contains(.leftOut("setting of a view")))
  }

  @Test("a task is below the last one with a smaller INDENT; one that is refused is above none, and a section ends all")
  func indents() throws {
    let entries = try entries(
      "task,trip,,4,1", "task,pack,,4,2", "note,soon", "task,shoes,,4,4", "task,book,,4,2", "task,,,4,1",
      "task,lone,,4,2", "section,Later", "task,deep,,4,3", "task,plain,,4,", "task,odd,,4,x")
    #expect(entries.items.map(\.text) == ["trip", "pack", "shoes", "book", "lone", "deep", "plain", "odd"])
    #expect(entries.items.map(\.depth) == [0, 1, 2, 1, 0, 0, 0, 0])
    #expect(
      entries.items.flatMap(\.notUnderstood) == ["its INDENT 'x' is not understood, and kept as X-TODOIST-INDENT"])
  }

  @Test(
    "dates and repeats are read in Todoist's words, and ring",
    arguments: [
      ("2026-12-24", "2026-12-24T09:00", nil), ("2026-12-24 18:30", "2026-12-24T18:30", nil),
      ("Dec 24 6pm", "2026-12-24T18:00", nil), ("tomorrow", "2026-11-22T09:00", nil),
      ("every day", "2026-11-21T09:00", "FREQ=DAILY"), ("every day 8am", "2026-11-22T08:00", "FREQ=DAILY"),
      ("every monday at 18:00", "2026-11-23T18:00", "FREQ=WEEKLY;BYDAY=MO"),
    ])
  func dates(words: String, due: String, rule: String?) throws {
    let item = try item(words)
    #expect(try item.due == .local(#require(WallTime(parsing: due)), .floating))
    #expect(try item.rule == rule.map { try RecurrenceRule($0) })
    #expect(item.shouldRemind && item.properties == [] && item.repeatOrigin == .due && item.notUnderstood == [])
  }

  @Test("every! counts from completion, a zone of its own is kept, and what is not understood stays readable")
  func otherDates() throws {
    let done = try item("every! 3 days")
    #expect(try done.rule == RecurrenceRule("FREQ=DAILY;INTERVAL=3") && done.repeatOrigin == .done)
    let tokyo = try item("2026-12-24 18:30", "en", "Asia/Tokyo")
    #expect(try tokyo.due == .local(#require(WallTime(parsing: "2026-12-24T18:30")), .fixed("Asia/Tokyo")))
    #expect(try item("2026-12-24", "de").due != nil)
    for (words, language) in [("jeden Montag", "de"), ("every blue moon", "en"), ("2026-02-30", "en")] {
      let item = try item(words, language)
      #expect(item.due == nil && item.rule == nil && !item.shouldRemind)
      #expect(item.properties == ["X-TODOIST-DATE:\(words)", "X-TODOIST-DATE-LANG:\(language)"])
      #expect(item.notUnderstood == ["its DATE '\(words)' is not understood, and kept as X-TODOIST-DATE"])
    }
    let nowhere = try item("2026-12-24 18:30", "en", "Mars/Base")
    #expect(try nowhere.due == .local(#require(WallTime(parsing: "2026-12-24T18:30")), .floating))
    #expect(nowhere.notUnderstood == ["its TIMEZONE 'Mars/Base' is not understood, and kept as X-TODOIST-TIMEZONE"])
  }

  @Test("rows that cannot be read are refused with their line, in order, and the others come")
  func refusals() throws {
    let entries = try entries("task,,,,", "idea,x", ",x", "task,fine @home", "note", "task,\"open", "note")
    #expect(entries.items.map(\.text) == ["fine"])
    #expect(
      entries.refusals == [
        "line 2: its CONTENT is empty", "line 3: its TYPE is 'idea', not task, section or note",
        "line 4: its TYPE is empty", "line 7: a quotation mark in it is never closed",
      ])
    #expect(throws: ImportError.self) { try Contents.entries("a,b\n1,2\n", .todoist) }
  }

  @Test("columns come in any order and case, and each is told what becomes of it")
  func columns() throws {
    let text = "Content,New,type\nCall @home,7,task\n@home,,task\n"
    var source = try Importer.open(ByteSource(text.utf8), format: nil, context: Contents.context)
    guard case .item(let item, "Inbox")? = try source.next() else { throw ImportError(message: "no item") }
    #expect(item.text == "Call" && item.tags.names == ["home"] && item.properties == ["X-TODOIST-NEW:7"])
    guard case .item(let second, _)? = try source.next() else { throw ImportError(message: "no item") }
    #expect(second.text == "@home" && second.properties == [])
    #expect(try source.next() == nil)
    let columns = try #require(source as? any ColumnedSource).columns
    #expect(columns.map(\.name) == ["Content", "New", "type"])
    #expect(columns.map(\.meaning).dropFirst().first == "X-TODOIST-NEW")
  }
}
