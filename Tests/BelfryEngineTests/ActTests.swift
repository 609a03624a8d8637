import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime
@testable import RecurrenceRules

/// Actions on a reminder. It is 10:00 in Zurich, and item 1 on the list Groceries has just fired.
@Suite struct ActTests {
  private var bench = Bench()
  private let reminder: UUID

  init() throws {
    bench.settings.categories = [
      Category(
        identifier: "shopping",
        actions: [
          CategoryAction(identifier: "ok", title: "OK"),
          CategoryAction(identifier: "done", title: "Done", operation: .check),
          CategoryAction(
            identifier: "later", title: "Later", operation: .snooze(try CalendarDuration(parsing: "1h"))),
          CategoryAction(identifier: "drop", title: "Drop", operation: .delete),
        ]),
      Category(
        identifier: "list",
        actions: [
          CategoryAction(
            identifier: "clear", title: "Clear", operation: .clearList, isDestructive: true,
            requiresAuthentication: true),
          CategoryAction(identifier: "gone", title: "Gone", operation: .deleteList),
          CategoryAction(identifier: "open", title: "Open", operation: .edit),
        ]),
    ]
    try bench.add("Milk", due: "2026-11-21T10:00", category: "shopping")
    try bench.add("Oats")
    try bench.setClock("2026-11-21T10:00:00+01:00")
    try bench.claim()
    reminder = try only(bench.store.read { try $0.reminders(of: .item(1)) }).id
  }

  private func act(_ action: String, by actor: Actor = .owner) throws -> String? {
    try bench.belfry.act(action, on: reminder, by: actor).done
  }

  private func categorize(_ category: String) throws { try bench.edit { $0.category = category } }

  @Test("an acknowledgement changes nothing")
  func none() throws {
    let before = try bench.store.read(StoreDigest.init)
    #expect(try act("ok") == "acknowledged")
    #expect(try bench.store.read(StoreDigest.init) == before)
  }

  @Test("check checks the item, once")
  func check() throws {
    #expect(try act("done") == "checked item 1")
    #expect(try bench.item().isChecked)
    #expect(try act("done") == nil)
  }

  @Test("check moves an item that repeats on by one, however often it is asked")
  func checkRepeating() throws {
    try bench.edit { $0.rule = .set(try RecurrenceRule("FREQ=DAILY")) }
    #expect(try act("done") == "checked item 1")
    let next = try bench.item().due
    #expect(next?.local.description == "2026-11-22T10:00")
    #expect(try act("done") == nil)
    #expect(try bench.item().due == next)
  }

  @Test("snooze rings once more after its time, and not later for being asked again")
  func snooze() throws {
    #expect(try act("later")?.hasPrefix("snoozed item 1 until Sat 21 Nov 2026 11:00") == true)
    try bench.setClock("2026-11-21T10:30:00+01:00")
    #expect(try act("later") == nil)
    #expect(try bench.scheduled() == ["2026-11-21T11:00+01:00"])
    try bench.setClock("2026-11-21T11:00:00+01:00")
    try bench.claim()
    #expect(try act("later") == nil)
  }

  @Test("delete deletes the item, once")
  func delete() throws {
    #expect(try act("drop") == "deleted item 1")
    #expect(try act("drop") == nil)
    #expect(try bench.store.read { try $0.items().map(\.id) } == [2])
  }

  @Test("clear_list deletes what was on the list when the reminder rang, and nothing that came later")
  func clearList() throws {
    try categorize("list")
    bench.time.advance(by: 60)
    try bench.add("Later")
    #expect(try act("clear") == "deleted 2 item(s) of the list 'Groceries'")
    #expect(try bench.store.read { try $0.items().map(\.text) } == ["Later"])
    #expect(try act("clear") == nil)
  }

  @Test("delete_list deletes the list with everything on it, once")
  func deleteList() throws {
    try categorize("list")
    #expect(try act("gone") == "deleted the list 'Groceries'")
    #expect(try act("gone") == nil)
    #expect(try bench.store.read { try $0.lists().isEmpty })
  }

  @Test("delete_list still finds the list after clear_list has taken the item that rang")
  func deleteClearedList() throws {
    try bench.add("Bread", to: "Party", due: "2026-11-21T10:01", category: "list")
    try bench.setClock("2026-11-21T10:01:00+01:00")
    try bench.claim(["mail"])
    let reminder = try only(bench.store.read { try $0.reminders(of: .item(3)) }).id
    func act(_ action: String) throws -> String? { try bench.belfry.act(action, on: reminder, by: .owner).done }
    #expect(try act("clear") == "deleted 1 item(s) of the list 'Party'")
    #expect(try act("gone") == "deleted the list 'Party'")
    #expect(try act("gone") == nil)
  }

  @Test("a finished occurrence cannot be snoozed, and the next one is not snoozed instead")
  func snoozeOfDone() throws {
    try bench.edit { $0.rule = .set(try RecurrenceRule("FREQ=DAILY")) }
    #expect(try act("done") != nil)
    #expect(try act("later") == nil)
    #expect(try bench.item().due?.local.description == "2026-11-22T10:00")
  }

  @Test("an action that a deleted item never offered does nothing to its list")
  func neverOffered() throws {
    #expect(try act("drop") == "deleted item 1")
    #expect(try act("done") == nil)
    #expect(try act("gone") == nil)
    #expect(try bench.store.read { try $0.lists().map(\.name) } == ["Groceries"])
  }

  @Test(
    "what an action would destroy is said by name before it is done",
    arguments: [
      ("shopping", "drop", "Deletes item 1: Milk."), ("list", "clear", "Deletes what is on the list 'Groceries'."),
      ("list", "gone", "Deletes the list 'Groceries' with what is on it."), ("shopping", "ok", nil),
      ("shopping", "done", nil),
    ] as [(String, String, String?)])
  func consequence(category: String, action: String, sentence: String?) throws {
    try categorize(category)
    let action = try bench.belfry.action(action, of: reminder)
    #expect(try bench.belfry.consequence(of: action, on: reminder) == sentence)
  }

  @Test("edit says what to edit and changes nothing")
  func edit() throws {
    try categorize("list")
    let result = try bench.belfry.act("open", on: reminder, by: .owner)
    #expect(result.toEdit == .item(1) && result.done == nil)
  }

  @Test("an action that requires authentication is refused without it, and nothing changes")
  func authentication() throws {
    try categorize("list")
    let before = try bench.store.read(StoreDigest.init)
    let error = #expect(throws: BelfryError.self) { try act("clear", by: .stranger) }
    #expect(error?.kind == .noPermission)
    #expect(try bench.store.read(StoreDigest.init) == before)
  }

  @Test("an action of a cancelled reminder, of none, or one that is not offered is refused")
  func refused() throws {
    let unknown = #expect(throws: BelfryError.self) { try act("don") }
    #expect(unknown?.kind == .notFound && unknown?.hint == "did you mean 'done'?")
    let missing = #expect(throws: BelfryError.self) { try bench.belfry.act("ok", on: UUID(), by: .owner) }
    #expect(missing?.kind == .notFound)
    try bench.add("Next", due: "2026-11-21T12:00", category: "shopping")
    let next = try only(bench.store.read { try $0.reminders(of: .item(3)) }).id
    _ = try bench.belfry.setChecked(true, [3])
    let cancelled = #expect(throws: BelfryError.self) { try bench.belfry.act("ok", on: next, by: .owner) }
    #expect(cancelled?.kind == .badInput)
  }
}
