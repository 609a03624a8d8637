import BelfryModel
import CivilTime
import Foundation
import RecurrenceRules
import Testing

@testable import Interchange

/// It is 09:00 in Zurich on Saturday, 2026-11-21, and the default time is 09:00.
@Suite("TickTick's backups")
struct TickTickTests {
  private static let names = [
    "Folder Name", "List Name", "Title", "Kind", "Tags", "Content", "Is Check list", "Start Date", "Due Date",
    "Reminder", "Repeat", "Priority", "Status", "Created Time", "Completed Time", "Order", "Timezone", "Is All Day",
    "Is Floating", "Column Name", "Column Order", "View Mode", "taskId", "parentId",
  ]

  /// A backup with a task of these fields.
  private func text(_ fields: [String: String]) -> String {
    let usual = [
      "List Name": "Home", "Title": "Call", "Kind": "TEXT", "Is Check list": "N", "Priority": "0", "Status": "0",
      "Timezone": "Europe/Zurich", "Is All Day": "false", "Is Floating": "false",
    ]
    let row = Self.names.map { fields[$0] ?? usual[$0] ?? "" }
    let lines = ["\"Date: 2026-11-20+0000\"", "\"Version: 7.1\"", "\"Status: \n0 Normal\n1 Completed\n2 Archived\""]
    return (lines + [Self.names, row].map { $0.map { "\"\($0)\"" }.joined(separator: ",") }).joined(separator: "\n")
  }

  private func item(_ fields: [String: String]) throws -> ImportedItem {
    let entries = try Contents.entries(text(fields))
    return try #require(entries.items.first, "\(entries)")
  }

  @Test("a task has its list, notes, tags, priority, times and identity; all other columns are kept")
  func task() throws {
    let entries = try Contents.entries(
      text([
        "Folder Name": "House", "Content": "one\rtwo", "Tags": "calls, a b", "Priority": "5", "Column Name": "Doing",
        "Created Time": "2026-11-01T08:00:00+0000", "taskId": "64f0", "parentId": "64e9",
      ]))
    #expect(entries.lists == ["Home"] && entries.refusals == [])
    let item = try #require(entries.items.first)
    #expect(item.text == "Call" && item.notes == "one\ntwo" && item.due == nil && !item.shouldRemind)
    #expect(item.createdAt == parseRFC3339("2026-11-01T08:00:00Z"))
    let parent = try #require(try self.item(["taskId": "64e9"]).uuid)
    #expect(item.uuid != nil && item.uuid != parent)
    #expect(item.tags.names == ["calls"] && item.priority == ItemPriority(.high))
    #expect(
      item.properties == [
        "CATEGORIES:a b", "RELATED-TO:\(parent.text)", "X-TICKTICK-FOLDER-NAME:House",
        "X-TICKTICK-COLUMN-NAME:Doing",
      ])
  }

  @Test("times are on the clock of the task's zone, and reminders count from the start")
  func times() throws {
    let timed = try item([
      "Start Date": "2026-12-05T07:00:00+0000", "Due Date": "2026-12-05T07:30:00+0000", "Reminder": "PT0S\n-PT15M",
    ])
    #expect(timed.due == .local(try #require(WallTime(parsing: "2026-12-05T08:30")), .floating))
    #expect(timed.alerts.map(\.minutes) == [30, 45] && timed.shouldRemind)
    #expect(timed.properties == ["X-TICKTICK-START-DATE:2026-12-05T07:00:00+0000"])
    let tokyo = try item(["Due Date": "2026-12-05T07:30:00+0000", "Timezone": "Asia/Tokyo", "Reminder": "PT0S"])
    #expect(tokyo.due == .local(try #require(WallTime(parsing: "2026-12-05T16:30")), .fixed("Asia/Tokyo")))
    let late = try item(["Due Date": "2026-12-05T07:30:00+0000", "Reminder": "PT5M"])
    #expect(late.properties == ["X-TICKTICK-REMINDER:PT5M"] && !late.shouldRemind)
  }

  @Test("a day is due at the time of its reminder, or else at the default time")
  func days() throws {
    let day = ["Due Date": "2026-12-04T23:00:00+0000", "Is All Day": "true"]
    func wall(_ text: String) throws -> ImportedDue { .local(try #require(WallTime(parsing: text)), .floating) }
    let plain = try item(day)
    #expect(try plain.due == wall("2026-12-05T09:00") && plain.properties == ["X-BELFRY-DATE-ONLY:0900"])
    #expect(!plain.shouldRemind)
    let reminded = try item(day.merging(["Reminder": "P0DT18H0M0S, -P1DT6H0M0S"]) { $1 })
    #expect(try reminded.due == wall("2026-12-05T18:00") && reminded.properties == [] && reminded.shouldRemind)
    #expect(reminded.alerts == [.zero, CalendarDuration(days: 2, minutes: 0)])
  }

  @Test("times that cannot be read, and that of a check that is undone, are kept as they are")
  func unreadable() throws {
    let kept = try item([
      "Start Date": "2026-12-05T07:00:00+0000", "Due Date": "soon", "Created Time": "once",
      "Completed Time": "2026-11-20T10:00:00+0000",
    ])
    #expect(kept.due == .local(try #require(WallTime(parsing: "2026-12-05T08:00")), .floating))
    #expect(
      kept.properties == [
        "X-TICKTICK-DUE-DATE:soon", "X-TICKTICK-CREATED-TIME:once",
        "X-TICKTICK-COMPLETED-TIME:2026-11-20T10:00:00+0000",
      ])
    #expect(
      kept.notUnderstood == [
        "its Due Date 'soon' is not understood, and kept as X-TICKTICK-DUE-DATE",
        "its Created Time 'once' is not understood, and kept as X-TICKTICK-CREATED-TIME",
      ])
    #expect(try item(["Start Date": "soon"]).properties == ["X-TICKTICK-START-DATE:soon"])
  }

  @Test("a repeat is read as the rule that it is, and kept where it is none, or done")
  func repeats() throws {
    let due = ["Due Date": "2026-12-07T08:00:00+0000"]
    let weekly = try item(due.merging(["Repeat": "RRULE:FREQ=WEEKLY;INTERVAL=1;BYDAY=MO;UNTIL=20270101"]) { $1 })
    #expect(try weekly.rule == RecurrenceRule("FREQ=WEEKLY;INTERVAL=1;BYDAY=MO;UNTIL=20270101"))
    for text in ["ERULE:NAME=FORGETTINGCURVE;CYCLE=0", "RRULE:FREQ=DAILY;TT_SKIP=WEEKEND"] {
      let item = try item(due.merging(["Repeat": text]) { $1 })
      #expect(item.rule == nil && item.properties == [ContentLine.text("X-TICKTICK-REPEAT", text)])
      #expect(item.notUnderstood == ["its Repeat '\(text)' is not understood, and kept as X-TICKTICK-REPEAT"])
    }
    let done = try item(
      due.merging(["Repeat": "RRULE:FREQ=DAILY", "Status": "2", "Completed Time": "2026-11-20T10:00:00+0000"]) { $1 })
    #expect(done.isChecked && done.checkedAt == parseRFC3339("2026-11-20T10:00:00Z") && done.rule == nil)
    #expect(done.properties == ["X-TICKTICK-REPEAT:RRULE:FREQ=DAILY"] && done.notUnderstood == [])
    #expect(try item(["Status": "-1"]).properties == ["STATUS:CANCELLED"])
  }

  @Test("a task without title has its content's first line, one without both is refused with its line")
  func titles() throws {
    #expect(try item(["Title": "", "Content": "one\ntwo"]).text == "one")
    #expect(try Contents.entries(text(["Title": ""])).refusals == ["line 8: its Title is empty"])
    #expect(throws: ImportError.self) { try Contents.entries("a,b\n1,2\n", .tickTick) }
  }
}
