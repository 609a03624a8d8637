import RecurrenceRules
import Testing

@testable import Interchange

@Suite("Rules that others wrote loosely")
struct ReceivedRuleTests {
  @Test(
    "a semicolon at the end and an empty rule are told and lose nothing",
    arguments: [
      ("FREQ=DAILY;", "FREQ=DAILY", "semicolon at the end of an RRULE"),
      ("FREQ=WEEKLY;BYDAY=MO;;", "FREQ=WEEKLY;BYDAY=MO", "semicolon at the end of an RRULE"),
      ("", nil, "empty RRULE"), (";", nil, "empty RRULE"), (" ", nil, "empty RRULE"),
    ] as [(String, String?, String)])
  func loose(value: String, rule: String?, words: String) throws {
    let read = try CalendarTesting.entries(todo: ["SUMMARY:x", "DUE:20261121T090000", "RRULE:\(value)"])
    let item = try #require(read.items.first, "\(read)")
    #expect(item.rule == (try rule.map { try RecurrenceRule($0) }))
    #expect(try item.due == .local(CalendarTesting.wall("2026-11-21T09:00"), .floating))
    #expect(read.leftOut == [words])
  }

  @Test("an empty rule asks for no date")
  func emptyWithoutDate() throws {
    #expect(try CalendarTesting.item("SUMMARY:x", "RRULE:").rule == nil)
  }

  @Test(
    "of a day without a time BYHOUR, BYMINUTE and BYSECOND are passed over",
    arguments: [
      ["DUE;VALUE=DATE:20261121"], ["DTSTART;VALUE=DATE:20261121"],
      ["DTSTART;VALUE=DATE:20261121", "DUE;VALUE=DATE:20261121"],
    ])
  func days(dates: [String]) throws {
    let read = try CalendarTesting.entries(
      todo: ["SUMMARY:x", "RRULE:FREQ=DAILY;byhour=3,99;BYMINUTE=30;BYSECOND=15;INTERVAL=2"] + dates)
    let item = try #require(read.items.first, "\(read)")
    #expect(try item.rule == RecurrenceRule("FREQ=DAILY;INTERVAL=2"))
    #expect(try item.due == .local(CalendarTesting.wall("2026-11-21T09:00"), .floating))
    #expect(read.leftOut == ["time of day in the RRULE of a day"])
  }

  @Test("of a time they count")
  func times() throws {
    let item = try CalendarTesting.item("SUMMARY:x", "DUE:20261121T090000", "RRULE:FREQ=DAILY;BYHOUR=9,17")
    #expect(try item.rule == RecurrenceRule("FREQ=DAILY;BYHOUR=9,17"))
  }
}
