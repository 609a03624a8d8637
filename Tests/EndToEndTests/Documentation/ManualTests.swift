import Foundation
import Testing
import TestSupport

@Suite("The manual pages")
struct ManualTests {
  static let articles = ["belfry-concepts.7": "Concepts.md", "belfry-recipes.7": "Recipes.md"]
  static let pages = ["belfry.1", "belfryd.1", "belfry-web.1", "belfry.yaml.5"] + articles.keys.sorted()

  private func source(_ page: String, _ box: Sandbox) async throws -> String {
    let article = Self.articles[page].map { [Checkout.file("\(Documentation.catalog)/\($0)").path] } ?? []
    let outcome = try await box.run([Programs.belfry, "manual", page] + article, RunOptions())
    try #require(outcome.isDone && outcome.messages.isEmpty, "\(outcome)")
    return outcome.output
  }

  @Test("groff has nothing to say against them, and man shows them", arguments: pages)
  func isSound(page: String) async throws {
    let box = try Sandbox()
    try box.write(try await source(page, box), to: page)
    let linted = try await box.run(
      ["/usr/bin/groff", "-ww", "-man", "-Kutf8", "-Tutf8", "-z", page], RunOptions())
    #expect(linted.isDone && linted.messages.isEmpty, "\(linted)")
    let shown = try await box.run(
      ["/usr/bin/man", "--warnings", "-l", box.path(page)],
      RunOptions(environment: ["MANWIDTH": "80", "MANPAGER": "cat"]))
    #expect(shown.isDone && shown.messages.isEmpty, "\(shown)")
    #expect(shown.output.contains("NAME") && shown.output.contains(" - "), "\(shown)")
    #expect(!box.text(page).contains("\n\n"), "an empty line")
  }

  @Test("belfry(1) has every command with every option that is shown")
  func commands() async throws {
    let box = try Sandbox()
    let page = try await source("belfry.1", box)
    let root = try #require(try JSON(try await box.belfry("--experimental-dump-help").output)["command"])
    var count = 0
    func look(_ command: JSON, _ path: String) {
      let inner = (command["subcommands"]?.elements ?? []).filter { $0["shouldDisplay"] == .bool(true) }
      for next in inner where next["commandName"] != .text("help") {
        look(next, "\(path) \(next["commandName"]?.text ?? "")")
      }
      guard inner.isEmpty else { return }
      count += 1
      let standard = path.hasSuffix(" list") || path.hasSuffix(" show") ? path.split(separator: " ").dropLast() : []
      let isThere = page.contains(".SS \"\(path)") || page.contains(".SS \"\(standard.joined(separator: " "))")
      #expect(isThere, "\(path) is not in the page")
      for argument in command["arguments"]?.elements ?? [] where argument["shouldDisplay"] == .bool(true) {
        for name in argument["names"]?.elements ?? [] where name["kind"] == .text("long") {
          let option = "--\(name["name"]?.text ?? "")".replacing("-", with: "\\-")
          #expect(page.contains(option), "\(path) \(option)")
        }
      }
    }
    look(root, "belfry")
    #expect(count > 25)
  }

  @Test("belfry(1) names every mark of a line, and its example is read whole")
  func marks() async throws {
    let box = try Sandbox()
    let words = try await source("belfry.1", box).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for mark in ["#List", "@tag", "!high", "!medium", "!low"] { #expect(words.contains(mark), "\(mark)") }
    let line = "Bins #Inbox @home !high every other tuesday 7am"
    #expect(words.contains(line))
    try await box.belfry("list", "create", "Inbox").requireDone()
    let bins = try await box.json("add", "-q", line)
    #expect(bins["text"] == .text("Bins") && bins["tags"] == .array([.text("home")]), "\(bins)")
    #expect(bins["priority"] == .text("high") && bins["repeat"]?.text?.contains("INTERVAL=2") == true, "\(bins)")
  }

  @Test("belfryd(1) and belfry-web(1) have every option of their programs", arguments: ["belfryd", "belfry-web"])
  func programs(name: String) async throws {
    let box = try Sandbox()
    let page = try await source("\(name).1", box)
    let help = try await box.run([Programs.folder.appendingPathComponent(name).path, "--help"], RunOptions())
    let options = help.output.split { !$0.isLetter && $0 != "-" }.filter { $0.hasPrefix("--") }
    #expect(options.contains("--log-level") && options.contains("--config"))
    for option in options { #expect(page.contains(option.replacing("-", with: "\\-")), "\(option)") }
  }

  @Test("belfry.yaml(5) has every key of the schema")
  func keys() async throws {
    let box = try Sandbox()
    let page = try await source("belfry.yaml.5", box)
    let keys = ["quiet_hours.from", "attach_ics", "routes[].continue", "heartbeat.every", "format"]
    for key in keys { #expect(page.contains("\n.B \"\(key)\"\n"), "\(key)") }
    #expect(try await box.belfry("manual", "belfry.2").status == 66)
    #expect(try await box.belfry("manual", "belfry-recipes.7").status == 64)
  }

  @Test(
    "a guide has every heading and example of its article, and no marks of Markdown", arguments: articles.keys.sorted())
  func guides(page: String) async throws {
    let box = try Sandbox()
    try box.write(try await source(page, box), to: page)
    let shown = try await box.run(
      ["/usr/bin/man", "-l", box.path(page)], RunOptions(environment: ["MANWIDTH": "250", "MANPAGER": "cat"]))
    let article = "\(Documentation.catalog)/\(Self.articles[page, default: ""])"
    let headings = try Checkout.text(article).split(separator: "\n").filter {
      $0.hasPrefix("##") && $0 != "## Overview"
    }
    let examples = try ["sh", "yaml"].flatMap { try Documentation.blocks($0, of: article) }.joined()
    #expect(headings.count > 5 && examples.count > 20)
    for line in headings.map({ String($0.drop { $0 == "#" || $0 == " " }) }) + examples {
      #expect(shown.output.contains(line.trimmingCharacters(in: .whitespaces)), "\(line)")
    }
    for mark in ["](", "**", "\n## ", "|---"] { #expect(!shown.output.contains(mark), "\(mark)") }
  }
}
