import Foundation
import TestSupport

/// The documentation pages with commands.
enum Documentation {
  static let catalog = "Sources/BelfryEngine/BelfryEngine.docc"
  /// The pages' paths in the checkout.
  static let pages = ["README.md", "\(catalog)/Concepts.md", "\(catalog)/Recipes.md", "\(catalog)/OtherPrograms.md"]

  /// The paths of the README and of all articles.
  static func allPages() throws -> [String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: Checkout.file(catalog).path).sorted()
    return ["README.md"] + names.filter { $0.hasSuffix(".md") }.map { "\(catalog)/\($0)" }
  }

  /// The links and images of a page that lead to files, as they stand there: relative to its folder, without anchors.
  static func relativeLinks(of path: String) throws -> [String] {
    try Checkout.text(path).matches(of: /\]\(([^)]+)\)|src="([^"]+)"/)
      .compactMap { ($0.1 ?? $0.2)?.split(separator: "#", omittingEmptySubsequences: false).first.map(String.init) }
      .filter { !$0.isEmpty && !$0.contains(":") }
  }

  /// The lines of a page's blocks in a language.
  static func blocks(_ language: String, of path: String) throws -> [[String]] {
    var blocks: [[String]] = []
    var isInside = false
    for line in try Checkout.text(path).split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isInside = line == "```\(language)"
        if isInside { blocks.append([]) }
      } else if isInside {
        blocks[blocks.count - 1].append(String(line))
      }
    }
    return blocks
  }

  /// The requests to the web face in a page's blocks.
  static func requests(of path: String) throws -> [String] {
    try blocks("sh", of: path).joined().filter { $0.hasPrefix("curl ") }
  }

  /// The commands in backticks in a page's prose.
  static func inlineCommands(of path: String) throws -> [String] {
    var isBlock = false
    var prose = ""
    for line in try Checkout.text(path).split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") { isBlock.toggle() } else if !isBlock { prose += line + "\n" }
    }
    return prose.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 && $0.element.hasPrefix("belfry ") }
      .map { String($0.element).replacing("\n", with: " ") }
  }
}

/// The commands of `belfry` and their options, from the program itself.
struct CommandTree {
  private let root: JSON

  init(dump: String) throws { root = try JSON(dump)["command"] ?? .null }

  /// The fault of a documented command line; words in capitals are placeholders.
  func fault(of line: String) -> String? {
    var command = root
    var words = line.split(separator: " ").map(String.init).dropFirst()
    while let word = words.first, let next = Self.subcommand(word, of: command) {
      command = next
      words = words.dropFirst()
    }
    if let word = words.first, !word.hasPrefix("-"), !(command["subcommands"]?.elements ?? []).isEmpty,
      Self.standard(of: command) == nil, word != word.uppercased()
    {
      return "there is no command '\(word)'"
    }
    let known = Self.options(of: command) + (Self.standard(of: command).map(Self.options) ?? []) + ["--help"]
    let options = words.filter { $0.hasPrefix("-") && $0 != "-" && !($0.dropFirst().first?.isNumber ?? false) }
    return options.first { !known.contains($0) }.map { "there is no option '\($0)'" }
  }

  private static func subcommand(_ name: String, of command: JSON) -> JSON? {
    command["subcommands"]?.elements?.first { $0["commandName"] == .text(name) }
  }

  private static func standard(of command: JSON) -> JSON? {
    command["defaultSubcommand"]?.text.flatMap { subcommand($0, of: command) }
  }

  private static func options(of command: JSON) -> [String] {
    (command["arguments"]?.elements ?? []).flatMap { $0["names"]?.elements ?? [] }.compactMap { name in
      name["name"]?.text.map { name["kind"] == .text("long") ? "--\($0)" : "-\($0)" }
    }
  }
}
