import Foundation
import Testing
import WebAccess

@testable import BelfryEngine
@testable import BelfryModel
@testable import BelfryWeb
@testable import CivilTime

@Suite("The page of an item")
struct ItemPageTests {
  @Test("its form holds every field, and keeps those that were changed")
  func edit() async throws {
    let fixture = try PageFixture(categories: ["urgent"])
    try fixture.add(["Milk"], due: "2026-11-22T09:00", notes: "one\ntwo")
    try fixture.add(["Letter"], to: "Home")
    let visitor = try fixture.visitor()
    let shown = try await fixture.fields(ofItem: 1, visitor)
    #expect(shown["text"] == "Milk" && shown["date"] == "2026-11-22" && shown["time"] == "09:00")
    #expect(shown["remind"] == "yes" && shown["notes"] == "one\ntwo" && shown["list"] == "Groceries")
    let changes = [
      "text": "Oat milk", "list": "Home", "due": "mon 18:00", "repeat": "every 2 weeks", "repeat_from": "done",
      "alerts": "1d, 10m", "nag": "15m", "category": "urgent", "tags": "home phone", "priority": "low",
      "time_zone": "America/New_York",
      "notes": "three\r\nfour",
    ]
    let saved = try await fixture.save(1, changes, from: shown, visitor)
    #expect(saved.status == 303 && saved.place == "/items/1?done=saved&item=1", "\(saved.body)")
    let item = try #require(try fixture.item(1))
    #expect(item.text == "Oat milk" && item.listID == 2 && item.due?.local.description == "2026-11-23T18:00")
    #expect(item.zone == .fixed("America/New_York") && item.alerts.map(\.description) == ["1d", "10m"])
    #expect(item.nag?.description == "15m" && item.category == "urgent" && item.notes == "three\nfour")
    #expect(item.recurrence?.origin == .done && item.tags.names == ["home", "phone"])
    #expect(item.priority == ItemPriority(.low))
    let body = try await fixture.server.get("/items/1", visitor).body
    #expect(body.contains("href=\"/search?q=%40phone\"><bdi>@phone</bdi></a>"))
    #expect(body.contains("href=\"/search?q=%21low\"><bdi>low priority</bdi></a>"))
    #expect(body.contains("value=\"home, phone\""))
    #expect(body.contains("It will ring Sun 22 Nov 2026 18:00 EST"))

    // Unchanged fields are kept, and so is a repeat with its anchor.
    let again = try await fixture.save(1, ["text": "Milk"], from: try await fixture.fields(ofItem: 1, visitor), visitor)
    #expect(again.status == 303)
    #expect(try fixture.item(1)?.recurrence == item.recurrence && fixture.item(1)?.text == "Milk")
    let without = try await fixture.fields(ofItem: 1, visitor)
      .filter { $0.key != "remind" }.merging(["repeat": "", "date": "", "time": "", "nag": ""]) { $1 }
    #expect(try await fixture.save(1, [:], from: without, visitor).status == 303)
    let bare = try #require(try fixture.item(1))
    #expect(bare.due == nil && bare.recurrence == nil && bare.nag == nil && !bare.shouldRemind)
  }

  @Test("the date and the time of the pickers count where no words do")
  func pickers() async throws {
    let fixture = try PageFixture()
    try fixture.add(["Milk"])
    let visitor = try fixture.visitor()
    let shown = try await fixture.fields(ofItem: 1, visitor)
    _ = try await fixture.save(1, ["date": "2026-12-24", "time": "17:30"], from: shown, visitor)
    let item = try #require(try fixture.item(1))
    #expect(item.due?.local.description == "2026-12-24T17:30" && item.shouldRemind)
    let dated = try await fixture.fields(ofItem: 1, visitor)
    _ = try await fixture.save(1, ["due": "none"], from: dated, visitor)
    #expect(try fixture.item(1)?.due == nil)
  }

  @Test("it shows when it would ring, and keeps nothing")
  func echo() async throws {
    let fixture = try PageFixture()
    try fixture.add(["Milk"])
    let visitor = try fixture.visitor()
    let before = try fixture.digest()
    let shown = try await fixture.fields(ofItem: 1, visitor)
    let changes = ["due": "fri 17:00", "repeat": "every week", "show": "yes"]
    let reply = try await fixture.save(1, changes, from: shown, visitor)
    #expect(reply.status == 200 && reply.body.contains("<strong>Fri 27 Nov 2026 17:00 CET, in 6 days</strong>"))
    #expect(reply.body.contains("value=\"fri 17:00\"") && reply.body.contains("Fri 25 Dec 2026 17:00 CET"))
    #expect(try fixture.digest() == before)
  }

  @Test("errors stand beside their fields, and what was typed stays")
  func errors() async throws {
    let fixture = try PageFixture()
    try fixture.add(["Milk"], due: "2026-11-22T09:00")
    let visitor = try fixture.visitor()
    let shown = try await fixture.fields(ofItem: 1, visitor)
    let changes = ["text": " ", "due": "soonish", "repeat": "now & then", "alerts": "x", "notes": "<i>kept</i>"]
    let reply = try await fixture.save(1, changes, from: shown, visitor)
    #expect(reply.status == 422 && reply.body.contains("4 fields have an error"))
    for field in ["text", "due", "repeat", "alerts"] { #expect(reply.body.contains("id=\"e-\(field)\""), "\(field)") }
    #expect(reply.body.contains("value=\"soonish\"") && reply.body.contains("&lt;i&gt;kept&lt;/i&gt;</textarea>"))
    #expect(try fixture.item(1)?.text == "Milk")
  }

  @Test("an error of the whole change stands beside the field at fault")
  func placedErrors() async throws {
    let fixture = try PageFixture()
    try fixture.add(["Milk"], due: "2026-11-22T09:00")
    let visitor = try fixture.visitor()
    let faults = [
      ("repeat", ["repeat": "FREQ=DAILY;UNTIL=20251201T000000Z"]), ("due", ["repeat": "daily", "due": "none"]),
    ]
    for (field, changes) in faults {
      let reply = try await fixture.save(1, changes, from: try await fixture.fields(ofItem: 1, visitor), visitor)
      let places = reply.body.matches(of: /id="e-(\w+)"/).map { String($0.1) }
      #expect(reply.status == 422 && places == [field], "\(reply.body)")
    }
  }

  @Test("it is snoozed for a while or until a time, and a wrong time stays in its field")
  func snooze() async throws {
    let fixture = try PageFixture()
    try fixture.add(["Milk"], due: "2026-11-21T09:30")
    fixture.server.time.advance(by: 1_800)
    try fixture.server.belfry.ring()
    let visitor = try fixture.visitor()
    let hour = try await fixture.submit("/items/1/snooze", ["for": "1h"], visitor)
    #expect(hour.body.contains("It rings Sat 21 Nov 2026 10:30 CET, in 1 h."))
    let until = try await fixture.submit("/items/1/snooze", ["until": "mon 8:00"], visitor)
    #expect(until.body.contains("It rings Mon 23 Nov 2026 08:00 CET"))
    let wrong = try await fixture.post("/items/1/snooze", ["until": "then"], visitor)
    #expect(wrong.status == 422 && wrong.body.contains("value=\"then\"") && wrong.body.contains("id=\"e-until\""))
  }

  @Test(
    "only what has rung is snoozed, if only before its due date",
    arguments: [("for", "10m"), ("for", "1h"), ("for", "1d"), ("until", "mon 8:00")])
  func rung(field: String, value: String) async throws {
    let fixture = try PageFixture()
    try fixture.add(["Milk"], due: "2026-11-21T10:30")
    try fixture.add(["Bread"], due: "2026-11-20T09:00")
    var edit = ItemEdit()
    edit.alerts = [try CalendarDuration(parsing: "1h"), .zero]
    _ = try fixture.server.belfry.edit(1, edit)
    let visitor = try fixture.visitor()
    let end: KeyValuePairs = [field: value, "back": "/"]
    let before = try fixture.digest()
    for id in 1...2 {
      let early = try await fixture.submit("/items/\(id)/snooze", end, visitor).body
      #expect(early.contains("<strong>It has not rung yet</strong>: ") && !early.contains("Snoozed"))
    }
    #expect(try fixture.digest() == before)
    fixture.server.time.advance(by: 1_800)
    try fixture.server.belfry.ring()
    let rung = try await fixture.submit("/items/1/snooze", end, visitor).body
    #expect(rung.contains("<strong>Snoozed</strong>: ") && rung.contains("It rings "))
  }

  @Test("tonight is offered until the evening")
  func tonight() async throws {
    let fixture = try PageFixture()
    try fixture.add(["Milk"])
    let visitor = try fixture.visitor()
    #expect(try await fixture.server.get("/items/1", visitor).body.contains("value=\"tonight\""))
    fixture.server.time.advance(by: 11 * 3_600)
    let late = try await fixture.server.get("/items/1", try fixture.visitor()).body
    #expect(!late.contains("value=\"tonight\"") && late.contains("value=\"tomorrow\""))
  }

  @Test("it is deleted after a page that asks, and comes back by the undo")
  func delete() async throws {
    let fixture = try PageFixture()
    try fixture.add(["Milk <3"])
    let visitor = try fixture.visitor()
    let asked = try await fixture.server.get("/items/1/delete", visitor)
    #expect(try asked.body.contains("Delete Milk &lt;3?") && fixture.item(1) != nil)
    let deleted = try await fixture.submit("/items/1/delete", [:], visitor)
    #expect(deleted.body.contains("<strong>Deleted</strong>: <bdi class=\"brief\">Milk &lt;3</bdi>."))
    #expect(try fixture.item(1) == nil)
    #expect(try await fixture.server.get("/items/1", visitor).status == 404)
    _ = try await fixture.submit("/undo", [:], visitor)
    #expect(try fixture.item(1)?.text == "Milk <3")
  }

  @Test("it says why it rings, what rang, and what was answered")
  func explanation() async throws {
    let fixture = try PageFixture()
    try fixture.add(["Milk"], due: "2026-11-21T10:00")
    fixture.server.time.advance(by: 3_600)
    try fixture.server.belfry.ring()
    let reminder = try #require(
      try fixture.server.belfry.store.read { try $0.reminders(of: .item(1), at: nil, state: .fired) }.first)
    _ = try fixture.server.belfry.answer(
      Press(reminder: reminder.id, choice: .identifier("done"), channel: .web, author: .name("anna")))
    let body = try await fixture.server.get("/items/1", fixture.visitor()).body
    for words in ["It rang Sat 21 Nov 2026 10:00 CET", "<li dir=\"auto\">reminder on</li>", ">fired</span>"] {
      #expect(body.contains(words), "\(words)")
    }
    #expect(body.contains("&#39;done&#39; by Anna"), "\(body)")
  }
}
