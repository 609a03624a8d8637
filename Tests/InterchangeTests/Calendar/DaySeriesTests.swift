import BelfryModel
import CivilTime
import Foundation
import Testing

@testable import Interchange

@Suite("Series of days, whose exceptions and ends come in any form")
struct DaySeriesTests {
  private static let days = ["SUMMARY:x", "DUE;VALUE=DATE:20270301"]

  @Test(
    "EXDATE leaves out the day that it names; one in UTC names a day of the local clock",
    arguments: [
      "EXDATE;VALUE=DATE:20270302", "EXDATE:20270302", "EXDATE:20270302T000000", "EXDATE:20270302T173000",
      "EXDATE:20270301T230000Z", "EXDATE;TZID=Europe/Zurich:20270302T000000",
      "EXDATE;TZID=Asia/Tokyo:20270302T000000", "EXDATE;TZID=America/New_York:20270302T235900",
    ])
  func exceptions(line: String) throws {
    let todo = Self.days + ["RRULE:FREQ=DAILY;COUNT=3", line]
    let item = try #require(try CalendarTesting.entries(todo: todo).items.first)
    let due = try CalendarTesting.wall("2027-03-02T\(Contents.context.defaultTime)")
    #expect(item.excluded == [due] && item.exceptions == [due])
  }

  @Test(
    "UNTIL with a time is the local day that it falls on, and that day is the last",
    arguments: [
      ("20270304T230000Z", "20270305"), ("20270304T225959Z", "20270304"), ("20270305T000000Z", "20270305"),
      ("20270305T000000", "20270305"), ("20270305", "20270305"),
    ])
  func ends(until: String, day: String) throws {
    for start in [[], ["DTSTART;VALUE=DATE:20270301"]] {
      let todo = Self.days + start + ["RRULE:FREQ=DAILY;UNTIL=\(until)"]
      let item = try #require(try CalendarTesting.entries(todo: todo).items.first)
      #expect(item.rule?.description == "FREQ=DAILY;UNTIL=\(day)")
    }
  }

  @Test("a series with times keeps its exceptions and its end to the minute")
  func timed() throws {
    let todo = [
      "SUMMARY:x", "DUE:20270301T090000", "RRULE:FREQ=DAILY;UNTIL=20270305T070000Z", "EXDATE:20270302T000000",
    ]
    let item = try #require(try CalendarTesting.entries(todo: todo).items.first)
    #expect(item.rule?.description == "FREQ=DAILY;UNTIL=20270305T070000Z")
    #expect(item.excluded == [try CalendarTesting.wall("2027-03-02T00:00")])
  }

  @Test("a DURATION that is none is told, and the to-do is due at its start")
  func duration() throws {
    let entries = try CalendarTesting.entries(todo: ["SUMMARY:x", "DTSTART:20270301T090000", "DURATION:P"])
    #expect(entries.leftOut == ["invalid DURATION"])
    #expect(entries.items.first?.due == .local(try CalendarTesting.wall("2027-03-01T09:00"), .floating))
  }

  @Test(
    "a TZID that is a path names the zone that it ends in",
    arguments: ["/Europe/Zurich", "/example.org/Europe/Zurich", "/example.org/20270101_1/Europe/Zurich"])
  func paths(name: String) throws {
    let item = try CalendarTesting.item("SUMMARY:x", "DUE;TZID=\(name):20270301T090000")
    #expect(item.due == .local(try CalendarTesting.wall("2027-03-01T09:00"), .fixed("Europe/Zurich")))
  }
}
