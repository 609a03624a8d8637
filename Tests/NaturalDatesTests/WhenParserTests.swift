import CivilTime
import Foundation
import NaturalDates
import TestSupport
import Testing

/// Every form of a WHEN, on Wednesday 2026-11-18 at 10:20:30 in Zurich.
@Suite struct WhenParserTests {
  private static func parser(now: String = "2026-11-18T10:20:30+01:00", zone: String = "Europe/Zurich") throws
    -> WhenParser
  {
    WhenParser(
      now: try TimeTesting.instant(now), zone: try TimeTesting.database.zone(zone),
      defaultTime: try #require(TimeOfDay(hour: 9, minute: 0)))
  }

  private static func expect(_ text: String, _ expected: String, now: String = "2026-11-18T10:20:30+01:00") throws {
    #expect(try parser(now: now).parse(text) == .at(try TimeTesting.wall(expected)), "\(text)")
  }

  @Test(
    "dates in digits",
    arguments: [
      ("2026-12-24", "2026-12-24T09:00"),
      ("2026-12-24 18:30", "2026-12-24T18:30"),
      ("2026-12-24T18:30", "2026-12-24T18:30"),
      ("2026-12-24t18:30:59", "2026-12-24T18:30"),
      ("2026-12-24 6pm", "2026-12-24T18:00"),
      ("2026-12-24 at 9", "2026-12-24T09:00"),
      ("  2026-12-24 \t 18:30\n", "2026-12-24T18:30"),
      ("18:30 2026-12-24", "2026-12-24T18:30"),
      ("1970-01-02", "1970-01-02T09:00"),
      ("9999-12-31 23:59", "9999-12-31T23:59"),
      ("2024-02-29", "2024-02-29T09:00"),
      ("2026-W50-1", "2026-12-07T09:00"),
      ("2026-w50-7 18:30", "2026-12-13T18:30"),
      ("2026-W53-5", "2027-01-01T09:00"),
      ("2025-W01-1", "2024-12-30T09:00"),
      ("31.12.2026", "2026-12-31T09:00"),
      ("31.12.2026 18:00", "2026-12-31T18:00"),
      ("24.12. 18:00", "2026-12-24T18:00"),
      ("17.11.", "2027-11-17T09:00"),
      ("fri 27.11.", "2026-11-27T09:00"),
      ("12/24/2026", "2026-12-24T09:00"),
      ("24/12/2026 6pm", "2026-12-24T18:00"),
      ("4.4.2027", "2027-04-04T09:00"),
    ])
  func digits(text: String, expected: String) throws { try Self.expect(text, expected) }

  @Test(
    "RFC 3339 instants become the wall time of the zone, seconds floored",
    arguments: [
      ("2026-12-24T18:30:00+01:00", "2026-12-24T18:30"),
      ("2026-12-24T18:30:59.999999999999Z", "2026-12-24T19:30"),
      ("2026-06-24t18:30:00z", "2026-06-24T20:30"),
      ("2026-12-24 18:30:00-05:00", "2026-12-25T00:30"),
      ("2026-12-24T18:30+05:45", "2026-12-24T13:45"),
      ("2016-12-31T23:59:60Z", "2017-01-01T00:59"),
    ])
  func rfc3339(text: String, expected: String) throws { try Self.expect(text, expected) }

  @Test(
    "a bare time is today where it is ahead, tomorrow where it is past",
    arguments: [
      ("18:30", "2026-11-18T18:30"),
      ("6pm", "2026-11-18T18:00"),
      ("6 PM", "2026-11-18T18:00"),
      ("6:05pm", "2026-11-18T18:05"),
      ("at 18", "2026-11-18T18:00"),
      ("10:21", "2026-11-18T10:21"),
      ("10:20", "2026-11-19T10:20"),
      ("9:05", "2026-11-19T09:05"),
      ("12am", "2026-11-19T00:00"),
      ("12pm", "2026-11-18T12:00"),
      ("noon", "2026-11-18T12:00"),
      ("midnight", "2026-11-19T00:00"),
      ("00:00", "2026-11-19T00:00"),
    ])
  func times(text: String, expected: String) throws { try Self.expect(text, expected) }

  @Test(
    "days by name",
    arguments: [
      ("today", "2026-11-18T11:00"),
      ("this weekend", "2026-11-21T09:00"),
      ("this weekend at 18:00", "2026-11-21T18:00"),
      ("tomorrow morning", "2026-11-19T09:00"),
      ("tomorrow morning at 8", "2026-11-19T08:00"),
      ("fri morning", "2026-11-20T09:00"),
      ("tomorrow morning at 5", "2026-11-19T05:00"),
      ("friday evening", "2026-11-20T20:00"),
      ("this evening", "2026-11-18T20:00"),
      ("this evening at 7", "2026-11-18T19:00"),
      ("at 5 tomorrow evening", "2026-11-19T17:00"),
      ("fri evening 7:30", "2026-11-20T19:30"),
      ("2026-12-24 evening 18:15", "2026-12-24T18:15"),
      ("fri 05", "2026-11-20T05:00"),
      ("fri 7", "2026-11-20T07:00"),
      ("fri 5pm", "2026-11-20T17:00"),
      ("tonight at 8", "2026-11-18T20:00"),
      ("at 8:30 tonight", "2026-11-18T20:30"),
      ("today 17:00", "2026-11-18T17:00"),
      ("5pm today", "2026-11-18T17:00"),
      ("Tomorrow 9AM", "2026-11-19T09:00"),
      ("tomorrow", "2026-11-19T09:00"),
      ("day after tomorrow", "2026-11-20T09:00"),
      ("the day after tomorrow at 18:30", "2026-11-20T18:30"),
      ("Day after tomorrow, noon", "2026-11-20T12:00"),
      ("tomorrow, noon", "2026-11-19T12:00"),
      ("yesterday 8:00", "2026-11-17T08:00"),
      ("tonight", "2026-11-18T20:00"),
      ("tonight at 22:30", "2026-11-18T22:30"),
      ("tonight 1am", "2026-11-19T01:00"),
      ("midnight tonight", "2026-11-19T00:00"),
      ("today midnight", "2026-11-19T00:00"),
      ("end of month", "2026-11-30T09:00"),
      ("end of the month 18:00", "2026-11-30T18:00"),
      ("end of next month", "2026-12-31T09:00"),
      ("last day of month", "2026-11-30T09:00"),
      ("end of year", "2026-12-31T09:00"),
      ("1st of next month", "2026-12-01T09:00"),
      ("the 1st of next month at noon", "2026-12-01T12:00"),
      ("first of next month", "2026-12-01T09:00"),
      ("20th of this month", "2026-11-20T09:00"),
      ("20th", "2026-11-20T09:00"),
      ("18th", "2026-12-18T09:00"),
      ("18th 18:00", "2026-11-18T18:00"),
      ("on the 31st", "2026-12-31T09:00"),
    ])
  func days(text: String, expected: String) throws { try Self.expect(text, expected) }

  @Test(
    "today is the default time, or the next full hour when that is past",
    arguments: [
      ("2026-11-18T08:59:59+01:00", "2026-11-18T09:00"),
      ("2026-11-18T09:00:00+01:00", "2026-11-18T10:00"),
      ("2026-11-18T22:59:59+01:00", "2026-11-18T23:00"),
      ("2026-11-18T23:00:00+01:00", "2026-11-19T00:00"),
    ])
  func today(now: String, expected: String) throws { try Self.expect("today", expected, now: now) }

  @Test(
    "a weekday is the next one, today's where its time is ahead; next adds a week within this week",
    arguments: [
      ("fri 17:00", "2026-11-20T17:00"),
      ("FRIDAY", "2026-11-20T09:00"),
      ("on friday at 5pm", "2026-11-20T17:00"),
      ("5pm friday", "2026-11-20T17:00"),
      ("this fri", "2026-11-20T09:00"),
      ("mon 9", "2026-11-23T09:00"),
      ("wed 17:00", "2026-11-18T17:00"),
      ("wed", "2026-11-25T09:00"),
      ("next monday", "2026-11-23T09:00"),
      ("next fri 17:00", "2026-11-27T17:00"),
      ("next sunday", "2026-11-29T09:00"),
      ("next wed 17:00", "2026-11-25T17:00"),
      ("next wed", "2026-11-25T09:00"),
      ("friday in 2 weeks", "2026-12-04T09:00"),
      ("friday in two weeks at 17:00", "2026-12-04T17:00"),
      ("tues", "2026-11-24T09:00"),
      ("thurs 8:00", "2026-11-19T08:00"),
      ("thurs 8 a.m.", "2026-11-19T08:00"),
      ("thurs at 8.30 p.m", "2026-11-19T20:30"),
    ])
  func weekdays(text: String, expected: String) throws { try Self.expect(text, expected) }

  @Test(
    "days of the year, in this year where they are ahead",
    arguments: [
      ("dec 24 18:30", "2026-12-24T18:30"),
      ("24 dec", "2026-12-24T09:00"),
      ("24th of December, 6pm", "2026-12-24T18:00"),
      ("December 24th", "2026-12-24T09:00"),
      ("dec 24, 2027", "2027-12-24T09:00"),
      ("24 dec 2027 9", "2027-12-24T09:00"),
      ("nov 18 11:00", "2026-11-18T11:00"),
      ("nov 18", "2027-11-18T09:00"),
      ("1 jan", "2027-01-01T09:00"),
      ("feb 29", "2028-02-29T09:00"),
      ("sept 1", "2027-09-01T09:00"),
      ("fri 27 nov", "2026-11-27T09:00"),
      ("Fri 27 Nov 2026 17:00", "2026-11-27T17:00"),
    ])
  func dates(text: String, expected: String) throws { try Self.expect(text, expected) }

  @Test(
    "amounts of time from now",
    arguments: [
      ("in 10 minutes", "2026-11-18T10:30"),
      ("in 1 minute", "2026-11-18T10:21"),
      ("IN AN HOUR", "2026-11-18T11:20"),
      ("in half an hour", "2026-11-18T10:50"),
      ("in 1h30m", "2026-11-18T11:50"),
      ("in 1 hour and 30 minutes", "2026-11-18T11:50"),
      ("in 2 weeks", "2026-12-02T10:20"),
      ("in a fortnight", "2026-12-02T10:20"),
      ("in a week at 9am", "2026-11-25T09:00"),
      ("in 3 days 18:00", "2026-11-21T18:00"),
      ("in 3 months", "2027-02-18T10:20"),
      ("in a year", "2027-11-18T10:20"),
      ("+2h", "2026-11-18T12:20"),
      ("+1d", "2026-11-19T10:20"),
      ("+ 1w", "2026-11-25T10:20"),
      ("+1d2h", "2026-11-19T12:20"),
      ("+90m", "2026-11-18T11:50"),
    ])
  func amounts(text: String, expected: String) throws { try Self.expect(text, expected) }

  @Test(
    "an amount never ends in a minute that begins within ten seconds: it would be past before it is kept",
    arguments: [
      ("in 1 minute", "2026-11-18T10:20:50+01:00", "2026-11-18T10:21"),
      ("in 1 minute", "2026-11-18T10:20:51+01:00", "2026-11-18T10:22"),
      ("+1m", "2026-11-18T10:20:59+01:00", "2026-11-18T10:22"),
      ("in 2 minutes", "2026-11-18T10:20:59+01:00", "2026-11-18T10:22"),
    ])
  func lead(text: String, now: String, expected: String) throws { try Self.expect(text, expected, now: now) }

  @Test(
    "a line that ends in a time is the text before it",
    arguments: [
      ("Call Anna tomorrow 9am", "Call Anna", "2026-11-19T09:00"),
      ("Call Anna, fri 17:00", "Call Anna,", "2026-11-20T17:00"),
      ("Dinner at 18:30", "Dinner", "2026-11-18T18:30"),
      ("  Pay the rent\tin 2 weeks ", "Pay the rent", "2026-12-02T10:20"),
      ("Buy 2 at 9 tomorrow", "Buy 2", "2026-11-19T09:00"),
      ("J\u{e4}ten \u{1f33b} 24 dec", "J\u{e4}ten \u{1f33b}", "2026-12-24T09:00"),
      ("tomorrow or tomorrow tomorrow", "tomorrow or tomorrow", "2026-11-19T09:00"),
      ("Send it by friday", "Send it", "2026-11-20T09:00"),
    ])
  func lines(line: String, text: String, expected: String) throws {
    let words = line.split(whereSeparator: \.isWhitespace)[...]
    let when = try #require(try Self.parser().whenAtEnd(of: words))
    let time = try TimeTesting.wall(expected)
    #expect(words[..<when.lead].written == text && when.time == time)
  }

  @Test(
    "any other line is a text, also one that ends in a time that is past",
    arguments: [
      "Buy milk", "tomorrow", "", "  ", "Room 5", "Buy none", "Read the news of yesterday",
      "The minutes of 2026-11-01 9am", "Sing in the rain", "Work from 9:00 to 17:00", "Run until friday",
      "Meet on fri and sat", "The talk after tomorrow", "tomorrow is tomorrow",
    ])
  func texts(line: String) throws {
    #expect(try Self.parser().whenAtEnd(of: line.split(whereSeparator: \.isWhitespace)[...]) == nil)
  }

  @Test(
    "a time of day alone is told from other times",
    arguments: [
      ("3pm", "15:00"), ("at 8:00", "08:00"), ("at 8", "08:00"), ("noon", "12:00"), ("midnight", "00:00"),
      ("tomorrow 3pm", nil), ("in 2 hours", nil), ("fri", nil), ("2026-12-24", nil), ("25:00", nil), ("", nil),
    ] as [(String, String?)])
  func timesOfDay(text: String, expected: String?) throws {
    #expect(try Self.parser().timeOfDay(text).map { "\($0)" } == expected)
  }

  @Test("none is no time")
  func none() throws {
    #expect(try Self.parser().parse(" None ") == .none)
    #expect(try Self.parser().parseInstant("none") == nil)
  }

  @Test("the month after a long month ends with its own last day")
  func shortMonth() throws {
    try Self.expect("in 1 month", "2027-02-28T12:00", now: "2027-01-31T12:00:00+01:00")
    try Self.expect("31st", "2027-03-31T09:00", now: "2027-01-31T12:00:00+01:00")
  }

  @Test("weeks begin on Monday, so on a Sunday next friday is the coming one")
  func sunday() throws {
    try Self.expect("next friday", "2026-11-27T09:00", now: "2026-11-22T12:00:00+01:00")
    try Self.expect("next sunday 18:00", "2026-11-29T18:00", now: "2026-11-22T12:00:00+01:00")
  }

  @Test("hours count exactly over a change of the clocks, days keep the time of day")
  func changeOfClocks() throws {
    let before = "2026-03-28T20:00:00+01:00"
    try Self.expect("+24h", "2026-03-29T21:00", now: before)
    try Self.expect("in 1 day", "2026-03-29T20:00", now: before)
    try Self.expect("in 1 day and 1 hour", "2026-03-29T21:00", now: before)
    try Self.expect("in 5 hours", "2026-10-25T02:30", now: "2026-10-24T21:30:00+02:00")
  }

  @Test("a time that the clocks skip stays as it was written")
  func gap() throws {
    let parser = try Self.parser(now: "2026-03-28T20:00:00+01:00")
    #expect(try parser.parse("02:30") == .at(try TimeTesting.wall("2026-03-29T02:30")))
    #expect(try parser.parseInstant("02:30") == FireDate(try TimeTesting.instant("2026-03-29T03:30:00+02:00")))
  }

  @Test("an instant in the hour that comes twice is refused as a wall time, since that means the first")
  func overlap() throws {
    let parser = try Self.parser(now: "2026-10-25T02:55:00+02:00")
    let second = try TimeTesting.instant("2026-10-25T02:05:00+01:00")
    let error = #expect(throws: WhenError.self) { try parser.parse("in 10 minutes") }
    #expect(error?.message.contains("the second 02:05 of 25 October") == true)
    #expect(throws: WhenError.self) { try parser.parse("2026-10-25T02:05:00+01:00") }
    #expect(try parser.parseInstant("in 10 minutes") == FireDate(second))
    #expect(try parser.parseInstant("2026-10-25T02:05:00+01:00") == FireDate(second))
    #expect(try parser.parse("2026-10-25T02:05:00+02:00") == .at(try TimeTesting.wall("2026-10-25T02:05")))
  }

  @Test("a bare time is past where its first occurrence is, even if the clocks show it again")
  func overlapIsPast() throws {
    try Self.expect("02:30", "2026-10-26T02:30", now: "2026-10-25T02:10:00+01:00")
  }
}
