import BelfryTestKit
import CivilTime
import Foundation
import OrderedJSON
import Testing
import Transport

@testable import BelfryEngine
@testable import BelfryModel
@testable import TelegramSink

/// It is 09:00 in Zurich on Saturday, 21 November 2026.
@Suite("Texts in a Telegram chat")
struct CommandTests {
  /// The bot's replies to some texts.
  private func said(_ fixture: ChatFixture) async throws -> [String] {
    let known = fixture.api.calls(of: "sendMessage").count
    #expect(try await fixture.receive() == .ended)
    return fixture.api.calls(of: "sendMessage").dropFirst(known).map { $0["text"]?.stringValue ?? "" }
  }

  private func said(_ texts: String..., before: (ChatFixture) throws -> Void = { _ in }) async throws -> [String] {
    let fixture = ChatFixture(commands: true)
    try before(fixture)
    fixture.send(texts.enumerated().map { Sent.text($1, id: Int64($0) + 1) })
    return try await said(fixture)
  }

  private func add(
    _ fixture: ChatFixture, _ text: String, due: String? = nil, zone: ItemZone = .floating, to list: String = "Inbox"
  ) throws {
    let due = due.flatMap { WallTime(parsing: $0) }
    var draft = ItemDraft(text: text, due: due, shouldRemind: due != nil)
    draft.zone = zone
    _ = try fixture.belfry.add([draft], to: ListChoice(list, createsMissing: true))
  }

  @Test("a text is an item of the default list, with a time at its end a reminder, and further lines are its notes")
  func items() async throws {
    let fixture = ChatFixture(commands: true)
    fixture.send([Sent.text("Buy milk tomorrow 9am", id: 1), Sent.text("Read *this*\nto\nthe end", id: 2)])
    let words = try await said(fixture)
    #expect(
      words == [
        "Added 1 (Inbox): Buy milk\nrings Sun 22 Nov 2026 09:00 CET, in 1 day", "Added 2 (Inbox): Read *this*",
      ])
    let items = try fixture.items
    #expect(items.map(\.text) == ["Buy milk", "Read *this*"] && items.map(\.notes) == [nil, "to\nthe end"])
    #expect(items.map(\.shouldRemind) == [true, false])
    #expect(items.map { $0.due.map { "\($0.local)" } } == ["2026-11-22T09:00", nil])
    #expect(
      fixture.api.calls(of: "getUpdates").first?["allowed_updates"] == ["callback_query", "message"])
  }

  @Test("a list and a repeat at the end of a text count, and what looks like one and does not is told")
  func marks() async throws {
    let fixture = ChatFixture(commands: true)
    try add(fixture, "Paint", to: "Home")
    fixture.send([Sent.text("Bins #home every tuesday 7am\nthe black one", id: 1), Sent.text("Party 5/12", id: 2)])
    let words = try await said(fixture)
    let added = "Added 2 (Home): Bins\nrings Tue 24 Nov 2026 07:00 CET, in 2 days\nrepeats every week on tuesday"
    #expect(words.first == added, "\(words)")
    #expect(words.last?.hasPrefix("Added 3 (Inbox): Party 5/12\n'5/12' could mean 5 December") == true, "\(words)")
    let item = try #require(try fixture.items.first { $0.text == "Bins" })
    #expect(item.notes == "the black one" && item.recurrence.map { "\($0.rule)" } == "FREQ=WEEKLY;BYDAY=TU")
  }

  @Test("a text that comes again, in the same answer, the next or after a start, is one item")
  func replay() async throws {
    let text = Sent.text("Buy milk", id: 501)
    let fixture = ChatFixture(commands: true)
    fixture.send([text, text], [text], [], [text])
    for _ in 1...4 { #expect(try await fixture.receive() == .ended) }
    #expect(try fixture.items.count == 1)
    #expect(try fixture.position == "501 1795248000")
  }

  @Test("a clock that is set, before the server knows that a text was taken, brings it no second time")
  func clock() async throws {
    let time = ManualTimeSource()
    let fixture = ChatFixture(commands: true, time: time) { call, earlier throws(TransferFailure) in
      if call.method == "sendMessage" { time.advance(by: 30 * 86_400) }
      return .usual(call, earlier)
    }
    fixture.send([Sent.text("Buy milk", id: 501)])
    #expect(try await fixture.receive() == .ended)
    #expect(fixture.api.calls(of: "getUpdates").map { $0["offset"] } == [nil, 502])
    #expect(try fixture.items.count == 1)
  }

  @Test("where ids begin anew, what was written since is new")
  func anew() async throws {
    let fixture = ChatFixture(commands: true)
    fixture.send(
      [Sent.text("one", id: 501)], [Sent.text("two", id: 7, after: 30)], [Sent.text("three", id: 8, after: 31)])
    #expect(try await fixture.receive() == .ended)
    #expect(try fixture.items.map(\.text) == ["one", "two", "three"])
  }

  @Test("only the person in the sink's private chat may write, and only where the config says so")
  func strangers() async throws {
    let fixture = ChatFixture(commands: true)
    fixture.send([
      Sent.text("a", id: 1, chat: 1_002), Sent.text("b", id: 2, type: "group"), Sent.text("/list", id: 3, chat: 5),
      ["update_id": 4, "message": ["chat": ["id": 1_001, "type": "private"], "photo": [], "date": 1]],
      ["update_id": 5, "edited_message": ["chat": ["id": 1_001, "type": "private"], "text": "c", "date": 1]],
    ])
    #expect(try await said(fixture) == [] && fixture.items.isEmpty)
    #expect(fixture.events.count == 1)
    let silent = ChatFixture()
    silent.send([Sent.text("Buy milk", id: 1)])
    #expect(try await said(silent) == [] && silent.items.isEmpty)
  }

  @Test("/list before the first item says that there is nothing to do")
  func emptyStore() async throws {
    #expect(
      try await said("/list", "/list Inbox", "/list Books") == [
        "Nothing to do on 'Inbox'.", "Nothing to do on 'Inbox'.",
        "There is no list 'Books'; 'belfry lists' shows the lists, 'belfry list create' makes one",
      ])
  }

  @Test("/list says what is open on a list, soonest first")
  func list() async throws {
    let words = try await said("/list", "/list@my_bot  groceries ", "/LIST Books", "/list Grocerie") { fixture in
      try add(fixture, "Call Anna")
      try add(fixture, "Milk", due: "2026-11-21T18:30", to: "Groceries")
      try add(fixture, "Figs", due: "2026-11-21T13:00", zone: .fixed("America/New_York"), to: "Groceries")
      try add(fixture, "Eggs", due: "2026-11-20T18:30", to: "Groceries")
      try add(fixture, "Read", to: "Books")
      _ = try fixture.belfry.setChecked(true, [5])
    }
    #expect(
      words == [
        "Inbox\n• Call Anna", "Groceries\n• Eggs · yesterday 18:30\n• Milk · today 18:30\n• Figs · today 19:00",
        "Nothing to do on 'Books'.", "There is no list 'Grocerie'; did you mean 'Groceries'?",
      ])
  }

  @Test("/list takes tags and a priority, on one list or on all")
  func filters() async throws {
    let words = try await said(
      "Milk #Groceries @shop !high", "Eggs #Groceries @shop", "Paint tomorrow #Home @SHOP",
      "/list @shop", "/list groceries @shop !HIGH", "/list !high", "/list @loft @shop", "/list Home @loft",
      "/list Grocerie @shop",
      "/list Home loft", "/list @"
    ) { fixture in
      for list in ["Groceries", "Home", "Home @loft"] { _ = try fixture.belfry.createList(list) }
    }
    #expect(
      words.dropFirst(3) == [
        "@shop\n• Paint · tomorrow 09:00 · Home\n• Milk · Groceries\n• Eggs · Groceries",
        "Groceries @shop !HIGH\n• Milk",
        "!high\n• Milk · Groceries", "Nothing to do on '@loft @shop'.", "Nothing to do on 'Home @loft'.",
        "There is no list 'Grocerie'; did you mean 'Groceries'?",
        "There is no list 'Home loft'; did you mean 'Home @loft'?",
        "There is no list '@'; 'belfry lists' shows the lists, 'belfry list create' makes one",
      ])
  }

  @Test("/agenda says what is overdue, and what rings within a week, by day")
  func agenda() async throws {
    let words = try await said("/agenda") { fixture in
      try add(fixture, "Eggs", due: "2026-11-20T18:30")
      try add(fixture, "Milk", due: "2026-11-21T18:30")
      try add(fixture, "Bread", due: "2026-11-21T10:00")
      try add(fixture, "Rent", due: "2026-11-27T08:00")
      try add(fixture, "Later", due: "2026-11-28T08:00")
    }
    #expect(
      words == [
        """
        Overdue
        • yesterday 18:30 · Eggs

        Sat 21 Nov 2026
        • 10:00 · Bread
        • 18:30 · Milk

        Fri 27 Nov 2026
        • 08:00 · Rent
        """
      ])
    #expect(try await said("/agenda") == ["Nothing rings within a week."])
  }

  @Test("what is long is bounded")
  func long() async throws {
    let words = try await said("/list", "/agenda", String(repeating: "x", count: 20_000)) { fixture in
      for number in 1...300 {
        try add(fixture, "\(number) \(String(repeating: "long ", count: 100))", due: "2026-11-22T10:00")
      }
    }
    #expect(words.count == 3 && words.allSatisfy { $0.utf16.count <= 4_096 })
    #expect(words[2].hasPrefix("The text is longer than 16384 bytes"))
  }

  @Test("other commands get a short help", arguments: ["/start", "/help", "/", "/ list", "/delete 1"])
  func help(command: String) async throws {
    let words = try #require(try await said(command).first)
    #expect(words.contains("/list NAME") && words.contains("/agenda") && words.utf16.count < 500)
  }

  @Test("a text that cannot be an item is answered, and holds up nothing")
  func refused() async throws {
    let fixture = ChatFixture(commands: true)
    fixture.send([Sent.text("bell\u{7}", id: 1), Sent.text("Milk", id: 2)])
    let words = try await said(fixture)
    #expect(words.count == 2 && words[0].contains("U+0007") && words[1] == "Added 1 (Inbox): Milk")
    #expect(try fixture.items.map(\.text) == ["Milk"])
  }

  @Test("an item stands where the person cannot be told")
  func untold() async throws {
    let fixture = ChatFixture(commands: true) { call, earlier throws(TransferFailure) in
      if call.method == "sendMessage" { throw TransferFailure(.interrupted, "broken") }
      return .usual(call, earlier)
    }
    fixture.send([Sent.text("Milk", id: 1)])
    #expect(try await fixture.receive() == .ended)
    #expect(try fixture.items.map(\.text) == ["Milk"])
  }
}
