import BelfryTestKit
import Foundation
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

  private func list(_ name: String, _ items: [ImportedItem]) -> ImportedList { ImportedList(name: name, items: items) }

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
    let report = try bench.belfry.take(
      [
        list(
          "Groceries",
          [
            try item("Milk", id: 0, notes: "two\nlines", due: "2026-11-21T10:00:45.5Z", shouldRemind: true),
            try item("Oats", id: 1, isChecked: true, due: "2026-11-21T10:00:00Z", shouldRemind: true),
            try item("Salt", id: 2, due: "2026-11-21T07:00:00Z", shouldRemind: true),
          ]),
        list("Empty", []),
      ], onto: nil)
    #expect(report.added.map(\.listing.item.text) == ["Milk", "Oats", "Salt"])
    #expect(report.newLists == ["Groceries", "Empty"])
    #expect(report.renumbered == [] && report.refused == [] && report.known == [])
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
    #expect(report.added.map(\.schedule.past.count) == [0, 0, 1])
    #expect(try bench.add().listing.item.id == 3)
  }

  @Test("a second import of the same file adds nothing, whatever was changed since")
  func again() throws {
    let lists = [
      list("Groceries", [try item("Milk", id: 3), try item("Oats"), try item("Oats"), try item("Salt", uuid: UUID())]),
      list("Work", [try item("Milk", id: 4), try item("Oats")]),
    ]
    #expect(try bench.belfry.take(lists, onto: nil).added.count == 6)
    try bench.edit(3) { $0.text = "Buy milk" }
    _ = try bench.belfry.renameList("Work", to: "Office")
    let before = try kept
    let report = try bench.belfry.take(lists, onto: nil)
    #expect(report.added == [])
    #expect(report.known.count == 6)
    #expect(report.renumbered == [])
    #expect(try kept == before)
  }

  @Test("equal items without identity are kept apart, and one more of them is one more")
  func duplicates() throws {
    let three = try (1...3).map { _ in try item("Oats") }
    #expect(try bench.belfry.take([list("Groceries", Array(three.prefix(2)))], onto: nil).added.count == 2)
    let report = try bench.belfry.take([list("GROCERIES", three)], onto: nil)
    #expect(report.added.count == 1)
    #expect(report.known.count == 2)
    #expect(report.newLists == [])
  }

  @Test("the same number twice in a file is two items, the second under another number")
  func sameNumberTwice() throws {
    let lists = [list("Groceries", [try item("Milk", id: 7), try item("Oats", id: 7)])]
    let report = try bench.belfry.take(lists, onto: nil)
    #expect(try kept == ["7 Milk (Groceries)", "8 Oats (Groceries)"])
    #expect(report.renumbered == [Renumbering(own: 7, given: 8)])
    #expect(try bench.belfry.take(lists, onto: nil).added == [])
  }

  @Test("own numbers are kept where free; others are replaced, and told")
  func renumbering() throws {
    try bench.add("mine")
    let report = try bench.belfry.take(
      [
        list(
          "Other",
          [
            try item("zero", id: 0), try item("one", id: 1), try item("nine", id: 9), try item("four", id: 4),
            try item("none"), try item("negative", id: -1),
          ])
      ], onto: nil)
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
    let report = try bench.belfry.take([list("Groceries", [try item("Milk", id: id)])], onto: nil)
    #expect(report.renumbered == [Renumbering(own: id, given: 1)])
    #expect(try bench.belfry.take([list("Other", [try item("Oats", id: id)])], onto: nil).added.count == 1)
    #expect(try bench.add().listing.item.id == 3)
  }

  @Test("the largest number that is kept leaves room for more")
  func largestNumber() throws {
    for id in [9_007_199_254_740_991, 9_007_199_254_740_992] as [Int64] {
      _ = try bench.belfry.take([list("Groceries", [try item("\(id)", id: id)])], onto: nil)
    }
    let before = try kept.count
    #expect(
      try bench.belfry.take([list("Groceries", [try item("one", id: 1), try item("none")])], onto: nil).added.count == 2
    )
    try bench.add()
    #expect(try kept.count == before + 3)
  }

  @Test("a target list takes everything in, and must be there unless it may be made")
  func target() throws {
    let lists = [list("A", [try item("a", id: 1)]), list("B", [try item("b", id: 2)])]
    let error = #expect(throws: BelfryError.self) { try bench.belfry.take(lists, onto: ListChoice("Inbox")) }
    #expect(error?.kind == .notFound)
    #expect(try kept == [])
    let report = try bench.belfry.take(lists, onto: ListChoice("Inbox", createsMissing: true))
    #expect(report.newLists == ["Inbox"])
    #expect(try kept == ["1 a (Inbox)", "2 b (Inbox)"])
    #expect(try bench.belfry.take(lists, onto: nil).added == [])
  }

  @Test("a list that is there, in whatever case and between whatever spaces, is not said to be new")
  func knownList() throws {
    try bench.add()
    let report = try bench.belfry.take([list(" GROCERIES ", [try item("Oats", id: 5)])], onto: nil)
    #expect(report.newLists == [])
    #expect(try bench.store.read { try $0.lists().map(\.name) } == ["Groceries"])
  }

  @Test("an entry that cannot be taken is refused with its place, and takes no number")
  func refusals() throws {
    let earlier = ImportRefusal(place: "line 3", reason: "no text")
    let report = try bench.belfry.take(
      [
        list("Groceries", [try item("a\u{7}b"), try item("Milk"), try item(" ", id: 8), try item("Oats")]),
        list("\u{1}", [try item("lost")]),
      ], onto: nil, refused: [earlier])
    #expect(report.refused.map(\.place) == ["line 3", "item 'a\u{7}b'", "item ' '", "list '\u{1}'"])
    #expect(report.refused.allSatisfy { !$0.reason.isEmpty })
    #expect(try kept == ["1 Milk (Groceries)", "2 Oats (Groceries)"])
  }

  @Test("strict takes all or nothing, and names the first refusal")
  func strict() throws {
    let lists = [list("Groceries", [try item("Milk"), try item("a\u{7}b")])]
    let error = #expect(throws: BelfryError.self) { try bench.belfry.take(lists, onto: nil, isStrict: true) }
    #expect(error?.kind == .badInput)
    #expect(error?.message.contains("item 'a\u{7}b'") == true)
    #expect(try kept == [])
    #expect(try bench.store.read { try $0.lists() } == [])
    #expect(try bench.belfry.take([list("Groceries", [try item("Milk")])], onto: nil, isStrict: true).added.count == 1)
  }

  @Test("a dry run reports what would come and keeps nothing")
  func dryRun() throws {
    try bench.add("mine")
    let lists = [
      list("New", [try item("a", id: 1), try item("b", id: 9, due: "2026-11-21T10:00:00Z", shouldRemind: true)])
    ]
    let promised = try bench.belfry.take(lists, onto: nil, isDryRun: true)
    #expect(try kept == ["1 mine (Groceries)"])
    #expect(try bench.store.read { try $0.lists().count } == 1)
    #expect(try bench.store.read { try $0.pending() } == [])
    let report = try bench.belfry.take(lists, onto: nil)
    #expect(promised.newLists == report.newLists)
    #expect(promised.renumbered == report.renumbered)
    #expect(promised.added.map(\.listing.item.id) == report.added.map(\.listing.item.id))
    #expect(try kept == ["1 mine (Groceries)", "2 a (New)", "9 b (New)"])
  }

  @Test("an import wakes the own reminders of the lists that it fills")
  func listReminder() throws {
    _ = try bench.belfry.createList("Groceries")
    _ = try bench.belfry.remindList("Groceries", ListReminderDraft(at: wall("2026-11-21T10:00")))
    #expect(try bench.scheduled(of: .list(1)) == [])
    _ = try bench.belfry.take([list("Groceries", [try item("Milk")])], onto: nil)
    #expect(try bench.scheduled(of: .list(1)) == ["2026-11-21T10:00+01:00"])
  }

  @Test("a date that cannot be is refused", arguments: [-1.0, 253_402_300_800, .infinity, .nan])
  func impossibleDate(seconds: Double) throws {
    var impossible = try item("Milk")
    impossible.due = .instant(Date(timeIntervalSince1970: seconds))
    let report = try bench.belfry.take([list("Groceries", [impossible])], onto: nil)
    #expect(report.refused.map(\.place) == ["item 'Milk'"])
    #expect(try kept == [])
  }
}
