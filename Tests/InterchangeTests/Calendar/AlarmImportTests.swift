import BelfryModel
import Foundation
import Testing

@testable import Interchange

struct AlarmImportTests {
  private func entries(_ lines: [String], alarms: [[String]]) throws -> ReadCalendar {
    try CalendarTesting.entries(
      todo: ["SUMMARY:x"] + lines + alarms.flatMap { ["BEGIN:VALARM"] + $0 + ["END:VALARM"] })
  }

  private func item(_ lines: [String], alarm: String...) throws -> ImportedItem {
    let entries = try entries(lines, alarms: [alarm])
    return try #require(entries.items.first, "\(entries)")
  }

  @Test(
    "a trigger before the due date is a lead time",
    arguments: [
      ("TRIGGER:-PT15M", "15m"), ("TRIGGER;RELATED=END:-P1D", "1d"), ("TRIGGER:-PT24H", "24h"), ("TRIGGER:PT0S", "0m"),
      ("TRIGGER;VALUE=DURATION:-P1W", "1w"), ("TRIGGER:-PT90S", "2m"), ("TRIGGER:-P1DT2H", "1d2h"),
      ("TRIGGER;VALUE=DATE-TIME:20261121T074500Z", "15m"), ("TRIGGER:20261121T084500", "15m"),
      ("TRIGGER;VALUE=DATE-TIME:20261121T074530Z", "15m"),
    ])
  func leads(trigger: String, lead: String) throws {
    let item = try item(["DUE;TZID=Europe/Zurich:20261121T090000"], alarm: "ACTION:DISPLAY", trigger)
    #expect(item.alerts.map(\.description) == [lead])
    #expect(item.shouldRemind)
  }

  @Test(
    "a trigger of a date alone counts from midnight",
    arguments: [
      ("TRIGGER:PT9H", "0m"), ("TRIGGER:PT8H30M", "30m"), ("TRIGGER:-PT15H", "1d"), ("TRIGGER:-P1D", "1d9h"),
      ("TRIGGER:-P1DT15H", "2d"), ("TRIGGER:PT0S", "9h"),
    ])
  func leadsOfDates(trigger: String, lead: String) throws {
    let item = try item(["DUE;VALUE=DATE:20261121"], alarm: trigger)
    #expect(item.alerts.map(\.description) == [lead])
    let basis = AlarmBasis(
      due: try CalendarTesting.wall("2026-11-21T09:00"), zone: .utc, start: nil, isDate: true)
    #expect("TRIGGER:\(basis.trigger(item.alerts[0]) ?? "")" == trigger)
  }

  @Test("a trigger is related to the start unless it says otherwise")
  func fromStart() throws {
    let lines = ["DTSTART:20261121T080000", "DUE:20261122T090000"]
    #expect(try item(lines, alarm: "TRIGGER:-PT15M").alerts.map(\.description) == ["25h15m"])
    #expect(try item(lines, alarm: "TRIGGER:PT15M").alerts.map(\.description) == ["24h45m"])
    #expect(try item(lines, alarm: "TRIGGER;RELATED=END:-PT15M").alerts.map(\.description) == ["15m"])
  }

  @Test(
    "what Belfry does not ring is kept and left out",
    arguments: [
      ("DUE:20261121T090000", "TRIGGER;RELATED=END:PT15M", "VALARM after the due date"),
      ("DUE:20261121T090000", "TRIGGER;VALUE=DATE-TIME:20261122T090000Z", "VALARM after the due date"),
      ("PRIORITY:1", "TRIGGER:-PT15M", "VALARM without a due date"),
    ])
  func unsaid(due: String, trigger: String, words: String) throws {
    let entries = try entries([due], alarms: [["ACTION:AUDIO", trigger]])
    let item = try #require(entries.items.first)
    #expect(!item.shouldRemind && item.alerts == [])
    #expect(item.properties.suffix(4) == ["BEGIN:VALARM", "ACTION:AUDIO", trigger, "END:VALARM"])
    #expect(entries.leftOut == [words])
  }

  @Test("alarms that say more than a lead time are kept, plain ones are not")
  func kept() throws {
    let plain = ["ACTION:DISPLAY", "DESCRIPTION:x", "TRIGGER:-PT15M"]
    let mail = ["UID:7", "ACTION:EMAIL", "TRIGGER;VALUE=DURATION:-P1D", "ATTENDEE:mailto:a@b"]
    let none = ["ACTION:NONE", "TRIGGER;VALUE=DATE-TIME:19760401T005545Z"]
    let item = try #require(try entries(["DUE:20261121T090000"], alarms: [none, plain, mail]).items.first)
    #expect(item.alerts.map(\.description) == ["1d", "15m"])
    let kept = [["BEGIN:VALARM"], mail, ["END:VALARM", "BEGIN:VALARM"], none, ["END:VALARM"]].flatMap { $0 }
    #expect(item.properties == kept)
  }

  @Test("an acknowledged alarm keeps its lead time and the acknowledgement")
  func acknowledged() throws {
    let item = try item(["DUE:20261101T090000"], alarm: "TRIGGER:-PT15M", "ACKNOWLEDGED:20261101T080000Z")
    #expect(item.alerts.map(\.description) == ["15m"])
    #expect(item.properties.contains("ACKNOWLEDGED:20261101T080000Z"))
  }

  @Test("a snooze alarm and Thunderbird's snooze put the item off, the later one, unless that is over")
  func snoozes() throws {
    let due = "DUE:20261121T090000"
    let original = ["UID:1", "TRIGGER:-PT15M", "ACKNOWLEDGED:20261121T074500Z"]
    let snooze = ["RELATED-TO;RELTYPE=SNOOZE:1", "TRIGGER;VALUE=DATE-TIME:20261121T100000Z"]
    let late = try CalendarTesting.date("2026-11-21T10:00:00Z")
    #expect(try entries([due], alarms: [original, snooze]).items.first?.snoozedUntil == late)
    let mozilla = try entries([due, "X-MOZ-SNOOZE-TIME:20261121T093000Z"], alarms: [original, snooze]).items.first
    #expect(mozilla?.snoozedUntil == late)
    let alone = try entries([due, "X-MOZ-SNOOZE-TIME:20261121T093000Z"], alarms: []).items.first
    #expect(try alone?.snoozedUntil == CalendarTesting.date("2026-11-21T09:30:00Z"))
    #expect(alone?.shouldRemind ?? false)
    let over = try entries(
      [due, "X-MOZ-SNOOZE-TIME:20261121T093000Z", "X-MOZ-LASTACK:20261121T093100Z"],
      alarms: [original, snooze + ["ACKNOWLEDGED:20261121T100000Z"]]
    ).items.first
    #expect(over?.snoozedUntil == nil)
    #expect(over?.properties.contains("X-MOZ-SNOOZE-TIME:20261121T093000Z") ?? false)
  }

  @Test("an alarm that repeats is a nag, and its number of times is told; what repeats otherwise is left out")
  func nags() throws {
    let due = ["DUE:20261121T090000"]
    let nag = try item(due, alarm: "TRIGGER:PT0S", "REPEAT:4", "DURATION:PT15M")
    #expect(nag.nag?.description == "15m")
    #expect(nag.properties.contains("REPEAT:4"))
    #expect(nag.notUnderstood == ["its VALARM with REPEAT:4 rings again every 15m until it is checked, up to 24 times"])
    let own = try item(due + ["X-BELFRY-NAG:PT15M"], alarm: "TRIGGER:PT0S", "REPEAT:4", "DURATION:PT15M")
    #expect(own.notUnderstood == [])
    #expect(try item(due, alarm: "TRIGGER:PT0S", "REPEAT:24", "DURATION:PT15M").notUnderstood == [])
    let seconds = try entries(due, alarms: [["TRIGGER:PT0S", "REPEAT:4", "DURATION:PT30S"]])
    #expect(seconds.items.first?.nag == nil)
    #expect(seconds.leftOut == ["REPEAT of a VALARM"])
    #expect(try item(due, alarm: "TRIGGER:PT0S", "REPEAT:0", "DURATION:PT15M").nag == nil)
  }

  @Test("without a due date, the last alarm with a time of its own gives one")
  func instants() throws {
    let alarms = [["TRIGGER;VALUE=DATE-TIME:20261121T100000Z"], ["TRIGGER;VALUE=DATE-TIME:20261121T110000Z"]]
    let item = try #require(try entries([], alarms: alarms).items.first)
    #expect(try item.due == .instant(CalendarTesting.date("2026-11-21T11:00:00Z")))
    #expect(item.alerts.map(\.description) == ["1h", "0m"])
    #expect(item.shouldRemind)
  }

  @Test(
    "an alarm that cannot be read falls away alone, and is told",
    arguments: [
      ["ACTION:DISPLAY"], ["TRIGGER:soon"], ["TRIGGER:-PT15M", "TRIGGER:-PT10M"], ["TRIGGER;VALUE=DATE-TIME:2026"],
    ])
  func unreadable(alarm: [String]) throws {
    let entries = try entries(["DUE:20261121T090000"], alarms: [alarm, ["TRIGGER:-PT5M"]])
    #expect(entries.refusals.isEmpty && entries.leftOut.count == 1, "\(entries)")
    let item = try #require(entries.items.first)
    #expect(item.alerts.map(\.description) == ["5m"] && item.shouldRemind)
    #expect(!item.properties.contains("BEGIN:VALARM"))
  }

  @Test(
    "an alarm at a place has no date: a dated to-do rings when it is due, and one without stays without",
    arguments: ["X-APPLE-PROXIMITY:ARRIVE", "PROXIMITY:DEPART"])
  func place(line: String) throws {
    let alarm = ["ACTION:DISPLAY", "TRIGGER;VALUE=DATE-TIME:19760401T005545Z", line]
    let dated = try #require(try entries(["DUE:20261124T090000"], alarms: [alarm]).items.first)
    #expect(dated.alerts == [.zero] && dated.shouldRemind && dated.properties.contains(line))
    let undated = try #require(try entries([], alarms: [alarm]).items.first)
    #expect(undated.due == nil && !undated.shouldRemind && undated.properties.contains(line))
    let both = try #require(try entries(["DUE:20261124T090000"], alarms: [alarm, ["TRIGGER:-PT5M"]]).items.first)
    #expect(both.alerts.map(\.description) == ["5m"])
  }
}
