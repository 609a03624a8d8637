import BelfryEngine
import BelfryModel
import CivilTime
import Foundation
import ItemEntry
import Testing

@Suite("What people write for an item's fields")
struct EntryReaderTests {
  private let fixture = EntryFixture()

  @Test("every field is read, a date on the clock of the zone beside it")
  func fields() throws {
    _ = try fixture.item()
    let edit = try fixture.edit([
      .text: .text(" Call Anna "), .list: .text("work"), .due: .text("fri 17:00"), .timeZone: .text("asia/tokyo"),
      .remind: .flag(false), .alerts: .texts(["1d", "10m"]), .repeat: .text("every 2 weeks"),
      .repeatFrom: .text("done"), .nag: .text("15m"), .category: .text("bills"), .notes: .text("one\r\ntwo"),
    ])
    #expect(edit.text == "Call Anna" && edit.list == ListChoice("work") && edit.zone == .fixed("Asia/Tokyo"))
    #expect(edit.due.map { "\($0)" }?.contains("2026-11-27T17:00") == true)
    #expect(edit.shouldRemind == false && edit.alerts?.map { "\($0)" } == ["1d", "10m"])
    #expect(edit.repeatOrigin == .done && edit.category == "bills" && edit.notes == "one\ntwo")
    guard case .set(let rule) = edit.rule, case .set(let nag) = edit.nag else {
      Issue.record("no rule or nag: \(edit)")
      return
    }
    #expect("\(rule)" == "FREQ=WEEKLY;INTERVAL=2" && "\(nag)" == "15m")
  }

  @Test("a cleared field is removed, and an absent one stays")
  func cleared() throws {
    let item = try fixture.item([.due: .text("fri 17:00"), .repeat: .text("weekly")])
    #expect(try fixture.edit([:], of: item) == ItemEdit())
    let edit = try fixture.edit(
      [
        .due: .clear, .timeZone: .clear, .alerts: .clear, .repeat: .clear, .repeatFrom: .clear, .nag: .clear,
        .category: .clear, .notes: .clear, .remind: .clear,
      ], of: item)
    #expect(edit.due == When.none && edit.zone == .floating && edit.alerts == [] && edit.rule == .clear)
    #expect(edit.repeatOrigin == .due && edit.nag == .clear && edit.category == "" && edit.notes == "")
    #expect(edit.shouldRemind == false)
  }

  @Test("a first due date turns reminding on, a later one leaves it as it is")
  func reminding() throws {
    let undated = try fixture.item()
    #expect(try fixture.edit([.due: .text("fri 17:00")], of: undated).shouldRemind == true)
    #expect(try fixture.edit([.due: .text("fri 17:00")]).shouldRemind == true)
    let silent = try fixture.item([.due: .text("fri 17:00"), .remind: .text("no")])
    #expect(try fixture.edit([.due: .text("mon 8:00")], of: silent).shouldRemind == nil)
  }

  @Test(
    "a wrong value is told with the name of its field",
    arguments: [
      (ItemField.text, ItemEntry.Words.text(" "), "the text is empty"), (.text, .clear, "the text is empty"),
      (.list, .text("Wrok"), "there is no list 'Wrok'"), (.list, .flag(true), "list: write a text"),
      (.due, .text("soon"), "due: 'soon' is not a time"), (.due, .texts(["fri"]), "due: write a text"),
      (.timeZone, .text("Europe/Zürich"), "time_zone: unknown time zone"), (.remind, .text("maybe"), "remind: write"),
      (.alerts, .text("1d, soon"), "alerts: 'soon' is not a duration"), (.alerts, .flag(true), "alerts: write"),
      (.repeat, .text("often"), "repeat 'often':"), (.repeatFrom, .text("soon"), "repeat_from: write due or done"),
      (.nag, .text("0m"), "nag: '0m' is less than a minute"), (.category, .text("bils"), "no category 'bils'"),
      (.notes, .text("a\u{0}b"), "the notes hold a NUL character"),
    ])
  func wrong(field: ItemField, words: ItemEntry.Words, message: String) throws {
    _ = try fixture.item()
    let error = try #require(throws: ItemEntryFaults.self) { try fixture.edit([field: words]) }
    #expect(error.faults.map(\.field) == [field])
    #expect(error.faults[0].error.message.contains(message), "\(error.faults[0].error)")
  }

  @Test("all wrong fields are told at once, the zone first")
  func together() throws {
    let error = try #require(throws: ItemEntryFaults.self) {
      try fixture.edit([.nag: .text("x"), .due: .text("soon"), .timeZone: .text("Mars"), .text: .text("fine")])
    }
    #expect(error.faults.map(\.field) == [.timeZone, .due, .nag])
  }

  @Test("a new item that repeats needs a due date")
  func undated() throws {
    let error = try #require(throws: ItemEntryFaults.self) { try fixture.edit([.repeat: .text("daily")]) }
    #expect(error.faults.map(\.field) == [.due] && error.faults[0].error.hint == "set due to the first occurrence")
  }

  @Test("the default list needs not exist yet")
  func defaultList() throws {
    #expect(try fixture.edit([.list: .text("inbox")]).list == ListChoice("inbox", createsMissing: true))
  }

  @Test("in a form an empty field is removed, except those that each item has")
  func forms() {
    #expect(ItemField.allCases.filter { ItemEntry.Words(of: $0, inForm: "") != .clear } == [.text, .list])
    #expect(ItemEntry.Words(of: .due, inForm: "9am") == .text("9am"))
  }

  @Test("'none' removes a field, except notes, which may say it")
  func none() throws {
    let item = try fixture.item([.due: .text("fri 17:00"), .repeat: .text("weekly")])
    let none = ItemEntry.Words.text("none")
    let edit = try fixture.edit(
      [.due: none, .timeZone: none, .repeat: none, .repeatFrom: none, .nag: none, .category: none, .notes: none],
      of: item)
    #expect(edit.due == When.none && edit.zone == .floating && edit.rule == .clear && edit.repeatOrigin == .due)
    #expect(edit.nag == .clear && edit.category == "" && edit.notes == "none")
  }

  @Test("a snooze, a span and the default are read with names of their own")
  func names() throws {
    try fixture.read { reader in
      #expect(throws: BelfryError(.usage, "until: 'none' is not allowed here", hint: "name a day or a time")) {
        try reader.wallTime("none", called: "until")
      }
      #expect(throws: BelfryError(.usage, "from: 'none' is not allowed here")) {
        try reader.instant("none", called: "from")
      }
      let (duration, instant) = (
        try reader.duration("1h", called: "for"), try reader.instant("in 10 minutes", called: "from")
      )
      #expect(duration == CalendarDuration(days: 0, minutes: 60))
      #expect(instant == fixture.belfry.time.now.addingTimeInterval(600))
    }
  }
}
