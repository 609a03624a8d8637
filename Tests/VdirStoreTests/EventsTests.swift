import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import Testing
import VdirStore

/// The clock stands at 2026-11-21 08:00 UTC, a Saturday, and the machine's zone is UTC.
@Suite("Events of calendars that ring")
struct EventsTests {
  private let place: Place
  private let belfry: Belfry

  init() throws {
    place = try Place()
    belfry = place.belfry(readsEvents: true)
  }

  /// Writes a calendar with an event of these lines, an alarm at its start, and events that change occurrences of it.
  private func write(
    _ lines: [String], alarms: [String] = ["TRIGGER:PT0S"], changing occurrences: [[String]] = []
  ) throws {
    var calendar = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//other"]
    for (number, more) in ([lines] + occurrences).enumerated() {
      calendar += ["BEGIN:VEVENT", "UID:a", "DTSTAMP:20261101T000000Z", "SUMMARY:Choir", "X-ODD:1"] + more
      for alarm in number == 0 ? alarms : [] { calendar += ["BEGIN:VALARM", "ACTION:DISPLAY", alarm, "END:VALARM"] }
      calendar += ["END:VEVENT"]
    }
    try place.write((calendar + ["END:VCALENDAR", ""]).joined(separator: "\r\n"))
  }

  /// The times at which it will ring, as `21 09:00`.
  private func rings() throws -> [String] {
    _ = try belfry.planEdits()
    let now = place.time.now
    return try belfry.read { reading in
      try reading.preview(from: now, until: now.addingTimeInterval(9 * 86_400), limit: 50).rings.map { ring in
        let time = Zone.utc.wallTime(at: ring.fireDate.date)
        return String(time.description.dropFirst(8)).replacing("T", with: " ")
      }
    }
  }

  @Test(
    "an event rings by its alarms, in its zone, floating or all day, whatever its end is",
    arguments: [
      (["DTSTART:20261123T090000Z", "DTEND:20261123T100000Z"], ["TRIGGER:-PT15M"], ["23 08:45"]),
      (
        ["DTSTART;TZID=Asia/Tokyo:20261123T090000", "DURATION:PT1H"], ["TRIGGER:PT0S", "TRIGGER:-P1D"],
        ["22 00:00", "23 00:00"]
      ),
      (["DTSTART:20261123T090000"], ["TRIGGER;VALUE=DATE-TIME:20261123T070000Z"], ["23 07:00"]),
      (
        ["DTSTART;VALUE=DATE:20261124", "DTEND;VALUE=DATE:20261126"], ["TRIGGER:PT10H", "TRIGGER:-PT6H"],
        ["23 18:00", "24 10:00"]
      ),
      (["DTSTART:20261123T090000Z", "STATUS:CANCELLED"], ["TRIGGER:PT0S"], []),
      (["DTSTART:20261123T090000Z"], ["TRIGGER;RELATED=END:-PT5M"], []), (["DTSTART:20261123T090000Z"], [], []),
    ] as [([String], [String], [String])])
  func forms(lines: [String], alarms: [String], expected: [String]) throws {
    try write(lines, alarms: alarms)
    #expect(try rings() == expected)
  }

  @Test("a repeat rings with its exceptions, additions, and moved and cancelled occurrences")
  func repeats() throws {
    try write(
      [
        "DTSTART:20240101T090000Z", "DTEND:20240101T100000Z", "RRULE:FREQ=DAILY", "EXDATE:20261124T090000Z",
        "RDATE:20261124T120000Z",
      ],
      changing: [
        ["RECURRENCE-ID:20261125T090000Z", "DTSTART:20261125T183000Z"],
        ["RECURRENCE-ID:20261126T090000Z", "DTSTART:20261126T090000Z", "STATUS:CANCELLED"],
      ])
    #expect(
      try rings() == [
        "21 09:00", "22 09:00", "23 09:00", "24 12:00", "25 18:30", "27 09:00", "28 09:00", "29 09:00",
      ])
    #expect(try belfry.store.items().first?.due?.local == WallTime(parsing: "2026-11-21T09:00"))
  }

  @Test(
    "a past event rings nothing and is over; one that begins is over an hour later, a repeat at its next occurrence")
  func ends() async throws {
    try write(["DTSTART:20261120T090000Z"])
    #expect(try rings() == [] && belfry.store.items().map(\.isChecked) == [true])
    try write(["DTSTART:20261121T090000Z"])
    #expect(try rings() == ["21 09:00"] && belfry.store.items().map(\.isChecked) == [false])
    place.time.advance(by: 3_600)
    let daemon = try TestDaemon(belfry, sinks: [])
    try await daemon.tick()
    #expect(try belfry.store.items().map(\.isChecked) == [false])
    place.time.advance(by: 3_700)
    try belfry.store.tidy()
    #expect(try belfry.store.items().map(\.isChecked) == [true])
    try write(["DTSTART:20261121T090000Z", "RRULE:FREQ=WEEKLY"])
    #expect(try rings() == ["28 09:00"])
    #expect(try belfry.store.items().first?.due?.local == WallTime(parsing: "2026-11-28T09:00"))
    #expect(try belfry.store.items().map(\.isChecked) == [false])
  }

  @Test("a check and a snooze stay here, any other change is refused, and the file keeps its bytes")
  func readOnly() throws {
    try write(["DTSTART:20261123T090000Z", "RRULE:FREQ=DAILY"])
    let file = try place.read()
    #expect(try rings().first == "23 09:00")
    _ = try belfry.setChecked(true, [1])
    #expect(try rings().first == "24 09:00")
    _ = try belfry.snooze(1, until: .after(CalendarDuration(days: 0, minutes: 90)))
    #expect(try rings().first == "21 09:30")
    var edit = ItemEdit()
    edit.text = "Another"
    #expect(throws: BelfryError.self) { try belfry.edit(1, edit) }
    #expect(throws: BelfryError.self) { try belfry.delete([1]) }
    #expect(try place.read() == file && belfry.store.items().map(\.text) == ["Choir"])
    #expect(try belfry.store.damage().isEmpty)
  }

  @Test("events ring only where the config says so, also in a folder that was used without, and back")
  func setting() throws {
    try write(["DTSTART:20261123T090000Z"])
    let without = place.belfry()
    _ = try without.planEdits()
    #expect(try without.store.items().isEmpty)
    #expect(try rings() == ["23 09:00"] && belfry.store.items().map(\.isEvent) == [true])
    _ = try without.planEdits()
    #expect(try without.store.items().isEmpty && without.store.damage().isEmpty)
    #expect(try rings() == ["23 09:00"])
  }

  @Test("a changed event rings at its new time, and one that is gone rings no more")
  func changes() throws {
    try write(["DTSTART:20261123T090000Z"])
    #expect(try rings() == ["23 09:00"])
    try write(["DTSTART:20261124T090000Z"])
    #expect(try rings() == ["24 09:00"])
    try place.remove("home/a.ics")
    _ = try rings()
    place.time.advance(by: 120)
    #expect(try rings() == [])
  }
}
