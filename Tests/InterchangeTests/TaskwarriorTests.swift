import BelfryModel
import CivilTime
import Foundation
import RecurrenceRules
import Testing

@testable import Interchange
import TestSupport

@Suite("Taskwarrior")
struct TaskwarriorTests {
  private func item(_ fields: String) throws -> ImportedItem {
    let entries = try Contents.entries("{\"description\":\"Do it\",\(fields)}", .taskwarrior)
    return try #require(entries.items.first, "\(entries)")
  }

  private func instant(_ text: String) throws -> Date { try #require(parseRFC3339(text)) }
  private func wall(_ text: String) throws -> WallTime { try #require(WallTime(parsing: text)) }

  @Test("every field goes where an item has one, and the others are kept as lines")
  func fields() throws {
    let entries = try Contents.entries(
      """
      [
      {"id":3,"description":"Pay, the \\"rent\\"","due":"20261224T173000Z","entry":"20261101T080000Z",
      "modified":"20261102T080000Z","project":"home.money","status":"waiting","tags":["bank","two words"],
      "uuid":"a0000000-a000-4000-a000-a00000000000","wait":"20261220T080000Z","priority":"H","urgency":12.5,
      "annotations":[{"entry":"20261103T080000Z","description":"first"},{"entry":"20261104T080000Z","description":"second"}],
      "depends":["b0000000-a000-4000-a000-a00000000000"],"estimate":"2;3","Odd.Name":7}
      ]
      """, .taskwarrior)
    #expect(entries.lists == ["home.money"])
    let item = try #require(entries.items.first)
    #expect(item.text == "Pay, the \"rent\"" && item.notes == "first\nsecond" && !item.isChecked)
    #expect(try item.due == .instant(instant("2026-12-24T17:30:00Z")))
    #expect(item.shouldRemind)
    #expect(item.uuid?.text == "a0000000-a000-4000-a000-a00000000000")
    #expect(try item.createdAt == instant("2026-11-01T08:00:00Z"))
    #expect(try item.updatedAt == instant("2026-11-02T08:00:00Z"))
    // There it hides the task; it is not a reminder.
    #expect(item.snoozedUntil == nil)
    #expect(
      item.properties == [
        "CATEGORIES:two words", "X-TASKWARRIOR-STATUS:waiting", "X-TASKWARRIOR-ID:3",
        "X-TASKWARRIOR-WAIT:20261220T080000Z", "X-TASKWARRIOR-URGENCY:12.5",
        "X-TASKWARRIOR-ANNOTATIONS:[{\"entry\":\"20261103T080000Z\"\\,\"description\":\"first\"}\\,"
          + "{\"entry\":\"20261104T080000Z\"\\,\"description\":\"second\"}]",
        "X-TASKWARRIOR-DEPENDS:[\"b0000000-a000-4000-a000-a00000000000\"]", "X-TASKWARRIOR-ESTIMATE:2\\;3",
        "X-TASKWARRIOR-UDA;X-NAME=\"Odd.Name\":7",
      ])
    #expect(item.tags.names == ["bank"] && item.priority == ItemPriority(.high))
    #expect(item.place == "line 2")
  }

  @Test("completed tasks are checked, deleted ones are left out and counted")
  func states() throws {
    let entries = try Contents.entries(
      """
      {"description":"a","status":"completed","end":"20261101T080000Z"}
      {"description":"b","status":"deleted"},
      {"description":"c"}
      """, .taskwarrior)
    #expect(entries.items.map(\.isChecked) == [true, false])
    #expect(try entries.items.first?.checkedAt == instant("2026-11-01T08:00:00Z"))
    #expect(entries.items.first?.properties == [])
    #expect(entries.contains(.leftOut("deleted")))
    #expect(entries.items.map(\.place) == ["line 1", "line 3"])
  }

  @Test(
    "dates are read in every form that Taskwarrior has written",
    arguments: [
      ("20261224T173000Z", "2026-12-24T17:30:00Z"), ("20261224T183000", "2026-12-24T17:30:00Z"),
      ("2026-12-24T17:30:00Z", "2026-12-24T17:30:00Z"), ("1234567889", "2009-02-13T23:31:29Z"),
      ("20261224", "2026-12-23T23:00:00Z"), ("2026-12-24", "2026-12-23T23:00:00Z"),
    ])
  func dates(text: String, expected: String) throws {
    #expect(try item("\"due\":\"\(text)\"").due == .instant(instant(expected)))
  }

  @Test(
    "a recurring task goes on behind the instances that were made of it",
    arguments: [
      ("", "2026-11-02T09:00"), ("--", "2026-11-16T09:00"), ("X+W-", "2026-11-30T09:00"),
    ])
  func recurring(mask: String, due: String) throws {
    let item = try item(
      "\"status\":\"recurring\",\"recur\":\"weekly\",\"due\":\"20261102T080000Z\",\"mask\":\"\(mask)\"")
    #expect(try item.rule == RecurrenceRule("FREQ=WEEKLY"))
    #expect(try item.repeatStart == wall("2026-11-02T09:00"))
    #expect(try item.due == .local(wall(due), .floating))
  }

  @Test("an instance is an item of its own, and a parent that is over is left out")
  func instances() throws {
    let instance = try item("\"recur\":\"weekly\",\"parent\":\"x\",\"imask\":2,\"due\":\"20261102T080000Z\"")
    #expect(instance.rule == nil)
    #expect(instance.properties.contains("X-TASKWARRIOR-RECUR:weekly"))
    let over = """
      {"description":"a","status":"recurring","recur":"daily","due":"20261102T080000Z","until":"20261103T080000Z","mask":"--"}
      """
    #expect(try Contents.entries(over, .taskwarrior) == [.leftOut("recurring but already ended")])
  }

  @Test(
    "periods are rules",
    arguments: [
      ("daily", "FREQ=DAILY"), ("day", "FREQ=DAILY"), ("3days", "FREQ=DAILY;INTERVAL=3"),
      ("2d", "FREQ=DAILY;INTERVAL=2"),
      ("weekdays", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"), ("weekly", "FREQ=WEEKLY"),
      ("biweekly", "FREQ=WEEKLY;INTERVAL=2"),
      ("fortnight", "FREQ=DAILY;INTERVAL=14"), ("2wks", "FREQ=WEEKLY;INTERVAL=2"), ("P2W", "FREQ=WEEKLY;INTERVAL=2"),
      ("monthly", "FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1"),
      ("quarterly", "FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=28,29,30;BYSETPOS=-1"),
      ("semiannual", "FREQ=MONTHLY;INTERVAL=6;BYMONTHDAY=28,29,30;BYSETPOS=-1"),
      ("2q", "FREQ=MONTHLY;INTERVAL=6;BYMONTHDAY=28,29,30;BYSETPOS=-1"), ("annual", "FREQ=YEARLY"),
      ("yearly", "FREQ=YEARLY"), ("P1Y", "FREQ=YEARLY"), ("PT12H", "FREQ=HOURLY;INTERVAL=12"),
      ("90min", "FREQ=MINUTELY;INTERVAL=90"),
    ])
  func periods(text: String, rule: String) throws {
    let start = try wall("2026-11-30T09:00")
    #expect(try TaskwarriorPeriod.rule(text, from: start, until: nil) == RecurrenceRule(rule))
  }

  @Test("invalid tasks are refused with their line, and the rest is imported")
  func refused() throws {
    let entries = try Contents.entries(
      """
      [{"description":"good"},
      {"status":"pending"},
      {"description":"bad","due":"someday"},
      {"description":"bad","status":"recurring","recur":"weekly"},
      {"description":"bad","status":"recurring","recur":"now and then","due":"20261102T080000Z"},
      {"description":"bad","description":"twice"},
      {"description":"bad",
       "tags":[1]},
      {"description":"good too"}]
      """, .taskwarrior)
    #expect(entries.items.map(\.text) == ["good", "good too"])
    #expect(
      entries.refusals == [
        "line 2: it has no \"description\"",
        "line 3: its \"due\" is 'someday', not a date like 20261224T173000Z",
        "line 4: it is recurring, without \"due\" and \"recur\"",
        "line 5: its \"recur\" is 'now and then', which is not a supported period",
        "line 6: the key \"description\" is in its object twice",
        "line 7: its \"tags\" is an array, not an array of texts alone",
      ])
  }

  @Test(
    "a file that is cut off or has something else in it is refused as a whole, with the line",
    arguments: [
      ("[{\"description\":\"a\"}\n", "line 2: ends too early"),
      ("[{\"description\":\"a\"}\n{", "line 2: expected \",\" or \"]\""),
      ("[{\"description\":\"a\"},\n]", "line 2: expected a task in braces"),
      ("{\"description\":\"a\"}\n[]", "line 2: expected a task"),
      ("[{\"description\":\"a\"}]\n{}", "line 2: expected the end"),
      ("{\"description\":\"a\n", "line 1: the value that starts here is never closed"),
    ])
  func cutOff(text: String, start: String) {
    let error = #expect(throws: ImportError.self) { try Contents.entries(text, .taskwarrior) }
    #expect(error?.message.hasPrefix(start) == true, "\(String(describing: error))")
  }

  @Test("exports are taken or refused: our own, and those of Taskwarrior's tests as these expect it")
  func exports() throws {
    #expect(Corpus.taskwarrior.count == (Corpus.isThere ? 32 : 16))
    let bad: Set = [
      "import_0294_j.json", "import_0300_j.json", "import_0307_j.json", "import_0313_j.json", "import_0319_j.json",
    ]
    for file in Corpus.taskwarrior {
      let name = file.lastPathComponent
      let isBad = name.hasPrefix("bad-") || bad.contains(name)
      let bytes = [UInt8](try Data(contentsOf: file))
      let entries = try Contents.entries(bytes, nil)
      #expect(entries.refusals.count == (isBad ? 1 : 0), "\(name): \(entries.refusals)")
      #expect(entries.items.isEmpty == isBad, "\(name)")
      #expect(try Contents.entries(bytes, .taskwarrior) == entries, "\(name)")
    }
  }
}
