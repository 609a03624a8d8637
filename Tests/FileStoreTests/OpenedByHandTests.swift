import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import RecurrenceRules
import Testing

/// An item that has rung at 09:01 and nags every 5 minutes, checked and opened again. The clock is in UTC.
@Suite("What a hand checks, opens again or moves to another zone")
struct OpenedByHandTests {
  private let time = ManualTimeSource(Sample.now)

  @Test("an item that a hand opens nags on, whoever has checked it", arguments: Format.texts, [false, true])
  func opened(format: Format, byHand: Bool) async throws {
    let place = try await ringing(format)
    try setClock("09:02")
    if byHand {
      try setCheck(place, to: true)
    } else {
      _ = try place.belfry(time).setChecked(true, [1])
    }
    #expect(try scheduled(place) == [])
    try setClock("09:08")
    try setCheck(place, to: false)
    #expect(try scheduled(place) == ["09:13"])
    #expect(try place.open().read { try $0.item(id: 1)?.item.checkedAt } == nil)
    #expect(try place.belfry(time).checkStore() == [])
  }

  @Test("an item that a hand has checked nags on once it is unchecked", arguments: Format.texts)
  func checkedByHand(format: Format) async throws {
    let place = try await ringing(format)
    try setClock("09:02")
    try setCheck(place, to: true)
    #expect(try place.open().read { try $0.item(id: 1)?.item.checkedAt } == time.now)
    try setClock("09:08")
    _ = try place.belfry(time).setChecked(false, [1])
    #expect(try scheduled(place) == ["09:13"])
  }

  @Test("a repeating item that was checked keeps that over an edit by hand, and nags on once it is unchecked")
  func repeating() async throws {
    let place = try await ringing(.json, rule: "FREQ=DAILY")
    try setClock("09:02")
    _ = try place.belfry(time).setChecked(true, [1])
    try place.replace("Milk", with: "Bread")
    _ = try place.belfry(time).planEdits()
    #expect(try place.open().read { try $0.item(id: 1)?.item.checkedAt } == time.now)
    #expect(try scheduled(place) == ["09:01"])
    _ = try place.belfry(time).setChecked(false, [1])
    #expect(try scheduled(place) == ["09:06", "09:01"])
  }

  @Test("a date that a hand has moved into the past by its zone does not ring", arguments: Format.texts)
  func zone(format: Format) throws {
    let place = try Place(format)
    let due = try #require(WallTime(parsing: "2026-11-21T09:30"))
    var draft = ItemDraft(text: "Milk", due: due, shouldRemind: true)
    draft.zone = .fixed("Europe/London")
    _ = try place.belfry(time).add([draft], to: ListChoice("Home", createsMissing: true))
    _ = try place.belfry(time).remindList("Home", ListReminderDraft(at: due, zone: .fixed("Europe/London")))
    #expect(try place.open().read { try $0.pending().count } == 2)
    try place.replace("Europe/London", with: "Asia/Tokyo")
    _ = try place.belfry(time).planEdits()
    #expect(try place.open().read { try $0.pending().count } == 0)
    #expect(try place.belfry(time).checkStore() == [])
  }

  private func ringing(_ format: Format, rule: String? = nil) async throws -> Place {
    let place = try Place(format)
    var draft = ItemDraft(text: "Milk", due: WallTime(parsing: "2026-11-21T09:01"), shouldRemind: true)
    draft.nag = try CalendarDuration(parsing: "5m")
    draft.rule = try rule.map { try RecurrenceRule($0) }
    _ = try place.belfry(time).add([draft], to: ListChoice("Home", createsMissing: true))
    try setClock("09:01")
    try await TestDaemon(place.belfry(time), sinks: []).tick()
    #expect(try scheduled(place).contains("09:06"))
    return place
  }

  private func setClock(_ clock: String) throws { time.now = try #require(parseRFC3339("2026-11-21T\(clock):00Z")) }

  private func setCheck(_ place: Place, to isChecked: Bool) throws {
    func text(_ isChecked: Bool) -> String {
      place.format == .json ? "\"is_checked\":\(isChecked)" : "<key>Checked</key><\(isChecked)/>"
    }
    try place.replace(text(!isChecked), with: text(isChecked))
    _ = try place.belfry(time).planEdits()
  }

  // The clock times of what is scheduled, the soonest first.
  private func scheduled(_ place: Place) throws -> [String] {
    try place.open().read { try $0.pending().map { "\(Zone.utc.wallTime(at: $0.reminder.fireDate.date).time)" } }
  }
}
