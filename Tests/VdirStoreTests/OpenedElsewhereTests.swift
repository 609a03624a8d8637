import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import Testing

/// A to-do that has rung at 09:00 UTC and nags every 10 minutes.
@Suite("A to-do that another program opens again, or moves to another zone")
struct OpenedElsewhereTests {
  private let place: Place
  private let belfry: Belfry

  private static let nag = "X-BELFRY-NAG:PT10M"
  private static let open = Place.todo("SUMMARY:Pill", "DUE:20261121T090000Z", nag)

  init() throws {
    place = try Place()
    belfry = place.belfry()
  }

  @Test("it nags on, whichever program has checked it", arguments: [false, true])
  func opened(isElsewhere: Bool) async throws {
    try write(Self.open)
    place.time.advance(by: 3_600)
    try await TestDaemon(belfry, sinks: []).tick()
    #expect(try scheduled() == ["09:10"])
    place.time.advance(by: 120)
    if isElsewhere {
      try write(
        Place.todo(
          "SUMMARY:Pill", "DUE:20261121T090000Z", Self.nag, "STATUS:COMPLETED", "COMPLETED:20261121T090100Z"))
    } else {
      _ = try belfry.setChecked(true, [1])
    }
    #expect(try scheduled() == [])
    place.time.advance(by: 1_200)
    try write(Self.open)
    #expect(try scheduled() == ["09:32"])
    #expect(try belfry.store.items().map(\.checkedAt) == [nil])
    #expect(try place.read() == Self.open)
  }

  @Test("a due date that its zone has moved into the past does not ring")
  func zone() throws {
    try write(Place.todo("SUMMARY:Pill", "DUE;TZID=Europe/London:20261121T090000"))
    #expect(try scheduled() == ["09:00"])
    try write(Place.todo("SUMMARY:Pill", "DUE;TZID=Asia/Tokyo:20261121T090000"))
    #expect(try scheduled() == [])
  }

  private func write(_ text: String) throws {
    try place.write(text)
    _ = try belfry.planEdits()
  }

  private func scheduled() throws -> [String] {
    try belfry.store.read { try $0.pending().map { "\(Zone.utc.wallTime(at: $0.reminder.fireDate.date).time)" } }
  }
}
