import Foundation
import Testing

@Suite("Values of options that look like something else")
struct OptionValueTests {
  private let box: Sandbox

  init() throws { box = try Sandbox() }

  private func run(_ words: [String]) async throws -> Outcome {
    try await box.run([Programs.belfry] + words, RunOptions())
  }

  @Test(
    "a value may start with a combining mark or with a hyphen that no option starts with",
    arguments: [
      ["--notes=\u{301}abc"], ["--notes=\u{338}abc"], ["--notes", "\u{301}abc"], ["--notes", "- milk"],
      ["--notes=- milk"], ["--notes", "-5"], ["--notes", "-\u{301}"], ["--notes=--milk"],
    ])
  func values(words: [String]) async throws {
    let item = try await run(["add", "x"] + words + ["-l", "- list", "--create", "--json"]).json
    let value = words.count == 2 ? words[1] : String(words[0].utf8.dropFirst("--notes=".utf8.count)) ?? ""
    #expect(item["text"] == .text("x") && item["list"] == .text("- list"), "\(item)")
    #expect(item["notes"]?.text?.utf8.elementsEqual(value.utf8) == true, "\(item)")
  }

  @Test(
    "what can only be told by its place says how to write it",
    arguments: [
      (["add", "x", "--notes", "-milk"], "write --notes=-milk"),
      (["add", "x", "--notes", "--milk now"], "write --notes='--milk now'"),
      (["add", "x", "-l", "-work"], "write --list=-work"),
      (["add", "- milk"], "write -- before a text that starts with a hyphen: -- '- milk'"),
      (["add", "-5", "degrees"], "write -- before a text that starts with a hyphen: -- -5"),
    ])
  func advice(words: [String], hint: String) async throws {
    let outcome = try await run(words)
    #expect(outcome.status == 64 && outcome.messages.contains(hint), "\(outcome)")
  }

  @Test(
    "an unknown option is told before what is missing, and a number below one as such",
    arguments: [
      (["add", "-x"], "unknown option '-x'"), (["add", "Buy", "-x"], "unknown option '-x'"),
      (["add", "--du", "9:00"], "unknown option '--du'. Did you mean '--due'?"),
      (["check", "-x"], "unknown option '-x'"), (["snooze", "--fro", "5m"], "unknown option '--fro'"),
      (["list", "create", "--foo"], "unknown option '--foo'"), (["add", "-q"], "missing expected argument 'TEXT...'"),
      (["plan", "-n", "-5"], "-n takes a whole number of at least 1"),
      (["show", "-n", "-5"], "-n takes a whole number of at least 1"), (["show", "-n"], "missing value for '-n N'"),
    ])
  func unknown(words: [String], message: String) async throws {
    let outcome = try await run(words)
    #expect(outcome.status == 64 && outcome.messages.hasPrefix("belfry: \(message)"), "\(outcome)")
  }

  @Test(
    "--config and --color may stand before the command",
    arguments: [
      ["--config", "other.yaml", "show", "--json"], ["--config=other.yaml", "show", "--json"],
      ["--color", "never", "--config", "other.yaml", "show", "--json"],
      ["--color=never", "show", "--json", "--config"],
      ["--config", "none.yaml", "show", "--json", "--config=other.yaml"],
      ["--config", "none.yaml", "--config", "other.yaml", "show", "--json"],
    ])
  func leading(words: [String]) async throws {
    try box.write("store: { type: json, path: other.json }\n", to: "other.yaml")
    try await run(["--config", "other.yaml", "add", "--", "--config", "=a"]).requireDone()
    try await run(["--config=other.yaml", "list", "create", "Shop"]).requireDone()
    let items = try await run(words.last == "--config" ? words + ["other.yaml"] : words).elements
    #expect(items.map { $0["text"] } == [.text("--config =a")])
    #expect(try await run(["show", "--json"]).elements.isEmpty)
    #expect(
      try await run(["lists", "--json", "--config=other.yaml"]).elements.contains { $0["name"] == .text("Shop") })
  }

  @Test("before a command that is missing or misspelt, and without a value, they are no trouble of their own")
  func leadingAlone() async throws {
    let version = try await run(["--config", "none.yaml", "--version"])
    let plain = try await run(["--version"])
    #expect(version.isDone && version.output == plain.output, "\(version)")
    let misspelt = try await run(["--config=none.yaml", "shwo"])
    #expect(misspelt.status == 64 && misspelt.messages.contains("'belfry show'"), "\(misspelt)")
    let missing = try await run(["--config"])
    #expect(missing.status == 64 && missing.messages.contains("missing value for '--config'"), "\(missing)")
  }

  @Test("behind -- nothing is an option's value, and an option without a value still is one that lacks it")
  func others() async throws {
    let item = try await run(["add", "--json", "--", "--notes=\u{301}abc", "--notes", "- milk"]).json
    #expect(item["text"]?.text?.utf8.elementsEqual("--notes=\u{301}abc --notes - milk".utf8) == true, "\(item)")
    let missing = try await run(["add", "x", "--notes", "--create"])
    #expect(missing.status == 64 && missing.messages.contains("missing value for '--notes TEXT'"), "\(missing)")
  }
}
