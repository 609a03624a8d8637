import BelfryTestKit
import CivilTime
import Foundation
import TestSupport
import Testing

@Suite struct FireDateTests {
  @Test(
    "every moment of a minute is floored to its start",
    arguments: ["1970-01-01T00:00", "2026-11-21T09:00", "9999-12-31T23:59"])
  func floors(minute: String) throws {
    let start = try TimeTesting.instant("\(minute):00Z")
    let expected = try FireDate(start)
    #expect(expected.date == start)
    for millisecond in stride(from: 0, to: 60_000, by: 7) {
      let date = try FireDate(start.addingTimeInterval(Double(millisecond) / 1_000))
      #expect(date == expected)
    }
  }

  @Test(
    "the last representable moment of a minute is not rounded up",
    arguments: [0.0, 978_307_200, 1_795_251_600, 253_402_300_740])
  func lastMoment(start: Double) throws {
    let next = Date(timeIntervalSince1970: start + 60).timeIntervalSinceReferenceDate
    let date = try FireDate(Date(timeIntervalSinceReferenceDate: next.nextDown))
    #expect(date.secondsSinceEpoch == Int64(start))
  }

  @Test("whole minutes, on both sides of 2001 and of 2038, are kept exactly")
  func wholeMinutes() throws {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<10_000 {
      let minute = Int64.random(in: 0...4_223_371_679, using: &random)
      let date = try FireDate(Date(timeIntervalSince1970: Double(minute * 60)))
      #expect(date.secondsSinceEpoch == minute * 60)
      #expect(try FireDate(date.date) == date)
    }
  }

  @Test(
    "what is outside 1970 to 9999 is refused by name",
    arguments: [
      (-0.001, "the year 1969 is not supported: dates run from 1970 to 9999"),
      (-11_676_096_000, "the year 1600 is not supported: dates run from 1970 to 9999"),
      (253_402_300_800, "the year 10000 is not supported: dates run from 1970 to 9999"),
      (-1e300, "a date in the distant past is not supported: dates run from 1970 to 9999"),
      (1e300, "a date in the distant future is not supported: dates run from 1970 to 9999"),
      (.nan, "the date is not a number: dates run from 1970 to 9999"),
      (.infinity, "the date is not a number: dates run from 1970 to 9999"),
      (-.infinity, "the date is not a number: dates run from 1970 to 9999"),
    ])
  func refused(seconds: Double, message: String) {
    let error = #expect(throws: DateError.self) { try FireDate(Date(timeIntervalSince1970: seconds)) }
    #expect(error?.description == message)
  }

  @Test("earlier fire dates come first")
  func order() throws {
    let early = try FireDate(Date(timeIntervalSince1970: 60))
    let late = try FireDate(Date(timeIntervalSince1970: 120))
    #expect(early < late && !(late < early) && !(early < early))
  }

  @Test("the system's time source moves with the machine's clock")
  func systemClock() {
    let source = SystemTimeSource()
    let first = source.now
    #expect(first.timeIntervalSince1970 > 0)
    #expect(source.now >= first)
  }
}
