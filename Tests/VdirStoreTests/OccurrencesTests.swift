import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import Testing
import VdirStore

/// The clock stands at 2026-11-21 08:00 UTC, a Saturday.
@Suite("Occurrences of repeating to-dos in a folder of calendars")
struct OccurrencesTests {
  private let place: Place
  private let belfry: Belfry

  init() throws {
    place = try Place()
    belfry = place.belfry()
  }

  private static let daily = [
    "SUMMARY:Pill", "DTSTART:20261121T090000", "DUE:20261121T090000", "RRULE:FREQ=DAILY;COUNT=5",
  ]

  /// A calendar with the daily to-do, more lines of it, and to-dos that change occurrences of it.
  private func write(_ lines: [String] = [], changing occurrences: [[String]] = []) throws {
    var calendar = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//other"]
    func add(_ lines: [String]) {
      calendar += ["BEGIN:VTODO", "UID:a", "DTSTAMP:20261101T000000Z"] + lines + ["END:VTODO"]
    }
    add(Self.daily + lines)
    for occurrence in occurrences { add(["SUMMARY:Pill"] + occurrence) }
    calendar += ["END:VCALENDAR", ""]
    try place.write(calendar.joined(separator: "\r\n"))
  }

  /// The times at which it will ring, as `21 09:00`.
  private func rings() throws -> [String] {
    _ = try belfry.planEdits()
    let until = Sample.now.addingTimeInterval(9 * 86_400)
    return try belfry.read { reading in
      try reading.preview(from: Sample.now, until: until, limit: 50).rings.map { ring in
        let time = reading.planner.floatingZone.wallTime(at: ring.fireDate.date)
        return String(time.description.dropFirst(8)).replacing("T", with: " ")
      }
    }
  }

  @Test("EXDATE takes occurrences out, RDATE adds some, and neither is told as not followed")
  func dates() throws {
    try write(["EXDATE:20261123T090000,20261125T090000", "RDATE:20261123T120000"])
    #expect(try rings() == ["21 09:00", "22 09:00", "23 12:00", "24 09:00"])
    #expect(try belfry.store.damage().isEmpty)
    #expect(try belfry.store.read { try $0.editFaults() + $0.editNotes() }.isEmpty)
  }

  @Test("an EXDATE of the due date moves it on, and so does a completed occurrence, as Thunderbird writes it")
  func first() throws {
    try write(["EXDATE:20261121T090000"])
    #expect(try rings().first == "22 09:00")
    try write(changing: [["RECURRENCE-ID:20261121T090000", "STATUS:COMPLETED", "COMPLETED:20261121T073000Z"]])
    #expect(try rings() == ["22 09:00", "23 09:00", "24 09:00", "25 09:00"])
    #expect(try belfry.store.items().map(\.isChecked) == [false])
  }

  @Test("an occurrence that was moved rings at its own time, once, also in another zone")
  func moved() throws {
    try write(changing: [
      ["RECURRENCE-ID:20261123T090000", "DUE:20261123T183000"],
      ["RECURRENCE-ID:20261124T090000Z", "DUE:20261124T070000Z"],
    ])
    #expect(try rings() == ["21 09:00", "22 09:00", "23 18:30", "24 07:00", "25 09:00"])
  }

  @Test("a to-do whose occurrences are all completed is done")
  func done() throws {
    try write(changing: (21...25).map { ["RECURRENCE-ID:202611\($0)T090000", "STATUS:COMPLETED"] })
    #expect(try rings() == [])
    #expect(try belfry.store.items().map(\.isChecked) == [true])
  }

  @Test("a check moves the due date on past what does not take place, and leaves the other to-dos as they are")
  func check() throws {
    let change = ["RECURRENCE-ID:20261123T090000", "DUE:20261123T183000", "X-ODD:kept"]
    try write(["EXDATE:20261122T090000"], changing: [change])
    #expect(try rings() == ["21 09:00", "23 18:30", "24 09:00", "25 09:00"])
    _ = try belfry.setChecked(true, [1])
    #expect(try rings() == ["23 18:30", "24 09:00", "25 09:00"])
    let text = try place.read()
    #expect(text.contains("DUE:20261123T183000\r\nX-ODD:kept\r\n"))
    #expect(text.contains("EXDATE:20261122T090000\r\n"))
    // Another program reads the same from the file, and so does a new state.
    try FileManager.default.removeItem(atPath: place.states)
    #expect(try place.open().adopt() != nil)
    #expect(try rings() == ["23 18:30", "24 09:00", "25 09:00"])
  }

  @Test("a to-do that another program moves on, as tasks.org does, rings at the next occurrence")
  func movedOn() throws {
    try write()
    #expect(try rings().first == "21 09:00")
    try place.write(
      place.read().replacing("20261121T090000", with: "20261122T090000").replacing("COUNT=5", with: "COUNT=4"))
    #expect(try rings() == ["22 09:00", "23 09:00", "24 09:00", "25 09:00"])
  }

  @Test("of a completed occurrence, the copy that a phone makes is done, and the repeat goes on with its number")
  func completedCopy() throws {
    try write()
    #expect(try rings().first == "21 09:00")
    try place.write(
      place.read().replacing("20261121T090000", with: "20261122T090000").replacing("COUNT=5", with: "COUNT=4"))
    try place.write(
      Place.todo(uid: "copy", "SUMMARY:Pill", "DUE:20261121T090000", "STATUS:COMPLETED", "COMPLETED:20261121T075000Z"),
      to: "home/copy.ics")
    #expect(try rings() == ["22 09:00", "23 09:00", "24 09:00", "25 09:00"])
    #expect(try belfry.store.items().filter { !$0.isChecked }.map(\.id) == [1])
  }

  @Test("todoman makes a new to-do of the repeat and completes the old one: each occurrence rings once")
  func newRepeat() throws {
    try write()
    #expect(try rings().first == "21 09:00")
    let repeated = try place.read()
    try place.write(
      repeated.replacing("RRULE:FREQ=DAILY;COUNT=5", with: "STATUS:COMPLETED\r\nCOMPLETED:20261121T075000Z"))
    try place.write(
      repeated.replacing("UID:a", with: "UID:b").replacing("20261121T090000", with: "20261122T090000")
        .replacing("COUNT=5", with: "COUNT=4"), to: "home/b.ics")
    #expect(try rings() == ["22 09:00", "23 09:00", "24 09:00", "25 09:00"])
    #expect(try belfry.store.items().map(\.isChecked) == [true, false])
  }

  @Test("another text of one occurrence, and an RDATE without a rule, are told as not followed")
  func told() throws {
    try write(changing: [["RECURRENCE-ID:20261123T090000", "DUE:20261123T090000", "COMMENT:x"]])
    #expect(try rings().count == 5)
    try place.write(place.read().replacing("COMMENT:x\r\n", with: "DESCRIPTION:another\r\n"))
    _ = try rings()
    #expect(try belfry.store.read { try $0.editNotes() }.contains { $0.contains("changed occurrence") })
    try place.write(Place.todo(uid: "b", "SUMMARY:b", "DUE:20261121T090000", "RDATE:20261122T090000"), to: "home/b.ics")
    _ = try rings()
    #expect(try belfry.store.read { try $0.editNotes() }.contains { $0.contains("RDATE") })
  }
}
