import CivilTime
import Foundation
import TestSupport
import Testing

@Suite struct RFC3339Tests {
  @Test(
    "an instant is written with the zone's offset, in whole seconds",
    arguments: [
      ("Europe/Zurich", "2026-11-21T08:00:00Z", "2026-11-21T09:00:00+01:00"),
      ("Europe/Zurich", "2026-07-21T08:00:59Z", "2026-07-21T10:00:59+02:00"),
      ("Asia/Kathmandu", "2026-11-21T08:00:00Z", "2026-11-21T13:45:00+05:45"),
      ("America/St_Johns", "2026-11-21T02:00:00Z", "2026-11-20T22:30:00-03:30"),
      ("UTC", "2026-11-21T08:00:00Z", "2026-11-21T08:00:00Z"),
      ("Etc/UTC", "2026-11-21T08:00:00Z", "2026-11-21T08:00:00Z"),
      ("Europe/London", "2026-11-21T08:00:00Z", "2026-11-21T08:00:00+00:00"),
      ("America/New_York", "1970-01-01T00:00:00Z", "1969-12-31T19:00:00-05:00"),
      ("Pacific/Kiritimati", "9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
      ("Africa/Monrovia", "1971-01-01T12:00:00Z", "1971-01-01T11:16:00-00:44"),
    ])
  func writes(zone: String, instant: String, text: String) throws {
    #expect(try TimeTesting.database.zone(zone).rfc3339(TimeTesting.instant(instant)) == text)
    #expect(try TimeTesting.instant(text) == TimeTesting.instant(instant))
    #expect(OffsetInstant(text)?.description == text)
  }

  @Test("fractions are floored, and what has no text becomes the nearest that has one")
  func extremes() throws {
    #expect(Zone.utc.rfc3339(Date(timeIntervalSince1970: 59.999)) == "1970-01-01T00:00:59Z")
    #expect(Zone.utc.rfc3339(Date(timeIntervalSince1970: -0.001)) == "1969-12-31T23:59:59Z")
    #expect(Zone.utc.rfc3339(Date(timeIntervalSince1970: .infinity)) == "9999-12-31T23:59:59Z")
    #expect(Zone.utc.rfc3339(Date(timeIntervalSince1970: -1e300)) == "0000-01-01T00:00:00Z")
    #expect(Zone.utc.rfc3339(Date(timeIntervalSince1970: .nan)).utf8.count == 20)
  }

  @Test(
    "what is not RFC 3339 is not read",
    arguments: [
      "", "2026-11-21", "2026-11-21T09:00:00", "2026-11-21T09:00Z", "2026-11-21T09:00:00+0100",
      "2026-11-21T09:00:00+01",
      "2026-11-21T09:00:00+24:00", "2026-11-21T09:00:00+01:60", "2026-11-21T09:00:00.Z", "2026-11-21T24:00:00Z",
      "2026-11-21T09:60:00Z", "2026-11-21T09:00:60Z", "2026-11-21T09:00:61Z", "2026-02-29T09:00:00Z",
      "2026-11-21T09:00:00Z ", "02026-11-21T09:00:00Z", "2026-11-21_09:00:00Z", "2026-11-21T09:00:00ZZ",
      "2026-11-21T09:00:00.\(String(repeating: "9", count: 100))Z", "2026-11-21T09:00:00−01:00",
    ])
  func refuses(text: String) { #expect(parseRFC3339(text) == nil) }

  @Test(
    "a leap second is the second before it",
    arguments: ["2016-12-31T23:59:60Z", "2017-01-01T00:59:60+01:00", "1990-12-31T15:59:60-08:00"])
  func leapSecond(text: String) throws {
    let second = try TimeTesting.instant(text).timeIntervalSince1970
    #expect(second.truncatingRemainder(dividingBy: 86_400) == 86_399)
  }

  @Test("random texts are read as Python's datetime reads them")
  func agreesWithPython() throws {
    let program = """
      import random
      from datetime import datetime, timedelta, timezone
      rnd = random.Random(7)
      for _ in range(5000):
          zone = timezone(timedelta(minutes=rnd.randrange(-1439, 1440)))
          d = datetime(2, 1, 1, tzinfo=zone) + timedelta(seconds=rnd.randrange(0, 9996 * 31556952))
          text = d.isoformat() if rnd.random() < 0.5 else d.replace(microsecond=rnd.randrange(1, 10**6)).isoformat()
          print(text, int((d - datetime(1970, 1, 1, tzinfo=timezone.utc)).total_seconds()))
      """
    let lines = try Python.run(program).split(separator: "\n")
    #expect(lines.count == 5_000)
    for line in lines {
      let fields = line.split(separator: " ")
      let read = try #require(OffsetInstant(String(fields[0])), "\(line)")
      #expect(read.date.timeIntervalSince1970 == Double(fields[1]), "\(line)")
      #expect(read.description == fields[0].replacing(/\.\d+/, with: ""))
    }
  }

  @Test(
    "people read the weekday, the date, the time and the zone's name for it",
    arguments: [
      ("Europe/Zurich", "2026-11-27T16:00:00Z", "Fri 27 Nov 2026 17:00 CET"),
      ("Europe/Zurich", "2026-05-03T05:04:59Z", "Sun 3 May 2026 07:04 CEST"),
      ("Asia/Kathmandu", "2026-11-27T20:00:00Z", "Sat 28 Nov 2026 01:45 +0545"),
      ("UTC", "1970-01-01T00:00:00Z", "Thu 1 Jan 1970 00:00 UTC"),
    ])
  func readable(zone: String, instant: String, text: String) throws {
    #expect(try TimeTesting.database.zone(zone).readable(TimeTesting.instant(instant)) == text)
  }

  @Test(
    "distances in words, never rounded up",
    arguments: [
      (0, "now"), (59, "now"), (-59, "now"), (60, "in 1 min"), (119, "in 1 min"), (3_599, "in 59 min"),
      (3_600, "in 1 h"), (7_500, "in 2 h 5 min"), (-7_500, "2 h 5 min late"), (-60, "1 min late"),
      (86_400, "in 1 day"), (97_200, "in 1 day 3 h"), (172_799, "in 1 day 23 h"), (6 * 86_400 + 3_600, "in 6 days"),
      (-400 * 86_400, "400 days late"), (.nan, "now"), (1e300, "in 6944444 days"),
    ] as [(Double, String)])
  func words(seconds: Double, text: String) {
    let now = Date(timeIntervalSinceReferenceDate: 0)
    #expect(RelativeTime.words(from: now, to: Date(timeIntervalSinceReferenceDate: seconds)) == text)
  }

  @Test("a reminder in ten minutes is reported as in ten minutes, whatever the second")
  func wordsWithinAMinute() throws {
    let now = try TimeTesting.instant("2026-11-21T09:00:40Z")
    #expect(RelativeTime.words(from: now, to: try TimeTesting.instant("2026-11-21T09:10:00Z")) == "in 10 min")
    #expect(RelativeTime.words(from: now, to: try TimeTesting.instant("2026-11-21T09:01:00Z")) == "in 1 min")
    #expect(RelativeTime.words(from: now, to: try TimeTesting.instant("2026-11-21T08:55:00Z")) == "5 min late")
  }
}
