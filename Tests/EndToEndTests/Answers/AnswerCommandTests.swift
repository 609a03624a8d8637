import Foundation
import TestSupport
import Testing

/// An item has rung at 09:00, and the keys that sign its links were made.
@Suite("belfry answer, and the page of a link")
struct AnswerCommandTests {
  private static let config = """
    actions:
      - { identifier: done, title: Done, do: check }
      - { identifier: later, title: Later, do: snooze, for: 1h }
      - { identifier: trash, title: Throw away, do: delete }
    web: { listen: 127.0.0.1:0 }

    """
  /// The hour 2088-06-12T00Z, and 2020-01-02T00Z.
  private static let (later, past) = (600_000, 24)

  private let box: Sandbox
  private let reminder: String

  init() async throws {
    box = try Sandbox(config: Sandbox.defaultConfig + Self.config)
    try await box.json("add", "Milk", "--due", "09:00", at: "2026-11-21 08:00:00")
    let bodies = try await box.runOnce(at: "2026-11-21 09:00:05")
    reminder = try #require(bodies.first?["data"]?["reminder_id"]?.text)
    try await box.belfry("keys", "rotate").requireDone()
  }

  /// A token that Python makes from the key file and the description of the format.
  private func token(
    _ action: Int, use: String = "belfry link", hours: Int = later, of other: String? = nil
  ) throws -> String {
    let file = box.text("home/state/belfry/answer-keys")
    let text = try #require(file.firstMatch(of: #/"key": "([\w-]{43})"/#)?.1)
    let base64 = text.replacing("-", with: "+").replacing("_", with: "/") + "="
    let key = try #require(Data(base64Encoded: String(base64))).map { String(format: "%02x", $0) }.joined()
    let fields = [key, "0", use, other ?? reminder, "\(action)", "0", "\(hours)"].joined(separator: "\t")
    try box.write(fields + "\n", to: "question")
    let script = Checkout.file("Tests/AnswerTokensTests/Oracle/answer_token.py")
    return try Python.run(script: script, [box.path("question")]).trimmingCharacters(in: .newlines)
  }

  private func answer(_ token: String, _ more: String..., input: String? = nil) async throws -> Outcome {
    let options = input.map(RunOptions.input) ?? RunOptions()
    return try await box.run([Programs.belfry, "answer", token] + more, options)
  }

  @Test("a token answers, from standard input too; twice, it changes nothing the second time: 0")
  func answers() async throws {
    let done = try await answer("-", input: try token(1) + "\n")
    #expect(done.isDone && done.messages == "Done: checked 'Milk'.\n", "\(done)")
    #expect(try await box.ids("show") == [])
    let again = try await answer(try token(1), "--json")
    let row = try #require(try again.elements.first)
    #expect(again.isDone && Shape.answer.faults(in: row) == [] && row["id"] == .integer(1))
    #expect(row["channel"] == .text("link") && row["effect"] == .text("done"))
    let late = try await answer(try token(2))
    #expect(late.isDone && late.messages.hasPrefix("Nothing was changed: checked 'Milk': 'done' by link"), "\(late)")
    #expect(try await box.json("answers").elements?.count == 2)
    #expect(try await box.belfry("undo").messages.contains("Undid 'belfry answer'"))
    #expect(try await box.ids("show") == [1])
    let spent = try await answer(try token(1))
    #expect(spent.status == 65 && spent.messages.contains("was taken back"), "\(spent)")
  }

  @Test("what is gone, bad or expired: 65; what needs a sign-in: 77; no reply quotes a token")
  func refused() async throws {
    let good = try token(1)
    let other = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
    for (token, words) in [
      (try token(1, use: "belfry ntfy"), "was not signed"), (String(good.dropLast()), "was not signed"),
      ("", "was not signed"),
      (try token(1, hours: Self.past), "has expired"), (try token(0), "names no action"),
      (try token(1, of: other), "is not in this store"), (try token(7), "is not in this store"),
    ] {
      let outcome = try await answer("-", input: token)
      #expect(outcome.status == 65 && outcome.messages.contains(words), "\(words): \(outcome)")
      #expect(token.isEmpty || !outcome.messages.contains(token))
    }
    #expect(try await answer("-", input: String(repeating: "A", count: 100_000)).status == 65)
    let refused = try await answer(try token(3))
    #expect(refused.status == 77 && refused.messages.contains("'trash' is only for"), "\(refused)")
    try await box.belfry("delete", "1").requireDone()
    let gone = try await answer(good)
    #expect(gone.status == 65 && gone.messages.contains("the item was deleted"), "\(gone)")
  }

  @Test("keys that others may read are not used: 77")
  func openKeys() async throws {
    let good = try token(1)
    #expect(chmod(box.path("home/state/belfry/answer-keys"), 0o644) == 0)
    let outcome = try await answer(good)
    #expect(outcome.status == 77 && outcome.messages.contains("chmod 600"), "\(outcome)")
  }

  @Test("the page of the link and the command at the same moment: one effect, and the reply to each is that")
  func atOnce() async throws {
    let (child, url) = try await startWeb()
    let (open, later) = (try token(0), try token(2))
    let looked = try await box.shell("curl -sS '\(url)/a/\(open)'; curl -sSI '\(url)/a/\(later)'")
    #expect(looked.output.contains("<h1 dir=\"auto\" class=\"short\">Milk</h1>"), "\(looked)")
    #expect(try await box.json("answers") == .array([]))
    let script = """
      for n in 1 2 3 4; do
        curl -sS -X POST -H 'Accept: application/json' '\(url)/a/\(later)' > web$n &
        "$BELFRY" answer --json \(later) > cli$n &
      done
      wait
      """
    let outcome = try await box.shell("cd '\(box.folder)' && " + script)
    #expect(outcome.isDone && outcome.messages == "", "\(outcome)")
    for number in 1...4 {
      #expect(box.text("web\(number)").contains(#""id":1,"#) && box.text("web\(number)").contains(#""effect":"done""#))
      #expect(box.text("cli\(number)").contains("\"done\""))
    }
    #expect(try await box.json("answers").elements?.count == 1)
    #expect(try await box.json("pending").elements?.count == 1)
    child.send(SIGTERM)
    #expect(await child.end == .exited(0))
    #expect(!box.text("log").contains(later) && !box.text("log").contains(open))
  }

  private func startWeb() async throws -> (child: ChildProcess, url: String) {
    let words = [try Programs.belfry, "web"].map { Array($0.utf8) }
    let child = try box.start(bytes: words, RunOptions(messages: .writing(box.path("log"))))
    var url: String?
    try await waitUntil("the web face listens") {
      url = box.text("log").firstMatch(of: #/listening on (127\.0\.0\.1:\d+)\n/#).map { "http://\($0.1)" }
      return url != nil || !child.isRunning
    }
    return (child, try #require(url, "\(box.text("log"))"))
  }
}
