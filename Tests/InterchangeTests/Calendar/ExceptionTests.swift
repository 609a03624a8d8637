import BelfryEngine
import BelfryTestKit
import CivilTime
import Foundation
import Testing

@testable import Interchange

@Suite("Occurrences that do not take place")
struct ExceptionTests {
  private static let alarm = ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:PT0S", "END:VALARM"]

  private func imported(_ todos: [[String]], into belfry: Belfry, isDryRun: Bool = false) throws -> ImportReport {
    var source = try Importer.open(
      ByteSource(CalendarVersionTests.calendar(todos.map { $0 + Self.alarm }).utf8), format: .calendar,
      context: Contents.context)
    return try belfry.take(&source, isDryRun: isDryRun)
  }

  private func water(_ lines: String...) -> [String] { ["UID:a", "SUMMARY:water", "DUE:20261210T090000"] + lines }

  /// The fire times within some days, earliest first.
  private func rings(_ belfry: Belfry, days: Double = 90) throws -> [String] {
    try belfry.read { reading in
      try reading.preview(from: reading.now, until: reading.now.addingTimeInterval(days * 86_400), limit: .max).rings
        .map { Contents.planner.floatingZone.wallTime(at: $0.fireDate.date).description }.sorted()
    }
  }

  private func mornings(_ days: [Int]) -> [String] { days.map { "2026-12-\($0)T09:00" } }

  @Test("every other occurrence rings; a second import adds nothing, and undo takes all of it back")
  func rung() throws {
    let belfry = Contents.belfry()
    let todo = water("RRULE:FREQ=DAILY;COUNT=8", "EXDATE:20261212T090000,20261213T090000", "EXDATE:20261215T090000")
    let report = try imported([todo], into: belfry)
    #expect(report.refusedCount == 0 && report.exceptionCount == 3 && report.added.count == 3)
    #expect(try rings(belfry) == mornings([10, 11, 14, 16, 17]))
    let again = try imported([todo], into: belfry)
    #expect(again.added.isEmpty && again.exceptionCount == 0 && again.knownCount == 1)
    _ = try belfry.undo()
    #expect(try Contents.listings(belfry).isEmpty)
  }

  @Test(
    "those at the end, at no occurrence, said twice, and beyond the end",
    arguments: [
      ("EXDATE:20261213T090000", 1, [10, 11, 12]), ("EXDATE:20261212T090000,20261213T090000", 2, [10, 11]),
      ("EXDATE:20261211T093000", 0, [10, 11, 12, 13]), ("EXDATE:20261214T090000", 0, [10, 11, 12, 13]),
      ("EXDATE:20261212T090000,20261212T090000", 1, [10, 11, 13]),
      ("EXDATE:20261213T090000,20261210T090000,20261212T090000", 2, [11]),
    ] as [(String, Int, [Int])])
  func edges(line: String, count: Int, days: [Int]) throws {
    let belfry = Contents.belfry()
    #expect(try imported([water("RRULE:FREQ=DAILY;COUNT=4", line)], into: belfry).exceptionCount == count)
    #expect(try rings(belfry) == mornings(days))
  }

  @Test("an occurrence of a rule with seconds is taken out by its minute")
  func seconds() throws {
    let belfry = Contents.belfry()
    _ = try imported([water("RRULE:FREQ=DAILY;COUNT=3;BYSECOND=30", "EXDATE:20261212T090030")], into: belfry)
    #expect(try !rings(belfry).contains("2026-12-12T09:00"))
    #expect(try rings(belfry).contains("2026-12-11T09:00"))
  }

  @Test("beside changed occurrences, before and behind them, and of the same one", arguments: [false, true])
  func changed(isBehind: Bool) throws {
    let belfry = Contents.belfry()
    let whole = water("RRULE:FREQ=DAILY;COUNT=7", "EXDATE:20261211T090000,20261213T090000,20261215T090000")
    let moved = [12, 13, 14].map {
      ["UID:a", "RECURRENCE-ID:202612\($0)T080000Z", "DUE:202612\($0)T170000", "SUMMARY:x"]
    }
    let report = try imported(isBehind ? [whole] + moved : moved.reversed() + [whole], into: belfry)
    #expect(report.refusedCount == 0 && report.separatedCount == 3 && report.exceptionCount == 2)
    #expect(
      try rings(belfry) == mornings([10]) + ["2026-12-12T17:00", "2026-12-13T17:00", "2026-12-14T17:00"]
        + mornings([16]))
  }

  @Test("of two versions those of the one that counts, and of a to-do without UID its own", arguments: [1, 3])
  func versions(sequence: Int) throws {
    let belfry = Contents.belfry()
    let first = water("SEQUENCE:2", "RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20261211T090000")
    let second = water("SEQUENCE:\(sequence)", "RRULE:FREQ=DAILY;COUNT=3")
    _ = try imported([first, second], into: belfry)
    #expect(try rings(belfry) == (sequence == 1 ? mornings([10, 12]) : mornings([10, 11, 12])))

    let other = Contents.belfry()
    _ = try imported([Array(first.dropFirst())], into: other)
    #expect(try rings(other) == mornings([10, 12]))
  }

  @Test("a trial run counts them and keeps nothing")
  func trial() throws {
    let belfry = Contents.belfry()
    let report = try imported(
      [water("RRULE:FREQ=DAILY", "EXDATE:20261212T090000")], into: belfry, isDryRun: true)
    #expect(report.exceptionCount == 1 && report.added.count == 2)
    #expect(try Contents.listings(belfry).isEmpty)
  }

  @Test("an exported and re-imported series fires at the same times")
  func wayBack() throws {
    let belfry = Contents.belfry()
    _ = try imported([water("RRULE:FREQ=DAILY;COUNT=5", "EXDATE:20261212T090000")], into: belfry)
    let (other, refused) = try Contents.imported(Contents.exported(belfry, as: .calendar), .calendar)
    #expect(refused.isEmpty)
    #expect(try rings(other) == mornings([10, 11, 13, 14]))
  }

  @Test("where the first occurrences do not take place, alarms count from the start of the one that does")
  func alarms() throws {
    let item = try CalendarTesting.item(
      "SUMMARY:x", "DTSTART:20261123T090000", "DUE:20261123T100000", "RRULE:FREQ=DAILY",
      "EXDATE:20261123T090000,20261124T090000", "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-P1D", "END:VALARM")
    #expect(item.alerts == [CalendarDuration(days: 1, minutes: 60)])
    #expect(item.due == .local(try CalendarTesting.wall("2026-11-25T10:00"), .floating))
  }
}
