import BelfryEngine
import BelfryTestKit
import Foundation
import Testing

@testable import Interchange

@Suite("Several to-dos of one UID in a file")
struct CalendarVersionTests {
  /// The lines of a calendar with these to-dos.
  static func calendar(_ todos: [[String]]) -> String {
    (["BEGIN:VCALENDAR", "VERSION:2.0"] + todos.flatMap { ["BEGIN:VTODO"] + $0 + ["END:VTODO"] } + [
      "END:VCALENDAR", "",
    ])
    .joined(separator: "\r\n")
  }

  private func imported(_ todos: [[String]], into belfry: Belfry) throws -> ImportReport {
    var source = try Importer.open(
      ByteSource(Self.calendar(todos).utf8), format: .calendar, context: Contents.context)
    return try belfry.take(&source)
  }

  private static let alarm = ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:PT0S", "END:VALARM"]

  private func todo(_ text: String, day: Int, _ more: String...) -> [String] {
    ["UID:a", "SUMMARY:\(text)", "DUE:202612\(day)T090000"] + more + Self.alarm
  }

  private func rings(_ belfry: Belfry) throws -> [String] {
    try belfry.read { reading in
      try reading.preview(from: reading.now, until: reading.now.addingTimeInterval(90 * 86_400), limit: .max).rings.map
      {
        "\($0.text) \(Contents.planner.floatingZone.wallTime(at: $0.fireDate.date))"
      }
    }
  }

  @Test(
    "the higher SEQUENCE counts, in either order; of equal ones the one that changed last, else the first",
    arguments: [
      (["SEQUENCE:1"], ["SEQUENCE:2"], "second"), (["SEQUENCE:10"], ["SEQUENCE:9"], "first"),
      ([], ["SEQUENCE:1"], "second"), ([], [], "first"),
      (["SEQUENCE:3", "DTSTAMP:20261102T000000Z"], ["SEQUENCE:3", "DTSTAMP:20261101T000000Z"], "first"),
      (["SEQUENCE:3", "DTSTAMP:20261101T000000Z"], ["SEQUENCE:3", "DTSTAMP:20261102T000000Z"], "second"),
      (["SEQUENCE:4", "DTSTAMP:20261101T000000Z"], ["SEQUENCE:3", "DTSTAMP:20261102T000000Z"], "first"),
    ] as [([String], [String], String)])
  func versions(first: [String], second: [String], kept: String) throws {
    let belfry = Contents.belfry()
    let todos = [
      ["UID:a", "SUMMARY:first", "DUE:20261210T090000"] + first + Self.alarm,
      ["UID:a", "SUMMARY:second", "DUE:20261211T090000"] + second + Self.alarm,
    ]
    let report = try imported(todos, into: belfry)
    #expect(report.added.count == 1 && report.knownCount == 0 && report.scheduledCount == 1)
    #expect(report.leftOut == ["older version of an item": 1])
    #expect(try Contents.listings(belfry).map(\.item.text) == [kept])
    #expect(try rings(belfry) == ["\(kept) 2026-12-1\(kept == "first" ? 0 : 1)T09:00"])
    // A second import recognises it and changes nothing.
    #expect(try imported(todos.reversed(), into: belfry).knownCount == 2)
    _ = try belfry.undo()
    #expect(try Contents.listings(belfry).isEmpty)
  }

  @Test("a moved occurrence rings at its new time and not at the old one", arguments: [false, true])
  func moved(isBehind: Bool) throws {
    let belfry = Contents.belfry()
    let whole = todo("water", day: 10, "RRULE:FREQ=DAILY;COUNT=5")
    let changed = ["UID:a", "RECURRENCE-ID:20261212T090000", "SUMMARY:moved", "DUE:20261212T170000"] + Self.alarm
    let report = try imported(isBehind ? [whole, changed] : [changed, whole], into: belfry)
    #expect(report.refusedCount == 0 && report.separatedCount == 1)
    #expect(
      try rings(belfry).sorted { $0.suffix(16) < $1.suffix(16) } == [
        "water 2026-12-10T09:00", "water 2026-12-11T09:00", "moved 2026-12-12T17:00", "water 2026-12-13T09:00",
        "water 2026-12-14T09:00",
      ])
    let again = try imported([whole, changed], into: belfry)
    #expect(again.added.isEmpty && again.refusedCount == 0 && again.knownCount == 2)
    _ = try belfry.undo()
    #expect(try Contents.listings(belfry).isEmpty)
  }

  @Test("each of several changed occurrences is taken out, the first and the last ones too")
  func several() throws {
    let belfry = Contents.belfry()
    let whole = todo("water", day: 10, "RRULE:FREQ=DAILY;COUNT=5")
    let changed = [10, 12, 13, 14].map { day in
      ["UID:a", "RECURRENCE-ID:202612\(day)T090000", "SUMMARY:moved", "DUE:202612\(day)T170000"] + Self.alarm
    }
    let report = try imported([whole] + changed.reversed(), into: belfry)
    #expect(report.separatedCount == 4)
    #expect(
      try rings(belfry).sorted { $0.suffix(16) < $1.suffix(16) } == [
        "moved 2026-12-10T17:00", "water 2026-12-11T09:00", "moved 2026-12-12T17:00", "moved 2026-12-13T17:00",
        "moved 2026-12-14T17:00",
      ])
  }

  @Test(
    "the occurrence is named by its start, in any zone, or by its day",
    arguments: [
      "RECURRENCE-ID:20261212T080000", "RECURRENCE-ID;TZID=Europe/London:20261212T070000",
      "RECURRENCE-ID:20261212T070000Z", "RECURRENCE-ID;VALUE=DATE:20261212",
    ])
  func named(line: String) throws {
    let belfry = Contents.belfry()
    let whole =
      [
        "UID:a", "SUMMARY:water", "DTSTART;TZID=Europe/Zurich:20261210T080000",
        "DUE;TZID=Europe/Zurich:20261210T090000",
      ]
      + ["RRULE:FREQ=DAILY;COUNT=3"] + Self.alarm.map { $0.replacing("TRIGGER:", with: "TRIGGER;RELATED=END:") }
    _ = try imported([whole, ["UID:a", line, "SUMMARY:done", "STATUS:COMPLETED"]], into: belfry)
    #expect(try rings(belfry) == ["water 2026-12-10T09:00", "water 2026-12-11T09:00"])
  }

  @Test("a repeating to-do whose only occurrence was moved is done, and the moved one rings")
  func only() throws {
    let belfry = Contents.belfry()
    let changed = ["UID:a", "RECURRENCE-ID:20261210T090000", "SUMMARY:moved", "DUE:20261211T170000"] + Self.alarm
    _ = try imported([todo("water", day: 10, "RRULE:FREQ=DAILY;COUNT=1"), changed], into: belfry)
    #expect(try rings(belfry) == ["moved 2026-12-11T17:00"])
    #expect(try Contents.listings(belfry).filter(\.item.isChecked).map(\.item.text) == ["water"])
  }

  @Test("one without its to-do, of one that does not repeat, or of all to come is refused")
  func refused() throws {
    let changed = ["UID:a", "RECURRENCE-ID:20261212T090000", "SUMMARY:moved", "DUE:20261212T170000"]
    for todos in [[changed], [todo("once", day: 10), changed]] {
      let report = try imported(todos, into: Contents.belfry())
      #expect(report.firstRefusal?.reason.contains("not in the file or does not repeat") == true)
    }
    let all = ["UID:a", "RECURRENCE-ID;RANGE=THISANDFUTURE:20261212T090000", "SUMMARY:x"]
    let report = try imported([todo("water", day: 10, "RRULE:FREQ=DAILY"), all], into: Contents.belfry())
    #expect(report.firstRefusal?.reason.contains("and all later ones") == true && report.added.count == 1)
  }
}
