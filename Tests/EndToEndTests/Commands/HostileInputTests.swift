import Foundation
import Testing

@Suite("Hostile input is refused or kept exactly; nothing crashes")
struct HostileInputTests {
  static let notUTF8: [[UInt8]] = [
    [0x61, 0xff, 0x62], [0xc3], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xc0, 0xaf], [0x80],
  ]

  let box: Sandbox

  init() throws { box = try Sandbox() }

  @Test("a text with NUL on standard input is refused")
  func nul() async throws {
    for text in ["a\0b\n", "\0\n", "fine\nnot\0fine\n"] {
      let outcome = try await box.belfry("add", "-", options: .input(text))
      #expect(outcome.status == 65, "\(outcome)")
      #expect(outcome.messages.contains("NUL"), "\(outcome)")
    }
    #expect(try await box.json("show") == .array([]))
  }

  @Test("standard input that is not UTF-8 is refused, not silently changed")
  func input() async throws {
    for bytes in Self.notUTF8 {
      let outcome = try await box.belfry("add", "-", options: RunOptions(input: Data(bytes + [0x0a])))
      #expect(outcome.status == 65, "\(bytes): \(outcome)")
    }
    #expect(try await box.json("show") == .array([]))
  }

  @Test(
    "what is not UTF-8 in an argument is refused, not silently changed",
    arguments: [["add"], ["add", "x", "--notes"], ["list", "create"], ["add", "x", "--create", "-l"]])
  func argument(words: [String]) async throws {
    for bytes in Self.notUTF8 {
      let words = ([try Programs.belfry] + words).map { Array($0.utf8) }
      let outcome = try await box.run(bytes: words + [bytes], RunOptions())
      #expect([64, 65].contains(outcome.status), "\(bytes): \(outcome)")
    }
    #expect(try await box.json("lists") == .array([]))
  }

  @Test("an argument that is not UTF-8 crashes nothing")
  func otherArguments() async throws {
    let program = Array(try Programs.belfry.utf8)
    let bytes: [UInt8] = [0x61, 0xff, 0x62]
    for words in [
      ["show", "-l"], ["show", "--due-before"], ["check"], ["--"], ["add", "x", "--due"], ["add", "x", "--alert"],
      ["add", "x", "--time-zone"], ["import"], ["show", "--config"], ["config", "check"], [],
    ] {
      let outcome = try await box.run(bytes: [program] + words.map { Array($0.utf8) } + [bytes], RunOptions())
      #expect([64, 65, 66].contains(outcome.status), "\(outcome)")
    }
  }

  @Test(
    "dates before 1970 and after 9999 are refused, those at the edges kept exactly",
    arguments: [
      "1969-12-31 23:59", "1969-12-31T23:59:59Z", "1600-01-01", "0000-01-01 00:00", "0001-01-01", "10000-01-01",
      "9999-12-31T23:59:59-12:00", "99999999999-01-01", "-2000-01-01", "1970-01-01T00:30:00+01:00",
    ])
  func dates(when: String) async throws {
    for words in [["add", "x", "--due"], ["show", "--due-before"], ["list", "remind", "Inbox", "--at"]] {
      let outcome = try await box.run([Programs.belfry] + words + [when], RunOptions())
      #expect([64, 65].contains(outcome.status) || (words[0] == "list" && outcome.status == 66), "\(outcome)")
    }
    #expect(try await box.json("show") == .array([]))
  }

  @Test("the first and the last minute are kept exactly")
  func edges() async throws {
    let first = try await box.json("add", "first", "--due", "1970-01-01T00:00:00Z", "--time-zone", "UTC")
    #expect(first["due_local"] == .text("1970-01-01T00:00"))
    let last = try await box.json("add", "last", "--due", "9999-12-31T23:59:59Z", "--time-zone", "UTC")
    #expect(last["due_local"] == .text("9999-12-31T23:59"))
    let shown = try #require(try await box.json("show").elements)
    #expect(shown.map { $0["due_local"] } == [.text("1970-01-01T00:00"), .text("9999-12-31T23:59")])
    #expect(try await box.json("pending").elements?.count == 1)
  }

  @Test("an import file with a date before 1970 keeps the rest and says which entry was refused")
  func importedDate() async throws {
    let box = try Sandbox(zone: "UTC")
    let made = try await box.run(
      [Programs.python, "-B", Programs.fixture("make_checklists.py"), "old.plist", "xml", "old"], RunOptions())
    try made.requireDone()
    let outcome = try await box.belfry("import", "old.plist", "--json")
    #expect(outcome.isDone, "\(outcome)")
    #expect(try outcome.elements.map { $0["text"] } == [.text("Young")])
    #expect(outcome.messages.contains("1970") && outcome.messages.contains("item 1"), "\(outcome)")
    let strict = try await box.belfry("import", "old.plist", "--strict")
    #expect(strict.status == 65, "\(strict)")
  }

  @Test("a text of ten million bytes is kept exactly or refused")
  func longText() async throws {
    let text = String(repeating: "0123456789", count: 1_000_000)
    let outcome = try await box.belfry("add", "-", "--json", options: .input(text + "\n"))
    #expect(outcome.isDone || outcome.status == 65, "\(outcome.end)")
    if outcome.isDone { #expect(try outcome.elements.first?["text"]?.text == text) }
    #expect(try await box.json("lists").elements?.first?["items"]?.integer == (outcome.isDone ? 1 : nil))
  }

  @Test("lines from standard input: each an item, in order, blank ones left out, with or without a last line feed")
  func lines() async throws {
    for (text, expected) in [
      ("One\nTwo\n\n  \nThree", ["One", "Two", "Three"]), ("Four\r\nFive\r\n", ["Four", "Five"]),
      ("-\n--due\n", ["-", "--due"]),
    ] {
      let outcome = try await box.belfry("add", "-", "--json", options: .input(text))
      #expect(outcome.isDone, "\(outcome)")
      #expect(try outcome.elements.compactMap { $0["text"]?.text } == expected)
    }
  }

  @Test("texts like SQL, shell and templates stay texts")
  func likeCode() async throws {
    for text in ["'); DROP TABLE item; --", "$(reboot)", "`id`", "{{text}}", "%s%n", "${HOME}", "../../x", "*", "?"] {
      let words = [try Programs.belfry, "add", "--json", "--create", "--list", text, "--", text]
      #expect(try await box.run(words, RunOptions()).json["text"] == .text(text))
      #expect(try await box.json("show", "-l", text).elements?.count == 1)
    }
    #expect(try await integrity(of: box) == "ok")
  }
}
