import BelfryModel
import BelfryTestKit
import Foundation
import RecurrenceRules
import Testing

@testable import Interchange

struct RepeatImportTests {
  private func item(_ lines: String...) throws -> ImportedItem {
    let entries = try CalendarTesting.entries(todo: ["SUMMARY:x"] + lines)
    return try #require(entries.items.first, "\(entries)")
  }

  @Test("a rule counts from the start, on the clock of the zone")
  func rule() throws {
    let item = try item(
      "DTSTART;TZID=Europe/Berlin:20261121T090000", "DUE;TZID=Europe/Berlin:20261121T090000",
      "RRULE:FREQ=WEEKLY;BYDAY=SA,MO;COUNT=10")
    #expect(try item.due == .local(CalendarTesting.wall("2026-11-21T09:00"), .fixed("Europe/Berlin")))
    #expect(try item.rule == RecurrenceRule("FREQ=WEEKLY;BYDAY=SA,MO;COUNT=10"))
    #expect(item.repeatStart == nil)
    #expect(item.properties == [])
  }

  @Test("a repeating time in UTC stays in UTC")
  func utc() throws {
    let item = try item("DUE:20261121T090000Z", "RRULE:FREQ=DAILY")
    #expect(try item.due == .local(CalendarTesting.wall("2026-11-21T09:00"), .fixed("UTC")))
  }

  @Test("a repeat that is marked as floating follows the wall clock, though another program wrote its times in UTC")
  func floatingInUTC() throws {
    let item = try item(
      "X-BELFRY-TIME-ZONE:FLOATING", "DTSTART:20261122T233000Z", "DUE:20261122T233000Z",
      "RRULE:FREQ=WEEKLY;BYDAY=MO", "EXDATE:20261206T233000Z")
    #expect(try item.due == .local(CalendarTesting.wall("2026-11-23T00:30"), .floating))
    #expect(try item.rule == RecurrenceRule("FREQ=WEEKLY;BYDAY=MO"))
    #expect(try item.exceptions == [CalendarTesting.wall("2026-12-07T00:30")])
  }

  @Test(
    "a rule for the start moves to the due date where the due dates follow it",
    arguments: [
      ("20261201T080000", "20261201T084000", "FREQ=WEEKLY;UNTIL=20261231T080000;BYDAY=WE", "UNTIL=20261231T084000"),
      ("20261201T080000", "20261203T080000", "FREQ=DAILY;INTERVAL=5", "INTERVAL=5"),
      ("20261201T080000", "20261203T080000", "FREQ=WEEKLY;UNTIL=20261231", "UNTIL=20270102"),
      ("20261201T080000", "20261205T080000", "FREQ=MONTHLY", "FREQ=MONTHLY"),
    ])
  func moves(start: String, due: String, rule: String, part: String) throws {
    let item = try item("DTSTART:\(start)", "DUE:\(due)", "RRULE:\(rule)")
    #expect(item.rule?.description.contains(part) ?? false, "\(String(describing: item.rule))")
    #expect(item.properties == [])
  }

  @Test(
    "and is refused where they do not",
    arguments: [
      ("20261201T080000", "20261202T080000", "FREQ=WEEKLY;BYDAY=TU"),
      ("20261230T080000", "20270103T080000", "FREQ=MONTHLY"),
      ("20261225T080000", "20261230T080000", "FREQ=MONTHLY"),
      ("20261201T080000", "20261201T090000", "FREQ=DAILY;BYHOUR=8,9"),
    ])
  func refuses(start: String, due: String, rule: String) throws {
    let refusal = try CalendarTesting.refusal("SUMMARY:x", "DTSTART:\(start)", "DUE:\(due)", "RRULE:\(rule)")
    #expect(refusal.place == "line 7, VTODO 'x'")
    #expect(refusal.reason.contains("give both the same time"))
  }

  @Test(
    "an absurd rule is refused with what is wrong about it",
    arguments: [
      "FREQ=SECONDLY", "FREQ=DAILY;COUNT=99999999999999999999", "BYDAY=MO", "FREQ=DAILY;BYDAY=XX",
      "FREQ=DAILY;;COUNT=2",
      "FREQ=DAILY;FREQ=DAILY",
      "FREQ=HOURLY;INTERVAL=0", "FREQ=WEEKLY;UNTIL=20261331",
    ])
  func absurd(rule: String) throws {
    let refusal = try CalendarTesting.refusal("SUMMARY:x", "DUE:20261121T090000", "RRULE:\(rule)")
    #expect(refusal.place == "line 6, VTODO 'x'")
    #expect(refusal.reason.hasPrefix("its RRULE cannot be used: column "))
  }

  @Test("two rules, an EXRULE, a rule without a date, one changed occurrence: refused at their line")
  func impossible() throws {
    let two = try CalendarTesting.refusal("SUMMARY:x", "DUE:20261121T090000", "RRULE:FREQ=DAILY", "RRULE:FREQ=DAILY")
    #expect(two.place == "line 7, VTODO 'x'")
    #expect(try CalendarTesting.refusal("SUMMARY:x", "EXRULE:FREQ=DAILY").reason.contains("EXRULE"))
    #expect(try CalendarTesting.refusal("SUMMARY:x", "RRULE:FREQ=DAILY").reason.contains("neither DTSTART nor DUE"))
    let changed = try CalendarTesting.refusal("SUMMARY:x", "RECURRENCE-ID:20261121T090000")
    #expect(changed.reason.contains("one occurrence"))
  }

  @Test("dates taken out before the due date or in the past are kept, and the first ones move the due date on")
  func harmlessExceptions() throws {
    let first = try item("DUE:20261201T090000", "RRULE:FREQ=DAILY", "EXDATE:20261201T090000,20261202T090000")
    #expect(try first.due == .local(CalendarTesting.wall("2026-12-03T09:00"), .floating))
    #expect(try first.repeatStart == CalendarTesting.wall("2026-12-01T09:00"))
    #expect(first.properties == ["EXDATE:20261201T090000,20261202T090000"])
    let past = try item("DUE:20250101T090000", "RRULE:FREQ=DAILY", "EXDATE:20250301T090000")
    #expect(past.properties == ["EXDATE:20250301T090000"] && past.exceptions.isEmpty && first.exceptions.isEmpty)
  }

  @Test(
    "a date to come is taken out, in any zone, or as a day",
    arguments: [
      "EXDATE:20261205T090000", "EXDATE;VALUE=DATE:20261205", "EXDATE;TZID=Europe/Zurich:20261205T090000",
      "EXDATE;TZID=Europe/London:20261205T080000", "EXDATE:20261205T080000Z",
    ])
  func exceptions(line: String) throws {
    let item = try item("DUE;TZID=Europe/Zurich:20261201T090000", "RRULE:FREQ=DAILY", line)
    #expect(try item.exceptions == [CalendarTesting.wall("2026-12-05T09:00")])
    #expect(item.properties == [line])
  }

  @Test("an EXDATE without a valid time is refused", arguments: ["EXDATE:soon", "EXDATE;TZID=Mars:20261205T090000"])
  func wrongExceptions(line: String) throws {
    let refusal = try CalendarTesting.refusal("SUMMARY:x", "DUE:20261201T090000", "RRULE:FREQ=DAILY", line)
    #expect(refusal.place == "line 7, VTODO 'x'")
  }

  @Test("a rule whose occurrences are all excluded has none left")
  func noneLeft() throws {
    let refusal = try CalendarTesting.refusal(
      "SUMMARY:x", "DUE:20261201T090000", "RRULE:FREQ=DAILY;COUNT=1", "EXDATE:20261201T090000")
    #expect(refusal.reason.contains("exclude all occurrences"))
  }

  @Test("RDATEs are kept and left out")
  func extraDates() throws {
    let entries = try CalendarTesting.entries(todo: ["SUMMARY:x", "DUE:20261201T090000", "RDATE:20261205T090000"])
    #expect(entries.items.first?.properties == ["RDATE:20261205T090000"])
    #expect(entries.leftOut == ["RDATE"])
  }

  @Test("the rule that Belfry wrote beside RRULE and DUE counts while both are what they were")
  func ownRule() throws {
    let until = "FREQ=DAILY;UNTIL=20261205T090000"
    let own =
      "X-BELFRY-REPEAT;X-BELFRY-DUE=20261203T0900;X-BELFRY-RRULE=\"\(until)\";X-BELFRY-START=20261201T0900:FREQ=DAILY;COUNT=5"
    func read(_ due: String, _ rule: String) throws -> ImportedItem {
      try item("DTSTART:\(due)", "DUE:\(due)", "RRULE:\(rule)", own)
    }
    for rule in [until, "UNTIL=20261205T090000;FREQ=DAILY;INTERVAL=1"] {
      let kept = try read("20261203T090000", rule)
      #expect(try kept.rule == RecurrenceRule("FREQ=DAILY;COUNT=5"))
      #expect(try kept.repeatStart == CalendarTesting.wall("2026-12-01T09:00"))
    }
    for (due, rule) in [("20261203T090000", "FREQ=WEEKLY"), ("20261204T090000", until)] {
      let edited = try read(due, rule)
      #expect(try edited.rule == RecurrenceRule(rule))
      #expect(edited.repeatStart == nil && edited.properties == [])
    }
  }

  @Test("rules whose COUNT takes long to count take no longer to read")
  func largeCounts() throws {
    let todo = [
      "BEGIN:VTODO", "SUMMARY:x", "DUE:20261121T090000",
      "RRULE:FREQ=MINUTELY;INTERVAL=7;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO;COUNT=999999", "EXDATE:20561228T101010",
      "END:VTODO",
    ]
    let lines = (0..<2_000).flatMap { _ in todo }
    var count = 0
    let time = try ProcessorTime.measure { count = try CalendarTesting.entries(lines: lines).items.count }
    #expect(count == 2_000)
    #expect(time < .seconds(20))
  }
}
