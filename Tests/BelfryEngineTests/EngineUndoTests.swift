import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

/// Undoing the last change. It is 09:00 in Zurich on 2026-11-21.
@Suite struct EngineUndoTests {
  private let fixture = EngineFixture()

  private func expectRefusal(_ kind: BelfryError.Kind, _ words: String) {
    #expect {
      try fixture.belfry.undo()
    } throws: { error in
      (error as? BelfryError)?.kind == kind && "\(error)".contains(words)
    }
  }

  @Test("without a change to undo, undo fails")
  func nothing() throws {
    expectRefusal(.notFound, "no change")
    try fixture.add()
    try fixture.store.write { for record in try $0.undoRecords(.undo) { try $0.remove(record) } }
    expectRefusal(.notFound, "no change")
  }

  @Test("a redo of a zone in which the item is past plans nothing, as the change itself")
  func zoneOfThePast() throws {
    try fixture.add(due: "2026-11-21T10:00", zone: .fixed("America/New_York"))
    func scheduled() throws -> Int { try fixture.reminders().filter { $0.hasSuffix("scheduled") }.count }
    try fixture.edit { $0.zone = .fixed("Asia/Tokyo") }
    #expect(try scheduled() == 0)
    _ = try fixture.belfry.undo()
    #expect(try scheduled() == 1)
    _ = try fixture.belfry.redo()
    #expect(try scheduled() == 0)
  }

  @Test("a change can be taken back for a day, to the second")
  func day() throws {
    try fixture.add()
    try fixture.setClock("2026-11-22T09:00:01+01:00")
    expectRefusal(.notFound, "a day old")
    try fixture.setClock("2026-11-22T09:00:00+01:00")
    #expect(try fixture.belfry.undo().command == "add")
    #expect(try fixture.store.read { try $0.item(id: 1) } == nil)
  }

  @Test("a clock that was set back takes nothing away")
  func clockSetBack() throws {
    try fixture.add()
    try fixture.setClock("2026-11-20T09:00:00+01:00")
    #expect(try fixture.belfry.undo().items.map(\.fate) == [.removed])
  }

  @Test("undo goes back change by change, redo forth again, and a new change ends what could be redone")
  func steps() throws {
    try fixture.add("Milk")
    _ = try fixture.belfry.setChecked(true, [1])
    _ = try fixture.belfry.delete([1])
    let commands = try (1...3).map { _ in try fixture.belfry.undo().command }
    #expect(commands == ["delete", "check", "add"])
    expectRefusal(.notFound, "no change")
    #expect(try fixture.store.read { try $0.item(id: 1) } == nil)
    #expect(try [fixture.belfry.redo().command, fixture.belfry.redo().command] == ["add", "check"])
    #expect(try fixture.item().isChecked)
    #expect(try fixture.belfry.undo().command == "check")
    try fixture.add("Oats")
    #expect { try fixture.belfry.redo() } throws: { ($0 as? BelfryError)?.kind == .notFound }
    #expect(try [fixture.belfry.undo().command, fixture.belfry.undo().command] == ["add", "add"])
  }

  @Test("as many changes as are kept can be undone, the latest of them")
  func manyChanges() throws {
    for number in 0...UndoRecord.mostKept { try fixture.add("Item \(number)") }
    for _ in 1...UndoRecord.mostKept { _ = try fixture.belfry.undo() }
    expectRefusal(.notFound, "no change")
    #expect(try fixture.store.read { try $0.items().map(\.text) } == ["Item 0"])
  }

  @Test("a command that changes nothing leaves the change before it to be taken back")
  func noChange() throws {
    try fixture.add()
    _ = try fixture.belfry.setChecked(true, [1])
    _ = try fixture.belfry.setChecked(true, [1])
    #expect(try fixture.belfry.undo().command == "check")
    #expect(try !fixture.item().isChecked)
  }

  @Test("a change that failed leaves the change before it to be taken back")
  func failed() throws {
    try fixture.add()
    #expect(throws: BelfryError.self) { try fixture.belfry.setChecked(true, [1, 99]) }
    #expect(try fixture.belfry.undo().command == "add")
  }

  @Test("a fired reminder does not fire again")
  func rung() throws {
    try fixture.add(due: "2026-11-21T10:00")
    _ = try fixture.belfry.setChecked(true, [1])
    _ = try fixture.belfry.undo()
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    #expect(try fixture.claim().fired == 1)
    _ = try fixture.belfry.delete([1])
    let undone = try fixture.belfry.undo()
    #expect(undone.items.map(\.fate) == [.restored])
    #expect(undone.items.first?.change.schedule.scheduled == [])
    #expect(try fixture.scheduled() == [])
    try fixture.setClock("2026-11-21T10:30:00+01:00")
    #expect(try fixture.claim().fired == 0)
  }

  @Test("a time that passed meanwhile is told and does not ring")
  func passed() throws {
    try fixture.add(due: "2026-11-21T10:00")
    _ = try fixture.belfry.setChecked(true, [1])
    try fixture.setClock("2026-11-21T11:00:00+01:00")
    let undone = try fixture.belfry.undo()
    #expect(undone.items.first?.change.schedule.past.count == 1)
    #expect(try fixture.scheduled() == [])
    #expect(try fixture.claim().fired == 0)
  }

  @Test("a snooze that was replaced comes back while it is to come")
  func snoozes() throws {
    try fixture.add(due: "2026-11-21T09:30")
    try fixture.setClock("2026-11-21T09:30:00+01:00")
    try fixture.claim()
    let twoHours = SnoozeEnd.after(try CalendarDuration(parsing: "2h"))
    _ = try fixture.belfry.snooze(1, until: twoHours)
    #expect(try fixture.scheduled() == ["2026-11-21T11:30+01:00"])
    _ = try fixture.belfry.setChecked(true, [1])
    #expect(try fixture.scheduled() == [])
    _ = try fixture.belfry.undo()
    #expect(try fixture.scheduled() == ["2026-11-21T11:30+01:00"])
    _ = try fixture.belfry.setChecked(true, [1])
    try fixture.setClock("2026-11-21T11:31:00+01:00")
    _ = try fixture.belfry.undo()
    #expect(try fixture.scheduled() == [])
  }

  @Test("undo restores a discarded delivery, and undoing that discards it again")
  func deliveries() throws {
    try fixture.add(due: "2026-11-21T10:00")
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    try fixture.claim()
    _ = try fixture.belfry.setChecked(true, [1])
    #expect(try fixture.deliveries().map(\.state) == [.discarded])
    let undone = try fixture.belfry.undo()
    #expect(undone.resumedCount == 1)
    #expect(try fixture.deliveries().map(\.state) == [.pending])
    #expect(try fixture.deliveries().first?.nextAttemptAt == fixture.time.now)
    _ = try fixture.belfry.redo()
    #expect(try fixture.deliveries().map(\.state) == [.discarded])
  }

  @Test("deliveries sent since are counted and stay sent")
  func sent() throws {
    try fixture.add("Rings early", due: "2026-11-21T09:30")
    try fixture.setClock("2026-11-21T09:30:00+01:00")
    try fixture.claim()
    try deliverAll()
    try fixture.setClock("2026-11-21T09:45:00+01:00")
    try fixture.edit { $0.due = .at(try wall("2026-11-21T10:00")) }
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    try fixture.claim()
    try deliverAll()
    let undone = try fixture.belfry.undo()
    #expect(undone.deliveredCount == 1)
    #expect(try fixture.item().due?.local == wall("2026-11-21T09:30"))
    #expect(try fixture.scheduled() == [])
  }

  @Test("a list's reminder that moved on by itself stays where it is")
  func listReminderMovedOn() throws {
    try fixture.add(to: "Groceries")
    let draft = ListReminderDraft(at: try wall("2026-11-21T10:00"), rule: try .init("FREQ=DAILY"))
    _ = try fixture.belfry.remindList("Groceries", draft)
    _ = try fixture.belfry.renameList("Groceries", to: "Food")
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    #expect(try fixture.claim().fired == 1)
    let undone = try fixture.belfry.undo()
    #expect(undone.lists.map(\.list.name) == ["Groceries"])
    #expect(try fixture.scheduled(of: .list(1)) == ["2026-11-22T10:00+01:00"])
  }

  @Test("a list that got items since is not taken back")
  func listInUse() throws {
    _ = try fixture.belfry.createList("Garden")
    try fixture.store.write { transaction in
      _ = try transaction.addItem(listID: 1, preferredID: nil) { id, position in
        Item(
          id: id, uuid: UUID(), listID: 1, position: position, text: "Dig", createdAt: fixture.time.now,
          updatedAt: fixture.time.now)
      }
    }
    expectRefusal(.badInput, "Garden")
    #expect(try fixture.store.read { try $0.lists() }.count == 1)
  }

  @Test("what was changed outside of commands since stands in the way, of undo and of redo")
  func changedOutside() throws {
    try fixture.add("Milk")
    try fixture.edit { $0.text = "Oats" }
    let item = try fixture.item()
    try fixture.store.write { try $0.update(changed(item)) }
    expectRefusal(.badInput, "cannot undo: 'Milk' was changed after 'belfry edit'")
    try fixture.store.write { try $0.update(item) }
    let undone = try #require(try fixture.belfry.undo().items.first?.change.listing.item)
    try fixture.store.write { try $0.update(changed(undone)) }
    let refusal = #expect(throws: BelfryError.self) { try fixture.belfry.redo() }
    #expect(refusal?.message == "cannot redo: 'Oats' was changed after 'belfry edit' was undone")
  }

  private func changed(_ item: Item) -> Item {
    var item = item
    item.text = "Bread"
    return item
  }

  @Test("a name that is taken again is not given twice")
  func nameTaken() throws {
    _ = try fixture.belfry.createList("Garden")
    _ = try fixture.belfry.renameList("Garden", to: "Yard")
    try fixture.store.write { _ = try $0.addList(name: "GARDEN", uuid: UUID(), at: fixture.time.now) }
    expectRefusal(.badInput, "GARDEN")
  }

  @Test("more than can be kept is said to be too much")
  func tooMuch() throws {
    let drafts = (0...UndoNotes.limit).map { ItemDraft(text: "Item \($0)") }
    _ = try fixture.belfry.add(drafts, to: ListChoice("Inbox", createsMissing: true))
    expectRefusal(.notFound, "too much")
  }

  @Test("a record that cannot be read is refused", arguments: ["", "{}", "[1]", "{\"command\":\"add\"}", "\u{0}"])
  func unreadable(content: String) throws {
    try fixture.add()
    let record = UndoRecord(date: fixture.time.now, content: content)
    try fixture.store.write { try $0.add(record) }
    expectRefusal(.notFound, "another version")
  }

  private func deliverAll() throws {
    try fixture.store.write { transaction in
      for var delivery in try transaction.deliveries() where delivery.state == .pending {
        delivery.state = .delivered
        delivery.closedAt = fixture.time.now
        delivery.nextAttemptAt = nil
        try transaction.update(delivery)
      }
    }
  }
}
