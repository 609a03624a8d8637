import Foundation
import Testing

/// A command line with its expected exit status and message.
struct ExitCase: Sendable {
  let words: [String]
  let status: Int32
  let says: String

  init(_ words: [String], _ status: Int32, _ says: String = "") {
    self.words = words
    self.status = status
    self.says = says
  }
}

@Suite("Exit statuses")
struct ExitStatusTests {
  static let usage: [ExitCase] = [
    ExitCase(["frobnicate"], 64),
    ExitCase(["add"], 64),
    ExitCase(["add", "x", "--wrong"], 64, "--wrong"),
    ExitCase(["show", "--al"], 64, "--al"),
    ExitCase(["show", "-n", "0"], 64),
    ExitCase(["show", "-n", "many"], 64, "many"),
    ExitCase(["show", "--all", "--checked"], 64),
    ExitCase(["show", "--color", "sometimes"], 64, "sometimes"),
    ExitCase(["check"], 64),
    ExitCase(["check", "one"], 64, "one"),
    ExitCase(["check", "99999999999999999999"], 64),
    ExitCase(["delete", "1.5"], 64),
    ExitCase(["edit"], 64),
    ExitCase(["pending", "-n", "-1"], 64),
    ExitCase(["deliveries", "--state", "lost"], 64, "lost"),
    ExitCase(["deliveries", "retry"], 64),
    ExitCase(["deliveries", "discard"], 64),
    ExitCase(["deliveries", "discard", "1"], 64, "--force"),
    ExitCase(["deliveries", "discard", "1", "--dead", "--force"], 64),
    ExitCase(["list", "remind", "Groceries"], 64),
    ExitCase(["list", "remind", "Groceries", "--off", "--at", "18:30"], 64),
    ExitCase(["list", "remind", "Groceries", "--at", "none"], 64, "none"),
    ExitCase(["list", "delete", "Groceries"], 64, "--force"),
    ExitCase(["list", "clear", "Groceries"], 64, "--force"),
    ExitCase(["run", "--twice"], 64, "--twice"),
    ExitCase(["import"], 64),
    ExitCase(["import", "x.plist", "--format", "wordstar"], 64, "wordstar"),
    ExitCase(["add", "x", "--due", "whenever"], 64, "whenever"),
    ExitCase(["add", "x", "--due", ""], 64),
    ExitCase(["add", "x", "--due", "2027-02-30"], 64, "2027-02-30"),
    ExitCase(["add", "x", "--due", "25:00"], 64, "25:00"),
    ExitCase(["add", "x", "--due", "in 30 seconds"], 64),
    ExitCase(["add", "x", "--due", "+59s"], 64),
    ExitCase(["edit", "1", "--due", "yesterdayish"], 64, "yesterdayish"),
    ExitCase(["show", "--due-before", "sometime"], 64, "sometime"),
    ExitCase(["add", "x", "--due", "18:30", "--alert", "30s"], 64, "30s"),
    ExitCase(["add", "x", "--due", "18:30", "--alert", "soon"], 64, "soon"),
    ExitCase(["add", "x", "--due", "18:30", "--alert", "-10m"], 64),
    ExitCase(["add", "x", "--due", "18:30", "--alert", "99999999999999999999d"], 64),
    ExitCase(["add", "x", "--time-zone", "Mars/Olympus"], 64, "Mars/Olympus"),
    ExitCase(["add", "x", "--time-zone", "../../etc/passwd"], 64),
  ]

  static let badInput: [ExitCase] = [
    ExitCase(["add", ""], 65, "empty"),
    ExitCase(["add", " \t "], 65),
    ExitCase(["add", "\u{a0}\u{2003}"], 65),
    ExitCase(["add", "two\nlines"], 65, "line break"),
    ExitCase(["add", "two\r\nlines"], 65, "line break"),
    ExitCase(["add", "two\u{2028}lines"], 65),
    ExitCase(["add", "a\u{1b}[31mred"], 65, "001B"),
    ExitCase(["add", "bell\u{7}"], 65),
    ExitCase(["add", "delete\u{7f}"], 65),
    ExitCase(["add", "c1\u{9b}31m"], 65),
    ExitCase(["add", "x", "--notes", "a\u{1b}[31mred"], 65),
    ExitCase(["edit", "1", "--text", ""], 65, "empty"),
    ExitCase(["edit", "1", "--text", "two\nlines"], 65),
    ExitCase(["list", "create", ""], 65),
    ExitCase(["list", "create", "two\nlines"], 65),
    ExitCase(["list", "create", "groceries"], 65, "Groceries"),
    ExitCase(["list", "rename", "Groceries", "INBOX"], 65, "Inbox"),
    ExitCase(["list", "remind", "Groceries", "--at", "18:30", "--message", "two\nlines"], 65),
    ExitCase(["add", "x", "-l", "two\nlines", "--create"], 65),
    ExitCase(["add", "-"], 65),
    ExitCase(["deliveries", "retry", "1"], 65, "delivered"),
    ExitCase(["deliveries", "discard", "1", "--force"], 65, "delivered"),
    ExitCase(["import", "empty.plist"], 65, "empty.plist"),
    ExitCase(["import", "noise.plist"], 65, "noise.plist"),
    ExitCase(["import", "cut.plist"], 65, "cut.plist"),
    ExitCase(["import", "number.plist"], 65, "number.plist"),
  ]

  static let notFound: [ExitCase] = [
    ExitCase(["check", "99"], 66, "99"),
    ExitCase(["check", "0"], 66),
    ExitCase(["uncheck", "99"], 66, "99"),
    ExitCase(["delete", "99"], 66, "99"),
    ExitCase(["edit", "99", "--text", "x"], 66, "99"),
    ExitCase(["edit", "99"], 66, "99"),
    ExitCase(["edit", "1", "-l", "Grocerys"], 66, "'Groceries'"),
    ExitCase(["add", "x", "-l", "Grocerys"], 66, "'Groceries'"),
    ExitCase(["show", "-l", "grcoeries"], 66, "'Groceries'"),
    ExitCase(["show", "-l", "Astronomy"], 66, "Astronomy"),
    ExitCase(["list", "rename", "Grocerys", "Food"], 66, "'Groceries'"),
    ExitCase(["list", "delete", "Grocerys", "--force"], 66, "'Groceries'"),
    ExitCase(["list", "clear", "Grocerys", "--force"], 66, "'Groceries'"),
    ExitCase(["list", "remind", "Grocerys", "--off"], 66, "'Groceries'"),
    ExitCase(["deliveries", "retry", "99"], 66, "99"),
    ExitCase(["deliveries", "discard", "99", "--force"], 66, "99"),
    ExitCase(["import", "missing.plist"], 66, "missing.plist"),
    ExitCase(["import", "."], 66),
    ExitCase(["import", "sound.plist", "-l", "Grocerys"], 66, "'Groceries'"),
    ExitCase(["show", "--config", "missing.yaml"], 66, "missing.yaml"),
    ExitCase(["run", "--config", "missing.yaml"], 66, "missing.yaml"),
    ExitCase(["config", "check", "missing.yaml"], 66, "missing.yaml"),
  ]

  @Test(
    "a refused command says why on standard error, prints no data, and changes nothing",
    arguments: ["usage", "bad input", "not found"])
  func refused(table: String) async throws {
    let cases = ["usage": Self.usage, "bad input": Self.badInput, "not found": Self.notFound][table] ?? []
    let box = try Sandbox()
    try await box.json("add", "Milk", "-l", "Groceries", "--create", "--due", "2096-12-24 09:00")
    try await box.json("add", "Rang", "--due", "09:00", at: "2026-11-21 08:00:00")
    _ = try await box.runOnce(at: "2026-11-21 09:00:10")
    try box.write("", to: "empty.plist")
    try box.write("\u{1}noise \u{0}", to: "noise.plist")
    try box.write("<plist version=\"1.0\"><array><string>Mi", to: "cut.plist")
    try box.write("<plist version=\"1.0\"><array><string>Milk</string></array></plist>", to: "sound.plist")
    try box.write("<plist version=\"1.0\"><integer>5</integer></plist>", to: "number.plist")
    let before = try await state(box)
    for exit in cases {
      let outcome = try await box.run([Programs.belfry] + exit.words, RunOptions())
      #expect(outcome.status == exit.status, "\(outcome)")
      #expect(outcome.output.isEmpty, "\(outcome)")
      #expect(!outcome.messages.isEmpty, "\(outcome)")
      #expect(exit.says.isEmpty || outcome.messages.contains(exit.says), "says nothing of '\(exit.says)': \(outcome)")
      #expect(!outcome.messages.contains("\u{1b}"), "a control character reaches the terminal: \(outcome)")
    }
    #expect(try await state(box) == before)
  }

  @Test("numbers given beside missing ones: all or nothing", arguments: ["check", "uncheck", "delete"])
  func allOrNothing(command: String) async throws {
    let box = try Sandbox()
    for text in ["One", "Two"] { try await box.json("add", text, "--due", "2096-12-24 09:00") }
    try await box.json("check", "2")
    let before = try await state(box)
    for words in [["1", "2", "99"], ["99", "1", "2"], ["1", "99", "2"]] {
      let outcome = try await box.run([Programs.belfry, command] + words, RunOptions())
      #expect(outcome.status == 66, "\(outcome)")
      #expect(outcome.messages.contains("99"))
    }
    #expect(try await state(box) == before)
  }

  @Test("lines of which one is refused: none is added")
  func linesAllOrNothing() async throws {
    let box = try Sandbox()
    let outcome = try await box.belfry("add", "-", options: .input("One\nTw\u{7}o\nThree\n"))
    #expect(outcome.status == 65, "\(outcome)")
    #expect(try await box.json("show", "--all") == .array([]))
  }

  private func state(_ box: Sandbox) async throws -> [JSON] {
    var state: [JSON] = []
    for command in ["lists", "pending", "deliveries"] { state.append(try await box.json(command)) }
    state.append(try await box.json("show", "--all"))
    return state
  }
}
