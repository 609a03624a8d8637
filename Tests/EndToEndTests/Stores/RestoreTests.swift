import Foundation
import Testing
import TestSupport

@Suite("Going back to a copy of a store")
struct RestoreTests {
  static let types = ["sqlite", "json", "plist"]

  @Test("restore goes back to the last good copy and keeps what it replaces", arguments: types)
  func restored(type: String) async throws {
    let box = try Sandbox(config: "store: { type: \(type), path: source }\nsinks: { out: { type: stdout } }\n")
    #expect(try await box.belfry("store", "restore").status == 66)
    try await box.json("add", "Milk")
    let daemon = try await box.daemon()
    let beside = try await box.belfry("store", "restore", "--force")
    #expect(beside.status == 75 && beside.messages.contains("belfryd (process"), "\(beside)")
    #expect(beside.messages.contains("stop it first: kill \(daemon.process.pid)\n"), "\(beside)")
    let service = try await box.putServiceManager(running: daemon.process.pid)
    let managed = try await box.belfry("store", "restore", "--force", options: service)
    #expect(managed.messages.contains("stop it first: systemctl --user stop belfry\n"), "\(managed)")
    #expect(await daemon.stop().end == .exited(0))
    try await box.belfry("run", "--once").requireDone()
    try await box.json("add", "Bread")
    let onto = try await box.belfry("store", "restore")
    #expect(onto.status == 64 && onto.messages.contains("--force"), "\(onto)")
    #expect(try await box.ids("show") == [1, 2])
    try box.write("broken", to: "source")
    #expect(try await box.belfry("show").status == 74)
    let restored = try await box.belfry("store", "restore")
    #expect(restored.isDone && restored.messages.contains("source.replaced"), "\(restored)")
    #expect(try await box.ids("show") == [1])
    #expect(box.text("source.replaced") == "broken")
    try await box.belfry("store", "check").requireDone()
    try FileManager.default.removeItem(atPath: box.path("source"))
    for suffix in ["-wal", "-shm"] { unlink(box.path("source\(suffix)")) }
    #expect(try await box.json("store", "restore")["replaced"] == .null)
    #expect(try await box.ids("show") == [1])
  }

  @Test("a file that is restored is checked first, and may have its own log", arguments: types)
  func restoredFile(type: String) async throws {
    let box = try Sandbox(config: "store: { type: \(type), path: source }\nsinks: { out: { type: stdout } }\n")
    try box.write("store: { type: \(type), path: other }\n", to: "other.yaml")
    try await box.json("add", "Milk", "--config", "other.yaml")
    try await box.json("add", "Bread", "--config", "other.yaml")
    try await box.json("add", "Eggs")
    try box.write("broken", to: "bad")
    for (file, status) in [("bad", 65), ("none", 66), (".", 74)] as [(String, Int32)] {
      let refused = try await box.belfry("store", "restore", "--force", file)
      #expect(refused.status == status && refused.messages.contains(file), "\(refused)")
      #expect(try await box.ids("show") == [1])
    }
    // Missing files are reported before any question.
    #expect(try await box.belfry("store", "restore", "none").status == 66)
    let restored = try await box.json("store", "restore", "--force", "other")
    #expect(restored["items"] == .integer(2) && restored["replaced"] == .text(box.path("source.replaced")))
    #expect(try await box.ids("show") == [1, 2])
    #expect(try await box.ids("show", "--config", "other.yaml") == [1, 2])
    try await box.json("add", "Salt")
    // The way back, to a file whose log went with it.
    #expect(try await box.json("store", "restore", "--force", "source.replaced")["items"] == .integer(1))
    #expect(box.files().isSuperset(of: ["source.replaced", "source.replaced-2"]))
    #expect(try await box.json("show").elements?.map { $0["text"] } == [.text("Eggs")])
  }

  @Test("a store that is no file is not restored from one")
  func restoredFolder() async throws {
    let box = try Sandbox(config: "store: { type: vdir, path: source }\n")
    let refused = try await box.belfry("store", "restore")
    #expect(refused.status == 64 && refused.messages.contains("of type vdir"), "\(refused)")
  }

  private func box(_ type: String) throws -> Sandbox {
    try Sandbox(config: "store: { type: \(type), path: source }\nsinks: { out: { type: stdout, format: json } }\n")
  }

  private func copy(_ box: Sandbox) throws {
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: box.path("source\(suffix)")) {
      try box.write(box.data("source\(suffix)"), to: "copy\(suffix)")
    }
  }

  @Test("a number that was given after the copy is not given again", arguments: types)
  func numbers(type: String) async throws {
    let box = try box(type)
    try await box.json("add", "Milk")
    try copy(box)
    try await box.json("add", "Bread", "-l", "Work", "--create")
    try await box.json("add", "Eggs")
    try await box.belfry("delete", "2", "3").requireDone()
    let restored = try await box.json("store", "restore", "--force", "copy")
    #expect(restored["next_id"] == .integer(4) && restored["numbers_known"] == .bool(true), "\(restored)")
    #expect(try await box.ids("show") == [1])
    #expect(try await box.json("add", "Salt")["id"] == .integer(4))
    #expect(try await box.json("list", "create", "Home").elements?.first?["id"] == .integer(3))
    try await box.belfry("store", "check").requireDone()
  }

  @Test("what rang after the copy does not ring again, and goes on from there", arguments: types)
  func rings(type: String) async throws {
    let box = try box(type)
    for (text, options) in [
      ("Once", []), ("Daily", ["--repeat", "daily"]), ("Nagging", ["--nag", "30m"]), ("Later", []),
    ] as [(String, [String])] {
      let due = text == "Later" ? "11:00" : "09:00"
      let words = [try Programs.belfry, "add", text, "--due", due] + options
      try await box.run(words, .at("2026-11-21 08:00:00")).requireDone()
    }
    try copy(box)
    #expect(try await box.runOnce(at: "2026-11-21 09:00:01").count == 3)
    #expect(try await box.runOnce(at: "2026-11-21 09:31:00").count == 1)
    let deliveries = try await box.json("deliveries")
    try await box.json("add", "Lost", "--due", "09:45", at: "2026-11-21 09:40:00")
    #expect(try await box.runOnce(at: "2026-11-21 09:45:01").count == 1)
    let restored = try await box.belfry(
      "store", "restore", "--force", "copy", "--json", options: .at("2026-11-21 09:50:00"))
    #expect(try restored.json["reminders_fired_since"] == .integer(4), "\(restored)")
    #expect(try restored.json["reminders_known"] == .bool(true), "\(restored)")
    #expect(try await box.runOnce(at: "2026-11-21 09:55:00") == [])
    // The deliveries are kept, also that of a deleted item.
    let kept = try #require(try await box.json("deliveries").elements)
    #expect(Set(kept.map { $0["id"] }).isSuperset(of: try #require(deliveries.elements).map { $0["id"] }))
    #expect(kept.count == 5 && kept.allSatisfy { $0["state"] == .text("delivered") }, "\(kept)")
    func texts(at time: String) async throws -> [String] {
      try await box.runOnce(at: time).compactMap { $0["data"]?["alert"]?["body"]?.text }.sorted()
    }
    #expect(try await texts(at: "2026-11-21 10:01:00") == ["Nagging"])
    try await box.json("check", "3", at: "2026-11-21 10:02:00")
    #expect(try await texts(at: "2026-11-21 11:00:01") == ["Later"])
    #expect(try await texts(at: "2026-11-22 09:00:01") == ["Daily"])
    #expect(try await box.json("add", "Salt")["id"] == .integer(6))
  }

  @Test("a delivery that was still to be made is made, with its identity", arguments: types)
  func pendingDelivery(type: String) async throws {
    let box = try Sandbox(
      config: "store: { type: \(type), path: source }\nsinks: { web: { type: webhook, url: 'http://127.0.0.1:1/' } }\n")
    try await box.json("add", "Milk", "--due", "09:00", at: "2026-11-21 08:00:00")
    try copy(box)
    #expect(try await box.belfry("run", "--once", options: .at("2026-11-21 09:00:01")).status == 75)
    let before = try #require(try await box.json("deliveries").elements?.first)
    #expect(before["state"] == .text("pending"), "\(before)")
    let restored = try await box.belfry("store", "restore", "--force", "copy", options: .at("2026-11-21 09:10:00"))
    #expect(restored.isDone && restored.messages.contains("will not ring again"), "\(restored)")
    #expect(try await box.json("deliveries").elements?.first == before)
  }

  @Test("the README, the page and the command's help make the exception that the command makes")
  func exception() async throws {
    let box = try box("json")
    try await box.json("add", "Milk")
    try copy(box)
    try FileManager.default.removeItem(atPath: box.path("source"))
    let restored = try await box.belfry("store", "restore", "copy")
    #expect(restored.messages.contains("they may be given again"), "\(restored)")
    let help = try await box.belfry("help", "store", "restore").output.split(whereSeparator: \.isWhitespace)
    #expect(help.joined(separator: " ").contains("the numbers given after the copy was made may be given again"))
    for page in ["README.md", "Sources/BelfryEngine/BelfryEngine.docc/Concepts.md"] {
      let words = try Checkout.text(page).split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains("given after the copy was made may be given again"), "\(page)")
    }
  }

  @Test("what came due and did not ring rings late", arguments: types)
  func late(type: String) async throws {
    let box = try box(type)
    try await box.json("add", "Milk", "--due", "09:00", at: "2026-11-21 08:00:00")
    try copy(box)
    try await box.json("check", "1", at: "2026-11-21 08:30:00")
    try await box.json("store", "restore", "--force", "copy", at: "2026-11-21 10:00:00")
    #expect(try await box.runOnce(at: "2026-11-21 10:01:00").count == 1)
  }

  /// Ways to damage a store, in Python with its `path`, that leave its next number readable.
  static let readable = ["cut at its end", "noise at its end"]
  static let damages = [
    "cut at its end": "os.truncate(path, os.path.getsize(path) - 40)",
    "noise at its end": "b = bytearray(open(path, 'rb').read()); b[-60:] = b'\\xaa' * 60; open(path, 'wb').write(b)",
    "noise at its start":
      "b = bytearray(open(path, 'rb').read()); b[:4000] = b'\\xaa' * 4000; open(path, 'wb').write(b)",
    "gone": "os.remove(path)",
  ]

  @Test(
    "of a damaged store the numbers are taken that can be read; what cannot be is said",
    arguments: types, damages.keys.sorted())
  func damaged(type: String, damage: String) async throws {
    let box = try box(type)
    for number in 1...3 { try await box.json("add", "Item \(number)") }
    try copy(box)
    for number in 4...9 { try await box.json("add", "Item \(number)", "--notes", String(repeating: "x", count: 2_000)) }
    let spoil = """
      import os, sqlite3, sys
      path = sys.argv[1]
      if sys.argv[2] == 'sqlite':
        c = sqlite3.connect(path); c.execute('PRAGMA wal_checkpoint(TRUNCATE)'); c.close()
      for copy in (path + '.bak', path + '-wal', path + '-shm'):
        if os.path.exists(copy): os.remove(copy)

      """
    let spoilt = try await box.python(spoil + Self.damages[damage, default: ""], [box.path("source"), type])
    try #require(spoilt.isDone, "\(spoilt)")
    let restored = try await box.belfry("store", "restore", "--force", "copy")
    #expect(restored.isDone, "\(restored)")
    let isReadable = Self.readable.contains(damage)
    #expect(restored.messages.contains("may be given again") != isReadable, "\(restored)")
    #expect(try await box.json("add", "Next")["id"] == .integer(isReadable ? 10 : 4))
    try await box.belfry("store", "check").requireDone()
  }

  @Test("what stood in the last good copy counts where the store itself cannot be read", arguments: ["json", "plist"])
  func backup(type: String) async throws {
    let box = try box(type)
    try await box.json("add", "Milk")
    try copy(box)
    for number in 2...5 { try await box.json("add", "Item \(number)") }
    try box.write("broken", to: "source")
    try await box.belfry("store", "restore", "--force", "copy").requireDone()
    #expect(try await box.json("add", "Next")["id"] == .integer(5))
  }

  @Test("a copy of another store brings no rings and no deliveries along", arguments: types)
  func otherStore(type: String) async throws {
    let box = try box(type)
    try box.write(
      "store: { type: \(type), path: copy }\nsinks: { out: { type: stdout, format: json } }\n", to: "o.yaml")
    for options in [[], ["--config", "o.yaml"]] {
      let words = [try Programs.belfry, "add", "Milk", "--due", "09:00"] + options
      try await box.run(words, .at("2026-11-21 08:00:00")).requireDone()
    }
    #expect(try await box.runOnce(at: "2026-11-21 09:00:01").count == 1)
    let restored = try await box.belfry(
      "store", "restore", "--force", "copy", "--json", options: .at("2026-11-21 09:10:00"))
    #expect(try restored.json["reminders_fired_since"] == .integer(0), "\(restored)")
    #expect(try await box.json("deliveries") == .array([]))
    #expect(try await box.runOnce(at: "2026-11-21 09:11:00").count == 1)
    #expect(try await box.json("add", "Next")["id"] == .integer(2))
  }
}
