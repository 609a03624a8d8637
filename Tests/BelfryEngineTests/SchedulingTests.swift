import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

/// The effect of changing an item on its reminders. It is 09:00 in Zurich.
@Suite struct SchedulingTests {
  private let fixture = EngineFixture()

  @Test("an item with a due date and the flag is scheduled in the change that adds it")
  func add() throws {
    let change = try fixture.add(due: "2026-11-21T10:00")
    #expect(try fixture.reminders() == ["2026-11-21T10:00+01:00 scheduled"])
    #expect(try change.schedule.scheduled == [FireDate(instant("2026-11-21T09:00:00Z"))])
    #expect(try change.listing.nextFireDate == FireDate(instant("2026-11-21T09:00:00Z")))
    #expect(change.listing.listName == "Groceries")
  }

  @Test("an item without a date or without the flag has nothing scheduled")
  func addSilent() throws {
    try fixture.add()
    try fixture.add(due: "2026-11-21T10:00", shouldRemind: false)
    #expect(try fixture.reminders(of: .item(1)) == [])
    #expect(try fixture.reminders(of: .item(2)) == [])
  }

  @Test("a past time is not scheduled, and the change says so")
  func addPast() throws {
    let change = try fixture.add(due: "2026-11-21T09:30", alerts: ["1d", "1h", "30m", "29m", "0m"])
    #expect(try fixture.scheduled() == ["2026-11-21T09:01+01:00", "2026-11-21T09:30+01:00"])
    #expect(change.schedule.past.count == 3)
    #expect(change.schedule.scheduled.count == 2)
  }

  @Test("re-dating cancels what was scheduled and schedules the new date")
  func redate() throws {
    try fixture.add(due: "2026-11-21T10:00", alerts: ["10m", "0m"])
    let change = try fixture.edit { $0.due = .at(try wall("2026-11-22T12:00")) }
    #expect(
      try fixture.reminders() == [
        "2026-11-21T09:50+01:00 cancelled", "2026-11-21T10:00+01:00 cancelled", "2026-11-22T11:50+01:00 scheduled",
        "2026-11-22T12:00+01:00 scheduled",
      ])
    #expect(change.schedule.cancelled == 2)
    #expect(change.schedule.scheduled.count == 2)
  }

  @Test("re-dating into the past, or to no date at all, leaves nothing scheduled")
  func redateAway() throws {
    try fixture.add(due: "2026-11-21T10:00")
    let change = try fixture.edit { $0.due = .at(try wall("2026-11-20T10:00")) }
    #expect(try fixture.reminders() == ["2026-11-21T10:00+01:00 cancelled"])
    #expect(change.schedule.past.count == 1)
    try fixture.edit { $0.due = .at(try wall("2026-11-21T10:00")) }
    #expect(try fixture.reminders() == ["2026-11-21T10:00+01:00 scheduled"])
    try fixture.edit { $0.due = When.none }
    #expect(try fixture.reminders() == ["2026-11-21T10:00+01:00 cancelled"])
    #expect(try fixture.item().due == nil)
  }

  @Test("switching the flag off cancels, switching it on schedules again")
  func flag() throws {
    try fixture.add(due: "2026-11-21T10:00")
    try fixture.edit { $0.shouldRemind = false }
    #expect(try fixture.reminders() == ["2026-11-21T10:00+01:00 cancelled"])
    try fixture.edit { $0.shouldRemind = true }
    #expect(try fixture.reminders() == ["2026-11-21T10:00+01:00 scheduled"])
    try fixture.edit { $0.shouldRemind = false }
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    let late = try fixture.edit { $0.shouldRemind = true }
    #expect(try fixture.reminders() == ["2026-11-21T10:00+01:00 cancelled"])
    #expect(late.schedule.past.count == 1)
  }

  @Test("checking cancels, unchecking schedules what is still to come")
  func check() throws {
    try fixture.add(due: "2026-11-21T10:00", alerts: ["30m", "0m"])
    #expect(try only(fixture.belfry.setChecked(true, [1])).listing.nextFireDate == nil)
    #expect(try fixture.scheduled() == [])
    #expect(try fixture.item().checkedAt == fixture.time.now)
    try fixture.setClock("2026-11-21T09:45:00+01:00")
    _ = try fixture.belfry.setChecked(false, [1])
    #expect(try fixture.reminders() == ["2026-11-21T09:30+01:00 cancelled", "2026-11-21T10:00+01:00 scheduled"])
    #expect(try fixture.item().checkedAt == nil)
  }

  @Test("deleting an item cancels, and keeps the record")
  func delete() throws {
    try fixture.add(due: "2026-11-21T10:00")
    let deleted = try only(fixture.belfry.delete([1]))
    #expect(deleted.item.text == "Buy milk")
    #expect(try fixture.reminders() == ["2026-11-21T10:00+01:00 cancelled"])
    #expect(try fixture.store.read { try $0.items() } == [])
  }

  @Test("deleting or clearing a list cancels everything on it", arguments: [true, false])
  func deleteList(isDeleted: Bool) throws {
    try fixture.add(due: "2026-11-21T10:00")
    try fixture.add(due: "2026-11-21T11:00")
    try fixture.add(to: "Work", due: "2026-11-21T12:00")
    let summary = try isDeleted ? fixture.belfry.deleteList("groceries") : fixture.belfry.clearList("groceries")
    #expect(summary.items == 2)
    #expect(try fixture.reminders(of: .item(1)) == ["2026-11-21T10:00+01:00 cancelled"])
    #expect(try fixture.reminders(of: .item(2)) == ["2026-11-21T11:00+01:00 cancelled"])
    #expect(try fixture.reminders(of: .item(3)) == ["2026-11-21T12:00+01:00 scheduled"])
    #expect(try fixture.store.read { try $0.lists().map(\.name) } == (isDeleted ? ["Work"] : ["Groceries", "Work"]))
  }

  @Test("an edit of text, notes, category or list leaves the schedule as it is")
  func otherEdits() throws {
    try fixture.add(due: "2026-11-21T10:00")
    let before = try fixture.store.read { try $0.reminders(of: .item(1)) }
    fixture.time.advance(by: 60)
    let change = try fixture.edit { edit in
      edit.text = "Buy oats"
      edit.notes = "rolled"
      edit.category = "shopping"
      edit.list = ListChoice("Work", createsMissing: true)
    }
    #expect(change.schedule.puts == [])
    #expect(try fixture.store.read { try $0.reminders(of: .item(1)) } == before)
    let item = try fixture.item()
    #expect(item.text == "Buy oats" && item.notes == "rolled" && item.category == "shopping" && item.listID == 2)
    try fixture.edit { edit in
      edit.notes = ""
      edit.category = ""
    }
    #expect(try fixture.item().notes == nil)
    #expect(try fixture.item().category == nil)
  }

  @Test("an alert that goes is cancelled, one that comes is scheduled")
  func alerts() throws {
    try fixture.add(due: "2026-11-21T12:00", alerts: ["1h", "0m"])
    try fixture.edit { $0.alerts = [try lead("2h"), try lead("0m"), try lead("0m")] }
    #expect(
      try fixture.reminders() == [
        "2026-11-21T10:00+01:00 scheduled", "2026-11-21T11:00+01:00 cancelled", "2026-11-21T12:00+01:00 scheduled",
      ])
    #expect(try fixture.item().alerts == [lead("2h"), lead("0m")])
    try fixture.edit { $0.alerts = [] }
    #expect(try fixture.scheduled() == ["2026-11-21T12:00+01:00"])
  }

  @Test("another zone keeps the wall-clock time and the occurrence, and moves the instant")
  func zone() throws {
    try fixture.add(due: "2026-11-21T12:00")
    try fixture.edit { $0.zone = .fixed("America/New_York") }
    #expect(try fixture.reminders() == ["2026-11-21T18:00+01:00 scheduled"])
    #expect(try fixture.item().due?.local == wall("2026-11-21T12:00"))
    #expect(throws: BelfryError.self) { try fixture.edit { $0.zone = .fixed("America/New_Yrk") } }
    #expect(try fixture.item().zone == .fixed("America/New_York"))
  }

  @Test("a fired reminder never fires again, whatever is done to the item")
  func firesOnce() throws {
    try fixture.add(due: "2026-11-21T10:00")
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    #expect(try fixture.claim().fired == 1)
    try fixture.setClock("2026-11-21T09:00:00+01:00")
    try fixture.edit { $0.shouldRemind = false }
    try fixture.edit { $0.shouldRemind = true }
    _ = try fixture.belfry.setChecked(true, [1])
    _ = try fixture.belfry.setChecked(false, [1])
    try fixture.edit { $0.due = .at(try wall("2026-11-21T09:30")) }
    try fixture.edit { $0.due = .at(try wall("2026-11-21T10:00")) }
    #expect(try fixture.reminders() == ["2026-11-21T09:30+01:00 cancelled", "2026-11-21T10:00+01:00 fired"])
  }

  @Test("a time that passed unclaimed still rings with the new text after an edit that keeps it")
  func passedStays() throws {
    try fixture.add(due: "2026-11-21T10:00")
    try fixture.setClock("2026-11-21T10:05:00+01:00")
    try fixture.edit { edit in
      edit.text = "Buy oats"
      edit.list = ListChoice("Work", createsMissing: true)
    }
    #expect(try fixture.reminders() == ["2026-11-21T10:00+01:00 scheduled"])
    #expect(try fixture.claim().fired == 1)
    try fixture.store.read { view in
      try view.forEachDelivery(state: nil, limit: nil) { _, message in
        #expect(message.contents.map(\.text) == ["Buy oats"])
        #expect(message.contents.map(\.listName) == ["Work"])
      }
    }
  }

  enum Ending: CaseIterable {
    case redated, undated, switchedOff, checked, deleted, listDeleted, listCleared
  }

  @Test("a time that passed unclaimed is cancelled when its occurrence goes", arguments: Ending.allCases)
  func passedIsCancelled(ending: Ending) throws {
    try fixture.add(due: "2026-11-21T10:00")
    try fixture.setClock("2026-11-21T10:05:00+01:00")
    try end(ending)
    #expect(try fixture.reminders().first == "2026-11-21T10:00+01:00 cancelled")
    #expect(try fixture.claim().fired == 0)
  }

  @Test(
    "a delivery that waits is called off when its item is checked or goes, not otherwise", arguments: Ending.allCases)
  func deliveries(ending: Ending) throws {
    try fixture.add(due: "2026-11-21T10:00")
    try fixture.add("other", to: "Work", due: "2026-11-21T10:00")
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    try fixture.claim()
    fixture.time.advance(by: 90)
    try end(ending)
    let (own, other) = try (fixture.deliveries()[0], fixture.deliveries()[1])
    switch ending {
    case .checked, .deleted, .listDeleted, .listCleared:
      #expect(own.state == .discarded)
      #expect(own.nextAttemptAt == nil)
      #expect(own.closedAt == fixture.time.now)
    case .redated, .undated, .switchedOff:
      // It has fired, and no rule of the deliveries' state table withdraws it.
      #expect(own.state == .pending)
    }
    #expect(other.state == .pending)
  }

  private func end(_ ending: Ending) throws {
    switch ending {
    case .redated: try fixture.edit { $0.due = .at(try wall("2026-11-21T12:00")) }
    case .undated: try fixture.edit { $0.due = When.none }
    case .switchedOff: try fixture.edit { $0.shouldRemind = false }
    case .checked: _ = try fixture.belfry.setChecked(true, [1])
    case .deleted: _ = try fixture.belfry.delete([1])
    case .listDeleted: _ = try fixture.belfry.deleteList("Groceries")
    case .listCleared: _ = try fixture.belfry.clearList("Groceries")
    }
  }
}
