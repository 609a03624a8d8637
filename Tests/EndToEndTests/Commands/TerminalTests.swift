import Foundation
import Testing

@Suite("Tables on a terminal")
struct TerminalTests {
  static let texts = [
    "Milk", "\u{725b}\u{4e73}\u{3092}\u{8cb7}\u{3046}", "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467} family",
    "\u{1f1e8}\u{1f1ed} flag",
    "\u{5d7}\u{5dc}\u{5d1} \u{5d5}\u{5dc}\u{5d7}\u{5dd}", "\u{627}\u{644}\u{62d}\u{644}\u{64a}\u{628}",
    "cafe\u{301} au lait",
    "turned \u{202e}round", "open \u{2067}isolate", "closed \u{2069}isolate",
  ]

  private let box: Sandbox

  init() throws { box = try Sandbox() }

  private func fill() async throws {
    let lines = Data(Self.texts.map { "\($0)\n" }.joined().utf8)
    let added = try await box.belfry("add", "-", "--due", "2096-12-24 09:00", options: RunOptions(input: lines))
    try #require(added.isDone, "\(added)")
  }

  /// The output of a command on a terminal with this many columns.
  private func lines(_ command: String, columns: Int, _ setting: String = "") async throws -> [String] {
    let outcome = try await box.shell(
      "\(setting) script -qec 'stty cols \(columns) rows 24; \"$BELFRY\" \(command)' /dev/null")
    try #require(outcome.isDone, "\(outcome)")
    return outcome.output.replacing("\r\n", with: "\n").split(separator: "\n").map(String.init)
  }

  @Test("columns line up in every script", arguments: [80, 120])
  func columns(width: Int) async throws {
    try await fill()
    let lines = try await lines("show --color never", columns: width)
    #expect(lines.count == Self.texts.count + 1)
    let places = try lines.dropFirst().map { line in
      let list = try #require(line.range(of: "Inbox"), "\(line)")
      return Self.width(line[..<list.lowerBound])
    }
    #expect(Set(places).count == 1, "\(places): \(lines.joined(separator: "\n"))")
  }

  @Test("no line is wider than the terminal, down to 20 columns", arguments: [20, 24, 40, 60, 80])
  func narrow(width: Int) async throws {
    try await fill()
    try await box.json("add", String(repeating: "long ", count: 40), "--due", "2020-01-01 09:00")
    for command in ["show", "show --all", "lists", "pending", "plan -n 20", "agenda", "sinks", "deliveries"] {
      for line in try await lines("\(command) --color never", columns: width) {
        // Only a line that reports an empty result is prose.
        guard !line.hasPrefix("No") else { continue }
        #expect(Self.width(line[...]) <= width, "\(command): \(line)")
      }
    }
    let shown = try await lines("show --color never", columns: width)
    #expect(shown.contains { $0.contains("long") || $0.contains("lo…") || $0.contains("…") }, "\(shown)")
  }

  @Test("text from right to left is set apart on a terminal alone, and no mark reaches beyond its cell")
  func direction() async throws {
    try await fill()
    for line in try await lines("show --color never", columns: 80) {
      var depth = 0
      for scalar in line.unicodeScalars {
        switch scalar.value {
        case 0x2066...0x2068: depth += 1
        case 0x2069: depth -= 1
        case 0x590...0x6ff, 0x202e: #expect(depth > 0, "\(line)")
        default: break
        }
        #expect(depth >= 0, "\(line)")
      }
      #expect(depth == 0, "\(line)")
    }
    let piped = try await box.belfry("show")
    #expect(!piped.output.contains("\u{2068}"), "a program gets no marks of ours: \(piped)")
    for text in Self.texts { #expect(piped.output.contains(Self.shown(text)), "\(text)") }
  }

  private static func shown(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { Self.steers($0) ? "\u{fffd}" : $0 }))
  }

  private static func steers(_ scalar: Unicode.Scalar) -> Bool {
    0x202a...0x202e ~= scalar.value || 0x2066...0x2069 ~= scalar.value
  }

  @Test("no command prints characters that change the direction of text", arguments: ["", " --json"])
  func turning(json: String) async throws {
    let text = "a\u{202e}b\u{2066}c\u{2069}d\u{202c}e"
    let list = "list \u{202d}x"
    let added = try await box.belfry(
      "add", text, "-l", list, "--create", "--due", "2096-12-24 09:00", "--notes", text, "--color", "never")
    try #require(added.isDone, "\(added)")
    var shown = added.messages
    for command in [
      "show", "lists", "agenda --days 3660", "pending", "plan -n 3", "explain 1", "deliveries", "doctor", "sinks",
      "store",
      "edit 1 --alert 1h", "snooze 1 --until '2096-12-25 09:00'", "check 1", "show --all", "uncheck 1", "undo",
      "show -l '\(list)y'", "add '\(text)\u{7}' -l nowhere", "config route -l '\(list)'", "delete 1 --force",
    ] {
      let outcome = try await box.shell("\"$BELFRY\" \(command)\(json) --color never")
      shown += outcome.output + outcome.messages
    }
    #expect(shown.contains("\u{fffd}") || shown.contains("\\u202E"))
    for line in shown.split(separator: "\n") { #expect(!line.unicodeScalars.contains(where: Self.steers), "\(line)") }
  }

  @Test("overdue is a word, with colour and without")
  func overdue() async throws {
    try await box.json("add", "Milk", "--due", "2020-01-01 09:00")
    for setting in ["", "NO_COLOR=1", "TERM=dumb"] {
      for command in ["show", "lists", "agenda"] {
        let lines = try await lines(command, columns: 80, setting)
        #expect(lines.contains { $0.contains("overdue") }, "\(lines)")
        #expect(setting.isEmpty == lines.contains { $0.contains("\u{1b}[31m") }, "\(command): \(lines)")
      }
    }
  }

  @Test("no control characters reach a terminal, from any source")
  func controls() async throws {
    try await box.json("add", "Milk", "--due", "2096-12-24 09:00")
    // As with the sqlite3 shell.
    let program = """
      import sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      db.execute("update item set text = 'a' || char(27) || ']0;title' || char(7) || 'b' || char(10) || 'c'")
      db.execute("update list set name = 'In' || char(155) || '31mbox'")
      db.commit()
      """
    try await box.python(program, [box.store]).requireDone()
    for command in ["show", "lists", "pending", "agenda", "plan -n 3", "explain 1", "check 1", "undo", "delete 1"] {
      let outcome = try await box.shell("\"$BELFRY\" \(command) 2>&1")
      #expect(outcome.isDone, "\(outcome)")
      let controls = outcome.output.unicodeScalars.filter { $0.properties.generalCategory == .control && $0 != "\n" }
      #expect(controls.isEmpty, "\(command): \(outcome)")
    }
    for words in [
      ["show", "-l", "a\u{1b}[31m"], ["\u{1b}[31m"], ["show", "--config", "a\u{1b}[31m"], ["show", "--a\u{7}"],
    ] {
      let outcome = try await box.run([try Programs.belfry] + words, RunOptions())
      #expect(!outcome.messages.contains { $0 == "\u{1b}" || $0 == "\u{7}" }, "\(outcome)")
    }
  }

  @Test("a plan without an end says what it leaves out")
  func endlessPlan() async throws {
    try await box.json("add", "Tick", "--due", "2096-01-01 00:00", "--repeat", "FREQ=MINUTELY")
    let plan = try await box.belfry("plan", "--from", "2096-01-01 00:00")
    #expect(plan.isDone && plan.messages.contains("and over 980 more: -n N"), "\(plan.messages)")
    #expect(plan.output.split(separator: "\n").count == 21)
    let all = try await box.belfry("plan", "--from", "2096-01-01 00:00", "--json")
    #expect(try all.elements.count == 1_000 && all.messages.contains("Only the first 1000"), "\(all.messages)")
    let asked = try await box.belfry("plan", "--from", "2096-01-01 00:00", "-n", "1500", "--json")
    #expect(try asked.elements.count == 1_500 && asked.messages.isEmpty)
  }

  @Test("a plan shows 20 lines and how many more there are, and with -n as many as are asked for")
  func longPlan() async throws {
    try await box.json("add", "Pill", "--due", "2096-01-01 09:00", "--repeat", "daily")
    let span = ["plan", "--from", "2096-01-01 00:00", "--until"]
    for (until, lines, more) in [
      ("2096-01-20 23:00", 21, ""), ("2096-01-21 23:00", 21, "and 1 more:"), ("2096-01-31 23:00", 21, "and 11 more:"),
    ] {
      let plan = try await box.run([Programs.belfry] + span + [until], RunOptions())
      #expect(plan.output.split(separator: "\n").count == lines, "\(plan)")
      #expect(more.isEmpty ? plan.messages.isEmpty : plan.messages.hasPrefix(more), "\(plan.messages)")
    }
    let asked = try await box.run([Programs.belfry] + span + ["2096-01-31 23:00", "-n", "30"], RunOptions())
    #expect(asked.output.split(separator: "\n").count == 31 && asked.messages.isEmpty, "\(asked)")
  }

  /// The columns that a text takes on a terminal, by Python's East Asian width.
  private static func width(_ text: Substring) -> Int {
    text.reduce(0) { sum, character in
      let scalars = character.unicodeScalars
      guard let first = scalars.first else { return sum }
      switch first.properties.generalCategory {
      case .nonspacingMark, .format, .enclosingMark: return sum
      default: break
      }
      let isWide =
        (0x1100...0x115f).contains(first.value) || (0x2e80...0xa4cf).contains(first.value)
        || (0xac00...0xd7a3).contains(first.value) || (0x1f1e6...0x1faff).contains(first.value)
      return sum + (isWide ? 2 : 1)
    }
  }
}
