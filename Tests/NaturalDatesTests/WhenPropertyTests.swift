import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import NaturalDates
import TestSupport
import Testing

@Suite struct WhenPropertyTests {
  /// A step in minutes; prime, so that it meets every minute of an hour and every hour of a day. All minutes would take
  /// over an hour.
  private static let step = ProcessInfo.processInfo.environment["BELFRY_DEEP"] == "1" ? 61 : 1_009
  private static let morning = TimeOfDay(hour: 9, minute: 0)

  private static func parser(_ zone: Zone, now: Date = Date(timeIntervalSince1970: 1_795_251_600)) throws -> WhenParser
  {
    WhenParser(now: now, zone: zone, defaultTime: try #require(morning))
  }

  @Test(
    "printing and parsing agree all over ten years",
    arguments: ["Europe/Zurich", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Africa/Casablanca"])
  func printing(name: String) throws {
    let zone = try TimeTesting.database.zone(name)
    let parser = try Self.parser(zone)
    let first = try TimeTesting.wall("2020-01-01T00:00").minutesSinceEpoch
    for minute in stride(from: first, to: first + 3_653 * 1_440, by: Self.step) {
      let wall = WallTime(minutesSinceEpoch: minute)
      let instant = zone.instant(of: wall).instant
      let date = wall.date
      let spaced = "\(date.year)-\(wall.description.dropFirst(5).prefix(5)) \(wall.time)"
      for text in [wall.description, spaced] { #expect(try parser.parse(text) == .at(wall), "\(text)") }
      #expect(try parser.parseInstant(zone.rfc3339(instant)) == FireDate(instant))
      #expect(try parser.parseInstant(Zone.utc.rfc3339(instant)) == FireDate(instant))
      let shown = zone.wallTime(at: instant)
      let readable = zone.readable(instant).split(separator: " ").dropLast().joined(separator: " ")
      #expect(try parser.parse(readable) == .at(shown), "\(readable)")
    }
  }

  @Test("days of ISO weeks are those of Python's calendar")
  func isoWeeks() throws {
    let program = """
      import random
      from datetime import date
      rnd = random.Random(8)
      for _ in range(3000):
          d = date.fromordinal(rnd.randrange(date(1970, 1, 6).toordinal(), date(9999, 1, 1).toordinal()))
          print('%04d-W%02d-%d' % d.isocalendar(), d.isoformat())
      """
    let parser = try Self.parser(.utc)
    for line in try Python.run(program).split(separator: "\n") {
      let fields = line.split(separator: " ")
      #expect(try parser.parse(String(fields[0])) == .at(try TimeTesting.wall("\(fields[1])T09:00")), "\(line)")
    }
  }

  @Test("times, weekdays and days of the year are ahead of every now, and as near as their words allow")
  func ahead() throws {
    var random = SeededGenerator(seed: 5)
    let zone = try TimeTesting.database.zone("Europe/Zurich")
    for _ in 0..<1_000 {
      let now = Date(timeIntervalSince1970: Double(Int.random(in: 1_000_000_000...3_000_000_000, using: &random)))
      let parser = try Self.parser(zone, now: now)
      // A transition can add an hour.
      for (text, days) in [("17:30", 1), ("fri 17:30", 7), ("next fri 17:30", 14), ("24th 17:30", 31), ("24 dec", 366)]
      {
        let fireDate = try #require(try parser.parseInstant(text))
        let distance = fireDate.date.timeIntervalSince(now)
        #expect(distance > 0 && distance <= Double(days) * 86_400 + 3_600, "\(text) at \(zone.rfc3339(now))")
      }
    }
  }

  @Test("exact amounts are exact, days keep the wall clock, at every now")
  func amounts() throws {
    var random = SeededGenerator(seed: 6)
    let zone = try TimeTesting.database.zone("America/New_York")
    for _ in 0..<1_000 {
      let now = Date(timeIntervalSince1970: Double(Int.random(in: 1_000_000_000...3_000_000_000, using: &random)))
      let parser = try Self.parser(zone, now: now)
      let minutes = Int.random(in: 1...100_000, using: &random)
      let exact = try #require(try parser.parseInstant("in \(minutes) minutes"))
      #expect(exact == (try FireDate(now.addingTimeInterval(Double(minutes) * 60))))
      let days = Int.random(in: 1...5_000, using: &random)
      #expect(try parser.parse("+\(days)d") == .at(zone.wallTime(at: now).adding(days: days)))
    }
  }
}
