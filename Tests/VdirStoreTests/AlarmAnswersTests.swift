import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import Testing
import VdirStore

/// The clock stands at 2026-11-21 08:00 UTC, a Saturday.
@Suite("Alarms that one program puts off or acknowledges, and another rings")
struct AlarmAnswersTests {
  private let place: Place
  private let belfry: Belfry

  init() throws {
    place = try Place()
    belfry = place.belfry()
  }

  private static let due = ["SUMMARY:Pill", "DUE:20261121T090000Z"]

  private func write(_ lines: [String]) throws {
    try place.write(
      (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//other", "BEGIN:VTODO", "UID:a", "DTSTAMP:20261101T000000Z"]
        + Self.due
        + lines + ["END:VTODO", "END:VCALENDAR", ""]).joined(separator: "\r\n"))
    _ = try belfry.planEdits()
  }

  /// The scheduled reminders, as `21 09:00`, a snooze with an s, a nag with an n.
  private func scheduled() throws -> [String] {
    let reminders = try belfry.store.read { try $0.reminders(of: .item(1), at: nil, state: .scheduled) }
    return reminders.sorted { $0.fireDate < $1.fireDate }.map { reminder in
      let time = Zone.utc.wallTime(at: reminder.fireDate.date).description.dropFirst(8).replacing("T", with: " ")
      return time + (reminder.occurrence.kind.isSnooze ? " s" : reminder.occurrence.kind.isNag ? " n" : "")
    }
  }

  private static func alarm(_ lines: String...) -> [String] {
    ["BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:x"] + lines + ["END:VALARM"]
  }

  private static func alarm(lines: [String]) -> [String] {
    ["BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:x"] + lines + ["END:VALARM"]
  }

  private static let own = alarm("UID:alarm", "TRIGGER;RELATED=END:-PT30M", "ACKNOWLEDGED:20261121T073000Z")
  private static func snooze(_ time: String) -> [String] {
    alarm("TRIGGER;VALUE=DATE-TIME:\(time)", "RELATED-TO;RELTYPE=SNOOZE:alarm")
  }

  @Test("a snooze of another program rings here, a later one takes its place, and one that is gone rings no more")
  func foreignSnooze() throws {
    try write(Self.own + Self.snooze("20261121T093000Z"))
    #expect(try scheduled() == ["21 08:30", "21 09:30 s"])
    try write(Self.own + Self.snooze("20261121T100000Z"))
    #expect(try scheduled() == ["21 08:30", "21 10:00 s"])
    try write(Self.own)
    #expect(try scheduled() == ["21 08:30"])
  }

  @Test("a snooze of Thunderbird rings here, unless it is over")
  func mozillaSnooze() throws {
    try write(["X-MOZ-LASTACK:20261121T080000Z", "X-MOZ-SNOOZE-TIME:20261121T093000Z"])
    #expect(try scheduled() == ["21 09:00", "21 09:30 s"])
    try write(["X-MOZ-LASTACK:20261121T093000Z", "X-MOZ-SNOOZE-TIME:20261121T093000Z"])
    #expect(try scheduled() == ["21 09:00"])
  }

  @Test("a snooze here is written as the related alarm, once, and is gone again with its end")
  func ownSnooze() throws {
    try write(["X-ODD:kept"])
    _ = try belfry.snooze(1, until: .after(CalendarDuration(days: 0, minutes: 90)))
    let text = try place.read()
    #expect(text.contains("TRIGGER;VALUE=DATE-TIME:20261121T093000Z\r\n") && text.contains("X-ODD:kept\r\n"))
    let uid = try #require(
      text.split(separator: "\r\n").first { $0.hasPrefix("RELATED-TO;RELTYPE=SNOOZE:") }?.suffix(36))
    #expect(text.contains("UID:\(uid)\r\nACKNOWLEDGED:20261121T080000Z\r\n"))
    #expect(try scheduled() == ["21 09:00", "21 09:30 s"])
    // Another program's change of the same file leaves it.
    try place.write(text.replacing("SUMMARY:Pill", with: "SUMMARY:Tablet"))
    _ = try belfry.planEdits()
    #expect(try scheduled() == ["21 09:00", "21 09:30 s"])
    // And so does its removal there.
    let lines = try place.read().components(separatedBy: "\r\n")
    let first = try #require(lines.lastIndex(of: "BEGIN:VALARM"))
    let last = try #require(lines.lastIndex(of: "END:VALARM"))
    try place.write((lines[..<first] + lines[(last + 1)...]).joined(separator: "\r\n"))
    _ = try belfry.planEdits()
    #expect(try scheduled() == ["21 09:00"])
  }

  @Test("a snooze here takes the place of Thunderbird's, and leaves the other lines")
  func snoozeOverMozilla() throws {
    try write(["X-MOZ-SNOOZE-TIME:20261121T093000Z", "X-ODD:kept"])
    _ = try belfry.snooze(1, until: .after(CalendarDuration(days: 0, minutes: 120)))
    let text = try place.read()
    #expect(!text.contains("X-MOZ-SNOOZE-TIME") && text.contains("X-ODD:kept\r\n"))
    #expect(text.contains("TRIGGER;VALUE=DATE-TIME:20261121T100000Z\r\n"))
    #expect(try scheduled() == ["21 09:00", "21 10:00 s"])
  }

  @Test(
    "an alarm that another program has acknowledged does not nag, and what rings later stays",
    arguments: [["ACKNOWLEDGED:20261121T090500Z"], []])
  func acknowledged(lines: [String]) async throws {
    func alarms(_ acknowledged: [String]) -> [String] {
      ["BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:x", "TRIGGER;RELATED=END:PT0S"] + acknowledged + ["END:VALARM"]
    }
    try write(["X-BELFRY-NAG:PT10M"] + alarms([]))
    #expect(try scheduled() == ["21 09:00"])
    place.time.advance(by: 3_600)
    try await TestDaemon(belfry, sinks: []).tick()
    #expect(try scheduled() == ["21 09:10 n"])
    place.time.advance(by: 360)
    let isMozilla = lines.isEmpty
    try write(["X-BELFRY-NAG:PT10M"] + (isMozilla ? ["X-MOZ-LASTACK:20261121T090500Z"] : []) + alarms(lines))
    #expect(try scheduled() == [])
  }

  @Test("an acknowledgement is of one alarm and of what rang until then: other alarms and occurrences ring on")
  func acknowledgedAlone() async throws {
    func alarms(_ first: [String], _ second: [String]) -> [String] {
      Self.alarm(lines: ["TRIGGER;RELATED=END:-PT30M"] + first)
        + Self.alarm(lines: ["TRIGGER;RELATED=END:PT0S"] + second)
    }
    let nag = ["X-BELFRY-NAG:PT10M"]
    try write(nag + alarms([], []))
    place.time.advance(by: 3_605)
    try await TestDaemon(belfry, sinks: []).tick()
    // The alarm that rang last nags.
    #expect(try scheduled() == ["21 09:10 n"])
    try write(nag + alarms(["ACKNOWLEDGED:20261121T090000Z"], []))
    #expect(try scheduled() == ["21 09:10 n"])
    try write(nag + alarms(["ACKNOWLEDGED:20261121T090000Z"], ["ACKNOWLEDGED:20261121T090000Z"]))
    #expect(try scheduled() == [])
  }

  @Test("an acknowledgement from a clock that is ahead ends nothing that is to come", arguments: [true, false])
  func ahead(isMozilla: Bool) throws {
    let line = isMozilla ? ["X-MOZ-LASTACK:20301121T090000Z"] : []
    let alarm = Self.alarm(lines: ["TRIGGER;RELATED=END:PT0S"] + (isMozilla ? [] : ["ACKNOWLEDGED:20301121T090000Z"]))
    try write(["RRULE:FREQ=DAILY"] + Self.alarm(lines: ["TRIGGER;RELATED=END:PT0S"]))
    try write(["RRULE:FREQ=DAILY"] + line + alarm)
    #expect(try scheduled() == ["21 09:00"])
  }

  @Test("an acknowledgement from before the alarm ends nothing")
  func early() throws {
    try write(Self.alarm("TRIGGER;RELATED=END:PT0S", "ACKNOWLEDGED:20261121T073000Z"))
    #expect(try scheduled() == ["21 09:00"])
  }
}
