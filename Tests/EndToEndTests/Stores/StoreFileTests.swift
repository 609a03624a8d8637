import Foundation
import Testing

@Suite("Store files that cannot be used")
struct StoreFileTests {
  static let commands = [
    ["show"], ["add", "x"], ["check", "1"], ["lists", "--json"], ["pending"], ["run", "--once"],
  ]

  /// Ways to damage a store, in Python with its `path`.
  static let damages = [
    "empty": "open(path, 'w').close()",
    "all NUL": "n = os.path.getsize(path); open(path, 'wb').write(bytes(n))",
    "a text": "open(path, 'w').write('shopping: milk\\n' * 500)",
    "cut in its header": "os.truncate(path, 50)",
    "cut after its header": "os.truncate(path, 100)",
    "cut in the middle": "os.truncate(path, os.path.getsize(path) // 2)",
    "cut inside a page": "os.truncate(path, os.path.getsize(path) - 1000)",
    "of another program":
      "os.remove(path); c = sqlite3.connect(path); c.execute('CREATE TABLE bookmarks (url)'); c.commit(); c.close()",
    "of a newer version": "c = sqlite3.connect(path); c.execute('PRAGMA user_version = 99'); c.commit(); c.close()",
    "noise after a sound header":
      "b = bytearray(open(path, 'rb').read()); b[100:] = b'\\xaa' * (len(b) - 100); open(path, 'wb').write(b)",
  ]

  @Test(
    "a store that is damaged, foreign or newer is refused by name and left as it is",
    arguments: damages.keys.sorted())
  func refused(damage: String) async throws {
    let box = try await boxWithPlainStore()
    try await spoil(box, try #require(Self.damages[damage]))
    let before = box.data("store.sqlite")
    for command in Self.commands {
      let outcome = try await box.run([Programs.belfry] + command, RunOptions())
      #expect(outcome.status == 74, "\(outcome)")
      #expect(outcome.messages.contains("store.sqlite"), "\(outcome)")
      #expect(outcome.output.isEmpty, "\(outcome)")
      #expect(box.data("store.sqlite") == before, "\(command) changed the file")
    }
  }

  @Test("a page of noise anywhere is refused or does not matter; nothing crashes and nothing is made up")
  func noisyPages() async throws {
    let box = try await boxWithPlainStore()
    let sound = box.data("store.sqlite")
    let items = try await box.json("show", "--all")
    let pages = sound.count / 4_096
    #expect(pages > 5)
    for page in 1..<pages {
      var noisy = sound
      noisy.replaceSubrange(page * 4_096..<(page + 1) * 4_096, with: [UInt8](repeating: 0x5a, count: 4_096))
      for suffix in ["-wal", "-shm"] { unlink(box.store + suffix) }
      try box.write(noisy, to: "store.sqlite")
      let shown = try await box.belfry("show", "--all", "--json")
      #expect([0, 74].contains(shown.status), "page \(page): \(shown)")
      if shown.isDone { #expect(try shown.json == items, "page \(page): \(shown)") }
      let added = try await box.belfry("add", "Bread", "--due", "2096-12-24 09:00")
      #expect([0, 74].contains(added.status), "page \(page): \(added)")
    }
  }

  @Test("the message about a newer store says what to do, and a newer Belfry's data stays readable to it")
  func newer() async throws {
    let box = try await boxWithPlainStore()
    try await spoil(box, try #require(Self.damages["of a newer version"]))
    let outcome = try await box.belfry("show")
    #expect(outcome.messages.contains("newer"), "\(outcome)")
    let version = try await box.python(
      "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute('PRAGMA user_version').fetchone()[0])",
      [box.store])
    #expect(version.output == "99\n")
  }

  @Test("a store that cannot be made: 73", arguments: ["file", "/proc/belfry"])
  func cannotCreate(path: String) async throws {
    let box = try Sandbox(config: "store: { type: sqlite, path: \(path)/store.sqlite }")
    try box.write("a file, not a folder", to: "file")
    let outcome = try await box.belfry("add", "x")
    #expect(outcome.status == 73, "\(outcome)")
    #expect(outcome.messages.contains(path), "\(outcome)")
    #expect(box.text("file") == "a file, not a folder")
  }

  @Test("a folder in the store's place is refused")
  func folder() async throws {
    let box = try Sandbox()
    try FileManager.default.createDirectory(atPath: box.store, withIntermediateDirectories: false)
    for command in Self.commands {
      let outcome = try await box.run([Programs.belfry] + command, RunOptions())
      #expect([73, 74].contains(outcome.status), "\(outcome)")
      #expect(outcome.messages.contains("store.sqlite"), "\(outcome)")
    }
  }

  @Test("reading makes no store, and the first change makes one for its owner alone")
  func firstUse() async throws {
    let box = try Sandbox()
    for command in ["show", "lists", "pending", "deliveries"] {
      let outcome = try await box.belfry(command)
      #expect(outcome.isDone, "\(outcome)")
    }
    #expect(box.files() == ["home", "belfry.yaml"])
    try await box.json("add", "Milk")
    let attributes = try FileManager.default.attributesOfItem(atPath: box.store)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(box.files().filter { $0.contains(".new") } == [])
  }

  @Test("a store behind a symbolic link is the store that the link leads to")
  func symbolicLink() async throws {
    let box = try Sandbox()
    try await box.json("add", "Milk")
    try FileManager.default.createSymbolicLink(atPath: box.path("other.sqlite"), withDestinationPath: "store.sqlite")
    try box.write("store: { type: sqlite, path: other.sqlite }\n", to: "other.yaml")
    #expect(try await box.ids("show", "--config", "other.yaml") == [1])
    #expect(try await box.json("add", "Bread", "--config", "other.yaml")["id"] == .integer(2))
    #expect(try await box.ids("show") == [1, 2])
  }

  @Test("the last write is told as so long ago; a store that was emptied is copied onto without a question")
  func emptied() async throws {
    let box = try Sandbox()
    try await box.json("add", "Milk")
    try await box.belfry("list", "delete", "Inbox", "--force").requireDone()
    var times = [timespec(tv_sec: time(nil) - 11 * 86_400, tv_nsec: 0), timespec()]
    times[1] = times[0]
    for suffix in ["", "-wal"] { #expect(utimensat(AT_FDCWD, box.store + suffix, &times, 0) == 0) }
    let info = try await box.belfry("store", "info")
    #expect(info.output.contains(", 11 days ago\n"), "\(info)")
    let source = try Sandbox()
    try await source.json("add", "Bread")
    try await source.belfry("store", "copy", "--to", box.path("belfry.yaml")).requireDone()
    #expect(try await box.ids("show") == [1])
    let second = try await source.belfry("store", "copy", "--to", box.path("belfry.yaml"))
    #expect(second.status == 64 && second.messages.contains("holds 1 item"), "\(second)")
  }

  @Test("a copy beside the source's daemon needs --force; a copy says what comes next", arguments: ["sqlite", "json"])
  func besideDaemon(type: String) async throws {
    let box = try Sandbox(config: "store: { type: \(type), path: source }\nsinks: { out: { type: stdout } }\n")
    try box.write(Sandbox.defaultConfig, to: "other.yaml")
    try await box.json("add", "Milk")
    let daemon = try await box.daemon()
    let refused = try await box.belfry("store", "copy", "--to", "other.yaml")
    #expect(refused.status == 64 && refused.messages.contains("rings from"), "\(refused)")
    #expect(refused.messages.contains("--force"), "\(refused)")
    #expect(try await box.json("show", "--config", "other.yaml") == .array([]))
    let forced = try await box.belfry("store", "copy", "--to", "other.yaml", "--force")
    #expect(forced.isDone && forced.messages.contains("Next: stop belfryd (process"), "\(forced)")
    #expect(await daemon.stop().end == .exited(0))
    try await box.belfry("list", "delete", "Inbox", "--force", "--config", "other.yaml").requireDone()
    let copied = try await box.belfry("store", "copy", "--to", "other.yaml")
    #expect(copied.isDone && copied.messages.contains("belfry run --config other.yaml"), "\(copied)")
    #expect(try await box.ids("show", "--config", "other.yaml") == [1])
  }

  @Test("a creation that is killed leaves nothing behind once the next command has made the store")
  func killedCreation() async throws {
    let box = try Sandbox()
    for number in 1...8 {
      let options = RunOptions(prefix: [
        "/usr/bin/strace", "-f", "-qq", "-o", box.path("trace"), "-e", "trace=fdatasync,fsync,link,linkat",
        "-e", "inject=fdatasync:signal=KILL:when=\(number)",
      ])
      _ = try await box.run([Programs.belfry, "add", "One"], options)
      if FileManager.default.fileExists(atPath: box.store) { break }
      #expect(box.files().contains { $0.contains(".new-") }, "killed at \(number)")
    }
    try await box.json("add", "Two")
    #expect(box.files().filter { $0.contains(".new-") } == [])
  }

  // All content is in the one file, so that only the damage matters.
  private func boxWithPlainStore() async throws -> Sandbox {
    let box = try Sandbox()
    try await box.json("add", "Milk", "-l", "Groceries", "--create", "--due", "2096-12-24 09:00", "--notes", "fresh")
    try await box.json("add", "Call Anna", "--due", "2096-12-25 09:00")
    try await spoil(box, "c = sqlite3.connect(path); c.execute('PRAGMA wal_checkpoint(TRUNCATE)'); c.close()")
    for suffix in ["-wal", "-shm"] { unlink(box.store + suffix) }
    return box
  }

  private func spoil(_ box: Sandbox, _ program: String) async throws {
    let outcome = try await box.python("import os, sqlite3, sys\npath = sys.argv[1]\n" + program, [box.store])
    try #require(outcome.isDone, "\(outcome)")
    if program.contains("user_version") || program.contains("CREATE TABLE") {
      for suffix in ["-wal", "-shm"] { unlink(box.store + suffix) }
    }
  }
}
