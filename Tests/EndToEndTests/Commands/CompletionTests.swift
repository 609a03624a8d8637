import Foundation
import Testing

@Suite("Completion in the shells")
struct CompletionTests {
  /// A sandbox with lists and items, one of them with a text that a shell could execute.
  private func sandbox() async throws -> Sandbox {
    let box = try Sandbox(
      config: """
        store: { type: sqlite, path: store.sqlite }
        sinks: { terminal: { type: stdout }, later: { type: stdout, enabled: false } }
        categories: { shopping: { actions: [] }, work: { actions: [] } }
        people: { anna: { sinks: [terminal] }, ben: { sinks: [terminal] } }
        """)
    try await box.json("add", "Milk")
    try await box.json("add", "Run $(touch pwned) `touch pwned` it's: \\a", "-l", "My List", "--create")
    try await box.json("add", "Done")
    try await box.json("check", "3")
    return box
  }

  @Test(
    "bash offers lists, numbers with their texts, sinks and categories",
    arguments: [
      (["show", "-l", ""], ["Inbox", "My List"]), (["show", "--list", "M"], ["My List"]),
      (["check", ""], ["1  Milk (Inbox)", "2  Run $(touch pwned) `touch pwned` it's: \\a (My List)"]),
      (["check", "2"], ["2"]), (["uncheck", ""], ["3"]),
      (["sinks", "test", ""], ["later  stdout", "terminal  stdout"]),
      (["add", "x", "--category", ""], ["shopping", "work"]), (["list", "rename", "I"], ["Inbox"]),
      (["access", "link", "--person", ""], ["anna", "ben"]),
      (["check", "9"], []), (["sh"], ["show"]),
    ])
  func bash(words: [String], offered: [String]) async throws {
    let box = try await sandbox()
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    let outcome = try await box.shell(
      """
      PATH="$(dirname "$BELFRY"):$PATH"
      source <(belfry --generate-completion-script bash)
      COMP_WORDS=(belfry \(quoted)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
      _belfry belfry "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """)
    #expect(outcome.messages.isEmpty, "\(outcome)")
    let found = outcome.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(found.sorted() == offered, "\(outcome)")
    #expect(!box.files().contains("pwned"), "the text of an item was carried out")
  }

  @Test(
    "zsh and fish get the text as a description",
    arguments: [("zsh", "1:Milk (Inbox)", "My List"), ("fish", "1\tMilk (Inbox)", "My List")])
  func described(shell: String, item: String, list: String) async throws {
    let box = try await sandbox()
    var options = RunOptions()
    options.environment["SAP_SHELL"] = shell
    let ids = try await box.run(
      [Programs.belfry, "---completion", "check", "--", "positional@0", "2", "0", "belfry", "check", ""], options)
    #expect(ids.isDone && ids.output.split(separator: "\n").contains(item[...]), "\(ids)")
    let lists = try await box.run(
      [Programs.belfry, "---completion", "show", "--", "--list", "3", "0", "belfry", "show", "-l", ""], options)
    #expect(lists.isDone && lists.output.split(separator: "\n").contains(list[...]), "\(lists)")
    let script = try await box.belfry("--generate-completion-script", shell)
    #expect(script.isDone && script.output.contains("belfry"), "\(script)")
  }

  @Test("after any error, completion offers nothing and prints nothing", arguments: ["config", "store", "--config"])
  func silent(fault: String) async throws {
    let box = try await sandbox()
    if fault == "config" { try box.write("sinks: [", to: "belfry.yaml") }
    if fault == "store" { try box.write("no database, but long enough to be looked at as one", to: "store.sqlite") }
    let option = fault == "--config" ? ["--config", "none.yaml"] : []
    let words = ["belfry", "check"] + option + [""]
    var options = RunOptions()
    options.environment["SAP_SHELL"] = "bash"
    let outcome = try await box.run(
      [Programs.belfry, "---completion", "check", "--", "positional@0", "\(words.count - 1)", "0"] + words, options)
    #expect(outcome.isDone && outcome.messages.isEmpty, "\(outcome)")
    let isSilent = outcome.output.allSatisfy(\.isNewline)
    #expect(isSilent, "\(outcome)")
  }
}
