import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

/// Undoing the last change. It is 09:00 in Zurich on 2026-11-21.
@Suite struct EngineUndoTests {
  private let bench = Bench()

  private func expectRefusal(_ kind: BelfryError.Kind, _ words: String) {
    #expect {
      try bench.belfry.undo()
    } throws: { error in
      (error as? BelfryError)?.kind == kind && "\(error)".contains(words)
    }
  }

  @Test("without a change to undo, undo fails")
  func nothing() throws {
    expectRefusal(.notFound, "no change")
    try bench.add()
    try bench.store.write { for record in try $0.undoRecords(.undo) { try $0.remove(record) } }
    expectRefusal(.notFound, "no change")
  }

  @Test("a redo of a zone in which the item is past plans nothing, as the change itself")
  func zoneOfThePast() throws {
    try bench.add(due: "2026-11-21T10:00", zone: .fixed("America/New_York"))
    func scheduled() throws -> Int { try bench.reminders().filter { $0.hasSuffix("scheduled") }.count }
    try bench.edit { $0.zone = .fixed("Asia/Tokyo") }
    #expect(try scheduled() == 0)
    _ = try bench.belfry.undo()
    #expect(try scheduled() == 1)
    _ = try bench.belfry.redo()
    #expect(try scheduled() == 0)
  }

  @Test("a change can be taken back for a day, to the second")
  func day() throws {
    try bench.add()
    try bench.setClock("2026-11-22T09:00:01+01:00")
    expectRefusal(.notFound, "a day old")
    try bench.setClock("2026-11-22T09:00:00+01:00")
    #expect(try bench.belfry.undo().command == "add")
    #expect(try bench.store.read { try $0.item(id: 1) } == nil)
  }

  @Test("a clock that was set back takes nothing away")
  func clockSetBack() throws {
    try bench.add()
    try bench.setClock("2026-11-20T09:00:00+01:00")
    #expect(try bench.belfry.undo().items.map(\.fate) == [.removed])
  }

  @Test("undo goes back change by change, redo forth again, and a new change ends what could be redone")
  func steps() throws {
    try bench.add("Milk")
    _ = try bench.belfry.setChecked(true, [1])
    _ = try bench.belfry.delete([1])
    let commands = try (1...3).map { _ in try bench.belfry.undo().command }
    #expect(commands == ["delete", "check", "add"])
    expectRefusal(.notFound, "no change")
    #expect(try bench.store.read { try $0.item(id: 1) } == nil)
    #expect(try [bench.belfry.redo().command, bench.belfry.redo().command] == ["add", "check"])
    #expect(try bench.item().isChecked)
    #expect(try bench.belfry.undo().command == "check")
    try bench.add("Oats")
    #expect { try bench.belfry.redo() } throws: { ($0 as? BelfryError)?.kind == .notFound }
    #expect(try [bench.belfry.undo().command, bench.belfry.undo().command] == ["add", "add"])
  }

  @Test("as many changes as are kept can be undone, the latest of them")
  func manyChanges() throws {
    for number in 0...UndoRecord.mostKept { try bench.add("Item \(number)") }
    for _ in 1...UndoRecord.mostKept { _ = try bench.belfry.undo() }
    expectRefusal(.notFound, "no change")
    #expect(try bench.store.read { try $0.items().map(\.text) } == ["Item 0"])
  }

  @Test("a command that changes nothing leaves the change before it to be taken back")
  func noChange() throws {
    try bench.add()
    _ = try bench.belfry.setChecked(true, [1])
    _ = try bench.belfry.setChecked(true, [1])
    #expect(try bench.belfry.undo().command == "check")
    #expect(try !bench.item().isChecked)
  }

  @Test("a change that failed leaves the change before it to be taken back")
  func failed() throws {
    try bench.add()
    #expect(throws: BelfryError.self) { try bench.belfry.setChecked(true, [1, 99]) }
    #expect(try bench.belfry.undo().command == "add")
  }

  @Test("a fired reminder does not fire again")
  func rung() throws {
    try bench.add(due: "2026-11-21T10:00")
    _ = try bench.belfry.setChecked(true, [1])
    _ = try bench.belfry.undo()
    try bench.setClock("2026-11-21T10:00:00+01:00")
    #expect(try bench.claim().fired == 1)
    _ = try bench.belfry.delete([1])
    let undone = try bench.belfry.undo()
    #expect(undone.items.map(\.fate) == [.restored])
    #expect(undone.items.first?.change.schedule.scheduled == [])
    #expect(try bench.scheduled() == [])
    try bench.setClock("2026-11-21T10:30:00+01:00")
    #expect(try bench.claim().fired == 0)
  }

  @Test("a time that passed meanwhile is told and does not ring")
  func passed() throws {
    try bench.add(due: "2026-11-21T10:00")
    _ = try bench.belfry.setChecked(true, [1])
    try bench.setClock("2026-11-21T11:00:00+01:00")
    let undone = try bench.belfry.undo()
    #expect(undone.items.first?.change.schedule.past.count == 1)
    #expect(try bench.scheduled() == [])
    #expect(try bench.claim().fired == 0)
  }

  @Test("a snooze that was replaced comes back while it is to come")
  func snoozes() throws {
    try bench.add(due: "2026-11-21T09:30")
    try bench.setClock("2026-11-21T09:30:00+01:00")
    try bench.claim()
    let twoHours = SnoozeEnd.after(try CalendarDuration(parsing: "2h"))
    _ = try bench.belfry.snooze(1, until: twoHours)
    #expect(try bench.scheduled() == ["2026-11-21T11:30+01:00"])
    _ = try bench.belfry.setChecked(true, [1])
    #expect(try bench.scheduled() == [])
    _ = try bench.belfry.undo()
    #expect(try bench.scheduled() == ["2026-11-21T11:30+01:00"])
    _ = try bench.belfry.setChecked(true, [1])
    try bench.setClock("2026-11-21T11:31:00+01:00")
    _ = try bench.belfry.undo()
    #expect(try bench.scheduled() == [])
  }

  @Test("undo restores a discarded delivery, and undoing that discards it again")
  func deliveries() throws {
    try bench.add(due: "2026-11-21T10:00")
    try bench.setClock("2026-11-21T10:00:00+01:00")
    try bench.claim()
    _ = try bench.belfry.setChecked(true, [1])
    #expect(try bench.deliveries().map(\.state) == [.discarded])
    let undone = try bench.belfry.undo()
    #expect(undone.resumedCount == 1)
    #expect(try bench.deliveries().map(\.state) == [.pending])
    #expect(try bench.deliveries().first?.nextAttemptAt == bench.time.now)
    _ = try bench.belfry.redo()
    #expect(try bench.deliveries().map(\.state) == [.discarded])
  }

  @Test("deliveries sent since are counted and stay sent")
  func sent() throws {
    try bench.add("Rings early", due: "2026-11-21T09:30")
    try bench.setClock("2026-11-21T09:30:00+01:00")
    try bench.claim()
    try deliverAll()
    try bench.setClock("2026-11-21T09:45:00+01:00")
    try bench.edit { $0.due = .at(try wall("2026-11-21T10:00")) }
    try bench.setClock("2026-11-21T10:00:00+01:00")
    try bench.claim()
    try deliverAll()
    let undone = try bench.belfry.undo()
    #expect(undone.deliveredCount == 1)
    #expect(try bench.item().due?.local == wall("2026-11-21T09:30"))
    #expect(try bench.scheduled() == [])
  }

  @Test("a list's reminder that moved on by itself stays where it is")
  func listReminderMovedOn() throws {
    try bench.add(to: "Groceries")
    let draft = ListReminderDraft(at: try wall("2026-11-21T10:00"), rule: try .init("FREQ=DAILY"))
    _ = try bench.belfry.remindList("Groceries", draft)
    _ = try bench.belfry.renameList("Groceries", to: "Food")
    try bench.setClock("2026-11-21T10:00:00+01:00")
    #expect(try bench.claim().fired == 1)
    let undone = try bench.belfry.undo()
    #expect(undone.lists.map(\.list.name) == ["Groceries"])
    #expect(try bench.scheduled(of: .list(1)) == ["2026-11-22T10:00+01:00"])
  }

  @Test("a list that got items since is not taken back")
  func listInUse() throws {
    _ = try bench.belfry.createList("Garden")
    try bench.store.write { transaction in
      _ = try transaction.addItem(listID: 1, preferredID: nil) { id, position in
        Item(
          id: id, uuid: UUID(), listID: 1, position: position, text: "Dig", createdAt: bench.time.now,
          updatedAt: bench.time.now)
      }
    }
    expectRefusal(.badInput, "Garden")
    #expect(try bench.store.read { try $0.lists() }.count == 1)
  }

  @Test("what was changed outside of commands since stands in the way, of undo and of redo")
  func changedOutside() throws {
    try bench.add("Milk")
    try bench.edit { $0.text = "Oats" }
    let item = try bench.item()
    try bench.store.write { try $0.update(changed(item)) }
    expectRefusal(.badInput, "cannot undo: 'Milk' was changed after 'belfry edit'")
    try bench.store.write { try $0.update(item) }
    let undone = try #require(try bench.belfry.undo().items.first?.change.listing.item)
    try bench.store.write { try $0.update(changed(undone)) }
    let refusal = #expect(throws: BelfryError.self) { try bench.belfry.redo() }
    #expect(refusal?.message == "cannot redo: 'Oats' was changed after 'belfry edit' was undone")
  }

  private func changed(_ item: Item) -> Item {
    var item = item
    item.text = "Bread"
    return item
  }

  @Test("a name that is taken again is not given twice")
  func nameTaken() throws {
    _ = try bench.belfry.createList("Garden")
    _ = try bench.belfry.renameList("Garden", to: "Yard")
    try bench.store.write { _ = try $0.addList(name: "GARDEN", uuid: UUID(), at: bench.time.now) }
    expectRefusal(.badInput, "GARDEN")
  }

  @Test("more than can be kept is said to be too much")
  func tooMuch() throws {
    let drafts = (0...UndoNotes.limit).map { ItemDraft(text: "Item \($0)") }
    _ = try bench.belfry.add(drafts, to: ListChoice("Inbox", createsMissing: true))
    expectRefusal(.notFound, "too much")
  }

  @Test("a record that cannot be read is refused", arguments: ["", "{}", "[1]", "{\"command\":\"add\"}", "\u{0}"])
  func unreadable(content: String) throws {
    try bench.add()
    let record = UndoRecord(date: bench.time.now, content: content)
    try bench.store.write { try $0.add(record) }
    expectRefusal(.notFound, "another version")
  }

  private func deliverAll() throws {
    try bench.store.write { transaction in
      for var delivery in try transaction.deliveries() where delivery.state == .pending {
        delivery.state = .delivered
        delivery.closedAt = bench.time.now
        delivery.nextAttemptAt = nil
        try transaction.update(delivery)
      }
    }
  }
}
