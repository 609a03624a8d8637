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
  private func rings(_ lines: [String], zone: [String] = [], isSeen: Bool = true) throws -> [String] {
    let place = try Place()
    let belfry = place.belfry()
    let todo = ["BEGIN:VTODO", "UID:a", "DTSTAMP:20261101T000000Z", "SUMMARY:x"] + lines + ["END:VTODO"]
    let calendar = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//other"] + zone + todo + ["END:VCALENDAR", ""]
    try place.write(calendar.joined(separator: "\r\n"))
    if isSeen { _ = try belfry.planEdits() }
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

  @Test("a to-do in a zone that only its VTIMEZONE defines rings by those rules, in winter and in summer")
  func definedZone() throws {
    let zone = [
      "BEGIN:VTIMEZONE", "TZID:Desk", "BEGIN:STANDARD", "DTSTART:16011101T020000", "TZOFFSETFROM:-0400",
      "TZOFFSETTO:-0500", "RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11", "END:STANDARD", "BEGIN:DAYLIGHT",
      "DTSTART:16010301T020000", "TZOFFSETFROM:-0500", "TZOFFSETTO:-0400", "RRULE:FREQ=YEARLY;BYDAY=2SU;BYMONTH=3",
      "END:DAYLIGHT", "END:VTIMEZONE",
    ]
    let due = ["DUE;TZID=Desk:20261124T040000", "RRULE:FREQ=DAILY;COUNT=2"] + Self.atDue
    #expect(try rings(due, zone: zone) == ["24 09:00", "25 09:00"])
    #expect(
      try rings(["DUE;TZID=Desk:20260708T050000", "RRULE:FREQ=DAILY;INTERVAL=139"] + Self.atDue, zone: zone) == [
        "24 10:00"
      ])
  }

  @Test(
    "a plan has what another program has just written, before any daemon has seen it, once", arguments: [false, true])
  func unseen(isSeen: Bool) throws {
    let due = ["DUE;TZID=Europe/London:20261124T090000"]
    #expect(try rings(due + Self.atDue, isSeen: isSeen) == ["24 09:00"])
    #expect(try rings(due + ["RRULE:FREQ=DAILY;COUNT=2"] + Self.atDue, isSeen: isSeen) == ["24 09:00", "25 09:00"])
  }

  @Test("an explanation has it too, and says what is past")
  func explained() throws {
    let place = try Place()
    let belfry = place.belfry()
    func verdict() throws -> String {
      try belfry.read { try $0.explain(1, settings: belfry.settings, sinks: []).verdict }
    }
    try place.write(Place.todo("SUMMARY:x", "DUE:20261124T090000Z"))
    #expect(try verdict().hasPrefix("It will ring Tue 24 Nov 2026 09:00"))
    try place.write(Place.todo("SUMMARY:x", "DUE:20261120T090000Z"))
    #expect(try verdict().hasPrefix("It will not ring: its time was already past"))
  }

  private static let atDue = ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER;RELATED=END:PT0S", "END:VALARM"]
}
