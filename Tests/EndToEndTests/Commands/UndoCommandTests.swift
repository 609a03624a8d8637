import Foundation
import Testing

@Suite("belfry undo")
struct UndoCommandTests {
  private func sandbox(_ store: String) throws -> Sandbox {
    try Sandbox(
      config: "store: { type: \(store), path: store.\(store) }\nsinks: { out: { type: stdout, format: json } }")
  }

  @Test(
    "says what it took back and what is now, makes it again, and goes back step by step",
    arguments: ["sqlite", "json", "plist"])
  func words(store: String) async throws {
    let box = try sandbox(store)
    try await box.json("add", "Milk", "--due", "2096-12-24 09:00")
    try await box.json("check", "1")
    let undone = try await box.belfry("undo")
    #expect(undone.isDone && undone.output.isEmpty, "\(undone)")
    for words in ["'belfry check'", "1 (Inbox): Milk", "rings Mon 24 Dec 2096 09:00", "--redo"] {
      #expect(undone.messages.contains(words), "\(words): \(undone)")
    }
    #expect(try await box.json("pending").elements?.count == 1)
    let redone = try await box.belfry("undo", "--redo")
    #expect(redone.isDone && redone.messages.contains("'belfry undo'"), "\(redone)")
    #expect(try await box.json("pending") == .array([]))
    #expect(try await box.json("show", "--checked").elements?.count == 1)
    #expect(try await box.belfry("undo", "--redo").status == 66)
    for command in ["check", "add"] {
      #expect(try await box.belfry("undo").messages.contains("'belfry \(command)'"))
    }
    #expect(try await box.json("show", "--all") == .array([]))
  }

  @Test("a deleted list comes back with everything under its numbers", arguments: ["sqlite", "json", "plist"])
  func deletedList(store: String) async throws {
    let box = try sandbox(store)
    for text in ["Milk", "Oats"] {
      try await box.json("add", text, "-l", "Groceries", "--create", "--due", "2096-12-24 09:00", "--notes", "a\nb")
    }
    try await box.json("list", "remind", "Groceries", "--at", "2096-12-23 09:00", "--repeat", "weekly")
    let before = [try await box.json("show"), try await box.json("lists"), try await box.json("pending")]
    #expect(try await box.belfry("list", "delete", "Groceries", "--force").isDone)
    let undone = try #require(try await box.json("undo").elements)
    #expect(undone.map { $0["fate"] } == Array(repeating: .text("restored"), count: 3))
    #expect(undone.map { $0["command"] } == Array(repeating: .text("list delete"), count: 3))
    #expect(undone.first?["list"]?["name"] == .text("Groceries"))
    #expect(undone.compactMap { $0["item"]?["id"]?.integer } == [1, 2])
    let after = [try await box.json("show"), try await box.json("lists"), try await box.json("pending")]
    #expect(Self.withoutUpdates(after) == Self.withoutUpdates(before))
    #expect(try await box.json("add", "Bread")["id"] == .integer(3))
    #expect(try await box.belfry("store", "check").isDone)
  }

  @Test("a change that cannot be undone is refused with the reason, and nothing changes")
  func refusals() async throws {
    let box = try sandbox("json")
    let nothing = try await box.belfry("undo")
    #expect(nothing.status == 66 && nothing.messages.contains("no change"), "\(nothing)")
    #expect(!box.files().contains("store.json"))
    try await box.json("add", "Milk", at: "2026-11-21 08:00:00")
    let late = try await box.belfry("undo", options: .at("2026-11-22 08:01:00"))
    #expect(late.status == 66 && late.messages.contains("a day old"), "\(late)")
    try await box.json("add", "Oats", "--due", "2096-12-24 09:00")
    let text = box.text("store.json").replacing("\"text\":\"Oats\"", with: "\"text\":\"Bread\"")
    try box.write(text, to: "store.json")
    let changed = try await box.belfry("undo")
    #expect(changed.status == 65 && changed.messages.contains("'Bread' was changed"), "\(changed)")
    #expect(try await box.json("show").elements?.compactMap { $0["text"]?.text } == ["Bread", "Milk"])
  }

  @Test("an import and an action of a reminder can be taken back")
  func otherCommands() async throws {
    let box = try Sandbox(
      config: """
        store: { type: sqlite, path: store.sqlite }
        categories: { shopping: { actions: [ { identifier: drop, title: Drop, do: delete_list } ] } }
        """)
    try box.write("<plist version=\"1.0\"><array><string>Milk</string></array></plist>", to: "list.plist")
    #expect(try await box.belfry("import", "list.plist", "-l", "Food", "--create").isDone)
    #expect(try await box.belfry("undo").isDone)
    #expect(try await box.json("lists") == .array([]))
    try await box.json("add", "Oats", "--due", "2096-12-24 09:00", "--category", "shopping")
    let reminder = try #require(try await box.json("pending").elements?.first?["reminder_id"]?.text)
    #expect(try await box.belfry("act", reminder, "drop", "--force").isDone)
    #expect(try await box.json("lists") == .array([]))
    let undone = try await box.belfry("undo")
    #expect(undone.isDone && undone.messages.contains("'belfry act'"), "\(undone)")
    #expect(try await box.json("pending").elements?.first?["reminder_id"]?.text == reminder)
  }

  @Test("the daemon rings what came back, and not what has rung")
  func daemon() async throws {
    let box = try sandbox("sqlite")
    try await box.json("add", "Rang", "--due", "09:00", at: "2026-11-21 08:00:00")
    try await box.json("add", "Comes", "--due", "09:30", at: "2026-11-21 08:00:00")
    #expect(try await box.runOnce(at: "2026-11-21 09:00:10").count == 1)
    let deleted = try await box.belfry("delete", "1", "2", options: .at("2026-11-21 09:01:00"))
    #expect(deleted.isDone, "\(deleted)")
    let undone = try await box.belfry("undo", options: .at("2026-11-21 09:02:00"))
    #expect(undone.isDone, "\(undone)")
    let rung = try await box.runOnce(at: "2026-11-21 09:30:10")
    #expect(rung.compactMap { $0["data"]?["alert"]?["body"]?.text } == ["Comes"])
  }

  @Test("deliveries sent since stay sent, and are reported")
  func sent() async throws {
    let box = try sandbox("sqlite")
    try await box.json("add", "Milk", "--due", "09:00", at: "2026-11-21 08:59:00")
    _ = try await box.runOnce(at: "2026-11-21 09:00:10")
    let undone = try await box.belfry("undo", options: .at("2026-11-21 09:01:00"))
    #expect(undone.isDone && undone.messages.contains("cannot be recalled"), "\(undone)")
    #expect(try await box.json("show") == .array([]))
  }

  private static func withoutUpdates(_ documents: [JSON]) -> [JSON] {
    documents.map { document in
      guard let elements = document.elements else { return document }
      return .array(
        elements.map { element in
          guard case .object(var members) = element else { return element }
          members["updated_at"] = nil
          return .object(members)
        })
    }
  }
}
