import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import Testing
import VdirStore

/// The clock stands at 2026-11-21 08:00 UTC, a Saturday, and the machine's zone is UTC.
@Suite("Events that end")
struct ChangedEventsTests {
  private let place: Place
  private let belfry: Belfry

  init() throws {
    place = try Place()
    belfry = place.belfry(readsEvents: true)
  }

  private func write(_ events: [[String]], to name: String = "home/a.ics") throws {
    let lines = events.flatMap { ["BEGIN:VEVENT", "UID:a", "DTSTAMP:20261101T000000Z"] + $0 + ["END:VEVENT"] }
    try place.write(
      (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//other"] + lines + ["END:VCALENDAR", ""])
        .joined(separator: "\r\n"), to: name)
  }

  private static func alarm(_ trigger: String) -> [String] {
    ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:\(trigger)", "END:VALARM"]
  }

  /// The times at which something will ring, as `21 09:00 Choir`.
  private func rings() throws -> [String] {
    _ = try belfry.planEdits()
    let now = place.time.now
    return try belfry.read { reading in
      try reading.preview(from: now, until: now.addingTimeInterval(12 * 86_400), limit: 50).rings.map { ring in
        let time = Zone.utc.wallTime(at: ring.fireDate.date)
        return "\(String(time.description.dropFirst(8)).replacing("T", with: " ")) \(ring.text)"
      }
    }
  }

  private func open() throws -> [String] {
    try belfry.store.items().filter { !$0.isChecked }.compactMap { $0.due?.local.description }
  }

  @Test(
    "an event is over at its end, in its own zones, and one that gives no end an hour after its start",
    arguments: [
      (["DTSTART:20261121T090000Z", "DTEND:20261121T130000Z"], 300),
      (["DTSTART:20261121T090000Z", "DTEND:20261121T091500Z"], 75),
      (["DTSTART:20261121T090000Z", "DURATION:PT90M"], 150),
      (["DTSTART:20261121T090000Z"], 120),
      (["DTSTART;TZID=Asia/Tokyo:20261121T180000", "DTEND;TZID=Europe/Berlin:20261121T110000"], 120),
      (["DTSTART;VALUE=DATE:20261121", "DTEND;VALUE=DATE:20261123"], 2_400),
      (["DTSTART;VALUE=DATE:20261121"], 960),
    ] as [([String], Int)])
  func ends(lines: [String], minutes: Int) throws {
    try write([["SUMMARY:Choir"] + lines + Self.alarm("-PT12H")])
    _ = try belfry.planEdits()
    place.time.advance(by: Double(minutes) * 60 - 1)
    #expect(try open().count == 1)
    place.time.advance(by: 1)
    // Nothing was changed: the time alone ends it.
    #expect(try open().isEmpty)
  }

  @Test("an event that is on when its file comes is open, rings nothing past, and a repeat goes on behind it")
  func running() throws {
    try write([["SUMMARY:Choir", "DTSTART:20261121T070000Z", "DTEND:20261121T100000Z"] + Self.alarm("-PT15M")])
    #expect(try rings() == [] && open() == ["2026-11-21T07:00"])
    try write([
      ["SUMMARY:Choir", "DTSTART:20261114T070000Z", "DTEND:20261114T100000Z", "RRULE:FREQ=WEEKLY"]
        + Self.alarm("-PT15M")
    ])
    #expect(try rings() == ["28 06:45 Choir"] && open() == ["2026-11-21T07:00"])
    place.time.advance(by: 7_200)
    #expect(try open() == ["2026-11-28T07:00"])
  }

  @Test("an event without a title rings")
  func untitled() throws {
    try write([["DTSTART:20261122T090000Z"] + Self.alarm("PT0S")])
    #expect(try rings() == ["22 09:00 Event without a title"])
  }
}
