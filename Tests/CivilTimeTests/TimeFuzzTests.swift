import BelfryTestKit
import Foundation
import TestSupport
import Testing
@testable import CivilTime
@testable import NaturalDates

/// Mutated input: every parser returns a valid result or refuses.
@Suite struct TimeFuzzTests {
  private static let seeds = [
    "2026-12-24 18:30", "2026-12-24T18:30:00.5+01:00", "2026-W50-1 6pm", "tomorrow 9am",
    "next friday in 2 weeks at 17:00",
    "in 2 weeks and 3 days", "+1h30m", "end of next month", "1st of next month", "24th of december, 2027 noon",
    "fri 27 nov 2026 17:00", "midnight", "tonight", "none", "10m", "1w2d", "P1DT2H30M", "PT900S", "09:00",
    "2026-11-21T09:00", "CET-1CEST,M3.5.0/-2,M10.5.0/3", "<+0330>-3:30<+0430>,J79/24,J263/24", "Europe/Zurich",
  ]

  private static func mutations(count: Int, seed: UInt64) -> [String] {
    var random = SeededGenerator(seed: seed)
    let alphabet = Array("0123456789:-+/.,TZW adehmnostuy\0\u{7f}é".utf8)
    return (0..<count).map { _ in
      var bytes = Array((seeds.randomElement(using: &random) ?? "").utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let position = Int.random(in: 0...bytes.count, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0 where position < bytes.count: bytes.remove(at: position)
        case 1 where position < bytes.count: bytes[position] = UInt8.random(in: 0...255, using: &random)
        case 2: bytes.insert(contentsOf: (seeds.randomElement(using: &random) ?? "").utf8, at: position)
        case 3 where position < bytes.count: bytes.append(contentsOf: bytes[position...])
        case 4..<7 where position < bytes.count && isDigit(bytes[position]):
          bytes[position] = UInt8.random(in: 0x30...0x39, using: &random)
        default: bytes.insert(alphabet.randomElement(using: &random) ?? 0, at: position)
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  @Test("WHENs are refused in a sentence, or are in range")
  func whens() throws {
    let zone = try TimeTesting.database.zone("Europe/Zurich")
    let parser = WhenParser(
      now: Date(timeIntervalSince1970: 1_795_251_600), zone: zone,
      defaultTime: try #require(TimeOfDay(hour: 9, minute: 0)))
    var accepted = 0
    for text in Self.mutations(count: 30_000, seed: 9) {
      do throws(WhenError) {
        guard case .at(let wall) = try parser.parse(text) else { continue }
        accepted += 1
        #expect(throws: Never.self) { try FireDate(zone.instant(of: wall).instant) }
        #expect(WallTime(parsing: wall.description) == wall)
      } catch {
        #expect(!error.message.isEmpty && error.message.utf8.count < 700)
        #expect(!error.message.unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(error)")
      }
    }
    #expect(accepted > 500)
  }

  @Test("durations are refused in a sentence, or print as what reads back to them")
  func durations() throws {
    var accepted = 0
    for text in Self.mutations(count: 30_000, seed: 10) {
      do throws(WhenError) {
        let duration = try CalendarDuration(parsing: text, allowsZero: true)
        accepted += 1
        #expect(try CalendarDuration(parsing: duration.description, allowsZero: true) == duration)
        #expect(CalendarDuration(iso8601: duration.iso8601) == duration)
      } catch {
        #expect(!error.message.isEmpty && error.message.utf8.count < 700)
      }
    }
    #expect(accepted > 100)
  }

  @Test("timestamps, wall times and times of day print as what they were read from")
  func digits() {
    var accepted = 0
    for text in Self.mutations(count: 60_000, seed: 11) {
      if let wall = WallTime(parsing: text) { #expect(wall.description == text) }
      if let time = TimeOfDay(parsing: text) { #expect(time.description == text) }
      if let instant = parseRFC3339(text) {
        accepted += 1
        #expect(parseRFC3339(Zone.utc.rfc3339(instant)) == instant)
      }
    }
    #expect(accepted > 20)
  }

  @Test("zone rules and names are refused, or answer every question")
  func zones() throws {
    var random = SeededGenerator(seed: 12)
    var accepted = 0
    for text in Self.mutations(count: 30_000, seed: 13) {
      guard let rule = PosixZoneRule(parsing: text) else { continue }
      accepted += 1
      let zone = Zone(identifier: text, rules: ZoneRules(rule))
      for _ in 0..<5 {
        let wall = WallTime(minutesSinceEpoch: Int.random(in: 0...4_223_371_679, using: &random))
        let (instant, resolution) = zone.instant(of: wall)
        if resolution == .exact || resolution == .overlap {
          #expect(zone.wallTime(at: instant) == wall, "\(text) \(wall)")
        }
      }
    }
    #expect(accepted > 200)
    for text in Self.mutations(count: 200, seed: 14) {
      let zone = try? TimeTesting.database.zone(text)
      #expect(zone == nil || ["Europe/Zurich", "UTC"].contains(zone?.identifier), "\(text)")
    }
  }
}
