import BelfryModel
import CivilTime
import TestSupport
import Testing

@Suite struct WallTimeTests {
  @Test("every printed minute of ten years, one in 61 looked at, parses back to itself")
  func roundTrip() throws {
    let first = try TimeTesting.wall("2020-01-01T00:00").minutesSinceEpoch
    for minute in stride(from: first, to: first + 3_653 * 1_440, by: 61) {
      let wall = WallTime(minutesSinceEpoch: minute)
      #expect(WallTime(parsing: wall.description) == wall)
      #expect(WallTime(date: wall.date, time: wall.time) == wall)
    }
  }

  @Test(
    "the fields, before and after 1970",
    arguments: [
      (0, "1970-01-01T00:00"), (-1, "1969-12-31T23:59"), (29_920_860, "2026-11-21T09:00"),
      (-719_528 * 1_440, "0000-01-01T00:00"), (2_932_897 * 1_440 - 1, "9999-12-31T23:59"),
    ])
  func fields(minutes: Int, text: String) {
    #expect(WallTime(minutesSinceEpoch: minutes).description == text)
    #expect(WallTime(parsing: text)?.minutesSinceEpoch == minutes)
  }

  @Test(
    "only the exact form is read",
    arguments: [
      "", "2026-11-21", "2026-11-21 09:00", "2026-11-21t09:00", "2026-11-21T09:00:00", "2026-11-21T09:00Z",
      "2026-11-21T9:00", "2026-1-21T09:00", "2026-13-21T09:00", "2026-02-30T09:00", "2026-11-21T24:00",
      "2026-11-21T09:60", " 2026-11-21T09:00", "+026-11-21T09:00", "２026-11-21T09:0", "2026-11-21T09:0\u{0}",
    ])
  func refused(text: String) { #expect(WallTime(parsing: text) == nil) }

  @Test("days and minutes are added on the wall clock")
  func adding() throws {
    let wall = try TimeTesting.wall("2024-02-28T23:30")
    #expect(wall.adding(days: 1).description == "2024-02-29T23:30")
    #expect(wall.adding(days: 1, minutes: 45).description == "2024-03-01T00:15")
    #expect(wall.adding(days: -59, minutes: -1).description == "2023-12-31T23:29")
  }

  @Test("absurd amounts stop at the first and last minute of the supported years", arguments: [Int.min, Int.max])
  func absurd(amount: Int) {
    let wall = WallTime(minutesSinceEpoch: 0)
    let end = amount < 0 ? "0000-01-01T00:00" : "9999-12-31T23:59"
    #expect(wall.adding(days: amount).description == end)
    #expect(wall.adding(days: 0, minutes: amount).description == end)
    #expect(wall.adding(days: amount, minutes: amount).description == end)
    #expect(WallTime(minutesSinceEpoch: amount).description == end)
  }

  @Test("dates beyond the supported years become the first and last minute of them")
  func farDates() throws {
    let noon = try #require(TimeOfDay(hour: 12, minute: 0))
    let early = try #require(CivilDate(year: -1_000_000, month: 1, day: 1))
    let late = try #require(CivilDate(year: 10_000, month: 1, day: 1))
    #expect(WallTime(date: early, time: noon).description == "0000-01-01T00:00")
    #expect(WallTime(date: late, time: noon).description == "9999-12-31T23:59")
  }

  @Test("all minutes of a day print as two digits each and parse back")
  func timesOfDay() throws {
    var previous: TimeOfDay?
    for minute in 0..<1_440 {
      let time = try #require(TimeOfDay(hour: minute / 60, minute: minute % 60))
      #expect(TimeOfDay(parsing: time.description) == time)
      #expect(time.description.utf8.count == 5)
      if let previous { #expect(previous < time) }
      previous = time
    }
  }

  @Test(
    "no other time of day is read",
    arguments: ["", "9:00", "24:00", "09:60", "0900", "09:00:00", "-1:00", "09.00", "+9:00"])
  func refusedTimes(text: String) { #expect(TimeOfDay(parsing: text) == nil) }

  @Test("a zone is floating in any case, else a name")
  func itemZone() {
    #expect(ItemZone("floating") == .floating)
    #expect(ItemZone("Floating") == .floating)
    #expect(ItemZone("Europe/Zurich") == .fixed("Europe/Zurich"))
    #expect(ItemZone.floating.description == "floating")
    #expect(ItemZone.fixed("Asia/Kathmandu").description == "Asia/Kathmandu")
  }
}
