import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel

/// The reminder of a whole list. It is 09:00 in Zurich.
@Suite struct ListReminderTests {
  private let fixture = EngineFixture()

  @discardableResult
  private func remind(_ at: String?, zone: ItemZone = .floating, message: String? = nil) throws -> ListReminderChange {
    try fixture.belfry.remindList(
      "Groceries", at.map { ListReminderDraft(at: try wall($0), zone: zone, message: message) })
  }

  private var own: [String] { get throws { try fixture.reminders(of: .list(1)) } }

  @Test("it is scheduled while something on the list is unchecked")
  func scheduled() throws {
    try fixture.add()
    let change = try remind("2026-11-21T10:00")
    #expect(change.summary.remaining == 1)
    #expect(change.schedule.scheduled.count == 1)
    #expect(try own == ["2026-11-21T10:00+01:00 scheduled"])
  }

  @Test("in another zone, in which its time is past, it does not ring")
  func zoneOfThePast() throws {
    try fixture.add()
    try remind("2026-11-21T10:00", zone: .fixed("America/New_York"))
    #expect(try own == ["2026-11-21T16:00+01:00 scheduled"])
    let change = try remind("2026-11-21T10:00", zone: .fixed("Asia/Tokyo"))
    #expect(change.schedule.scheduled.isEmpty && change.schedule.past.count == 1)
    #expect(try own == ["2026-11-21T16:00+01:00 cancelled"])
  }

  @Test("it waits while nothing is unchecked, and follows what happens to the items")
  func followsItems() throws {
    _ = try fixture.belfry.createList("Groceries")
    #expect(try remind("2026-11-21T10:00").summary.remaining == 0)
    #expect(try own == [])
    try fixture.add()
    #expect(try own == ["2026-11-21T10:00+01:00 scheduled"])
    _ = try fixture.belfry.setChecked(true, [1])
    #expect(try own == ["2026-11-21T10:00+01:00 cancelled"])
    _ = try fixture.belfry.setChecked(false, [1])
    #expect(try own == ["2026-11-21T10:00+01:00 scheduled"])
    try fixture.edit { $0.list = ListChoice("Work", createsMissing: true) }
    #expect(try own == ["2026-11-21T10:00+01:00 cancelled"])
    try fixture.edit { $0.list = ListChoice("Groceries") }
    #expect(try own == ["2026-11-21T10:00+01:00 scheduled"])
    _ = try fixture.belfry.delete([1])
    #expect(try own == ["2026-11-21T10:00+01:00 cancelled"])
    try fixture.add()
    #expect(try own == ["2026-11-21T10:00+01:00 scheduled"])
    _ = try fixture.belfry.clearList("Groceries")
    #expect(try own == ["2026-11-21T10:00+01:00 cancelled"])
  }

  @Test("a new one replaces the old one, and none takes it away")
  func replaced() throws {
    try fixture.add()
    try remind("2026-11-21T10:00")
    try remind("2026-11-21T11:00", zone: .fixed("Asia/Tokyo"))
    #expect(try own == ["2026-11-21T10:00+01:00 cancelled"])
    try remind("2026-11-21T20:00", zone: .fixed("Asia/Tokyo"))
    #expect(try own == ["2026-11-21T10:00+01:00 cancelled", "2026-11-21T12:00+01:00 scheduled"])
    try remind(nil)
    #expect(try own == ["2026-11-21T10:00+01:00 cancelled", "2026-11-21T12:00+01:00 cancelled"])
    #expect(try fixture.store.read { try $0.list(id: 1)?.reminder } == nil)
  }

  @Test("one whose time has passed is not scheduled, and the change says so")
  func past() throws {
    try fixture.add()
    #expect(try remind("2026-11-21T09:00").schedule.past.count == 1)
    #expect(try own == [])
    // A later item does not schedule it either.
    try fixture.add()
    #expect(try own == [])
  }

  @Test("it goes with its list")
  func listDeleted() throws {
    try fixture.add()
    try remind("2026-11-21T10:00")
    _ = try fixture.belfry.deleteList("Groceries")
    #expect(try own == ["2026-11-21T10:00+01:00 cancelled"])
  }

  @Test("a rename leaves it as it is")
  func renamed() throws {
    try fixture.add()
    try remind("2026-11-21T10:00")
    _ = try fixture.belfry.renameList("Groceries", to: "Shopping")
    #expect(try own == ["2026-11-21T10:00+01:00 scheduled"])
    #expect(try fixture.store.read { try $0.pending().map(\.text) } == ["Shopping"])
  }

  @Test("it rings once, with its message, the list and what is unchecked in list order")
  func rings() throws {
    for text in ["Milk", "Oats", "Salt"] { try fixture.add(text) }
    _ = try fixture.belfry.setChecked(true, [2])
    try remind("2026-11-21T10:00", message: "Shop now")
    try fixture.setClock("2026-11-21T10:00:30+01:00")
    #expect(try fixture.claim().fired == 1)
    #expect(try fixture.claim() == ClaimResult())
    try fixture.store.read { view in
      let (delivery, message) = try only(view.deliveries(of: .list(1), state: nil))
      let content = try only(message.contents)
      #expect(delivery.state == .pending)
      #expect(content.text == "Shop now")
      #expect(content.listName == "Groceries")
      #expect(content.uncheckedTexts == ["Milk", "Salt"])
      #expect(content.item == nil)
      #expect(content.owner == .list(1))
    }
    #expect(try own == ["2026-11-21T10:00+01:00 fired"])
    _ = try fixture.belfry.setChecked(true, [1, 3])
    _ = try fixture.belfry.setChecked(false, [1, 3])
    #expect(try own == ["2026-11-21T10:00+01:00 fired"])
  }

  @Test("without a message it says the list's name")
  func noMessage() throws {
    try fixture.add()
    try remind("2026-11-21T10:00")
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    try fixture.claim()
    let (_, message) = try only(fixture.store.read { try $0.deliveries(of: .list(1), state: nil) })
    #expect(message.contents.map(\.text) == ["Groceries"])
  }

  @Test("a message that cannot stand in one line is refused")
  func badMessage() throws {
    try fixture.add()
    for message in ["", " ", "two\nlines"] {
      let error = #expect(throws: BelfryError.self) { try remind("2026-11-21T10:00", message: message) }
      #expect(error?.kind == .badInput)
    }
    #expect(throws: BelfryError.self) { try fixture.belfry.remindList("Nowhere", nil) }
    #expect(try own == [])
  }

  @Test("a list's pending deliveries are discarded only with the list")
  func deliveries() throws {
    try fixture.add()
    try remind("2026-11-21T10:00")
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    try fixture.claim()
    try remind("2026-11-21T11:00")
    _ = try fixture.belfry.setChecked(true, [1])
    _ = try fixture.belfry.clearList("Groceries")
    #expect(try fixture.deliveries().map(\.state) == [.pending])
    _ = try fixture.belfry.deleteList("Groceries")
    #expect(try fixture.deliveries().map(\.state) == [.discarded])
  }
}
