import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

/// General properties of changes: all or nothing, whole seconds, the zone of the plan.
@Suite struct ChangeTests {
  private let fixture = EngineFixture()

  @Test("checking several items with one that is not there changes none")
  func checkAllOrNone() throws {
    for _ in 1...3 { try fixture.add(due: "2026-11-21T10:00") }
    let error = #expect(throws: BelfryError.self) { try fixture.belfry.setChecked(true, [1, 2, 99, 3]) }
    #expect(error?.kind == .notFound)
    #expect(error?.message.contains("99") == true)
    #expect(try fixture.store.read { try $0.items(ItemQuery(checked: .checked)) } == [])
    #expect(try fixture.store.read { try $0.pending().count } == 3)
  }

  @Test("deleting several items with one that is not there deletes none")
  func deleteAllOrNone() throws {
    for _ in 1...3 { try fixture.add(due: "2026-11-21T10:00") }
    let error = #expect(throws: BelfryError.self) { try fixture.belfry.delete([1, 99]) }
    #expect(error?.kind == .notFound)
    #expect(try fixture.store.read { try $0.items().count } == 3)
    #expect(try fixture.store.read { try $0.pending().count } == 3)
  }

  @Test("an item named twice counts once")
  func repeatedIDs() throws {
    try fixture.add(due: "2026-11-21T10:00")
    #expect(try fixture.belfry.setChecked(true, [1, 1]).count == 1)
    #expect(try fixture.belfry.delete([1, 1]).count == 1)
  }

  @Test("adding several items with one that cannot be adds none, and no list")
  func addAllOrNone() throws {
    let drafts = [ItemDraft(text: "good"), ItemDraft(text: "two\nlines"), ItemDraft(text: "good too")]
    let error = #expect(throws: BelfryError.self) {
      try fixture.belfry.add(drafts, to: ListChoice("New", createsMissing: true))
    }
    #expect(error?.kind == .badInput)
    #expect(try fixture.store.read { try $0.items() } == [])
    #expect(try fixture.store.read { try $0.lists() } == [])
    #expect(try fixture.add().listing.item.id == 1)
  }

  @Test("an edit that cannot be changes nothing")
  func editAllOrNone() throws {
    try fixture.add(due: "2026-11-21T10:00")
    let before = try fixture.item()
    for change in [
      { (edit: inout ItemEdit) in edit.text = " \t " }, { $0.notes = "a\u{7}" }, { $0.zone = .fixed("Nowhere/Else") },
      { $0.list = ListChoice("Nowhere") }, { $0.due = .at(WallTime(minutesSinceEpoch: -9_999)) },
    ] as [(inout ItemEdit) -> Void] {
      #expect(throws: BelfryError.self) {
        try fixture.edit { edit in
          edit.category = "changed"
          change(&edit)
        }
      }
      #expect(try fixture.item() == before)
    }
    let error = #expect(throws: BelfryError.self) { try fixture.edit(7) { $0.text = "x" } }
    #expect(error?.kind == .notFound)
  }

  @Test("a list that is not there is an error that names the nearest, and made only on request")
  func missingList() throws {
    try fixture.add(to: "Groceries")
    let error = #expect(throws: BelfryError.self) {
      try fixture.belfry.add([ItemDraft(text: "x")], to: ListChoice("Grocreies"))
    }
    #expect(error?.kind == .notFound)
    #expect(error?.hint?.contains("Groceries") == true)
    _ = try fixture.belfry.add([ItemDraft(text: "x")], to: ListChoice("GROCERIES", createsMissing: true))
    #expect(try fixture.store.read { try $0.lists().map(\.name) } == ["Groceries"])
  }

  @Test("a list's name is taken in any case, and free again once the list is renamed or gone")
  func listNames() throws {
    #expect(try fixture.belfry.createList("  Büro ").list.name == "Büro")
    for name in ["Büro", "BÜRO", "Bu\u{308}ro"] {
      let error = #expect(throws: BelfryError.self) { try fixture.belfry.createList(name) }
      #expect(error?.kind == .badInput)
    }
    #expect(throws: BelfryError.self) { try fixture.belfry.createList(" ") }
    #expect(throws: BelfryError.self) { try fixture.belfry.createList("a\nb") }
    #expect(try fixture.belfry.renameList("büro", to: "BÜRO").list.name == "BÜRO")
    _ = try fixture.belfry.createList("Home")
    #expect(throws: BelfryError.self) { try fixture.belfry.renameList("Home", to: "büro") }
    #expect(throws: BelfryError.self) { try fixture.belfry.renameList("Nowhere", to: "x") }
    _ = try fixture.belfry.deleteList("Büro")
    _ = try fixture.belfry.renameList("Home", to: "Büro")
    #expect(try fixture.store.read { try $0.lists().map(\.name) } == ["Büro"])
  }

  @Test("records are kept in whole seconds")
  func wholeSeconds() throws {
    fixture.time.now = Sample.now + 0.75
    try fixture.add(due: "2026-11-21T10:00")
    _ = try fixture.belfry.setChecked(true, [1])
    let item = try fixture.item()
    #expect([item.createdAt, item.updatedAt, item.checkedAt] == [Sample.now, Sample.now, Sample.now])
    #expect(try fixture.store.read { try $0.reminders(of: .item(1)).map(\.changedAt) } == [Sample.now])
    #expect(try fixture.store.read { try $0.lists().map(\.createdAt) } == [Sample.now])
  }

  @Test("checking again what is checked changes nothing, not even the time of the first")
  func checkTwice() throws {
    try fixture.add()
    _ = try fixture.belfry.setChecked(true, [1])
    let before = try fixture.item()
    fixture.time.advance(by: 60)
    _ = try fixture.belfry.setChecked(true, [1])
    #expect(try fixture.item() == before)
  }

  @Test("a command run in another zone plans in the zone of the store")
  func zoneOfTheStore() throws {
    try fixture.add(due: "2026-11-21T10:00")
    var elsewhere = fixture
    elsewhere.settings.timeZone = .named("America/New_York")
    try elsewhere.add(due: "2026-11-21T11:00")
    try elsewhere.edit { $0.due = .at(try wall("2026-11-21T12:00")) }
    #expect(try elsewhere.scheduled(of: .item(1)) == ["2026-11-21T12:00+01:00"])
    #expect(try elsewhere.scheduled(of: .item(2)) == ["2026-11-21T11:00+01:00"])
    #expect(try fixture.store.read { try $0.plannedZone() } == "Europe/Zurich")
  }

  @Test("an unknown zone in the config is the config's fault")
  func unknownConfiguredZone() throws {
    var wrong = fixture
    wrong.settings.timeZone = .named("Europe/Zurch")
    let error = #expect(throws: BelfryError.self) { try wrong.add() }
    #expect(error?.kind == .badConfig)
    #expect(error?.hint?.contains("Europe/Zurich") == true)
  }
}
