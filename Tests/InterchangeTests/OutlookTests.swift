import BelfryModel
import CivilTime
import Foundation
import Testing

@testable import Interchange

/// It is 09:00 in Zurich on Saturday, 2026-11-21, and the default time is 09:00.
@Suite("Outlook's tasks")
struct OutlookTests {
  private static let header =
    "\"Subject\",\"Start Date\",\"Due Date\",\"Reminder On/Off\",\"Reminder Date\",\"Reminder Time\",\"Date Completed\","
    + "\"% Complete\",\"Categories\",\"Notes\",\"Priority\",\"Sensitivity\",\"Status\""

  private func entries(_ rows: String...) throws -> [ImportEntry] {
    try Contents.entries(([Self.header] + rows).joined(separator: "\r\n"))
  }

  private func wall(_ text: String) throws -> ImportedDue { .local(try #require(WallTime(parsing: text)), .floating) }

  @Test("a task has its notes, categories, priority, due date and reminder; all other columns are kept")
  func tasks() throws {
    let entries = try entries(
      "Renew passport,12/1/2026,12/15/2026,True,12/14/2026,6:30:00 PM,,0,Admin;Trips,\"Two\nphotos\",High,Private,In Progress",
      "Pay,,12/24/2026,True,12/24/2026,16:00,,0,,,Normal,Normal,Not Started",
      "Old,,9/1/2026,False,,,9/2/2026,100%,,,Low,Normal,Completed", "Someday,,,False,,,,0,,,Normal,Normal,Not Started")
    let items = entries.items
    #expect(items.map(\.text) == ["Renew passport", "Pay", "Old", "Someday"] && entries.refusals == [])
    #expect(
      try items.map(\.due) == [wall("2026-12-15T09:00"), wall("2026-12-24T16:00"), wall("2026-09-01T09:00"), nil])
    #expect(items.map(\.alerts) == [[CalendarDuration(days: 0, minutes: 870)], [.zero], [], []])
    #expect(items.map(\.shouldRemind) == [true, true, false, false])
    #expect(items.first?.notes == "Two\nphotos")
    #expect(
      items.map(\.properties) == [
        [
          "X-OUTLOOK-START-DATE:12/1/2026", "X-OUTLOOK-SENSITIVITY:Private",
          "X-OUTLOOK-STATUS:In Progress",
        ], [], ["X-BELFRY-DATE-ONLY:0900"], [],
      ])
    #expect(items.map(\.tags.names).prefix(2) == [["Admin", "Trips"], []])
    #expect(items.map(\.priority?.level) == [.high, nil, .low, nil])
    #expect(items[2].isChecked && items[2].checkedAt == parseRFC3339("2026-09-02T00:00:00+02:00"))
  }

  @Test(
    "the first telling date says whether days or months come first",
    arguments: [
      ("1/2/2027", "13/2/2027", "2027-02-01T09:00"), ("1/2/2027", "2/13/2027", "2027-01-02T09:00"),
      ("1/2/2027", "", "2027-01-02T09:00"), ("1.2.2027", "", "2027-02-01T09:00"),
      ("2027-02-01", "", "2027-02-01T09:00"),
    ])
  func order(date: String, other: String, due: String) throws {
    let entries = try entries("a,,\(date),False,,,,,,,,,", "b,,\(other),False,,,,,,,,,")
    #expect(try entries.items.first?.due == wall(due))
  }

  @Test("dates that cannot be read, and a reminder after the due date, are kept as they are")
  func faults() throws {
    let entries = try entries(
      "a,,31/31/2026,False,,,,,,,,,", "b,,12/24/2026,True,12/26/2026,8:00 AM,,,,,,,", ",,,,,,,,,,,,High")
    #expect(entries.items.map(\.due) == [nil, try wall("2026-12-26T08:00")])
    #expect(entries.items.first?.properties == ["X-OUTLOOK-DUE-DATE:31/31/2026"])
    #expect(
      entries.items.map(\.notUnderstood) == [
        ["its Due Date '31/31/2026' is not understood, and kept as X-OUTLOOK-DUE-DATE"], [],
      ])
    #expect(
      entries.items.last?.properties == [
        "X-OUTLOOK-DUE-DATE:12/24/2026", "X-OUTLOOK-REMINDER-DATE:12/26/2026", "X-OUTLOOK-REMINDER-TIME:8:00 AM",
      ])
    #expect(entries.refusals == ["line 4: its Subject is empty"])
  }

  @Test("a due date comes without its reminder where only that cannot be read, and nothing is lost")
  func unreadableReminders() throws {
    let entries = try entries(
      "a,,12/24/2026,True,12/23/2026,noon,,,,,,,", "b,,soon,True,12/23/2026,12:30:00 PM,9/2/2026,,,,,,",
      "c,,12/24/2026,Yes,12/23/2026,8:00 h,,,,,,,")
    #expect(
      try entries.items.map(\.due) == [wall("2026-12-24T09:00"), wall("2026-12-23T12:30"), wall("2026-12-24T09:00")])
    #expect(
      entries.items.map(\.properties) == [
        [
          "X-BELFRY-DATE-ONLY:0900", "X-OUTLOOK-DUE-DATE:12/24/2026", "X-OUTLOOK-REMINDER-DATE:12/23/2026",
          "X-OUTLOOK-REMINDER-TIME:noon",
        ],
        [
          "X-OUTLOOK-DUE-DATE:soon", "X-OUTLOOK-REMINDER-DATE:12/23/2026", "X-OUTLOOK-REMINDER-TIME:12:30:00 PM",
          "X-OUTLOOK-DATE-COMPLETED:9/2/2026",
        ],
        [
          "X-BELFRY-DATE-ONLY:0900", "X-OUTLOOK-REMINDER-ON-OFF:Yes", "X-OUTLOOK-REMINDER-DATE:12/23/2026",
          "X-OUTLOOK-REMINDER-TIME:8:00 h",
        ],
      ])
    #expect(
      entries.items.map(\.notUnderstood) == [
        ["its Reminder Time 'noon' is not understood, and kept as X-OUTLOOK-REMINDER-TIME"],
        ["its Due Date 'soon' is not understood, and kept as X-OUTLOOK-DUE-DATE"], [],
      ])
  }

  @Test("a file that is not in UTF-8 is known, and its rows say how to convert it")
  func encoding() throws {
    let bytes = Array("\(Self.header)\r\nB".utf8) + [0xFC] + Array("ro,,,,,,,,,,,,\r\nx,,,,,,,,,,,,".utf8)
    let entries = try Contents.entries(bytes, nil)
    #expect(entries.items.map(\.text) == ["x"])
    #expect(entries.refusals.first?.contains("iconv -f WINDOWS-1252 -t UTF-8") == true)
  }

  @Test("each column is told what becomes of it, and in which order dates are read")
  func columns() throws {
    var source = try Importer.open(
      ByteSource("\(Self.header)\nx,,13/1/2027\n".utf8), format: nil, context: Contents.context)
    while try source.next() != nil {}
    let columns = try #require(source as? any ColumnedSource).columns
    #expect(columns.count == 13 && columns[0].meaning == "the text" && columns[1].meaning == "X-OUTLOOK-START-DATE")
    #expect(columns[2].meaning == "the due date, read as day/month/year")
  }
}
