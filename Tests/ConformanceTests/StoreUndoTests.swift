import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import Testing

/// A command applied to the starting state of ``StoreUndoTests``.
struct UndoneCommand: Sendable, CustomStringConvertible {
  let description: String
  let carryOut: @Sendable (Belfry) throws -> Void

  init(_ description: String, _ carryOut: @escaping @Sendable (Belfry) throws -> Void) {
    self.description = description
    self.carryOut = carryOut
  }

  static let all: [UndoneCommand] = [
    UndoneCommand("add") { belfry in
      _ = try belfry.add([ItemDraft(text: "Bread", due: try wall("2026-11-22T08:00"))], to: ListChoice("Groceries"))
    },
    UndoneCommand("add") { belfry in
      let draft = ItemDraft(text: "Dig", due: try wall("2026-11-22T08:00"), shouldRemind: true)
      _ = try belfry.add([draft, draft], to: ListChoice("Garden", createsMissing: true))
    },
    UndoneCommand("add") { _ = try $0.add(keyed("nas", due: "2026-11-22T08:00")) },
    UndoneCommand("add") { _ = try $0.add(keyed("key of Done", due: "2026-11-22T08:00")) },
    UndoneCommand("add") { _ = try $0.add(keyed("key of Pills", due: "2026-11-23T08:00")) },
    UndoneCommand("edit") { belfry in
      var edit = ItemEdit()
      edit.text = "Oat milk"
      edit.notes = "two\nlines"
      edit.due = .at(try wall("2026-11-25T08:00"))
      edit.list = ListChoice("Work")
      _ = try belfry.edit(1, edit)
    },
    UndoneCommand("edit") { belfry in
      var edit = ItemEdit()
      edit.due = When.none
      edit.rule = .clear
      _ = try belfry.edit(2, edit)
    },
    UndoneCommand("check") { _ = try $0.setChecked(true, [1, 2, 3]) },
    UndoneCommand("uncheck") { _ = try $0.setChecked(false, [4]) },
    UndoneCommand("delete") { _ = try $0.delete([2, 1, 4]) },
    UndoneCommand("snooze") { _ = try $0.snooze(1, until: .at(try wall("2026-11-21T15:00"))) },
    UndoneCommand("move") { _ = try $0.move(3, to: .before(1)) },
    UndoneCommand("list create") { _ = try $0.createList("Garden") },
    UndoneCommand("list rename") { _ = try $0.renameList("Groceries", to: "Food") },
    UndoneCommand("list edit") { belfry in
      var edit = ListEdit()
      edit.name = "Food"
      edit.color = .set(try ListColor(parsing: "green"))
      edit.icon = .set(try ListIcon(parsing: "\u{1f6d2}"))
      edit.place = .end
      _ = try belfry.editList(1, edit)
    },
    UndoneCommand("list remind") { belfry in
      _ = try belfry.remindList("Work", ListReminderDraft(at: try wall("2026-11-22T08:00"), message: "Go"))
    },
    UndoneCommand("list remind") { _ = try $0.remindList("Groceries", nil) },
    UndoneCommand("list delete") { _ = try $0.deleteList("Groceries") },
    UndoneCommand("list clear") { _ = try $0.clearList("Groceries") },
    UndoneCommand("act") { belfry in
      let reminder = try belfry.read { try $0.view.reminders(of: .item(1)).first { $0.state == .scheduled } }
      _ = try belfry.answer(
        Press(
          reminder: #require(reminder).id, choice: .identifier("drop"), channel: .cli, isAuthenticated: true,
          command: "act"))
    },
    UndoneCommand("import") { belfry in
      let due = ImportedDue.local(try wall("2026-11-24T08:00"), .floating)
      var source = ImportedEntries([
        .list(ImportedList(name: "Garden")),
        .item(ImportedItem(text: "Dig", due: due, shouldRemind: true, place: "1"), list: "Garden"),
        .item(ImportedItem(text: "Sow", place: "2"), list: "Groceries"),
      ])
      _ = try belfry.take(&source)
    },
  ]
}

/// The compared content of a store: items and lists without their change dates, and scheduled reminders, each with its
/// unknown fields.
private struct KeptFacts: Equatable {
  var items: [Item] = []
  var lists: [Checklist] = []
  var scheduled: [UUID: String] = [:]

  init(_ store: any ItemStore) throws {
    try store.read { view in
      try view.forEachItem(ItemQuery(checked: .any)) { listing in
        var item = listing.item
        item.updatedAt = item.createdAt
        items.append(item)
      }
      lists = try view.lists().map { list in
        var list = list
        list.updatedAt = list.createdAt
        return list
      }
      try view.forEachPending(limit: nil) {
        scheduled[$0.reminder.id] = "\($0.reminder.fireDate) \($0.reminder.unknown?.text ?? "")"
      }
    }
  }
}

@Suite("Undo in every store")
struct StoreUndoTests {
  private let time = ManualTimeSource()

  private func belfry(over store: any ItemStore) -> Belfry {
    var settings = Settings()
    settings.timeZone = .named("Europe/Zurich")
    settings.categories = [
      Category(
        identifier: "shopping", actions: [CategoryAction(identifier: "drop", title: "Drop", operation: .deleteList)])
    ]
    return Belfry(store: store, settings: settings, time: time, zones: ZoneDatabase(environment: [:]))
  }

  // 09:00 on 2026-11-21: an item with everything and a snooze, a repeating one, one without a date, one that is done.
  private func fill(_ belfry: Belfry) throws {
    let groceries = ListChoice("Groceries", createsMissing: true)
    var rich = ItemDraft(
      text: "Milk \u{1f95b} \u{5d7}\u{5dc}\u{5d1}", notes: "one\ntwo", due: try wall("2026-11-22T10:00"),
      zone: .fixed("America/New_York"), shouldRemind: true,
      alerts: [try CalendarDuration(parsing: "1d"), try CalendarDuration(parsing: "0m", allowsZero: true)],
      nag: try CalendarDuration(parsing: "15m"), category: "shopping")
    rich.properties = ["X-APPLE-SORT-ORDER:12", "LOCATION:here"]
    var repeating = ItemDraft(text: "Pills", due: try wall("2026-11-21T18:00"), shouldRemind: true)
    repeating.rule = try .init("FREQ=DAILY;COUNT=9")
    _ = try belfry.add([rich, repeating], to: groceries)
    _ = try belfry.add([ItemDraft(text: "Some day"), ItemDraft(text: "Done")], to: groceries)
    _ = try belfry.setChecked(true, [2])
    _ = try belfry.setChecked(true, [4])
    _ = try belfry.snooze(1, until: .at(try wall("2026-11-21T12:00")))
    _ = try belfry.createList("Work")
    _ = try belfry.remindList(
      "Groceries",
      ListReminderDraft(at: try wall("2026-11-23T08:00"), rule: try .init("FREQ=WEEKLY"), message: "Shop"))
    try belfry.store.write { try addUnknownFields(to: $0) }
  }

  private func addUnknownFields(to transaction: any StoreTransaction) throws {
    let unknown = UnknownFields(text: #""x-mark":[1.50,null]"#)
    for var list in try transaction.lists() {
      list.unknown = unknown
      list.reminder?.unknown = unknown
      try transaction.update(list)
    }
    for var item in try transaction.items(ItemQuery(checked: .any)) {
      (item.unknown, item.key) = (unknown, "key of \(item.text)")
      try transaction.update(item)
    }
    for var reminder in try transaction.pending().map(\.reminder) {
      reminder.unknown = unknown
      try transaction.put(reminder)
    }
  }

  @Test("undo restores the old state, and redo the new one", arguments: StoreKind.allCases, UndoneCommand.all)
  func thereAndBack(kind: StoreKind, command: UndoneCommand) throws {
    let fixture = try kind.makeFixture()
    try fill(belfry(over: fixture.open()))
    let before = try KeptFacts(fixture.open())
    try command.carryOut(belfry(over: fixture.open()))
    let after = try KeptFacts(fixture.open())
    #expect(after != before)
    for _ in 1...2 {
      let undone = try belfry(over: fixture.open()).undo()
      #expect(undone.command == command.description)
      #expect(try KeptFacts(fixture.open()) == before)
      let redone = try belfry(over: fixture.open()).redo()
      #expect(redone.command == command.description)
      #expect(try KeptFacts(fixture.open()) == after)
    }
    #expect(try belfry(over: fixture.open()).checkStore() == [])
  }

  @Test("a number is not used again, though what had it is taken back", arguments: StoreKind.allCases)
  func numbers(kind: StoreKind) throws {
    let belfry = belfry(over: try kind.makeFixture().open())
    let list = ListChoice("Inbox", createsMissing: true)
    _ = try belfry.add([ItemDraft(text: "One")], to: list)
    _ = try belfry.undo()
    let added = try belfry.add([ItemDraft(text: "Two")], to: list)
    #expect(added.map(\.listing.item.id) == [2])
    #expect(added.map(\.listing.item.listID) == [2])
  }

  @Test("undo leaves the ways back through sinks as they are", arguments: StoreKind.allCases)
  func inboxes(kind: StoreKind) throws {
    let fixture = try kind.makeFixture()
    var inbox = SinkInbox(sink: "phone", position: "1", changedAt: Sample.now)
    try fixture.open().write { try $0.put(inbox) }
    _ = try belfry(over: fixture.open()).add([ItemDraft(text: "One")], to: ListChoice("Inbox", createsMissing: true))
    (inbox.position, inbox.problem) = ("2", "HTTP 401")
    try fixture.open().write { try $0.put(inbox) }
    for step in [{ try $0.undo() }, { try $0.redo() }] as [(Belfry) throws -> UndoneChange] {
      _ = try step(belfry(over: fixture.open()))
      #expect(try fixture.open().read { try $0.inboxes() } == [inbox])
    }
  }

  @Test("an item whose key another has taken is not restored", arguments: StoreKind.allCases)
  func takenKey(kind: StoreKind) throws {
    let fixture = try kind.makeFixture()
    try fill(belfry(over: fixture.open()))
    _ = try belfry(over: fixture.open()).delete([1])
    try fixture.open().write { _ = try $0.addSampleItem(to: 1, key: "key of Milk \u{1f95b} \u{5d7}\u{5dc}\u{5d1}") }
    let before = try KeptFacts(fixture.open())
    #expect { try belfry(over: fixture.open()).undo() } throws: { error in
      (error as? BelfryError)?.kind == .badInput && "\(error)".contains("another item has its UUID or key")
    }
    #expect(try KeptFacts(fixture.open()) == before)
  }

  @Test("changes made by another program since are not overwritten", arguments: StoreKind.allCases)
  func changedSince(kind: StoreKind) throws {
    let store = try kind.makeFixture().open()
    let belfry = belfry(over: store)
    try fill(belfry)
    _ = try belfry.setChecked(true, [1, 3])
    try store.write { transaction in
      guard var item = try transaction.item(id: 3)?.item else { return }
      item.text = "Some other day"
      try transaction.update(item)
    }
    let before = try KeptFacts(store)
    #expect { try belfry.undo() } throws: { error in
      (error as? BelfryError)?.kind == .badInput && "\(error)".contains("'Some day' was changed")
    }
    #expect(try KeptFacts(store) == before)
  }
}

private func keyed(_ key: String, due: String) throws -> KeyedItem {
  var fields = ItemEdit()
  (fields.due, fields.shouldRemind) = (.at(try wall(due)), true)
  return KeyedItem(
    key: key, text: "Down", fields: fields, dueWords: due, defaultList: ListChoice("Garden", createsMissing: true))
}

private func wall(_ text: String) throws -> WallTime { try #require(WallTime(parsing: text)) }
