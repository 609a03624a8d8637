import Foundation
import Testing
@testable import BelfryModel
@testable import CivilTime
@testable import RecurrenceRules

/// The imported fields of items and lists, and errors that end an import. It is 09:00 in Zurich.
@Suite struct ImportFieldsTests {
  private let fixture = EngineFixture()

  @Test("every field that a file can have comes with the item")
  func everyField() throws {
    var imported = try fixture.imported("Water the plants", notes: "all of them")
    imported.due = .local(try wall("2026-11-23T18:30"), .fixed("America/New_York"))
    imported.shouldRemind = true
    imported.alerts = [.zero, CalendarDuration(days: 1, minutes: 0)]
    imported.rule = try RecurrenceRule("FREQ=WEEKLY;BYDAY=MO")
    imported.repeatStart = try wall("2026-11-02T18:30")
    imported.repeatOrigin = .due
    imported.lastChecked = CheckedOccurrence(
      due: try wall("2026-11-16T18:30"), start: try wall("2026-11-02T18:30"))
    imported.nag = CalendarDuration(days: 0, minutes: 15)
    (imported.category, imported.key) = ("garden", "plants")
    imported.properties = ["PRIORITY:1", "X-A;X-B=c:d"]
    imported.createdAt = try instant("2020-01-02T03:04:05.9Z")
    imported.updatedAt = try instant("2021-01-02T03:04:05Z")
    imported.checkedAt = try instant("2022-01-02T03:04:05Z")
    try fixture.take([fixture.importedList("Home", [imported])])
    let kept = try fixture.item(1)
    #expect(try kept.content == imported.content.normalized())
    #expect(try kept.due?.local == wall("2026-11-23T18:30"))
    #expect(kept.zone == .fixed("America/New_York"))
    #expect(kept.alerts == [CalendarDuration(days: 1, minutes: 0), .zero])
    #expect(kept.recurrence?.rule == imported.rule)
    #expect(try kept.recurrence?.start == wall("2026-11-02T18:30"))
    #expect(kept.lastChecked == imported.lastChecked)
    #expect(kept.nag == imported.nag && kept.category == "garden" && kept.properties == imported.properties)
    #expect(kept.key == "plants")
    #expect(try kept.createdAt == instant("2020-01-02T03:04:05Z"))
    #expect(kept.updatedAt == imported.updatedAt && kept.checkedAt == imported.checkedAt)
    #expect(try fixture.scheduled() == ["2026-11-23T00:30+01:00", "2026-11-24T00:30+01:00"])
  }

  @Test("an item of a file that indents is below the last one above it, if that one was taken")
  func indented() throws {
    let items = try [("a", 0), ("b", 1), ("c", 2), ("d", 1), ("", 1), ("e", 2), ("f", 0)].map { text, depth in
      var item = try fixture.imported(text)
      item.depth = depth
      return item
    }
    for _ in 1...2 { try fixture.take([fixture.importedList("Home", items)]) }
    let ids = try fixture.kept.map { $0.dropFirst(2).prefix(1) }
    #expect(ids == ["a", "b", "c", "d", "e", "f"])
    let kept = try (1...6).map { try fixture.item($0) }
    let links = kept.map { item in kept.first { item.properties == ["RELATED-TO:\($0.uuid.text)"] }?.text }
    #expect(links == [nil, "a", "b", "a", nil, nil])
    #expect(kept.filter { $0.properties == [] }.count == 3)
  }

  @Test("a snoozed reminder fires when the snooze ends, if that is in the future")
  func snoozed() throws {
    var later = try fixture.imported("later", due: "2026-11-21T07:00:00Z", shouldRemind: true)
    later.snoozedUntil = try instant("2026-11-21T10:00:00Z")
    var over = later
    over.text = "over"
    over.snoozedUntil = try instant("2026-11-21T07:30:00Z")
    #expect(try fixture.take([fixture.importedList("Home", [later, over])]).scheduledCount == 1)
    #expect(try fixture.scheduled(of: .item(1)) == ["2026-11-21T11:00+01:00"])
    #expect(try fixture.scheduled(of: .item(2)) == [])
  }

  @Test("a repeat that cannot be, an unknown zone and a date of record out of bounds are refused")
  func impossibleFields() throws {
    var undated = try fixture.imported("undated")
    undated.rule = try RecurrenceRule("FREQ=DAILY")
    var never = try fixture.imported("never", due: "2026-11-21T10:00:00Z")
    never.rule = try RecurrenceRule("FREQ=DAILY;UNTIL=20200101")
    var nowhere = try fixture.imported("nowhere")
    nowhere.due = .local(try wall("2026-11-23T18:30"), .fixed("Mars/Olympus"))
    var ancient = try fixture.imported("ancient")
    ancient.createdAt = Date(timeIntervalSince1970: -1)
    try fixture.take([fixture.importedList("Home", [undated, never, nowhere, ancient])]) { refused in
      #expect(refused.map(\.place) == ["item 'undated'", "item 'never'", "item 'nowhere'", "item 'ancient'"])
      #expect(refused.allSatisfy { !$0.reason.contains("--") })
    }
    #expect(try fixture.kept == [])
  }

  @Test("an item whose key is here already is known; a key that is none is refused")
  func keys() throws {
    var items = try ["first", "second", "long", "other"].map { try fixture.imported($0) }
    (items[0].key, items[1].key) = ("disk-full", " disk-full ")
    (items[2].key, items[3].key) = (String(repeating: "x", count: 201), "other\nline")
    let report = try fixture.take([fixture.importedList("Home", items)]) { refused in
      #expect(refused.map(\.place) == ["item 'long'", "item 'other'"])
    }
    #expect(report.added == [1] && report.knownCount == 1)
    #expect(try fixture.kept == ["1 first (Home)"])
    #expect(try fixture.item(1).key == "disk-full")
  }

  @Test("a list keeps its identity, its dates and its own reminder, and one that is here already keeps its own")
  func listHeading() throws {
    let uuid = UUID()
    let reminder = ImportedListReminder(
      ListReminderDraft(
        at: try wall("2026-11-22T10:00"), rule: try RecurrenceRule("FREQ=DAILY"), message: "look", category: "home"),
      repeatStart: try wall("2026-11-01T10:00"))
    let heading = ImportedList(
      name: "Home", uuid: uuid, reminder: reminder, createdAt: try instant("2020-01-01T00:00:00Z"),
      updatedAt: try instant("2021-01-01T00:00:00Z"))
    try fixture.take([[.list(heading), .item(try fixture.imported("Milk"), list: "Home")]])
    let list = try #require(try fixture.store.read { try $0.list(uuid: uuid) })
    #expect(list.name == "Home" && list.reminder?.message == "look" && list.reminder?.category == "home")
    #expect(try list.reminder?.recurrence?.start == wall("2026-11-01T10:00"))
    #expect(list.createdAt == heading.createdAt && list.updatedAt == heading.updatedAt)
    #expect(try fixture.scheduled(of: .list(1)) == ["2026-11-21T10:00+01:00"])

    _ = try fixture.belfry.renameList("Home", to: "House")
    _ = try fixture.belfry.remindList("House", nil)
    try fixture.take([[.list(heading), .item(try fixture.imported("Oats"), list: "Home")]])
    #expect(try fixture.kept == ["1 Milk (House)", "2 Oats (House)"])
    #expect(try fixture.store.read { try $0.list(uuid: uuid) }?.reminder == nil)
  }

  @Test("skipped entries are counted by kind, and a stop request can end the import at every entry")
  func interrupted() throws {
    #expect(
      try fixture.take([[.leftOut("deleted"), .leftOut("VEVENT"), .leftOut("deleted")]]).leftOut == [
        "deleted": 2, "VEVENT": 1,
      ])
    struct Enough: Error {}
    var source = ImportedEntries(
      fixture.importedList("Home", [try fixture.imported("a"), try fixture.imported("b"), try fixture.imported("c")]))
    var count = 0
    #expect(throws: Enough.self) {
      _ = try fixture.belfry.take(&source) { _ in
        count += 1
        if count == 3 { throw Enough() }
      }
    }
    #expect(try fixture.kept == [])
    #expect(try fixture.store.read { try $0.lists() } == [])
  }

  @Test("a source that fails in the middle leaves the store as it was")
  func failing() throws {
    struct Broken: Error {}
    struct Source: ImportSource {
      var left: [ImportEntry]
      mutating func next() throws -> ImportEntry? {
        guard let entry = left.popLast() else { throw Broken() }
        return entry
      }
    }
    var source = Source(
      left: fixture.importedList("Home", [try fixture.imported("a"), try fixture.imported("b")]).reversed())
    #expect(throws: Broken.self) { _ = try fixture.belfry.take(&source) }
    #expect(try fixture.kept == [])
  }

  @Test("the state is shown with everything in it: of a dry run before it is undone, else once it is kept")
  func inspected() throws {
    for isDryRun in [true, false] {
      var source = ImportedEntries(
        fixture.importedList("Home", [try fixture.imported("a"), try fixture.imported("b")]))
      var texts: [String] = []
      _ = try fixture.belfry.take(
        &source, isDryRun: isDryRun,
        inspect: { reading, report in
          texts = try report.added.compactMap { try reading.view.item(id: $0)?.item.text }
        })
      #expect(texts == ["a", "b"])
    }
  }
}
