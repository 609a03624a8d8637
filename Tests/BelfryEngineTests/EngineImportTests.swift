import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel

/// Importing lists and items. It is 09:00 in Zurich.
@Suite struct EngineImportTests {
  private let fixture = EngineFixture()

  @Test("lists and items come in order, with what the file says of them")
  func everything() throws {
    let report = try fixture.take(
      [
        fixture.importedList(
          "Groceries",
          [
            try fixture.imported("Milk", id: 0, notes: "two\nlines", due: "2026-11-21T10:00:45.5Z", shouldRemind: true),
            try fixture.imported("Oats", id: 1, isChecked: true, due: "2026-11-21T10:00:00Z", shouldRemind: true),
            try fixture.imported("Salt", id: 2, due: "2026-11-21T07:00:00Z", shouldRemind: true),
          ]),
        fixture.importedList("Empty", []),
      ])
    #expect(report.added == [0, 1, 2])
    #expect(report.newLists == ["Groceries", "Empty"])
    #expect(report.renumbered == [] && report.refusedCount == 0 && report.knownCount == 0)
    #expect(try fixture.kept == ["0 Milk (Groceries)", "1 Oats (Groceries)", "2 Salt (Groceries)"])
    let milk = try fixture.item(0)
    #expect(milk.notes == "two\nlines")
    #expect(try milk.due?.local == wall("2026-11-21T11:00"))
    #expect(milk.zone == .floating)
    #expect(try fixture.reminders(of: .item(0)) == ["2026-11-21T11:00+01:00 scheduled"])
    #expect(try fixture.item(1).isChecked)
    #expect(try fixture.item(1).checkedAt == fixture.time.now)
    #expect(try fixture.reminders(of: .item(1)) == [])
    #expect(try fixture.reminders(of: .item(2)) == [])
    #expect(report.scheduledCount == 1 && report.overdueCount == 1)
    #expect(try fixture.add().listing.item.id == 3)
  }

  @Test("items due later without a reminder are counted, and no others")
  func silent() throws {
    let items = [
      try fixture.imported("Silent", due: "2026-11-21T10:00:00Z"),
      try fixture.imported("Rings", due: "2026-11-21T10:00:00Z", shouldRemind: true),
      try fixture.imported("Past", due: "2026-11-21T07:00:00Z"), try fixture.imported("Undated"),
      try fixture.imported("Done", isChecked: true, due: "2026-11-21T10:00:00Z"),
    ]
    let report = try fixture.take([fixture.importedList("Groceries", items)])
    #expect(report.silentCount == 1 && report.scheduledCount == 1 && report.overdueCount == 1)
  }

  @Test("what is not understood of an item is told once, where the item is added, and not where all has to be")
  func notUnderstood() throws {
    var vague = try fixture.imported("Vague")
    vague.notUnderstood = ["its DATE 'soon' is not understood"]
    let lists = [fixture.importedList("Groceries", [try fixture.imported("Milk"), vague])]
    #expect {
      try fixture.take(lists, isStrict: true)
    } throws: { error in
      (error as? BelfryError)?.message
        == "nothing was imported: 1 item with a value that is not understood, first item 'Vague': its DATE 'soon' is not understood"
    }
    #expect(try fixture.kept == [])
    let told = ImportRefusal(place: "item 'Vague'", reason: "its DATE 'soon' is not understood")
    var source = ImportedEntries(lists.flatMap { $0 })
    var events: [ImportEvent] = []
    let report = try fixture.belfry.take(&source) { events.append($0) }
    #expect(report.added.count == 2 && report.notUnderstoodCount == 1 && report.firstNotUnderstood == told)
    #expect(events == [.progress, .progress, .progress, .notUnderstood(told)])
    #expect(try fixture.take(lists, isStrict: true).notUnderstoodCount == 0)
  }

  @Test("a second import of the same file adds nothing, whatever was changed since")
  func again() throws {
    let lists = [
      fixture.importedList(
        "Groceries",
        [
          try fixture.imported("Milk", id: 3), try fixture.imported("Oats"), try fixture.imported("Oats"),
          try fixture.imported("Salt", uuid: UUID()),
        ]),
      fixture.importedList("Work", [try fixture.imported("Milk", id: 4), try fixture.imported("Oats")]),
    ]
    #expect(try fixture.take(lists).added.count == 6)
    try fixture.edit(3) { $0.text = "Buy milk" }
    _ = try fixture.belfry.renameList("Work", to: "Office")
    let before = try fixture.kept
    let report = try fixture.take(lists)
    #expect(report.added == [])
    #expect(report.knownCount == 6)
    #expect(report.renumbered == [])
    #expect(try fixture.kept == before)
  }

  @Test("equal items without identity are kept apart, and one more of them is one more")
  func duplicates() throws {
    let three = try (1...3).map { _ in try fixture.imported("Oats") }
    #expect(try fixture.take([fixture.importedList("Groceries", Array(three.prefix(2)))]).added.count == 2)
    let report = try fixture.take([fixture.importedList("GROCERIES", three)])
    #expect(report.added.count == 1)
    #expect(report.knownCount == 2)
    #expect(report.newLists == [])
  }

  @Test("the same number twice in a file is two items, the second under another number")
  func sameNumberTwice() throws {
    let lists = [
      fixture.importedList("Groceries", [try fixture.imported("Milk", id: 7), try fixture.imported("Oats", id: 7)])
    ]
    let report = try fixture.take(lists)
    #expect(try fixture.kept == ["7 Milk (Groceries)", "8 Oats (Groceries)"])
    #expect(report.renumbered == [Renumbering(own: 7, given: 8)])
    #expect(try fixture.take(lists).added == [])
  }

  @Test("own numbers are kept where free; others are replaced, and told")
  func renumbering() throws {
    try fixture.add("mine")
    let report = try fixture.take(
      [
        fixture.importedList(
          "Other",
          [
            try fixture.imported("zero", id: 0), try fixture.imported("one", id: 1),
            try fixture.imported("nine", id: 9),
            try fixture.imported("four", id: 4),
            try fixture.imported("none"), try fixture.imported("negative", id: -1),
          ])
      ])
    #expect(
      try fixture.kept == [
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
    let report = try fixture.take([fixture.importedList("Groceries", [try fixture.imported("Milk", id: id)])])
    #expect(report.renumbered == [Renumbering(own: id, given: 1)])
    #expect(try fixture.take([fixture.importedList("Other", [try fixture.imported("Oats", id: id)])]).added.count == 1)
    #expect(try fixture.add().listing.item.id == 3)
  }

  @Test("the largest number that is kept leaves room for more")
  func largestNumber() throws {
    for id in [9_007_199_254_740_991, 9_007_199_254_740_992] as [Int64] {
      _ = try fixture.take([fixture.importedList("Groceries", [try fixture.imported("\(id)", id: id)])])
    }
    let before = try fixture.kept.count
    #expect(
      try fixture.take([
        fixture.importedList("Groceries", [try fixture.imported("one", id: 1), try fixture.imported("none")])
      ])
      .added.count == 2
    )
    try fixture.add()
    #expect(try fixture.kept.count == before + 3)
  }

  @Test("a target list takes everything in, and must be there unless it may be made")
  func target() throws {
    let lists = [
      fixture.importedList("A", [try fixture.imported("a", id: 1)]),
      fixture.importedList("B", [try fixture.imported("b", id: 2)]),
    ]
    let error = #expect(throws: BelfryError.self) { try fixture.take(lists, onto: ListChoice("Inbox")) }
    #expect(error?.kind == .notFound)
    #expect(try fixture.kept == [])
    let report = try fixture.take(lists, onto: ListChoice("Inbox", createsMissing: true))
    #expect(report.newLists == ["Inbox"])
    #expect(try fixture.kept == ["1 a (Inbox)", "2 b (Inbox)"])
    #expect(try fixture.take(lists, onto: ListChoice("Inbox")).added == [])
  }

  @Test("a list that is there, in whatever case and between whatever spaces, is not said to be new")
  func knownList() throws {
    try fixture.add()
    let report = try fixture.take([fixture.importedList(" GROCERIES ", [try fixture.imported("Oats", id: 5)])])
    #expect(report.newLists == [])
    #expect(try fixture.store.read { try $0.lists().map(\.name) } == ["Groceries"])
  }

  @Test("an entry that cannot be taken is refused with its place, and takes no number")
  func refusals() throws {
    let earlier = ImportRefusal(place: "line 3", reason: "no text")
    let report = try fixture.take(
      [
        [.refusal(earlier)],
        fixture.importedList(
          "Groceries",
          [
            try fixture.imported("a\u{7}b"), try fixture.imported("Milk"), try fixture.imported(" ", id: 8),
            try fixture.imported("Oats"),
          ]),
        fixture.importedList("\u{1}", [try fixture.imported("lost")]),
      ]
    ) { refused in
      #expect(
        refused.map(\.place) == ["line 3", "item 'a\u{7}b'", "item ' '", "list '\\u{01}'", "item 'lost'"])
      #expect(refused.allSatisfy { !$0.reason.isEmpty })
    }
    #expect(report.refusedCount == 5 && report.firstRefusal == earlier)
    #expect(try fixture.kept == ["1 Milk (Groceries)", "2 Oats (Groceries)"])
  }

  @Test("strict takes all or nothing, and names the first refusal")
  func strict() throws {
    let lists = [fixture.importedList("Groceries", [try fixture.imported("Milk"), try fixture.imported("a\u{7}b")])]
    let error = #expect(throws: BelfryError.self) { try fixture.take(lists, isStrict: true) }
    #expect(error?.kind == .badInput)
    #expect(error?.message.contains("item 'a\u{7}b'") == true)
    #expect(try fixture.kept == [])
    #expect(try fixture.store.read { try $0.lists() } == [])
    #expect(
      try fixture.take([fixture.importedList("Groceries", [try fixture.imported("Milk")])], isStrict: true).added.count
        == 1)
  }

  @Test("a dry run reports what would come and keeps nothing")
  func dryRun() throws {
    try fixture.add("mine")
    let lists = [
      fixture.importedList(
        "New",
        [
          try fixture.imported("a", id: 1),
          try fixture.imported("b", id: 9, due: "2026-11-21T10:00:00Z", shouldRemind: true),
        ])
    ]
    let promised = try fixture.take(lists, isDryRun: true)
    #expect(try fixture.kept == ["1 mine (Groceries)"])
    #expect(try fixture.store.read { try $0.lists().count } == 1)
    #expect(try fixture.store.read { try $0.pending() } == [])
    let report = try fixture.take(lists)
    #expect(promised.newLists == report.newLists)
    #expect(promised.renumbered == report.renumbered)
    #expect(promised.added == report.added)
    #expect(try fixture.kept == ["1 mine (Groceries)", "2 a (New)", "9 b (New)"])
  }

  @Test("an import wakes the own reminders of the lists that it fills")
  func listReminder() throws {
    _ = try fixture.belfry.createList("Groceries")
    _ = try fixture.belfry.remindList("Groceries", ListReminderDraft(at: wall("2026-11-21T10:00")))
    #expect(try fixture.scheduled(of: .list(1)) == [])
    _ = try fixture.take([fixture.importedList("Groceries", [try fixture.imported("Milk")])])
    #expect(try fixture.scheduled(of: .list(1)) == ["2026-11-21T10:00+01:00"])
  }

  @Test("a date that cannot be is refused", arguments: [-1.0, 253_402_300_800, .infinity, .nan])
  func impossibleDate(seconds: Double) throws {
    var impossible = try fixture.imported("Milk")
    impossible.due = .instant(Date(timeIntervalSince1970: seconds))
    let report = try fixture.take([fixture.importedList("Groceries", [impossible])])
    #expect(report.firstRefusal?.place == "item 'Milk'")
    #expect(try fixture.kept == [])
  }
}
