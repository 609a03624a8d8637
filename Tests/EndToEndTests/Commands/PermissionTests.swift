import Foundation
import Testing

@Suite("Missing permission ends with 77")
struct PermissionTests {
  // Permissions do not bind root, which often runs tests, so the program runs without the capabilities to override
  // them.
  static let bound: [String] =
    geteuid() == 0 ? [Programs.setpriv, "--bounding-set", "-dac_override,-dac_read_search", "--"] : []

  let box: Sandbox

  init() throws { box = try Sandbox(config: "store: { type: sqlite, path: data/store.sqlite }\n") }

  @Test("a folder that may not be written to: no store is made")
  func folder() async throws {
    try await box.run(["/bin/mkdir", "data"], RunOptions()).requireDone()
    chmod(box.path("data"), 0o555)
    let outcome = try await bound("add", "x")
    #expect(outcome.status == 77, "\(outcome)")
    #expect(outcome.messages.contains("data"), "\(outcome)")
    #expect(box.files(in: "data") == [])
    let daemon = try await bound("run", "--once")
    #expect(daemon.status == 77, "\(daemon)")
    let shown = try await bound("show", "--json")
    #expect(shown.isDone && shown.output == "[]\n", "\(shown)")
  }

  @Test("a folder above that may not be written to")
  func parent() async throws {
    try await box.run(["/bin/mkdir", "sealed"], RunOptions()).requireDone()
    chmod(box.path("sealed"), 0o555)
    try box.write("store: { type: sqlite, path: sealed/deep/store.sqlite }\n", to: "belfry.yaml")
    let outcome = try await bound("add", "x")
    #expect(outcome.status == 77, "\(outcome)")
    let config = try await bound("init", "--config", "sealed/deep/config.yaml")
    #expect(config.status == 77 && config.messages.contains("sealed/deep"), "\(config)")
    #expect(box.files(in: "sealed") == [])
  }

  @Test("calendars that may only be read: no state is made")
  func calendars() async throws {
    try box.write("store: { type: vdir, path: calendars }\n", to: "belfry.yaml")
    try FileManager.default.createDirectory(atPath: box.path("calendars/Work"), withIntermediateDirectories: true)
    chmod(box.path("calendars"), 0o555)
    for words in [["show"], ["add", "x"], ["run", "--once"]] {
      let outcome = try await box.run([Programs.belfry] + words, RunOptions(prefix: Self.bound))
      #expect(outcome.status == 77 && outcome.messages.contains("calendars cannot be written"), "\(outcome)")
    }
    #expect(box.files(in: "home/state/belfry/vdir") == [])
  }

  @Test("calendars whose state may only be read: each command that shows times says that they are old")
  func stateOfCalendars() async throws {
    try box.write("store: { type: vdir, path: calendars, state: state }\n", to: "belfry.yaml")
    try await box.json("add", "Milk", "-l", "Work", "--due", "2096-12-24 09:00", "--create")
    let files = box.files(in: "state")
    for file in files { chmod(box.path("state/\(file)"), 0o444) }
    chmod(box.path("state"), 0o555)
    defer { chmod(box.path("state"), 0o755) }
    let name = try #require(box.files(in: "calendars/work").first { $0.hasSuffix(".ics") })
    let text = box.text("calendars/work/\(name)").replacing("T0900", with: "T1000")
    try box.write(text, to: "calendars/work/\(name)")
    for words in [["show"], ["pending"], ["lists"], ["explain", "1"], ["agenda"], ["plan"]] {
      let outcome = try await box.run([Programs.belfry] + words, RunOptions(prefix: Self.bound))
      #expect(outcome.isDone && outcome.messages.contains("since is not shown"), "\(outcome)")
    }
  }

  @Test("a store in a folder that has become read-only is refused for changes and stays as it is")
  func sealedFolder() async throws {
    try await box.json("add", "Milk", "--due", "2096-12-24 09:00")
    let files = ["store.sqlite", "store.sqlite-wal", "store.sqlite-shm"].map { "data/\($0)" }
    for file in files { chmod(box.path(file), 0o444) }
    chmod(box.path("data"), 0o555)
    let before = box.data(files[0]) + box.data(files[1])
    for words in [["add", "x"], ["check", "1"], ["delete", "1"], ["list", "create", "Work"], ["run", "--once"]] {
      let outcome = try await box.run([Programs.belfry] + words, RunOptions(prefix: Self.bound))
      #expect(outcome.status == 77, "\(outcome)")
      #expect(outcome.messages.contains("store.sqlite"), "\(outcome)")
    }
    #expect(box.data(files[0]) + box.data(files[1]) == before)
    let shown = try await bound("show", "--json")
    #expect(shown.isDone || shown.status == 77, "\(shown)")
    if shown.isDone { #expect(try shown.elements.count == 1) }
    chmod(box.path("data"), 0o755)
    for file in files { chmod(box.path(file), 0o600) }
    #expect(try await box.ids("show") == [1])
  }

  @Test("a store that may not be read", arguments: [["show"], ["add", "x"], ["run", "--once"]])
  func unreadable(command: [String]) async throws {
    try await box.json("add", "Milk")
    chmod(box.path("data/store.sqlite"), 0)
    let outcome = try await box.run([Programs.belfry] + command, RunOptions(prefix: Self.bound))
    #expect(outcome.status == 77, "\(outcome)")
    #expect(outcome.messages.contains("store.sqlite"), "\(outcome)")
  }

  @Test("a store in a folder that may not be entered is not taken for an empty one")
  func closedFolder() async throws {
    try await box.json("add", "Milk")
    let target = try Sandbox()
    try await target.json("add", "Bread")
    chmod(box.path("data"), 0)
    defer { chmod(box.path("data"), 0o700) }
    let copy = ["store", "copy", "--to", target.path("belfry.yaml"), "--force"]
    for words in [["show"], ["export"], ["store", "check"], ["store", "info"], ["add", "x"], copy] {
      let outcome = try await box.run([Programs.belfry] + words, RunOptions(prefix: Self.bound))
      #expect(outcome.status == 77, "\(outcome)")
      #expect(outcome.messages.contains("store.sqlite") && outcome.output.isEmpty, "\(outcome)")
    }
    #expect(try await target.ids("show") == [1])
  }

  @Test("in a read-only folder a store without a log is read, and one with a log is refused with the reason")
  func sealedWithoutLog() async throws {
    try await box.json("add", "Milk")
    let emptied = try await box.python(
      "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('PRAGMA wal_checkpoint(TRUNCATE)')",
      [box.path("data/store.sqlite")])
    try #require(emptied.isDone)
    for suffix in ["-wal", "-shm"] { unlink(box.path("data/store.sqlite\(suffix)")) }
    chmod(box.path("data/store.sqlite"), 0o444)
    chmod(box.path("data"), 0o555)
    #expect(try await bound("show", "--json").elements.count == 1)
    #expect(try await bound("store", "check").isDone)
    #expect(try await bound("add", "x").status == 77)
    #expect(box.files(in: "data") == ["store.sqlite"])

    chmod(box.path("data"), 0o755)
    try await box.json("add", "Bread")
    unlink(box.path("data/store.sqlite-shm"))
    for suffix in ["", "-wal"] { chmod(box.path("data/store.sqlite\(suffix)"), 0o444) }
    chmod(box.path("data"), 0o555)
    let shown = try await bound("show")
    #expect(shown.status == 77 && shown.messages.contains("store.sqlite-shm"), "\(shown)")
  }

  @Test("a store that may only be read can be shown, not changed")
  func readOnlyFile() async throws {
    try await box.json("add", "Milk")
    for suffix in ["", "-wal", "-shm"] { chmod(box.path("data/store.sqlite" + suffix), 0o444) }
    let outcome = try await bound("add", "x")
    #expect(outcome.status == 77, "\(outcome)")
    let shown = try await bound("show", "--json")
    #expect(shown.isDone || shown.status == 77, "\(shown)")
  }

  @Test("a config that may not be read")
  func config() async throws {
    chmod(box.path("belfry.yaml"), 0)
    for command in ["show", "run"] {
      let outcome = try await bound(command)
      #expect(outcome.status == 77, "\(outcome)")
      #expect(outcome.messages.contains("belfry.yaml"), "\(outcome)")
    }
  }

  @Test("a file to import that may not be read")
  func importFile() async throws {
    try box.write("<plist version=\"1.0\"><array><string>Milk</string></array></plist>", to: "a.plist")
    chmod(box.path("a.plist"), 0)
    let outcome = try await bound("import", "a.plist")
    #expect(outcome.status == 77, "\(outcome)")
    #expect(outcome.messages.contains("a.plist"), "\(outcome)")
  }

  private func bound(_ words: String...) async throws -> Outcome {
    try await box.run([Programs.belfry] + words, RunOptions(prefix: Self.bound))
  }
}

extension Outcome {
  /// Ends the test if a preparing program failed.
  func requireDone() throws { try #require(isDone, "\(self)") }
}
