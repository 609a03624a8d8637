import BelfryTestKit
import Foundation
import RecurrenceRules
import Testing

@testable import BelfryCore

/// Taking in lists and items from elsewhere. It is 09:00 in Zurich.
@Suite struct ImportTests {
  private let bench = Bench()

  private func item(
    _ text: String, id: Int64? = nil, uuid: UUID? = nil, notes: String = "", isChecked: Bool = false,
    due: String? = nil, shouldRemind: Bool = false
  ) throws -> ImportedItem {
    ImportedItem(
      itemID: id, uuid: uuid, text: text, notes: notes, isChecked: isChecked,
      due: try due.map { .instant(try instant($0)) },
      shouldRemind: shouldRemind, place: "item '\(text)'")
  }

  private func list(_ name: String, _ items: [ImportedItem]) -> [ImportEntry] {
    [.list(ImportedList(name: name))] + items.map { .item($0, list: name) }
  }

  @discardableResult
  private func take(
    _ lists: [[ImportEntry]], onto target: ListChoice? = nil, isDryRun: Bool = false, isStrict: Bool = false,
    refused: ([ImportRefusal]) -> Void = { _ in }
  ) throws -> ImportReport {
    var source = ImportedEntries(lists.flatMap { $0 })
    var refusals: [ImportRefusal] = []
    let report = try bench.belfry.take(&source, onto: target, isDryRun: isDryRun, isStrict: isStrict) { event in
      if case .refused(let refusal) = event { refusals.append(refusal) }
    }
    refused(refusals)
    return report
  }

  private var kept: [String] {
    get throws {
      let listings = try bench.store.read { view in
        var listings: [ItemListing] = []
        try view.visitItems(ItemQuery(checked: .any)) { listings.append($0) }
        return listings
      }
      return listings.sorted { $0.item.id < $1.item.id }.map { "\($0.item.id) \($0.item.text) (\($0.listName))" }
    }
  }

  @Test("lists and items come in order, with what the file says of them")
  func everything() throws {
    let report = try take(
      [
        list(
          "Groceries",
          [
            try item("Milk", id: 0, notes: "two\nlines", due: "2026-11-21T10:00:45.5Z", shouldRemind: true),
            try item("Oats", id: 1, isChecked: true, due: "2026-11-21T10:00:00Z", shouldRemind: true),
            try item("Salt", id: 2, due: "2026-11-21T07:00:00Z", shouldRemind: true),
          ]),
        list("Empty", []),
      ])
    #expect(report.added == [0, 1, 2])
    #expect(report.newLists == ["Groceries", "Empty"])
    #expect(report.renumbered == [] && report.refusedCount == 0 && report.knownCount == 0)
    #expect(try kept == ["0 Milk (Groceries)", "1 Oats (Groceries)", "2 Salt (Groceries)"])
    let milk = try bench.item(0)
    #expect(milk.notes == "two\nlines")
    #expect(try milk.due?.local == wall("2026-11-21T11:00"))
    #expect(milk.zone == .floating)
    #expect(try bench.reminders(of: .item(0)) == ["2026-11-21T11:00+01:00 scheduled"])
    #expect(try bench.item(1).isChecked)
    #expect(try bench.item(1).checkedAt == bench.time.now)
    #expect(try bench.reminders(of: .item(1)) == [])
    #expect(try bench.reminders(of: .item(2)) == [])
    #expect(report.scheduledCount == 1 && report.overdueCount == 1)
    #expect(try bench.add().listing.item.id == 3)
  }

  @Test("a second import of the same file adds nothing, whatever was changed since")
  func again() throws {
    let lists = [
      list("Groceries", [try item("Milk", id: 3), try item("Oats"), try item("Oats"), try item("Salt", uuid: UUID())]),
      list("Work", [try item("Milk", id: 4), try item("Oats")]),
    ]
    #expect(try take(lists).added.count == 6)
    try bench.edit(3) { $0.text = "Buy milk" }
    _ = try bench.belfry.renameList("Work", to: "Office")
    let before = try kept
    let report = try take(lists)
    #expect(report.added == [])
    #expect(report.knownCount == 6)
    #expect(report.renumbered == [])
    #expect(try kept == before)
  }

  @Test("equal items without identity are kept apart, and one more of them is one more")
  func duplicates() throws {
    let three = try (1...3).map { _ in try item("Oats") }
    #expect(try take([list("Groceries", Array(three.prefix(2)))]).added.count == 2)
    let report = try take([list("GROCERIES", three)])
    #expect(report.added.count == 1)
    #expect(report.knownCount == 2)
    #expect(report.newLists == [])
  }

  @Test("the same number twice in a file is two items, the second under another number")
  func sameNumberTwice() throws {
    let lists = [list("Groceries", [try item("Milk", id: 7), try item("Oats", id: 7)])]
    let report = try take(lists)
    #expect(try kept == ["7 Milk (Groceries)", "8 Oats (Groceries)"])
    #expect(report.renumbered == [Renumbering(own: 7, given: 8)])
    #expect(try take(lists).added == [])
  }

  @Test("own numbers are kept where free; others are replaced, and told")
  func renumbering() throws {
    try bench.add("mine")
    let report = try take(
      [
        list(
          "Other",
          [
            try item("zero", id: 0), try item("one", id: 1), try item("nine", id: 9), try item("four", id: 4),
            try item("none"), try item("negative", id: -1),
          ])
      ])
    #expect(
      try kept == [
        "1 mine (Groceries)", "2 zero (Other)", "3 one (Other)", "4 four (Other)", "9 nine (Other)",
        "10 none (Other)", "11 negative (Other)",
      ])
    #expect(
      report.renumbered == [
        Renumbering(own: 0, given: 2), Renumbering(own: 1, given: 3), Renumbering(own: -1, given: 11),
      ])
  }

  @Test(
    "numbers that nobody can count on from are replaced, now and at the next import",
    arguments: [Int64.max, Int64.max - 1, 9_007_199_254_740_993, Int64.min])
  func hugeNumbers(id: Int64) throws {
    let report = try take([list("Groceries", [try item("Milk", id: id)])])
    #expect(report.renumbered == [Renumbering(own: id, given: 1)])
    #expect(try take([list("Other", [try item("Oats", id: id)])]).added.count == 1)
    #expect(try bench.add().listing.item.id == 3)
  }

  @Test("the largest number that is kept leaves room for more")
  func largestNumber() throws {
    for id in [9_007_199_254_740_991, 9_007_199_254_740_992] as [Int64] {
      _ = try take([list("Groceries", [try item("\(id)", id: id)])])
    }
    let before = try kept.count
    #expect(
      try take([list("Groceries", [try item("one", id: 1), try item("none")])]).added.count == 2
    )
    try bench.add()
    #expect(try kept.count == before + 3)
  }

  @Test("a target list takes everything in, and must be there unless it may be made")
  func target() throws {
    let lists = [list("A", [try item("a", id: 1)]), list("B", [try item("b", id: 2)])]
    let error = #expect(throws: BelfryError.self) { try take(lists, onto: ListChoice("Inbox")) }
    #expect(error?.kind == .notFound)
    #expect(try kept == [])
    let report = try take(lists, onto: ListChoice("Inbox", createsMissing: true))
    #expect(report.newLists == ["Inbox"])
    #expect(try kept == ["1 a (Inbox)", "2 b (Inbox)"])
    #expect(try take(lists).added == [])
  }

  @Test("a list that is there, in whatever case and between whatever spaces, is not said to be new")
  func knownList() throws {
    try bench.add()
    let report = try take([list(" GROCERIES ", [try item("Oats", id: 5)])])
    #expect(report.newLists == [])
    #expect(try bench.store.read { try $0.lists().map(\.name) } == ["Groceries"])
  }

  @Test("an entry that cannot be taken is refused with its place, and takes no number")
  func refusals() throws {
    let earlier = ImportRefusal(place: "line 3", reason: "no text")
    let report = try take(
      [
        [.refusal(earlier)],
        list("Groceries", [try item("a\u{7}b"), try item("Milk"), try item(" ", id: 8), try item("Oats")]),
        list("\u{1}", [try item("lost")]),
      ]
    ) { refused in
      #expect(
        refused.map(\.place) == ["line 3", "item 'a\u{7}b'", "item ' '", "list '\\u{1}'", "item 'lost'"])
      #expect(refused.allSatisfy { !$0.reason.isEmpty })
    }
    #expect(report.refusedCount == 5 && report.firstRefusal == earlier)
    #expect(try kept == ["1 Milk (Groceries)", "2 Oats (Groceries)"])
  }

  @Test("strict takes all or nothing, and names the first refusal")
  func strict() throws {
    let lists = [list("Groceries", [try item("Milk"), try item("a\u{7}b")])]
    let error = #expect(throws: BelfryError.self) { try take(lists, isStrict: true) }
    #expect(error?.kind == .badInput)
    #expect(error?.message.contains("item 'a\u{7}b'") == true)
    #expect(try kept == [])
    #expect(try bench.store.read { try $0.lists() } == [])
    #expect(try take([list("Groceries", [try item("Milk")])], isStrict: true).added.count == 1)
  }

  @Test("a dry run reports what would come and keeps nothing")
  func dryRun() throws {
    try bench.add("mine")
    let lists = [
      list("New", [try item("a", id: 1), try item("b", id: 9, due: "2026-11-21T10:00:00Z", shouldRemind: true)])
    ]
    let promised = try take(lists, isDryRun: true)
    #expect(try kept == ["1 mine (Groceries)"])
    #expect(try bench.store.read { try $0.lists().count } == 1)
    #expect(try bench.store.read { try $0.pending() } == [])
    let report = try take(lists)
    #expect(promised.newLists == report.newLists)
    #expect(promised.renumbered == report.renumbered)
    #expect(promised.added == report.added)
    #expect(try kept == ["1 mine (Groceries)", "2 a (New)", "9 b (New)"])
  }

  @Test("an import wakes the own reminders of the lists that it fills")
  func listReminder() throws {
    _ = try bench.belfry.createList("Groceries")
    _ = try bench.belfry.remindList("Groceries", ListReminderDraft(at: wall("2026-11-21T10:00")))
    #expect(try bench.scheduled(of: .list(1)) == [])
    _ = try take([list("Groceries", [try item("Milk")])])
    #expect(try bench.scheduled(of: .list(1)) == ["2026-11-21T10:00+01:00"])
  }

  @Test("a date that cannot be is refused", arguments: [-1.0, 253_402_300_800, .infinity, .nan])
  func impossibleDate(seconds: Double) throws {
    var impossible = try item("Milk")
    impossible.due = .instant(Date(timeIntervalSince1970: seconds))
    let report = try take([list("Groceries", [impossible])])
    #expect(report.firstRefusal?.place == "item 'Milk'")
    #expect(try kept == [])
  }

  @Test("every field that a file can have comes with the item")
  func everyField() throws {
    var imported = try item("Water the plants", notes: "all of them")
    imported.due = .local(try wall("2026-11-23T18:30"), .fixed("America/New_York"))
    imported.shouldRemind = true
    imported.alerts = [.zero, CalendarDuration(days: 1, minutes: 0)]
    imported.rule = try RecurrenceRule("FREQ=WEEKLY;BYDAY=MO")
    imported.repeatStart = try wall("2026-11-02T18:30")
    imported.repeatOrigin = .due
    imported.lastChecked = CheckedOccurrence(
      due: try wall("2026-11-16T18:30"), start: try wall("2026-11-02T18:30"))
    imported.nag = CalendarDuration(days: 0, minutes: 15)
    imported.category = "garden"
    imported.properties = ["PRIORITY:1", "X-A;X-B=c:d"]
    imported.createdAt = try instant("2020-01-02T03:04:05.9Z")
    imported.updatedAt = try instant("2021-01-02T03:04:05Z")
    imported.checkedAt = try instant("2022-01-02T03:04:05Z")
    try take([list("Home", [imported])])
    let kept = try bench.item(1)
    #expect(try kept.due?.local == wall("2026-11-23T18:30"))
    #expect(kept.zone == .fixed("America/New_York"))
    #expect(kept.alerts == [CalendarDuration(days: 1, minutes: 0), .zero])
    #expect(kept.recurrence?.rule == imported.rule)
    #expect(try kept.recurrence?.start == wall("2026-11-02T18:30"))
    #expect(kept.lastChecked == imported.lastChecked)
    #expect(kept.nag == imported.nag && kept.category == "garden" && kept.properties == imported.properties)
    #expect(try kept.createdAt == instant("2020-01-02T03:04:05Z"))
    #expect(kept.updatedAt == imported.updatedAt && kept.checkedAt == imported.checkedAt)
    #expect(try bench.scheduled() == ["2026-11-23T00:30+01:00", "2026-11-24T00:30+01:00"])
  }

  @Test("what was put off rings when that ends, if that is still to come")
  func snoozed() throws {
    var later = try item("later", due: "2026-11-21T07:00:00Z", shouldRemind: true)
    later.snoozedUntil = try instant("2026-11-21T10:00:00Z")
    var over = later
    over.text = "over"
    over.snoozedUntil = try instant("2026-11-21T07:30:00Z")
    #expect(try take([list("Home", [later, over])]).scheduledCount == 1)
    #expect(try bench.scheduled(of: .item(1)) == ["2026-11-21T11:00+01:00"])
    #expect(try bench.scheduled(of: .item(2)) == [])
  }

  @Test("a repeat that cannot be, an unknown zone and a date of record out of bounds are refused")
  func impossibleFields() throws {
    var undated = try item("undated")
    undated.rule = try RecurrenceRule("FREQ=DAILY")
    var never = try item("never", due: "2026-11-21T10:00:00Z")
    never.rule = try RecurrenceRule("FREQ=DAILY;UNTIL=20200101")
    var nowhere = try item("nowhere")
    nowhere.due = .local(try wall("2026-11-23T18:30"), .fixed("Mars/Olympus"))
    var ancient = try item("ancient")
    ancient.createdAt = Date(timeIntervalSince1970: -1)
    try take([list("Home", [undated, never, nowhere, ancient])]) { refused in
      #expect(refused.map(\.place) == ["item 'undated'", "item 'never'", "item 'nowhere'", "item 'ancient'"])
      #expect(refused.allSatisfy { !$0.reason.contains("--") })
    }
    #expect(try kept == [])
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
    try take([[.list(heading), .item(try item("Milk"), list: "Home")]])
    let list = try #require(try bench.store.read { try $0.list(uuid: uuid) })
    #expect(list.name == "Home" && list.reminder?.message == "look" && list.reminder?.category == "home")
    #expect(try list.reminder?.recurrence?.start == wall("2026-11-01T10:00"))
    #expect(list.createdAt == heading.createdAt && list.updatedAt == heading.updatedAt)
    #expect(try bench.scheduled(of: .list(1)) == ["2026-11-21T10:00+01:00"])

    _ = try bench.belfry.renameList("Home", to: "House")
    _ = try bench.belfry.remindList("House", nil)
    try take([[.list(heading), .item(try item("Oats"), list: "Home")]])
    #expect(try kept == ["1 Milk (House)", "2 Oats (House)"])
    #expect(try bench.store.read { try $0.list(uuid: uuid) }?.reminder == nil)
  }

  @Test("what the reader leaves out is counted by its word, and every entry gives a chance to end the import")
  func interrupted() throws {
    #expect(
      try take([[.leftOut("deleted"), .leftOut("VEVENT"), .leftOut("deleted")]]).leftOut == [
        "deleted": 2, "VEVENT": 1,
      ])
    struct Enough: Error {}
    var source = ImportedEntries(list("Home", [try item("a"), try item("b"), try item("c")]))
    var count = 0
    #expect(throws: Enough.self) {
      _ = try bench.belfry.take(&source) { _ in
        count += 1
        if count == 3 { throw Enough() }
      }
    }
    #expect(try kept == [])
    #expect(try bench.store.read { try $0.lists() } == [])
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
    var source = Source(left: list("Home", [try item("a"), try item("b")]).reversed())
    #expect(throws: Broken.self) { _ = try bench.belfry.take(&source) }
    #expect(try kept == [])
  }

  @Test("the state is shown with everything in it: of a dry run before it is undone, else once it is kept")
  func inspected() throws {
    for isDryRun in [true, false] {
      var source = ImportedEntries(list("Home", [try item("a"), try item("b")]))
      var texts: [String] = []
      _ = try bench.belfry.take(
        &source, isDryRun: isDryRun,
        inspect: { reading, report in
          texts = try report.added.compactMap { try reading.view.item(id: $0)?.item.text }
        })
      #expect(texts == ["a", "b"])
    }
  }
}
