import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import Testing
import VdirStore

/// The clock stands at 2026-11-21 08:00 UTC, a Saturday.
@Suite("What rings of to-dos in forms that other programs write")
struct ForeignFormsTests {
  /// The times at which a to-do of these lines will ring, as `24 09:00`.
  private func rings(_ lines: [String]) throws -> [String] {
    let place = try Place()
    let belfry = place.belfry()
    let todo = ["BEGIN:VTODO", "UID:a", "DTSTAMP:20261101T000000Z", "SUMMARY:x"] + lines + ["END:VTODO"]
    let calendar = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//other"] + todo + ["END:VCALENDAR", ""]
    try place.write(calendar.joined(separator: "\r\n"))
    _ = try belfry.planEdits()
    return try belfry.read { reading in
      let until = Sample.now.addingTimeInterval(9 * 86_400)
      return try reading.preview(from: Sample.now, until: until, limit: 50).rings.map { ring in
        let time = reading.planner.floatingZone.wallTime(at: ring.fireDate.date)
        return String(time.description.dropFirst(8)).replacing("T", with: " ")
      }
    }
  }

  private static let alarm = ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER;RELATED=END:PT9H", "END:VALARM"]

  @Test(
    "a series of days leaves out the day of an EXDATE in any form, and ends on the day of its UNTIL",
    arguments: [
      ["RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20261125T000000"], ["RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20261125T000000Z"],
      ["RRULE:FREQ=DAILY;COUNT=3", "EXDATE;TZID=Asia/Tokyo:20261125T000000"],
      ["RRULE:FREQ=DAILY;UNTIL=20261126T000000Z", "EXDATE;VALUE=DATE:20261125"],
    ])
  func days(lines: [String]) throws {
    #expect(try rings(["DUE;VALUE=DATE:20261124"] + lines + Self.alarm) == ["24 09:00", "26 09:00"])
  }

  @Test(
    "a to-do whose alarm is broken, or at a place, rings when it is due; so does one that was opened again",
    arguments: [
      ["BEGIN:VALARM", "TRIGGER:P", "END:VALARM"], ["BEGIN:VALARM", "ACTION:DISPLAY", "END:VALARM"],
      [
        "BEGIN:VALARM", "TRIGGER;VALUE=DATE-TIME:19760401T005545Z", "X-APPLE-PROXIMITY:ARRIVE", "END:VALARM",
      ],
      ["STATUS:NEEDS-ACTION", "COMPLETED:20261101T000000Z", "PERCENT-COMPLETE:100"],
    ])
  func due(lines: [String]) throws {
    #expect(try rings(["DUE;TZID=/Europe/London:20261124T090000"] + lines) == ["24 09:00"])
  }
}
