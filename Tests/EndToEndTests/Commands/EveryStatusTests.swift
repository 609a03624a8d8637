import Foundation
import Testing
import TestSupport

/// Each exit status of the contract, provoked from outside; the suites of each command have more cases.
///
/// 70 means a bug in Belfry: a test that could provoke it would have found one.
@Suite("Every exit status")
struct EveryStatusTests {
  private let box: Sandbox

  init() throws { box = try Sandbox() }

  private func expect(
    _ status: Int32, _ words: String..., says: String = "", options: RunOptions = RunOptions(),
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let outcome = try await box.run([try Programs.belfry] + words, options)
    #expect(outcome.status == status, "\(outcome)", sourceLocation: sourceLocation)
    #expect(says.isEmpty || outcome.messages.contains(says), "\(outcome)", sourceLocation: sourceLocation)
    if status != 0 {
      #expect(outcome.output.isEmpty && !outcome.messages.isEmpty, "\(outcome)", sourceLocation: sourceLocation)
    }
  }

  @Test("0: done")
  func done() async throws {
    try await expect(0, "add", "Milk", says: "Added 1")
    try await expect(0, "show")
    try await expect(0, "undo", says: "Undid")
  }

  @Test("64: wrong usage")
  func usage() async throws {
    try await expect(64, "show", "--frobnicate", says: "--frobnicate")
    try await expect(64, "add", "Milk", "--due", "some time", says: "some time")
    try await expect(64, "add", "Milk", "--due", "18:30", "--repeat", "FREQ=SOMETIMES", says: "SOMETIMES")
    try await expect(64, "plan", "--from", "2027-01-01", "--until", "2026-01-01", says: "--until")
    try await expect(64, "undo", "7", says: "7")
    try await expect(64, "store", "copy", says: "--to")
  }

  @Test("65: bad input data")
  func badInput() async throws {
    try await expect(65, "add", "", says: "empty")
    try await expect(65, "add", "-", says: "UTF-8", options: RunOptions(input: Data([0xff, 0x0a])))
  }

  @Test("66: no such thing")
  func notFound() async throws {
    try await expect(66, "check", "7", says: "7")
    try await expect(66, "show", "-l", "Nowhere", says: "Nowhere")
    try await expect(66, "sinks", "test", "nobody", says: "belfry: there is no sink 'nobody'")
    try await expect(66, "import", "missing.json", says: "missing.json")
    try await expect(66, "undo", says: "no change")
  }

  @Test("69: a sink refused")
  func refused() async throws {
    let server = try HTTPCollector(answers: [.init(404)])
    try box.write("sinks: { hook: { type: webhook, url: \"\(server.url)\" } }\n", to: "belfry.yaml")
    try await expect(69, "sinks", "test", "hook", says: "404")
  }

  @Test("73: cannot create")
  func cannotCreate() async throws { try await expect(73, "init", says: "exists already") }

  @Test("74: the store is damaged")
  func damaged() async throws {
    try box.write("this is no database, though it is long enough to be looked at as one", to: "store.sqlite")
    try await expect(74, "show", says: "store.sqlite")
    try await expect(74, "run", "--once", says: "store.sqlite")
  }

  @Test("75: another daemon runs")
  func anotherDaemon() async throws {
    let daemon = try await box.daemon()
    try await expect(75, "run", "--once", says: "another belfryd")
    #expect(await daemon.stop().end == .exited(0))
  }

  @Test("77: no permission")
  func noPermission() async throws {
    chmod(box.path("belfry.yaml"), 0)
    try await expect(77, "show", says: "belfry.yaml", options: RunOptions(prefix: PermissionTests.bound))
  }

  @Test(
    "78: a config that is wrong in any way, told with its place",
    arguments: [
      ("default_list: no", "quotes"), ("default_time: 2230", "time"), ("default_list: [A, B]", "list"),
      ("default_list: A\ndefault_list: B", "default_list"), ("store:\n\ttype: sqlite", "tab"),
      ("history: 30", "duration"),
      ("a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\ndefault_list: *c", "anchor"), ("default_lst: A", "'default_list'"),
      ("sinks: { a: { type: email } }", "url"), ("routes: [{ sinks: [nobody] }]", "nobody"),
      ("time_zone: Mars/Base", "Mars"),
    ])
  func config(text: String, says: String) async throws {
    try box.write(text + "\n", to: "belfry.yaml")
    let outcome = try await box.belfry("show")
    #expect(outcome.status == 78 && outcome.output.isEmpty, "\(outcome)")
    #expect(outcome.messages.contains(#/belfry\.yaml:\d+:\d+: error: /#), "\(outcome)")
    #expect(outcome.messages.contains(says), "\(outcome)")
  }

  @Test("78: what no YAML parser may take, and ten million bytes", arguments: ["refused", "large", "nested", "bomb"])
  func hostileConfig(kind: String) async throws {
    var texts: [(String, Data)] = []
    switch kind {
    case "large":
      texts.append((kind, Data("default_list: \"\(String(repeating: "x", count: 10_000_000))\"\nhistory: soon\n".utf8)))
    case "nested": texts.append((kind, Data(String(repeating: "[", count: 100_000).utf8)))
    case "bomb":
      let levels = (1...30).map { "a\($0): &a\($0) [*a\($0 - 1), *a\($0 - 1)]" }.joined(separator: "\n")
      texts.append((kind, Data("a0: &a0 [x]\n\(levels)\ndefault_list: *a30\n".utf8)))
    default:
      texts += OwnYAML.refused.map { ($0, Data($0.utf8)) }
      texts += try Corpus.files(in: "yaml", ending: "in.yaml").map { ($0.path, try Data(contentsOf: $0)) }
      #expect(texts.count >= (Corpus.isThere ? 80 : 40))
    }
    for (name, data) in texts {
      try box.write(data, to: "belfry.yaml")
      let outcome = try await box.belfry("show")
      #expect(outcome.status == 78, "\(name): \(outcome.end) \(outcome.messages.prefix(300))")
      #expect(outcome.messages.utf8.count < 20_000, "\(name)")
    }
  }
}
