import CivilTime
import Foundation
import Testing

@testable import ICalendar
@testable import Interchange

struct CalendarValueTests {
  @Test(
    "escapes of TEXT are undone, and what is none is kept",
    arguments: [
      (#"a\, b\; c\\ d\ne\Nf"#, "a, b; c\\ d\ne\nf"), (#"C:\temp"#, #"C:\temp"#), (#"end\"#, #"end\"#),
      (#"\\n"#, #"\n"#), (#"\:"#, #"\:"#), ("", ""), ("a, b; c", "a, b; c"),
    ])
  func unescapes(value: String, text: String) {
    #expect(CalendarText.unescaped(value) == text)
  }

  @Test("any text without control characters is read back", arguments: 1...200)
  func escapes(seed: Int) {
    var random = RandomTexts(seed: UInt64(seed))
    let text = random.text()
    #expect(CalendarText.unescaped(CalendarText.escaped(text)) == text)
    #expect(!CalendarText.escaped(text).contains("\n"))
    #expect(ParameterText.unescaped(ParameterText.escaped(text).filter { $0 != "\"" }) == text)
  }

  @Test("a text with a control character has no value", arguments: ["\0", "\r", "\u{1B}", "\u{7F}"])
  func controls(character: String) {
    var lines = CalendarLines()
    #expect(throws: UnholdableText.self) { try lines.append("SUMMARY", text: "a\(character)b") }
    #expect(lines.bytes.isEmpty)
  }

  @Test(
    "dates and times are read in all three forms",
    arguments: [
      ("20261121", "d 20261121T000000"), ("20261121T090000", "l 20261121T090000"),
      ("20261121T080000Z", "u 20261121T080000"), ("20261231T235960Z", "u 20261231T235959"),
      ("20240229", "d 20240229T000000"),
    ])
  func moments(value: String, expected: String) throws {
    let text =
      switch try #require(CalendarMoment(value)) {
      case .date(let date): "d \(CivilDateTime(midnightOf: date))"
      case .local(let time): "l \(time)"
      case .utc(let time): "u \(time)"
      }
    #expect(text == expected)
  }

  @Test(
    "text that is not a date or time gives no value",
    arguments: [
      "", "2026112", "20261131", "20261121T", "20261121T250000", "20261121T0900", "20261121Z", "20261121T090000+0100",
      "-0011130T100000", "2026-11-21", "20261121T090000ZZ", "١٢٣٤٥٦٧٨", "20261121 090000", "99999999999999999999",
    ])
  func noMoments(value: String) { #expect(CalendarMoment(value) == nil) }

  @Test(
    "durations are days and seconds with a sign",
    arguments: [
      ("-PT15M", 0, -900), ("P1DT2H", 1, 7_200), ("-P2W", -14, 0), ("PT0S", 0, 0), ("+PT1H1M1S", 0, 3_661),
      ("-p1d", -1, 0), ("-PT1440M", 0, -86_400),
    ])
  func durations(value: String, days: Int, seconds: Int) {
    let duration = SignedDuration(value)
    #expect(duration?.days == days)
    #expect(duration?.seconds == seconds)
  }

  @Test(
    "text that is not a duration gives no value",
    arguments: ["", "P", "PT", "-P", "15M", "P15M", "PT15", "P1DT", "PT1D", "P99999999999D", "PT1.5H", "--PT1M", "P1Y"])
  func noDurations(value: String) { #expect(SignedDuration(value) == nil) }
}

/// Reproducible random texts of many kinds.
struct RandomTexts {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func number(_ count: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(max(1, count)))
  }

  mutating func text() -> String {
    let parts = [
      "a", "B", " ", ",", ";", ":", "\\", "\\n", "\n", "\"", "^", "^n", "é", "🧀", "e\u{301}", "\u{202E}", "\u{200B}",
      "=",
      "BEGIN:VALARM", "\nEND:VTODO\n", "日本", "\t", "'", "{{x}}", "%0D%0A",
    ]
    return (0..<number(30)).map { _ in parts[number(parts.count)] }.joined()
  }
}
