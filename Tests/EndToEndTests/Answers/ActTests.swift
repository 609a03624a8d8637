import Foundation
import Testing

@Suite("belfry act")
struct ActTests {
  static let config = """
    categories:
      shopping:
        actions:
          - { identifier: ok, title: "OK", do: none }
          - { identifier: done, title: "Done", do: check }
          - { identifier: later, title: "Later", do: snooze, for: 1h }
          - { identifier: trash, title: "Throw away", do: clear_list, destructive: true }

    """

  let box: Sandbox
  let reminder: String

  init() async throws {
    box = try Sandbox(config: Sandbox.defaultConfig + Self.config)
    for text in ["Milk", "Bread"] {
      try await box.json("add", text, "--due", "2096-11-21 09:00", "--category", "shopping")
    }
    let pending = try #require(try await box.json("pending").elements)
    reminder = try #require(pending.first { $0["item_id"] == .integer(1) }?["reminder_id"]?.text)
  }

  @Test("an action done twice changes nothing the second time")
  func twice() async throws {
    #expect(try await box.belfry("act", reminder, "ok").isDone)
    #expect(try await box.ids("show") == [1, 2])
    #expect(try await box.belfry("act", reminder, "later").isDone)
    let snoozed = try await box.json("pending").elements?.count
    #expect(try await box.belfry("act", reminder, "later").isDone)
    #expect(try await box.json("pending").elements?.count == snoozed)
  }

  @Test("a reminder that is cancelled is refused: 65")
  func cancelled() async throws {
    #expect(try await box.belfry("act", reminder, "done").isDone)
    #expect(try await box.ids("show") == [2])
    let outcome = try await box.belfry("act", reminder, "later")
    #expect(outcome.status == 65, "\(outcome)")
    #expect(try await box.ids("show") == [2])
  }

  @Test("'do: edit' opens the item's form on a terminal, names the command elsewhere, and is no answer either way")
  func edit() async throws {
    let editing = Self.config.replacing(
      "later, title: \"Later\", do: snooze, for: 1h", with: "edit, title: \"Edit\", do: edit")
    try box.write(Sandbox.defaultConfig + editing, to: "belfry.yaml")
    let named = try await box.belfry("act", reminder, "edit")
    #expect(named.isDone && named.messages.contains("'belfry edit 1' edits it."), "\(named)")
    try await box.json("list", "remind", "Inbox", "--at", "2096-11-22 09:00", "--category", "shopping")
    let pending = try #require(try await box.json("pending").elements)
    let ofList = try #require(pending.first { $0["item_id"] == .null }?["reminder_id"]?.text)
    let list = try await box.belfry("act", ofList, "edit")
    #expect(list.isDone && list.messages.hasPrefix("A list as a whole does not open in an editor: "), "\(list)")
    #expect(list.messages.contains("'belfry show -l Inbox' shows its items, 'belfry edit ID' edits one, "), "\(list)")
    #expect(list.messages.contains("'belfry add TEXT -l Inbox' adds one."), "\(list)")
    let other = try await box.belfry("act", "7", "edit")
    #expect(other.status == 64 && other.messages.contains("'belfry deliveries --json' shows"), "\(other)")
    try box.write("sed -i 's/^text:.*/text: Oat milk/' \"$1\"\n", to: "editor")
    var options = RunOptions()
    options.environment = ["EDITOR": "/bin/sh " + box.path("editor")]
    let opened = try await box.shell("script -qec \"$BELFRY act \(reminder) edit\" /dev/null", options: options)
    #expect(opened.isDone, "\(opened)")
    #expect(try await box.json("show").elements?.compactMap { $0["text"]?.text } == ["Oat milk", "Bread"])
    #expect(try await box.json("answers").elements?.isEmpty == true)
  }

  @Test("destructive commands need --force without a terminal: 64")
  func destructive() async throws {
    // The reminder of the last item: an item added after a reminder must not be deleted with it.
    let pending = try #require(try await box.json("pending").elements)
    let reminder = try #require(pending.first { $0["item_id"] == .integer(2) }?["reminder_id"]?.text)
    let refused = try await box.belfry("act", reminder, "trash")
    #expect(refused.status == 64, "\(refused)")
    #expect(refused.messages.contains("--force"), "\(refused)")
    #expect(try await box.ids("show", "--all") == [1, 2])
    let done = try await box.belfry("act", reminder, "trash", "--force")
    #expect(done.isDone, "\(done)")
    let left = try await box.ids("show", "--all")
    #expect(left == [], "\(done)")
  }

  @Test(
    "no such reminder, no such action: 66; no identity at all: 64",
    arguments: [
      ("6ba7b810-9dad-11d1-80b4-00c04fd430c8", "ok", 66), ("", "nothing", 66), ("milk", "ok", 64),
    ] as [(String, String, Int32)])
  func unknown(identity: String, action: String, status: Int32) async throws {
    let outcome = try await box.belfry("act", identity.isEmpty ? reminder : identity, action)
    #expect(outcome.status == status, "\(outcome)")
  }
}
