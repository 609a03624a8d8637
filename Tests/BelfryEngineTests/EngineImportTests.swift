import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel

/// Importing lists and items. It is 09:00 in Zurich.
@Suite struct EngineImportTests {
  private let bench = Bench()

  @Test("lists and items come in order, with what the file says of them")
  func everything() throws {
    let report = try bench.take(
      [
        bench.importedList(
          "Groceries",
          [
            try bench.imported("Milk", id: 0, notes: "two\nlines", due: "2026-11-21T10:00:45.5Z", shouldRemind: true),
            try bench.imported("Oats", id: 1, isChecked: true, due: "2026-11-21T10:00:00Z", shouldRemind: true),
            try bench.imported("Salt", id: 2, due: "2026-11-21T07:00:00Z", shouldRemind: true),
          ]),
        bench.importedList("Empty", []),
      ])
    #expect(report.added == [0, 1, 2])
    #expect(report.newLists == ["Groceries", "Empty"])
    #expect(report.renumbered == [] && report.refusedCount == 0 && report.knownCount == 0)
    #expect(try bench.kept == ["0 Milk (Groceries)", "1 Oats (Groceries)", "2 Salt (Groceries)"])
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

  @Test("items due later without a reminder are counted, and no others")
  func silent() throws {
    let items = [
      try bench.imported("Silent", due: "2026-11-21T10:00:00Z"),
      try bench.imported("Rings", due: "2026-11-21T10:00:00Z", shouldRemind: true),
      try bench.imported("Past", due: "2026-11-21T07:00:00Z"), try bench.imported("Undated"),
      try bench.imported("Done", isChecked: true, due: "2026-11-21T10:00:00Z"),
    ]
    let report = try bench.take([bench.importedList("Groceries", items)])
    #expect(report.silentCount == 1 && report.scheduledCount == 1 && report.overdueCount == 1)
  }

  @Test("what is not understood of an item is told once, where the item is added, and not where all has to be")
  func notUnderstood() throws {
    var vague = try bench.imported("Vague")
    vague.notUnderstood = ["its DATE 'soon' is not understood"]
    let lists = [bench.importedList("Groceries", [try bench.imported("Milk"), vague])]
    #expect {
      try bench.take(lists, isStrict: true)
    } throws: { error in
      (error as? BelfryError)?.message
        == "nothing was imported: 1 item with a value that is not understood, first item 'Vague': its DATE 'soon' is not understood"
    }
    #expect(try bench.kept == [])
    let told = ImportRefusal(place: "item 'Vague'", reason: "its DATE 'soon' is not understood")
    var source = ImportedEntries(lists.flatMap { $0 })
    var events: [ImportEvent] = []
    let report = try bench.belfry.take(&source) { events.append($0) }
    #expect(report.added.count == 2 && report.notUnderstoodCount == 1 && report.firstNotUnderstood == told)
    #expect(events == [.progress, .progress, .progress, .notUnderstood(told)])
    #expect(try bench.take(lists, isStrict: true).notUnderstoodCount == 0)
  }

  @Test("a second import of the same file adds nothing, whatever was changed since")
  func again() throws {
    let lists = [
      bench.importedList(
        "Groceries",
        [
          try bench.imported("Milk", id: 3), try bench.imported("Oats"), try bench.imported("Oats"),
          try bench.imported("Salt", uuid: UUID()),
        ]),
      bench.importedList("Work", [try bench.imported("Milk", id: 4), try bench.imported("Oats")]),
    ]
    #expect(try bench.take(lists).added.count == 6)
    try bench.edit(3) { $0.text = "Buy milk" }
    _ = try bench.belfry.renameList("Work", to: "Office")
    let before = try bench.kept
    let report = try bench.take(lists)
    #expect(report.added == [])
    #expect(report.knownCount == 6)
    #expect(report.renumbered == [])
    #expect(try bench.kept == before)
  }

  @Test("equal items without identity are kept apart, and one more of them is one more")
  func duplicates() throws {
    let three = try (1...3).map { _ in try bench.imported("Oats") }
    #expect(try bench.take([bench.importedList("Groceries", Array(three.prefix(2)))]).added.count == 2)
    let report = try bench.take([bench.importedList("GROCERIES", three)])
    #expect(report.added.count == 1)
    #expect(report.knownCount == 2)
    #expect(report.newLists == [])
  }

  @Test("the same number twice in a file is two items, the second under another number")
  func sameNumberTwice() throws {
    let lists = [
      bench.importedList("Groceries", [try bench.imported("Milk", id: 7), try bench.imported("Oats", id: 7)])
    ]
    let report = try bench.take(lists)
    #expect(try bench.kept == ["7 Milk (Groceries)", "8 Oats (Groceries)"])
    #expect(report.renumbered == [Renumbering(own: 7, given: 8)])
    #expect(try bench.take(lists).added == [])
  }

  @Test("own numbers are kept where free; others are replaced, and told")
  func renumbering() throws {
    try bench.add("mine")
    let report = try bench.take(
      [
        bench.importedList(
          "Other",
          [
            try bench.imported("zero", id: 0), try bench.imported("one", id: 1), try bench.imported("nine", id: 9),
            try bench.imported("four", id: 4),
            try bench.imported("none"), try bench.imported("negative", id: -1),
          ])
      ])
    #expect(
      try bench.kept == [
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
    let report = try bench.take([bench.importedList("Groceries", [try bench.imported("Milk", id: id)])])
    #expect(report.renumbered == [Renumbering(own: id, given: 1)])
    #expect(try bench.take([bench.importedList("Other", [try bench.imported("Oats", id: id)])]).added.count == 1)
    #expect(try bench.add().listing.item.id == 3)
  }

  @Test("the largest number that is kept leaves room for more")
  func largestNumber() throws {
    for id in [9_007_199_254_740_991, 9_007_199_254_740_992] as [Int64] {
      _ = try bench.take([bench.importedList("Groceries", [try bench.imported("\(id)", id: id)])])
    }
    let before = try bench.kept.count
    #expect(
      try bench.take([bench.importedList("Groceries", [try bench.imported("one", id: 1), try bench.imported("none")])])
        .added.count == 2
    )
    try bench.add()
    #expect(try bench.kept.count == before + 3)
  }

  @Test("a target list takes everything in, and must be there unless it may be made")
  func target() throws {
    let lists = [
      bench.importedList("A", [try bench.imported("a", id: 1)]),
      bench.importedList("B", [try bench.imported("b", id: 2)]),
    ]
    let error = #expect(throws: BelfryError.self) { try bench.take(lists, onto: ListChoice("Inbox")) }
    #expect(error?.kind == .notFound)
    #expect(try bench.kept == [])
    let report = try bench.take(lists, onto: ListChoice("Inbox", createsMissing: true))
    #expect(report.newLists == ["Inbox"])
    #expect(try bench.kept == ["1 a (Inbox)", "2 b (Inbox)"])
    #expect(try bench.take(lists).added == [])
  }

  @Test("a list that is there, in whatever case and between whatever spaces, is not said to be new")
  func knownList() throws {
    try bench.add()
    let report = try bench.take([bench.importedList(" GROCERIES ", [try bench.imported("Oats", id: 5)])])
    #expect(report.newLists == [])
    #expect(try bench.store.read { try $0.lists().map(\.name) } == ["Groceries"])
  }

  @Test("an entry that cannot be taken is refused with its place, and takes no number")
  func refusals() throws {
    let earlier = ImportRefusal(place: "line 3", reason: "no text")
    let report = try bench.take(
      [
        [.refusal(earlier)],
        bench.importedList(
          "Groceries",
          [
            try bench.imported("a\u{7}b"), try bench.imported("Milk"), try bench.imported(" ", id: 8),
            try bench.imported("Oats"),
          ]),
        bench.importedList("\u{1}", [try bench.imported("lost")]),
      ]
    ) { refused in
      #expect(
        refused.map(\.place) == ["line 3", "item 'a\u{7}b'", "item ' '", "list '\\u{01}'", "item 'lost'"])
      #expect(refused.allSatisfy { !$0.reason.isEmpty })
    }
    #expect(report.refusedCount == 5 && report.firstRefusal == earlier)
    #expect(try bench.kept == ["1 Milk (Groceries)", "2 Oats (Groceries)"])
  }

  @Test("strict takes all or nothing, and names the first refusal")
  func strict() throws {
    let lists = [bench.importedList("Groceries", [try bench.imported("Milk"), try bench.imported("a\u{7}b")])]
    let error = #expect(throws: BelfryError.self) { try bench.take(lists, isStrict: true) }
    #expect(error?.kind == .badInput)
    #expect(error?.message.contains("item 'a\u{7}b'") == true)
    #expect(try bench.kept == [])
    #expect(try bench.store.read { try $0.lists() } == [])
    #expect(
      try bench.take([bench.importedList("Groceries", [try bench.imported("Milk")])], isStrict: true).added.count == 1)
  }

  @Test("a dry run reports what would come and keeps nothing")
  func dryRun() throws {
    try bench.add("mine")
    let lists = [
      bench.importedList(
        "New",
        [
          try bench.imported("a", id: 1),
          try bench.imported("b", id: 9, due: "2026-11-21T10:00:00Z", shouldRemind: true),
        ])
    ]
    let promised = try bench.take(lists, isDryRun: true)
    #expect(try bench.kept == ["1 mine (Groceries)"])
    #expect(try bench.store.read { try $0.lists().count } == 1)
    #expect(try bench.store.read { try $0.pending() } == [])
    let report = try bench.take(lists)
    #expect(promised.newLists == report.newLists)
    #expect(promised.renumbered == report.renumbered)
    #expect(promised.added == report.added)
    #expect(try bench.kept == ["1 mine (Groceries)", "2 a (New)", "9 b (New)"])
  }

  @Test("an import wakes the own reminders of the lists that it fills")
  func listReminder() throws {
    _ = try bench.belfry.createList("Groceries")
    _ = try bench.belfry.remindList("Groceries", ListReminderDraft(at: wall("2026-11-21T10:00")))
    #expect(try bench.scheduled(of: .list(1)) == [])
    _ = try bench.take([bench.importedList("Groceries", [try bench.imported("Milk")])])
    #expect(try bench.scheduled(of: .list(1)) == ["2026-11-21T10:00+01:00"])
  }

  @Test("a date that cannot be is refused", arguments: [-1.0, 253_402_300_800, .infinity, .nan])
  func impossibleDate(seconds: Double) throws {
    var impossible = try bench.imported("Milk")
    impossible.due = .instant(Date(timeIntervalSince1970: seconds))
    let report = try bench.take([bench.importedList("Groceries", [impossible])])
    #expect(report.firstRefusal?.place == "item 'Milk'")
    #expect(try bench.kept == [])
  }
}
