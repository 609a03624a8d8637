import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import Testing
import VdirStore

/// The clock stands at 2026-11-21 08:00 UTC, a Saturday, and the machine's zone is UTC.
@Suite("Events that end, and occurrences that differ from their series")
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
      (["DTSTART;VALUE=DATE:20261121"], 960), (["DTSTART;VALUE=DATE:20261121", "DURATION:P0D"], 960),
      (["DTSTART;VALUE=DATE:20261121", "DURATION:PT12H"], 960),
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

  @Test("alarms that only changed occurrences have ring, with their texts, also where the series has none")
  func alone() throws {
    let series = ["SUMMARY:Choir", "DTSTART:20261121T090000Z", "DTEND:20261121T100000Z", "RRULE:FREQ=DAILY;COUNT=6"]
    let third = ["RECURRENCE-ID:20261123T090000Z", "SUMMARY:Concert", "DTSTART:20261123T190000Z"] + Self.alarm("-PT1H")
    let fifth = ["RECURRENCE-ID:20261125T090000Z", "SUMMARY:Choir", "DTSTART:20261125T090000Z"] + Self.alarm("-P1D")
    try write([series, third, fifth])
    #expect(try rings() == ["23 18:00 Concert", "24 09:00 Choir"])
    #expect(try belfry.store.damage().isEmpty)
    // The series gets an alarm: the two stay as they are, and are not rung with it.
    try write([series + Self.alarm("PT0S"), third, fifth])
    #expect(
      try rings() == [
        "21 09:00 Choir", "22 09:00 Choir", "23 18:00 Concert", "24 09:00 Choir", "24 09:00 Choir", "26 09:00 Choir",
      ])
    // One of them goes, and is an occurrence like others again.
    try write([series + Self.alarm("PT0S"), fifth])
    #expect(
      try rings() == [
        "21 09:00 Choir", "22 09:00 Choir", "23 09:00 Choir", "24 09:00 Choir", "24 09:00 Choir", "26 09:00 Choir",
      ])
    #expect(throws: BelfryError.self) { try belfry.delete([belfry.store.items()[1].id]) }
    // They move with their file, and go with it.
    try FileManager.default.moveItem(atPath: place.path("home/a.ics"), toPath: place.path("home/b.ics"))
    #expect(try rings().count == 6)
    try place.remove("home/b.ics")
    _ = try rings()
    place.time.advance(by: 120)
    #expect(try rings() == [] && belfry.store.items().isEmpty)
  }

  @Test(
    "a changed occurrence without an alarm is silent, at its old time and its new, until it gets one",
    arguments: [["SUMMARY:Choir", "DTSTART:20261123T190000Z"], ["SUMMARY:Concert", "DTSTART:20261123T090000Z"]])
  func silent(lines: [String]) throws {
    let series = ["SUMMARY:Choir", "DTSTART:20261122T090000Z", "RRULE:FREQ=DAILY;COUNT=3"] + Self.alarm("PT0S")
    let second = ["RECURRENCE-ID:20261123T090000Z"] + lines
    try write([series, second])
    #expect(try rings() == ["22 09:00 Choir", "24 09:00 Choir"])
    #expect(try belfry.store.damage().isEmpty)
    try write([series, second + Self.alarm("-PT30M")])
    #expect(try rings().count == 3)
  }

  @Test("a check of an occurrence apart stays here, and its series rings on")
  func checkApart() throws {
    try write([
      ["SUMMARY:Choir", "DTSTART:20261122T090000Z", "RRULE:FREQ=DAILY;COUNT=3"] + Self.alarm("PT0S"),
      ["RECURRENCE-ID:20261123T090000Z", "SUMMARY:Concert", "DTSTART:20261123T190000Z"] + Self.alarm("PT0S"),
    ])
    #expect(try rings() == ["22 09:00 Choir", "23 19:00 Concert", "24 09:00 Choir"])
    let concert = try #require(try belfry.store.items().first { $0.text == "Concert" })
    _ = try belfry.setChecked(true, [concert.id])
    #expect(try rings() == ["22 09:00 Choir", "24 09:00 Choir"])
    #expect(try belfry.store.damage().isEmpty)
  }

  @Test("a change of an occurrence and all later ones moves them, and cancels them")
  func later() throws {
    let series = ["SUMMARY:Choir", "DTSTART:20261114T090000Z", "RRULE:FREQ=DAILY"] + Self.alarm("PT0S")
    let later = ["RECURRENCE-ID;RANGE=THISANDFUTURE:20261123T090000Z", "SUMMARY:Choir"]
    try write([
      series, later + ["DTSTART:20261123T100000Z"],
      ["RECURRENCE-ID:20261124T090000Z", "SUMMARY:Choir", "DTSTART:20261124T200000Z"] + Self.alarm("PT0S"),
      ["RECURRENCE-ID;RANGE=THISANDFUTURE:20261127T090000Z", "SUMMARY:Choir", "DTSTART:20261127T090000Z"]
        + ["STATUS:CANCELLED"],
    ])
    #expect(
      try rings() == [
        "21 09:00 Choir", "22 09:00 Choir", "23 10:00 Choir", "24 20:00 Choir", "25 10:00 Choir", "26 10:00 Choir",
      ])
    #expect(try belfry.store.damage().isEmpty)
    // A change that began before today.
    try write([
      series, ["RECURRENCE-ID;RANGE=THISANDFUTURE:20261116T090000Z", "SUMMARY:Choir", "DTSTART:20261116T113000Z"],
    ])
    #expect(try rings().prefix(2) == ["21 11:30 Choir", "22 11:30 Choir"])
  }

  @Test("a changed occurrence that cannot be read is told by its line, and the others ring")
  func broken() throws {
    try write([
      ["SUMMARY:Choir", "DTSTART:20261122T090000Z", "RRULE:FREQ=DAILY;COUNT=2"] + Self.alarm("PT0S"),
      ["RECURRENCE-ID;RANGE=THISANDPRIOR:20261123T090000Z", "SUMMARY:Choir", "DTSTART:20261123T100000Z"],
    ])
    #expect(try rings() == ["22 09:00 Choir", "23 09:00 Choir"])
    let notes = try belfry.read { try $0.view.editNotes() }
    #expect(notes.count == 1 && notes[0].contains("the changed occurrence of line 15"), "\(notes)")
  }

  @Test("an event without a title rings", arguments: [[], ["SUMMARY:"], ["SUMMARY: ", "DESCRIPTION:\\n"]])
  func untitled(lines: [String]) throws {
    try write([lines + ["DTSTART:20261122T090000Z"] + Self.alarm("PT0S")])
    #expect(try rings() == ["22 09:00 Event without a title"])
  }

  @Test("a to-do whose later occurrences were all moved rings at its new times, and its file keeps its bytes")
  func laterTodo() throws {
    let lines = ["SUMMARY:Pay", "DTSTAMP:20261101T000000Z"]
    func todo(_ more: [String]) -> [String] { ["BEGIN:VTODO", "UID:t"] + lines + more + ["END:VTODO"] }
    let text =
      (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//other"]
      + todo(["DTSTART:20261121T090000Z", "DUE:20261121T090000Z", "RRULE:FREQ=DAILY;COUNT=4"])
      + todo(["RECURRENCE-ID;RANGE=THISANDFUTURE:20261123T090000Z", "DTSTART:20261123T100000Z", "DUE:20261123T100000Z"])
      + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
    try place.write(text)
    #expect(try rings() == ["21 09:00 Pay", "22 09:00 Pay", "23 10:00 Pay", "24 10:00 Pay"])
    #expect(try place.read() == text)
  }

  /// A daily to-do, with a change of all occurrences from the 19th on.
  private func writeRepeat(due: String, rule: String = "FREQ=DAILY", later: [String]) throws {
    let lines = ["SUMMARY:Pay", "DTSTAMP:20261101T000000Z"]
    func todo(_ more: [String]) -> [String] { ["BEGIN:VTODO", "UID:t"] + lines + more + ["END:VTODO"] }
    try place.write(
      (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//other"]
        + todo(["DTSTART:\(due)", "DUE:\(due)", "RRULE:\(rule)"])
        + todo(["RECURRENCE-ID;RANGE=THISANDFUTURE:20261119T090000Z"] + later) + ["END:VCALENDAR", ""])
        .joined(separator: "\r\n"))
  }

  @Test(
    "a to-do that another program moved on past such a change rings at the new time, whichever of the two it was moved to",
    arguments: ["20261121T090000Z", "20261121T100000Z"])
  func laterBeforeDue(due: String) throws {
    try writeRepeat(due: due, later: ["DTSTART:20261119T100000Z", "DUE:20261119T100000Z"])
    #expect(try rings().prefix(3) == ["21 10:00 Pay", "22 10:00 Pay", "23 10:00 Pay"])
  }

  @Test("a to-do that another program moved on past the cancellation of all later occurrences rings no more")
  func cancelledBeforeDue() throws {
    try writeRepeat(due: "20261121T090000Z", later: ["DUE:20261119T090000Z", "STATUS:CANCELLED"])
    #expect(try rings().isEmpty)
    #expect(try belfry.store.items().map(\.isChecked) == [true])
  }

  @Test("a to-do that is checked here past such a change repeats as often as before, also for a new state")
  func checkedLater() throws {
    let lines = ["SUMMARY:Pay", "DTSTAMP:20261101T000000Z"]
    func todo(_ more: [String]) -> [String] { ["BEGIN:VTODO", "UID:t"] + lines + more + ["END:VTODO"] }
    try place.write(
      (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//other"]
        + todo(["DTSTART:20261121T090000Z", "DUE:20261121T090000Z", "RRULE:FREQ=DAILY;COUNT=5"])
        + todo(["RECURRENCE-ID;RANGE=THISANDFUTURE:20261123T090000Z", "DUE:20261123T100000Z"]) + ["END:VCALENDAR", ""])
        .joined(separator: "\r\n"))
    var left = ["21 09:00 Pay", "22 09:00 Pay", "23 10:00 Pay", "24 10:00 Pay", "25 10:00 Pay"]
    #expect(try rings() == left)
    while left.count > 1 {
      left.removeFirst()
      let item = try #require(try belfry.store.items().first)
      _ = try belfry.setChecked(true, [item.id])
      #expect(try rings() == left)
      try FileManager.default.removeItem(atPath: place.states)
      #expect(try place.open(readsEvents: true).adopt() != nil)
      let text = try place.read()
      #expect(try rings() == left, "\(text)")
    }
  }
}
