import Foundation
import Testing

@Suite("Standard output and standard error")
struct OutputTests {
  let box: Sandbox

  init() throws { box = try Sandbox() }

  @Test("without --json, commands that change print messages only, commands that show print data only")
  func separation() async throws {
    for words in [
      ["add", "Milk", "--due", "2096-12-24 09:00"], ["edit", "1", "--text", "Oat milk"], ["check", "1"],
      ["uncheck", "1"], ["list", "create", "Work"], ["list", "remind", "Work", "--at", "2096-12-24 09:00"],
    ] {
      let outcome = try await box.run([Programs.belfry] + words, RunOptions())
      #expect(outcome.isDone && outcome.output.isEmpty && !outcome.messages.isEmpty, "\(outcome)")
    }
    for words in [["show"], ["lists"], ["pending"], ["sinks"], ["config", "path"]] {
      let outcome = try await box.run([Programs.belfry] + words, RunOptions())
      #expect(outcome.isDone && !outcome.output.isEmpty && outcome.messages.isEmpty, "\(outcome)")
    }
  }

  @Test("a date that is already past is told at once")
  func past() async throws {
    let outcome = try await box.belfry("add", "Milk", "--due", "2020-01-01 09:00")
    #expect(outcome.isDone && outcome.messages.contains("past"), "\(outcome)")
    #expect(try await box.json("pending") == .array([]))
  }

  @Test("a ring ahead of a due date says when the item is due")
  func aheadOfDue() async throws {
    let at = "2026-11-21 08:00:00"
    try await box.json("add", "Call Anna", "--due", "sun 17:00", "--alert", "1h", "--alert", "0m", at: at)
    for words in [["agenda", "--days", "3"], ["plan"], ["pending"]] {
      let outcome = try await box.run([Programs.belfry] + words, .at(at))
      #expect(outcome.output.split(separator: "due tomorrow 17:00").count == 2, "\(outcome)")
    }
  }

  @Test("a nag is told as a repeat is")
  func nag() async throws {
    let added = try await box.belfry("add", "Pills", "--due", "2096-12-24 09:00", "--repeat", "daily", "--nag", "15m")
    #expect(added.messages.contains("  repeats daily\n  rings again every 15m until it is checked\n"), "\(added)")
    let edited = try await box.belfry("edit", "1", "--nag", "none")
    #expect(edited.isDone && !edited.messages.contains("again"), "\(edited)")
  }

  @Test("an alert and a nag that cannot ring without a due date are told at once")
  func neverDue() async throws {
    for words in [["--alert", "10m"], ["--nag", "15m"]] {
      let added = try await box.run([Programs.belfry, "add", "Milk"] + words, RunOptions())
      #expect(added.isDone && added.messages.contains("does not ring: it has no due date"), "\(added)")
    }
    let plain = try await box.belfry("add", "Milk")
    #expect(plain.messages == "Added 3 (Inbox): Milk\n")
  }

  @Test("colour only where it is asked for; overdue is a word as well")
  func colour() async throws {
    try await box.json("add", "Milk", "--due", "2020-01-01 09:00")
    let plain = try await box.belfry("show")
    #expect(plain.output.contains("overdue") && !plain.output.contains("\u{1b}"), "\(plain)")
    let always = try await box.belfry("show", "--color", "always")
    #expect(always.output.contains("\u{1b}[") && always.output.contains("overdue"), "\(always)")
    let terminal = "script -qec '\"$BELFRY\" show' /dev/null"
    #expect(try await box.shell(terminal).output.contains("\u{1b}["))
    let silenced = try await box.shell("NO_COLOR=1 " + terminal)
    #expect(silenced.isDone && !silenced.output.contains("\u{1b}["), "\(silenced)")
  }

  @Test("a reader that has had enough ends the command quietly, and the store is as it was")
  func head() async throws {
    let lines = (1...4_000).map { "item number \($0) with a text that fills pipes" }.joined(separator: "\n")
    let added = try await box.belfry("add", "-", options: .input(lines + "\n"))
    #expect(added.isDone, "\(added.end)")
    for command in ["show", "show --json", "lists --json"] {
      let outcome = try await box.shell(
        "set -o pipefail; \"$BELFRY\" \(command) | head -c 10; s=${PIPESTATUS[0]}; echo; echo $s")
      let status = outcome.output.split(separator: "\n").last.flatMap { Int32($0) }
      #expect(status == 0, "\(command): \(outcome)")
      #expect(outcome.messages.isEmpty, "\(command): \(outcome)")
    }
    let deleted = try await box.shell("\"$BELFRY\" delete {1..4000} --json | head -c 10; exit ${PIPESTATUS[0]}")
    #expect(deleted.status == 0, "\(deleted)")
    #expect(try await box.json("show") == .array([]))
  }

  @Test("show TEXT shows the items with these words in their text or notes, in any case, and -n counts these")
  func words() async throws {
    for text in ["Oat milk", "Bread", "MILK tea"] { try await box.json("add", text) }
    try await box.json("add", "Caf\u{e9}", "--notes", "with milk")
    let cases: [([String], [Int64])] = [
      (["milk"], [1, 3, 4]), (["Tea milk"], [3]), (["tea", "milk"], [3]), (["CAFE\u{301}"], [4]), (["water"], []),
      (["milk", "-n", "2"], [1, 3]), (["read", "-n", "1"], [2]), ([""], [1, 2, 3, 4]),
    ]
    for (words, ids) in cases {
      let shown = try await box.run([Programs.belfry, "show"] + words + ["--json"], RunOptions())
      #expect(try shown.elements.compactMap { $0["id"]?.integer } == ids, "\(words): \(shown)")
    }
    for words in [
      ["water"], ["--checked"], ["--overdue"], ["--due-before", "tomorrow"], ["-l", "Inbox", "water"],
      ["--tag", "phone"], ["--priority", "low"], ["--events"],
    ] {
      let none = try await box.run([Programs.belfry, "show"] + words, RunOptions())
      #expect(none.messages == "Nothing to show.\n", "\(none)")
    }
  }

  @Test("rings are told on the machine's clock, in order; a due date on another clock names it")
  func otherZones() async throws {
    for (text, due, zone) in [
      ("Here", "2096-12-24 13:30", "floating"), ("There", "2096-12-24 08:00", "America/New_York"),
      ("Named", "2096-12-24 13:00", Sandbox.zone),
    ] {
      try await box.json("add", text, "--due", due, "--time-zone", zone)
    }
    for command in [["pending"], ["plan", "--until", "2097-01-01"]] {
      let rings = try await box.run([Programs.belfry] + command, RunOptions())
      let times = rings.output.matches(of: #/2096 (\d\d:\d\d) +\d +(\w+)/#).map { "\($0.1) \($0.2)" }
      #expect(times == ["13:00 Named", "13:30 Here", "14:00 There"], "\(rings)")
    }
    let due = try await box.belfry("show")
    let times = due.output.matches(of: #/2096 (\d\d:\d\d(?: [A-Z]\S+\/\S+)?) /#).map { String($0.1) }
    #expect(times == ["13:00", "13:30", "08:00 America/New_York"], "\(due)")
  }

  @Test("a closed standard output or standard error crashes nothing and loses nothing")
  func closed() async throws {
    for (index, script) in [
      "\"$BELFRY\" add x >&-", "\"$BELFRY\" add x 2>&-", "\"$BELFRY\" add x <&- >&- 2>&-",
      "\"$BELFRY\" add x --json >&- 2>&-",
    ].enumerated() {
      let outcome = try await box.shell(script)
      // A change stays even if it cannot be shown; only output that cannot be printed may be reported.
      #expect(outcome.status == 0 || (outcome.status == 74 && script.contains("--json")), "\(script): \(outcome)")
      #expect(try await box.ids("show").count == index + 1)
    }
    #expect(try await box.shell("\"$BELFRY\" show >&-").status == 74)
    #expect(try await integrity(of: box) == "ok")
  }

  @Test(
    "messages that nobody can read crash nothing",
    arguments: ["show -n 0", "check 99", "add ''", "show --config none.yaml", "show", "run --once"])
  func fullMessages(command: String) async throws {
    for target in ["/dev/full", "&-"] {
      let seen = try await box.shell("\"$BELFRY\" \(command)")
      let unseen = try await box.shell("\"$BELFRY\" \(command) 2>\(target)")
      #expect(unseen.end == seen.end, "2>\(target): \(unseen)")
    }
  }

  @Test("a full disk behind standard output ends with 74", arguments: ["show", "show --json", "lists", "sinks"])
  func fullOutput(command: String) async throws {
    try await box.json("add", "Milk")
    let outcome = try await box.shell("\"$BELFRY\" \(command) >/dev/full")
    #expect(outcome.status == 74, "\(outcome)")
    #expect(!outcome.messages.isEmpty)
  }

  @Test("on a terminal, what cannot lightly be mended asks, and only yes does it")
  func confirmation() async throws {
    try await box.json("add", "Milk", "-l", "Work", "--create")
    for (answer, isDone) in [("n", false), ("", false), ("y", true)] {
      let outcome = try await box.shell(
        "script -qec '\"$BELFRY\" list delete Work' /dev/null", options: .input(answer + "\n"))
      #expect(outcome.output.contains("Work"), "\(outcome)")
      #expect(!outcome.output.contains("Declined()"), "a name of the code reaches the user: \(outcome)")
      #expect(try await box.json("lists").elements?.count == (isDone ? 0 : 1), "answer '\(answer)': \(outcome)")
    }
  }

  @Test("arguments arrive although a library has changed the environment before the program began")
  func changedEnvironment() async throws {
    var options = RunOptions()
    options.environment = try FakeClock.environment("2026-11-21 08:58:57")
    let words = [try Programs.belfry, "add", "Milk", "--json"].map { Array($0.utf8) }
    let name = "direct"
    let child = try ChildProcess(
      words, environment: box.environment.merging(options.environment) { $1 },
      streams: [.reading("/dev/null"), .writing(box.path(name)), .writing("/dev/null")], deadline: 300)
    #expect(await child.end == .exited(0))
    #expect(try JSON(box.text(name))["text"] == .text("Milk"))
  }
}

/// The result of SQLite's integrity check of a sandbox's store.
func integrity(of box: Sandbox) async throws -> String {
  let program =
    "import sqlite3, sys; print(*[r[0] for r in sqlite3.connect(sys.argv[1]).execute('PRAGMA integrity_check')])"
  let outcome = try await box.python(program, [box.store])
  return outcome.isDone ? outcome.output.trimmingCharacters(in: .whitespacesAndNewlines) : "\(outcome)"
}
