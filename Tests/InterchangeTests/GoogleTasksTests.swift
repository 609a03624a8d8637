import BelfryModel
import CivilTime
import Foundation
import Testing

@testable import Interchange

/// It is 09:00 in Zurich on Saturday, 2026-11-21, and the default time is 09:00.
@Suite("Google's tasks")
struct GoogleTasksTests {
  private static let takeout = """
    {"kind": "tasks#taskLists", "items": [
      {"kind": "tasks#tasks", "id": "L1", "title": "Errands", "items": [
        {"kind": "tasks#task", "id": "a", "title": "Buy milk", "notes": "two\\nlitres", "status": "needsAction",
         "due": "2026-12-01T00:00:00Z", "updated": "2026-11-20T10:00:00.000Z", "links": [{"type": "email"}]},
        {"id": "b", "parent": "a", "title": "Coupons", "status": "completed", "completed": "2026-11-19T15:42:11.000Z"},
        {"id": "c", "title": "Call", "scheduled_time": [{"start": "2026-12-01T10:00:00Z"},
         {"current": true, "start": "2026-12-02T10:30:00Z"}], "due": "2026-12-02T00:00:00Z", "task_recurrence_id": "r"},
        {"id": "d", "title": "Gone", "deleted": true}, {"id": "e", "title": " "}, {"title": "Bad", "due": "soon"},
        {"title": "Odd", "scheduled_time": [{"start": "soon"}]}, {"title": "Odder", "scheduled_time": "soon"}]},
      {"title": "Empty"}]}
    """

  @Test("lists come with their tasks, days ring at the default time, and what has no field is kept")
  func lists() throws {
    let entries = try Contents.entries(Self.takeout)
    #expect(
      entries.headings.map(\.name) == ["Errands", "Empty"] && entries.lists == ["Errands", "Errands", "Errands"])
    let items = entries.items
    #expect(items.map(\.text) == ["Buy milk", "Coupons", "Call"] && items[0].notes == "two\nlitres")
    #expect(items[0].due == .local(try #require(WallTime(parsing: "2026-12-01T09:00")), .floating))
    #expect(items[2].due == .instant(try #require(parseRFC3339("2026-12-02T10:30:00Z"))))
    #expect(items.map(\.shouldRemind) == [true, false, true] && items.map(\.isChecked) == [false, true, false])
    #expect(items[0].updatedAt == parseRFC3339("2026-11-20T10:00:00Z"))
    #expect(items[1].checkedAt == parseRFC3339("2026-11-19T15:42:11Z"))
    let parent = try #require(items[0].uuid?.text)
    #expect(
      items.map(\.properties) == [
        ["X-GOOGLE-TASKS-LINKS:[{\"type\":\"email\"}]"], ["RELATED-TO:\(parent)"],
        ["X-GOOGLE-TASKS-TASK-RECURRENCE-ID:r"],
      ])
    #expect(entries.contains(.leftOut("deleted")) && entries.contains(.leftOut("empty")))
    #expect(
      entries.refusals == [
        "list 'Errands', task 6: its \"due\" is 'soon', not a time like 2026-11-21T08:00:00Z",
        "list 'Errands', task 7: its \"scheduled_time\" has no \"start\" like 2026-11-21T08:00:00Z",
        "list 'Errands', task 8: its \"scheduled_time\" is text, not an array",
      ])
  }

  @Test("one list alone is read, anything else is refused as a whole")
  func shapes() throws {
    let one = "{\"kind\":\"tasks#tasks\",\"title\":\"A\",\"items\":[{\"title\":\"x\",\"status\":\"needsAction\"}]}"
    #expect(try Contents.entries(one).lists == ["A"])
    let bare = try Contents.entries("{\"items\":[{\"title\":\"x\",\"status\":\"needsAction\"}]}")
    #expect(bare.items.map(\.text) == ["x"])
    let strange = try Contents.entries(
      "{\"kind\":\"tasks#taskLists\",\"items\":[{\"title\":\"A\",\"items\":{\"title\":\"x\"}}]}")
    #expect(strange.items.isEmpty && strange.refusals == ["list 'A': its \"items\" is an object, not an array"])
    for text in [
      "{\"kind\":\"tasks#taskLists\"}", "{\"kind\":\"tasks#taskLists\",}", "{\"kind\":\"tasks#taskLists\"} 7",
    ] {
      #expect(throws: ImportError.self) { try Contents.entries(text) }
    }
    let odd = try Contents.entries("{\"kind\":\"tasks#taskLists\",\"items\":[1]}")
    #expect(odd.items == [] && odd.refusals == ["list 1: it is a whole number, not an object"])
  }

  @Test("each field is told what becomes of it")
  func fields() throws {
    let source = try Importer.open(ByteSource(Self.takeout.utf8), format: nil, context: Contents.context)
    let columns = try #require(source as? any ColumnedSource).columns
    #expect(columns.map(\.name).prefix(4) == ["kind", "id", "title", "notes"])
    #expect(columns.first { $0.name == "links" }?.meaning == "X-GOOGLE-TASKS-LINKS")
  }
}
