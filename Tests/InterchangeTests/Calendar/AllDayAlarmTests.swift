import BelfryTestKit
import Foundation
import Testing

@testable import Interchange

@Suite("Alarms of a day without a time")
struct AllDayAlarmTests {
  /// The fire times of an all-day to-do's alarms, in Zurich.
  private func rings(_ day: String, _ triggers: String..., again: Bool) throws -> [String] {
    let alarms = triggers.flatMap { ["BEGIN:VALARM", "ACTION:DISPLAY", $0, "END:VALARM"] }
    let text = CalendarVersionTests.calendar([["UID:a", "SUMMARY:x", "DUE;VALUE=DATE:\(day)"] + alarms])
    let imported = try Contents.imported(text, .calendar)
    #expect(imported.refused == [])
    var belfry = imported.belfry
    // An export and import changes nothing.
    if again { belfry = try Contents.imported(Contents.exported(belfry, as: .calendar), .calendar).belfry }
    return try belfry.read { reading in
      try reading.preview(from: reading.now, until: reading.now.addingTimeInterval(500 * 86_400), limit: .max).rings.map
      {
        Contents.planner.floatingZone.wallTime(at: $0.fireDate.date).description
      }
    }
  }

  @Test(
    "midnight is midnight, also when the clocks go forward or back that day or the day before",
    arguments: ["2027-03-28", "2027-03-29", "2027-10-31", "2027-11-01", "2027-06-01"], [false, true])
  func midnight(day: String, again: Bool) throws {
    let compact = day.replacing("-", with: "")
    #expect(try rings(compact, "TRIGGER:PT0S", again: again) == ["\(day)T00:00"])
    #expect(try rings(compact, "TRIGGER:PT9H", again: again) == ["\(day)T09:00"])
    #expect(try rings(compact, "TRIGGER:PT4H", again: again) == ["\(day)T04:00"])
  }

  @Test("an alarm at an instant stays where it was", arguments: [false, true])
  func instant(again: Bool) throws {
    let trigger = "TRIGGER;VALUE=DATE-TIME:20270327T230000Z"
    #expect(try rings("20270328", trigger, again: again) == ["2027-03-28T00:00"])
  }

  @Test("of an item with a time of its own, hours are hours")
  func exact() throws {
    let alarm = ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT9H", "END:VALARM"]
    let text = CalendarVersionTests.calendar([["UID:a", "SUMMARY:x", "DUE:20270328T090000"] + alarm])
    let belfry = try Contents.imported(text, .calendar).belfry
    let wall = try belfry.read { reading in
      try reading.preview(from: reading.now, until: reading.now.addingTimeInterval(500 * 86_400), limit: .max).rings.map
      {
        Contents.planner.floatingZone.wallTime(at: $0.fireDate.date).description
      }
    }
    #expect(wall == ["2027-03-27T23:00"])
  }
}
