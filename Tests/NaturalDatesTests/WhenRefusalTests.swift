import CivilTime
import Foundation
import NaturalDates
import TestSupport
import Testing

/// Refused WHEN words and their messages, on Wednesday 2026-11-18 at 10:20:30 in Zurich.
@Suite struct WhenRefusalTests {
  private static func message(_ text: String) throws -> String {
    let parser = WhenParser(
      now: try TimeTesting.instant("2026-11-18T10:20:30+01:00"), zone: try TimeTesting.database.zone("Europe/Zurich"),
      defaultTime: try #require(TimeOfDay(hour: 9, minute: 0)))
    do {
      return "accepted as \(try parser.parse(text))"
    } catch {
      return error.message
    }
  }

  @Test(
    "the message says what was understood",
    arguments: [
      ("25:00", "'25:00' is outside 00:00 to 23:59"),
      ("first", "'first' is not a time that Belfry knows"),
      ("the first", "'the first' is not a time that Belfry knows"),
      ("24:00", "outside 00:00 to 23:59"),
      ("18:60", "needs two digits from 00 to 59"),
      ("18:5", "needs two digits from 00 to 59"),
      ("18:", "needs two digits from 00 to 59"),
      ("13pm", "must run from 1 to 12"),
      ("0am", "must run from 1 to 12"),
      ("feb 30", "February has 28 or 29 days"),
      ("30th of february", "February has 28 or 29 days"),
      ("feb 29 2027", "February 2027 has 28 days"),
      ("2027-02-29", "February 2027 has 28 days"),
      ("2027-02-29T10:00:00Z", "February 2027 has 28 days"),
      ("31st of this month", "November 2026 has 30 days"),
      ("nov 31", "November has 30 days"),
      ("32nd", "28 to 31 days"),
      ("0th", "28 to 31 days"),
      ("2026-13-01", "the month 13 is outside 1 to 12"),
      ("2026-00-01", "the month 0 is outside 1 to 12"),
      ("2026-1-5", "two digits for month and day"),
      ("2026-12", "two digits for month and day"),
      ("2026-W54-1", "the year has 53 weeks"),
      ("2027-W53-1", "the year has 52 weeks"),
      ("2026-W00-1", "the year has 53 weeks"),
      ("2026-W50-8", "the day 8 is outside 1 (Monday) to 7"),
      ("2026-W50", "2026-W50-1"),
      ("2026-12-24T25:00:00Z", "outside 00:00 to 23:59"),
      ("2026-12-24T10:00:60Z", "outside 00:00 to 23:59"),
      ("2026-12-24T10:00:00+25:00", "understood as far as '2026-12-24'"),
      ("3/4", "could mean 3 April or 4 March"),
      ("3/4 18:00", "could mean 3 April or 4 March"),
      ("3.4.2026", "could mean 3 April or 4 March"),
      ("3/4/2026", "could mean 3 April or 4 March"),
      ("24.12", "seems to mean 24 December"),
      ("24/7", "seems to mean 24 July"),
      ("12/24/26", "seems to mean 24 December"),
      ("24.12.26", "seems to mean 24 December"),
      ("12-24-2026", "seems to mean 24 December"),
      ("29.2.2027", "February 2027 has 28 days"),
      ("30.2.", "'30.2' does not exist, February has 28 or 29 days"),
      ("31.6.2026", "'31.6' does not exist, June has 30 days"),
      ("17h30", "write 17:30, or in 17h30m"),
      ("13.13.2026", "is not a date that Belfry can read"),
      ("4-4", "seems to mean 4 April"),
      ("45/45", "is not a date that Belfry can read"),
      ("9", "could be an hour or a day"),
      ("fri midnight", "write 2026-11-20T00:00 or 2026-11-21T00:00"),
      ("midnight 2026-12-24", "write 2026-12-24T00:00 or 2026-12-25T00:00"),
      ("tonight 9am", "is not at night"),
      ("tonight at noon", "is not at night"),
      ("tonight morning", "understood as far as 'tonight'"),
      ("tomorrow morning 5pm", "is not in the morning"),
      ("morning", "is not a time that Belfry knows"),
      ("evening", "is not a time that Belfry knows"),
      ("tonight evening", "understood as far as 'tonight'"),
      ("friday evening 9am", "is not in the evening"),
      ("friday evening at 12:00", "is not in the evening"),
      ("friday morning evening", "understood as far as 'friday morning'"),
      ("fri 5", "'fri 5' could mean 05:00 or 17:00: write 5am or 5pm"),
      ("tomorrow at 6", "could mean 06:00 or 18:00: write 6am or 6pm"),
      ("at 1", "could mean 01:00 or 13:00: write 1am or 1pm"),
      ("in 2 weeks at 3", "could mean 03:00 or 15:00"),
      ("next weekend", "write next monday, in 1 week"),
      ("thu 27 nov", "27 November 2026 is a Friday"),
      ("next week", "write next monday, in 1 week"),
      ("next month", "1st of next month"),
      ("december", "names the month December but no day"),
      ("dec 18:30", "names the month December but no day"),
      ("end of week", "write end of month"),
      ("in 0 minutes", "less than a minute"),
      ("+0d", "less than a minute"),
      ("in 30 seconds", "has seconds"),
      ("+59s", "has seconds"),
      ("in 5", "names no amount of time"),
      ("in december", "names no amount of time"),
      ("+", "names no amount of time"),
      ("in 10 minutes and 2 hours", "units out of order"),
      ("in 10 minutes at 9am", "names two times"),
      ("in 2 weeks at midnight", "names two times"),
      ("fri in 10 minutes", "not in whole weeks"),
      ("10 minutes", "write in 10m or +10m"),
      ("2h", "write in 2h or +2h"),
      ("1 year and 2 days", "write in 12mo2d or +12mo2d"),
      ("10\rminutes", "write in 10m or +10m"),
      ("fri 17:00 please", "understood as far as 'fri 17:00', but not 'please'"),
      ("fri sat", "understood as far as 'fri', but not 'sat'"),
      ("9:00 10:00", "understood as far as '9:00', but not '10:00'"),
      ("none at all", "understood as far as 'none'"),
      ("in 1.5 hours", "has a fraction"),
      ("-2h", "is not a time that Belfry knows"),
      ("soon", "'soon' is not a time that Belfry knows"),
      ("", "the time is empty"),
      (" , ", "the time is empty"),
      ("1600-01-01", "the year 1600 is not supported: dates run from 1970 to 9999"),
      ("10000-01-01", "has a year of 5 digits: dates run from 1970 to 9999"),
      ("1969-12-31 23:59", "the year 1969 is not supported"),
      ("1970-01-01 00:00", "the year 1969 is not supported"),
      ("0000-01-01T00:00:00Z", "the year 0 is not supported"),
      ("in 8000 years", "too far away"),
      ("in 99999999999999999999 years", "too far away"),
      ("in 99999999999999999999 weeks", "too far away"),
      ("+99999999999999999999h", "distant future is not supported"),
      ("9999-12-31T23:30:00Z", "after 9999 in Europe/Zurich"),
    ])
  func messages(text: String, part: String) throws {
    let message = try Self.message(text)
    #expect(message.contains(part), "\(text): \(message)")
  }

  @Test(
    "text that no time has is refused before it is looked at",
    arguments: [
      "tomorrow\u{0}", "demain à midi", "18：30", "१८:३०", "\u{feff}18:30", "18\u{a0}:30", "\u{1b}[31m18:30",
      "fri\u{301}",
      String(repeating: "9", count: 1 << 20), String(repeating: " ", count: 1 << 20) + "18:30",
      String(repeating: "in ", count: 1 << 18), String(repeating: "\u{1F514}", count: 1 << 18),
    ])
  func foreign(text: String) throws {
    let message = try Self.message(text)
    #expect(message.contains("characters that no time has") || message.contains("too long"), "\(message)")
    #expect(message.utf8.count < 500)
    #expect(message.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.properties.generalCategory != .format })
  }
}
