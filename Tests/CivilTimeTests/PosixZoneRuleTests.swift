import BelfryTestKit
import Foundation
import TestSupport
import Testing
@testable import CivilTime

@Suite struct PosixZoneRuleTests {
  private static func zone(_ text: String) throws -> Zone {
    Zone(identifier: text, rules: ZoneRules(try #require(PosixZoneRule(parsing: text))))
  }

  @Test(
    "a rule shows the offset and the abbreviation of the time of year",
    arguments: [
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-01-15T12:00:00Z", 3_600, "CET"),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-07-15T12:00:00Z", 7_200, "CEST"),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29T00:59:59Z", 3_600, "CET"),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29T01:00:00Z", 7_200, "CEST"),
      ("EST5EDT", "2026-03-08T07:00:00Z", -14_400, "EDT"),
      ("EST5EDT", "2026-11-01T05:59:59Z", -14_400, "EDT"),
      ("EST5EDT", "2026-11-01T06:00:00Z", -18_000, "EST"),
      ("<+0545>-5:45", "2026-07-15T12:00:00Z", 20_700, "+0545"),
      ("UTC0", "2026-07-15T12:00:00Z", 0, "UTC"),
      ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-01-15T12:00:00Z", 0, "GMT"),
      ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-07-15T12:00:00Z", 3_600, "IST"),
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T00:59:59Z", -7_200, "-02"),
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T01:00:00Z", -3_600, "-01"),
      ("IST-2IDT,M3.4.4/26,M10.5.0", "2026-03-26T23:59:59Z", 7_200, "IST"),
      ("IST-2IDT,M3.4.4/26,M10.5.0", "2026-03-27T00:00:00Z", 10_800, "IDT"),
      ("AAA0BBB,J60,J61", "2028-03-01T01:59:59Z", 0, "AAA"),
      ("AAA0BBB,J60,J61", "2028-03-01T02:00:00Z", 3_600, "BBB"),
      ("AAA0BBB,59,60", "2028-02-29T02:00:00Z", 3_600, "BBB"),
      ("AAA0BBB,59/-167,60/167", "2026-02-22T00:59:59Z", 0, "AAA"),
      ("AAA0BBB,59/-167,60/167", "2026-02-22T01:00:00Z", 3_600, "BBB"),
      ("AAA0BBB,59/-167,60/167", "2026-03-08T21:59:59Z", 3_600, "BBB"),
      ("AAA0BBB,59/-167,60/167", "2026-03-08T22:00:00Z", 0, "AAA"),
    ])
  func shows(text: String, instant: String, offset: Int, abbreviation: String) throws {
    let zone = try Self.zone(text)
    let instant = try TimeTesting.instant(instant)
    #expect(zone.offset(at: instant) == offset)
    #expect(zone.abbreviation(at: instant) == abbreviation)
  }

  @Test("daylight saving time all year has no gap and no overlap, not at the turn of the year either")
  func allYear() throws {
    let zone = try Self.zone("EST5EDT,0/0,J365/25")
    var random = SeededGenerator(seed: 3)
    for year in 1_970...2_100 {
      let turn = try TimeTesting.instant("\(year)-01-01T05:00:00Z")
      for seconds in [-1, 0, 1, Int.random(in: 0..<31_000_000, using: &random)] {
        #expect(zone.abbreviation(at: turn.addingTimeInterval(Double(seconds))) == "EDT")
      }
      #expect(zone.instant(of: try TimeTesting.wall("\(year)-01-01T00:30")).resolution == .exact)
    }
  }

  @Test(
    "what is no rule is not read",
    arguments: [
      "", "CE-1", "CET", "CET-", "CET-25", "CET-1CEST,", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0",
      "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,M3.5.0/168,M10.5.0", "CET-1CEST,J0,J366",
      "CET-1CEST,M3.5.0,M10.5.0x", "CET-1CEST,366,0", "<CET-1", "<C T>-1", "<>-1", "CET-1:60", "CET-1:0:0:0",
      "CET1CEST2EXTRA", "Europe/Zurich", ":CET-1", "CET-1\u{0}", "ÇET-1", "CET-99999999999999999999",
      String(repeating: "A", count: 300) + "-1",
    ])
  func refuses(text: String) { #expect(PosixZoneRule(parsing: text) == nil) }
}
