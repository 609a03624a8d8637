import BelfryTestKit
import CivilTime
import NaturalDates
import Testing

@Suite struct CalendarDurationTests {
  @Test(
    "what users write",
    arguments: [
      ("10m", 0, 10), ("1h30m", 0, 90), ("2d", 2, 0), ("1w", 7, 0), ("1w2d", 9, 0), ("1d2h5m", 1, 125),
      ("10 minutes", 0, 10), ("1 hour", 0, 60), ("1 hour and 30 minutes", 0, 90), ("an hour", 0, 60),
      ("24h", 0, 1_440), ("90 min", 0, 90), (" 1D ", 1, 0), ("2 Weeks, 1 day", 15, 0), ("half an hour", 0, 30),
      ("PT10M", 0, 10), ("p1dt2h", 1, 120), ("1", nil, 0), ("3652425d", 3_652_425, 0),
    ] as [(String, Int?, Int)])
  func reads(text: String, days: Int?, minutes: Int) throws {
    guard let days else {
      #expect(throws: WhenError.self) { try CalendarDuration(parsing: text) }
      return
    }
    let duration = try CalendarDuration(parsing: text)
    #expect(duration.days == days && duration.minutes == minutes)
  }

  @Test(
    "refusals say what is wrong",
    arguments: [
      ("", "the duration is empty"), ("30s", "has seconds"), ("1m30s", "has seconds"), ("0m", "less than a minute"),
      ("PT0S", "less than a minute"), ("0d0h", "less than a minute"), ("10", "has no unit"), ("10x", "has no unit"),
      ("ten", "is not a duration"), ("m", "is not a duration"), ("1h 5", "is not a duration"),
      ("1h1h", "units out of order"),
      ("30m1h", "units out of order"), ("1mo", "months or years"), ("1y", "months or years"),
      ("-10m", "is not a duration"),
      ("1.5h", "has a fraction"), ("3652426d", "over ten thousand years"),
      ("999999999999999999999999w", "over ten thousand"),
      ("99999999999999999h", "over ten thousand years"), ("1h\u{0}", "characters that no duration has"),
      ("१०m", "characters that no duration has"),
    ])
  func refuses(text: String, part: String) {
    let error = #expect(throws: WhenError.self) { try CalendarDuration(parsing: text) }
    #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
  }

  @Test("zero is a duration where it is allowed", arguments: ["0m", "0d", "0 minutes", "PT0S"])
  func zero(text: String) throws { #expect(try CalendarDuration(parsing: text, allowsZero: true) == .zero) }

  @Test(
    "ISO 8601, written",
    arguments: [
      (0, 0, "PT0S"), (0, 10, "PT10M"), (0, 90, "PT1H30M"), (0, 1_440, "PT24H"), (1, 0, "P1D"), (1, 120, "P1DT2H"),
      (14, 1, "P14DT1M"),
    ])
  func writesISO8601(days: Int, minutes: Int, text: String) {
    #expect(CalendarDuration(days: days, minutes: minutes).iso8601 == text)
  }

  @Test(
    "ISO 8601, read",
    arguments: [
      ("PT0S", 0, 0), ("PT0M", 0, 0), ("P0D", 0, 0), ("PT900S", 0, 15), ("P1W", 7, 0), ("P1W1D", 8, 0),
      ("P1DT2H3M60S", 1, 124), ("pt5m", 0, 5),
    ])
  func readsISO8601(text: String, days: Int, minutes: Int) {
    #expect(CalendarDuration(iso8601: text) == CalendarDuration(days: days, minutes: minutes))
  }

  @Test(
    "what is not ISO 8601, or no whole minutes",
    arguments: [
      "", "P", "PT", "P1DT", "T1H", "1D", "P1H", "PT1D", "P1M", "P1Y", "PT30S", "PT1M1S", "-PT5M", "+PT5M", "P-1D",
      "PT1.5H", "PT5M1H", "P1D1W", "P1D1D", "PT1H1H", "P1DT1H ", "P99999999999D", "PT9999999999999999999999M",
    ])
  func refusesISO8601(text: String) { #expect(CalendarDuration(iso8601: text) == nil) }

  @Test("every duration prints, in both forms, as text that reads back to it")
  func roundTrip() throws {
    var random = SeededGenerator(seed: 2)
    for round in 0..<20_000 {
      let days = [0, Int.random(in: 0...40, using: &random), Int.random(in: 0...3_652_425, using: &random)][round % 3]
      let minutes = [0, Int.random(in: 0...3_000, using: &random), Int.random(in: 0...9_999_999, using: &random)]
      let duration = CalendarDuration(days: days, minutes: minutes[round % 7 % 3])
      #expect(CalendarDuration(iso8601: duration.iso8601) == duration)
      #expect(try CalendarDuration(parsing: duration.description, allowsZero: true) == duration)
    }
  }

  @Test(
    "short forms",
    arguments: [(0, 0, "0m"), (0, 60, "1h"), (0, 1_440, "24h"), (7, 0, "1w"), (8, 0, "8d"), (1, 90, "1d1h30m")])
  func short(days: Int, minutes: Int, text: String) {
    #expect(CalendarDuration(days: days, minutes: minutes).description == text)
  }

  @Test("a day is not 24 hours, and absurd parts are held within ten thousand years")
  func parts() {
    #expect(CalendarDuration(days: 1, minutes: 0) != CalendarDuration(days: 0, minutes: 1_440))
    #expect(CalendarDuration(days: Int.min, minutes: Int.min) == .zero)
    #expect(CalendarDuration(days: Int.max, minutes: 0).days == 3_652_425)
    #expect(CalendarDuration(days: 0, minutes: Int.max).minutes == 3_652_425 * 1_440)
  }
}
