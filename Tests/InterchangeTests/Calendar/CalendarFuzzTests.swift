import BelfryTestKit
import Foundation
import Testing

@testable import Interchange

/// Randomly damaged calendars: none crashes or takes long, and refused parts are reported.
struct CalendarFuzzTests {
  private static let count = ProcessInfo.processInfo.environment["BELFRY_DEEP"] == "1" ? 50_000 : 1_500
  private static let pieces: [[UInt8]] =
    [
      "BEGIN:VTODO\r\n", "END:VTODO\r\n", "BEGIN:VALARM\r\n", "END:VALARM\r\n", "END:VCALENDAR\r\n",
      "BEGIN:VCALENDAR\r\n",
      "\r\n ", "\n", ":", ";", "\"", "TRIGGER:-PT15M\r\n", "RRULE:FREQ=DAILY;BYDAY=MO\r\n", "DUE:99991231T235959Z\r\n",
      "DTSTART;VALUE=DATE:00010101\r\n", "EXDATE:20270101T000000\r\n", "DURATION:-P9999999D\r\n",
      "REPEAT:99999999999\r\n",
      "TZID=", "UID:", "P3652425DT99999999999S",
    ].map { Array($0.utf8) } + [[0x00], [0xFF], [0xC3], [0xEF, 0xBB, 0xBF]]

  @Test("damaged calendars are read to their end", arguments: 1...2)
  func damaged(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let seeds = try CalendarTesting.corpus.map { file in
      // Most calendars of other programs consist of VEVENTs.
      Array(
        String(decoding: try Data(contentsOf: file), as: UTF8.self).replacing("VEVENT", with: "VTODO").utf8.prefix(
          6_000))
    }
    var (items, refusals) = (0, 0)
    let time = try ProcessorTime.measure {
      for _ in 0..<Self.count {
        var bytes = try #require(seeds.randomElement(using: &random))
        for _ in 0..<Int.random(in: 1...8, using: &random) { Self.damage(&bytes, &random) }
        guard let entries = try? CalendarTesting.entries(bytes) else { continue }
        items += entries.items.count
        refusals += entries.refusals.count
        #expect(entries.refusals.allSatisfy { $0.place.hasPrefix("line ") && !$0.reason.isEmpty })
      }
    }
    #expect(items > Self.count / 2 && refusals > Self.count / 2, "\(items) items, \(refusals) refusals")
    #expect(time < TimeLimit.thousandCalendars * (Double(Self.count) / 1_000))
  }

  private static func damage(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    guard !bytes.isEmpty else { return }
    let place = Int.random(in: 0..<bytes.count, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &random)))
    case 2: bytes.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: place)
    case 3: bytes.removeSubrange(place...)
    default:
      let piece = Array(bytes[place..<min(bytes.count, place + 200)])
      bytes.insert(contentsOf: piece, at: Int.random(in: 0..<bytes.count, using: &random))
    }
  }
}
