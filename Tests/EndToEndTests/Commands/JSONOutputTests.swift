import Foundation
import Testing

@Suite("Output of --json")
struct JSONOutputTests {
  let box: Sandbox

  init() throws { box = try Sandbox() }

  @Test("add prints one item, an object, with every field as it was asked for")
  func add() async throws {
    let item = try await box.json(
      "add", "Buy", "milk", "-l", "Groceries", "--create", "--due", "2096-12-24 18:30", "--alert", "10m", "--alert",
      "1d", "--alert", "0m", "--time-zone", "America/New_York", "--notes", "two\nlines", at: "2026-11-21 09:00:07")
    #expect(Shape.item.faults(in: item) == [])
    #expect(item["id"] == .integer(1))
    #expect(item["list"] == .text("Groceries"))
    #expect(item["text"] == .text("Buy milk"))
    #expect(item["notes"] == .text("two\nlines"))
    #expect(item["is_checked"] == .bool(false))
    #expect(item["due_local"] == .text("2096-12-24T18:30"))
    #expect(item["due_date"] == .text("2096-12-24T18:30:00-05:00"))
    #expect(item["time_zone"] == .text("America/New_York"))
    #expect(item["should_remind"] == .bool(true))
    #expect(Set(item["alerts"]?.elements ?? []) == [.text("P1D"), .text("PT10M"), .text("PT0S")])
    #expect(item["next_fire_date"] == .text("2096-12-23T18:30:00-05:00"))
    #expect(item["created_at"]?.text?.hasPrefix("2026-11-21T") == true)
    for key in ["repeat", "repeat_start", "nag", "category", "checked_at"] { #expect(item[key] == .null) }
  }

  @Test("add without a date leaves dates null and the flag off")
  func addUndated() async throws {
    let item = try await box.json("add", "Buy milk")
    #expect(Shape.item.faults(in: item) == [])
    for key in ["due_date", "due_local", "next_fire_date", "notes"] { #expect(item[key] == .null) }
    #expect(item["time_zone"] == .text("floating"))
    #expect(item["should_remind"] == .bool(false))
    #expect(item["is_overdue"] == .bool(false))
  }

  @Test("seconds of a date are dropped, never rounded up")
  func seconds() async throws {
    let item = try await box.json("add", "Late", "--due", "2096-12-24T18:30:59+01:00")
    #expect(item["due_date"] == .text("2096-12-24T18:30:00+01:00"))
    #expect(item["next_fire_date"] == .text("2096-12-24T18:30:00+01:00"))
  }

  @Test("edit prints one item, an object; what is not named stays")
  func edit() async throws {
    let before = try await box.json("add", "Milk", "--due", "2096-12-24 18:30", "--notes", "fresh")
    let after = try await box.json("edit", "1", "--text", "Oat milk", "--no-remind")
    #expect(Shape.item.faults(in: after) == [])
    #expect(after["text"] == .text("Oat milk"))
    #expect(after["should_remind"] == .bool(false))
    #expect(after["next_fire_date"] == .null)
    for key in ["id", "uuid", "notes", "due_date", "created_at"] { #expect(after[key] == before[key]) }
    let undated = try await box.json("edit", "1", "--due", "none")
    #expect(undated["due_date"] == .null)
    #expect(undated["due_local"] == .null)
  }

  @Test("check, uncheck, delete and show print an array of items")
  func marks() async throws {
    for text in ["One", "Two", "Three"] { try await box.json("add", text, "--due", "2096-12-24 18:30") }
    let checked = try #require(try await box.json("check", "1", "2").elements)
    #expect(Shape.item.faults(in: checked) == [])
    #expect(checked.map { $0["is_checked"] } == [.bool(true), .bool(true)])
    #expect(checked.allSatisfy { $0["checked_at"] != .null && $0["next_fire_date"] == .null })
    let unchecked = try #require(try await box.json("uncheck", "2").elements)
    #expect(Shape.item.faults(in: unchecked) == [])
    #expect(unchecked.map { $0["checked_at"] } == [.null])
    #expect(unchecked.map { $0["next_fire_date"] } == [.text("2096-12-24T18:30:00+01:00")])
    let deleted = try #require(try await box.json("delete", "3").elements)
    #expect(Shape.item.faults(in: deleted) == [])
    #expect(deleted.map { $0["text"] } == [.text("Three")])
    let shown = try #require(try await box.json("show", "--all").elements)
    #expect(Shape.item.faults(in: shown) == [])
    #expect(
      shown.map { $0["id"] } == [.integer(2), .integer(1)] || shown.map { $0["id"] } == [.integer(1), .integer(2)])
  }

  @Test("show is of unchecked items, by due date, none last, then place on the list")
  func showOrder() async throws {
    try await box.json("add", "undated 1")
    try await box.json("add", "late", "--due", "2096-12-25 09:00")
    try await box.json("add", "undated 2")
    try await box.json("add", "early", "--due", "2096-12-24 09:00")
    try await box.json("add", "past", "--due", "2020-01-01 09:00")
    try await box.json("add", "done", "--due", "2020-01-01 08:00")
    try await box.json("check", "6")
    func texts(_ json: JSON) -> [String] { json.elements?.compactMap { $0["text"]?.text } ?? [] }
    #expect(texts(try await box.json("show")) == ["past", "early", "late", "undated 1", "undated 2"])
    #expect(texts(try await box.json("show", "-n", "2")) == ["past", "early"])
    #expect(texts(try await box.json("show", "--overdue")) == ["past"])
    #expect(texts(try await box.json("show", "--checked")) == ["done"])
    #expect(texts(try await box.json("show", "--due-before", "2096-12-25")) == ["past", "early"])
    #expect(Set(texts(try await box.json("show", "--all"))).count == 6)
  }

  @Test("lists, and every command of a list, print an array of lists")
  func lists() async throws {
    try await box.json("add", "Milk", "-l", "Groceries", "--create", "--due", "2096-12-24 09:00")
    try await box.json("add", "Bread", "-l", "groceries", "--due", "2020-12-24 09:00")
    let lists = try #require(try await box.json("lists").elements)
    #expect(Shape.list.faults(in: lists) == [])
    let groceries = try #require(lists.first { $0["name"] == .text("Groceries") })
    #expect(groceries["items"] == .integer(2))
    #expect(groceries["remaining"] == .integer(2))
    #expect(groceries["overdue"] == .integer(1))
    #expect(groceries["next_fire_date"] == .text("2096-12-24T09:00:00+01:00"))
    #expect(groceries["reminder"] == .null)
    for words in [
      ["create", "Work"], ["rename", "Work", "Job"], ["clear", "Job", "--force"],
      ["remind", "Groceries", "--at", "2096-12-23 10:00", "--message", "Shop"], ["remind", "Groceries", "--off"],
      ["delete", "Job", "--force"],
    ] {
      let outcome = try await box.run([Programs.belfry, "list"] + words + ["--json"], RunOptions())
      #expect(outcome.isDone, "\(outcome)")
      #expect(try Shape.list.faults(in: outcome.elements) == [], "list \(words)")
      #expect(try outcome.elements.count == 1)
    }
  }

  @Test("pending tells each scheduled reminder, soonest first, a list's own with item_id null")
  func pending() async throws {
    try await box.json("add", "Milk", "--due", "2096-12-24 09:00", "--alert", "1h", "--alert", "0m")
    try await box.json("list", "remind", "Inbox", "--at", "2096-12-24 08:30", "--message", "Shop")
    let pending = try #require(try await box.json("pending").elements)
    #expect(Shape.pending.faults(in: pending) == [])
    #expect(
      pending.map { $0["fire_date"]?.text } == [
        "2096-12-24T08:00:00+01:00", "2096-12-24T08:30:00+01:00", "2096-12-24T09:00:00+01:00",
      ])
    #expect(pending.map { $0["item_id"] } == [.integer(1), .null, .integer(1)])
    #expect(pending.map { $0["text"]?.text } == ["Milk", "Shop", "Milk"])
    #expect(pending.allSatisfy { $0["sinks"] == .array([.text("out")]) })
    #expect(Set(pending.map { $0["reminder_id"] }).count == 3)
    #expect(try await box.json("pending", "-n", "1").elements?.count == 1)
    try await box.json("list", "remind", "Inbox", "--at", "2096-12-24 08:30")
    #expect(try await box.json("pending").elements?[1]["text"] == .text("Inbox"))
  }

  @Test("deliveries tell what was sent, where and how late")
  func deliveries() async throws {
    try await box.json("add", "Milk", "--due", "09:00", at: "2026-11-21 08:00:00")
    let bodies = try await box.runOnce(at: "2026-11-21 09:03:20")
    #expect(bodies.count == 1)
    let deliveries = try #require(try await box.json("deliveries").elements)
    #expect(Shape.delivery.faults(in: deliveries) == [])
    let delivery = try #require(deliveries.first)
    #expect(deliveries.count == 1)
    #expect(delivery["state"] == .text("delivered"))
    #expect(delivery["item_id"] == .integer(1))
    #expect(delivery["list"] == .text("Inbox"))
    #expect(delivery["text"] == .text("Milk"))
    #expect(delivery["sink"] == .text("out"))
    #expect(delivery["fire_date"] == .text("2026-11-21T09:00:00+01:00"))
    #expect(delivery["attempts"] == .integer(1))
    let late = try #require(delivery["late_seconds"]?.integer)
    let moment = try #require(delivery["delivered_at"]?.text)
    #expect(moment.hasPrefix("2026-11-21T09:03:"))
    #expect(late >= 200 && abs(late - 180 - (Int64(moment.dropFirst(17).prefix(2)) ?? 0)) <= 1, "\(delivery)")
    #expect(delivery["reminder_id"] == bodies[0]["data"]?["reminder_id"])
    for key in ["recipient", "next_attempt_at", "last_error"] { #expect(delivery[key] == .null) }
    #expect(try await box.json("deliveries", "--state", "dead") == .array([]))
    #expect(try await box.json("deliveries", "--state", "delivered", "-n", "1").elements?.count == 1)
  }

  @Test("sinks and import print an array, and so does everything that finds nothing")
  func otherArrays() async throws {
    let sinks = try #require(try await box.json("sinks").elements)
    #expect(sinks.map { $0["name"] } == [.text("out")])
    for command in ["show", "lists", "pending", "deliveries"] { #expect(try await box.json(command) == .array([])) }
    try box.write(
      #"<plist version="1.0"><array><string>Milk</string><string>Eggs</string></array></plist>"#, to: "a.plist")
    let imported = try #require(try await box.json("import", "a.plist").elements)
    #expect(Shape.item.faults(in: imported) == [])
    #expect(imported.map { $0["text"] } == [.text("Milk"), .text("Eggs")])
  }

  @Test("--json keeps messages off standard output, for texts of any kind")
  func texts() async throws {
    let texts = [
      #"quotes " and \ backslashes"#, "emoji 🛒👩‍👩‍👧", "combining e\u{301} and \u{e9}", "\u{202e}bidi", "-- dashes",
      "🇨🇭", "\u{feff}bom", "</script>&amp;", "a\u{200b}b", String(repeating: "long ", count: 20_000),
    ]
    for text in texts {
      let item = try await box.run([Programs.belfry, "add", "--json", "--", text], RunOptions())
      #expect(item.isDone, "\(item)")
      let kept = try #require(try item.json["text"]?.text)
      #expect(Array(kept.utf8) == Array(text.trimmingCharacters(in: .whitespaces).utf8))
    }
    let shown = try #require(try await box.json("show").elements)
    #expect(shown.count == texts.count)
  }
}
