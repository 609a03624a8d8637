import Foundation
import Testing

/// A command as described by the argument parser.
private struct DescribedCommand {
  let path: [String]
  let abstract: String
  let isShown: Bool
  /// The options as typed.
  let options: [String]
  let subcommands: [DescribedCommand]

  init(_ json: JSON, above: [String]? = nil) {
    let name = json["commandName"]?.text ?? ""
    path = above.map { $0 + [name] } ?? []
    abstract = json["abstract"]?.text ?? ""
    isShown = json["shouldDisplay"] == .bool(true)
    let shown = (json["arguments"]?.elements ?? []).filter { $0["shouldDisplay"] == .bool(true) }
    options = shown.flatMap { $0["names"]?.elements ?? [] }.map { (name: JSON) -> String in
      let dashes = name["kind"]?.text == "long" ? "--" : "-"
      return dashes + (name["name"]?.text ?? "")
    }
    let here = path
    subcommands = (json["subcommands"]?.elements ?? []).map { DescribedCommand($0, above: here) }
      .filter { $0.path.last != "help" }
  }

  var all: [DescribedCommand] { [self] + subcommands.flatMap(\.all) }
}

@Suite("--help")
struct HelpTests {
  private let box: Sandbox

  init() throws { box = try Sandbox() }

  private func described() async throws -> DescribedCommand {
    let outcome = try await box.belfry("--experimental-dump-help")
    return DescribedCommand(try #require(outcome.json["command"]))
  }

  private func page(_ path: [String], columns: Int = 80) async throws -> [String] {
    let words = [try Programs.belfry] + path + ["--help"]
    let outcome = try await box.run(words, RunOptions(environment: ["COLUMNS": "\(columns)"]))
    try #require(outcome.isDone && outcome.messages.isEmpty, "\(outcome)")
    return outcome.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  @Test("every page fits a terminal of 24 lines and 80 columns, has an example and every option")
  func pages() async throws {
    let commands = try await described().all
    #expect(commands.count > 40)
    for command in commands {
      let lines = try await page(command.path)
      let text = lines.joined(separator: "\n")
      let name = "belfry \(command.path.joined(separator: " "))"
      #expect(lines.count <= 24, "\(name) has \(lines.count) lines:\n\(text)")
      #expect(lines.allSatisfy { $0.count <= 80 }, "\(name):\n\(text)")
      let examples = lines.filter { $0.wholeMatch(of: #/  \S.*/#) != nil && $0.contains("belfry ") }
      #expect(!examples.isEmpty, "\(name) has no example:\n\(text)")
      // The page of a command group leaves common options to its subcommands.
      for option in command.options where command.subcommands.isEmpty && !["-h", "--version"].contains(option) {
        #expect(text.contains(option), "\(name) does not tell of \(option):\n\(text)")
      }
      for below in command.subcommands where below.isShown && below.path.last != "list" {
        #expect(text.contains(below.path.last ?? ""), "\(name) does not tell of \(below.path):\n\(text)")
      }
    }
  }

  @Test("the examples of every page are commands that exist, with options that exist")
  func examples() async throws {
    let commands = try await described().all
    let known = Dictionary(commands.map { ($0.path, Set($0.options)) }) { first, _ in first }
    for command in commands {
      for line in try await page(command.path) where line.hasPrefix("  ") && line.contains("belfry ") {
        // Text after the command and three spaces explains it.
        let commandLine = line.trimmingCharacters(in: .whitespaces).split(separator: "   ").first ?? ""
        for part in commandLine.split(separator: #/&&|\|/#) where part.contains(#/(^|\(|\s)belfry /#) {
          let words = part.split(separator: #/belfry /#).last?.prefix { $0 != ">" && $0 != ")" } ?? ""
          let typed = words.split(separator: " ").map(String.init)
          let path = (0...typed.count).reversed().map { Array(typed.prefix($0)) }.first { known[$0] != nil } ?? []
          #expect(!path.isEmpty, "no such command: \(line)")
          for option in typed.dropFirst(path.count).filter({ $0.hasPrefix("--") }) {
            let options = (known[path] ?? []).union(known[path + ["list"]] ?? [])
            #expect(options.contains(option), "\(path) has no \(option): \(line)")
          }
        }
      }
    }
  }

  @Test("all ways to ask give the same page")
  func spellings() async throws {
    for path in [[], ["add"], ["list", "remind"]] {
      let page = try await page(path)
      for words in [path + ["-h"], ["help"] + path] {
        let outcome = try await box.run(
          [try Programs.belfry] + words, RunOptions(environment: ["COLUMNS": "80"]))
        #expect(outcome.isDone && outcome.output == page.joined(separator: "\n") + "\n", "\(outcome)")
      }
    }
    let bare = try await box.belfry()
    #expect(bare.isDone && bare.output.contains("Every day"), "\(bare)")
  }

  @Test("help needs neither a config nor a store, and a narrow terminal breaks lines between words")
  func narrow() async throws {
    try box.write("nonsense: [", to: "belfry.yaml")
    for path in [[], ["add"]] {
      for line in try await page(path, columns: 40) where !line.contains("belfry ") {
        #expect(line.count <= 40, "\(line)")
      }
    }
  }

  @Test(
    "what cannot be understood is told in one line, with where help is",
    arguments: [
      (["add"], "belfry: missing expected argument 'TEXT...'", "'belfry add --help'"),
      (["show", "--al"], "belfry: unknown option '--al'", "'belfry show --help'"),
      (["list", "remind", "X"], "belfry: give either --at WHEN or --off", "'belfry list remind --help'"),
      (["check", "one"], "belfry: the value 'one' is invalid for 'ID'", "'belfry check --help'"),
    ])
  func refusals(words: [String], says: String, hint: String) async throws {
    let outcome = try await box.run([try Programs.belfry] + words, RunOptions())
    #expect(outcome.status == 64 && outcome.output.isEmpty, "\(outcome)")
    let lines = outcome.messages.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].hasPrefix(says), "\(outcome)")
    #expect(lines.last?.contains(hint) == true, "\(outcome)")
  }
}
