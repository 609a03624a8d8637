import Foundation
import TestSupport
import Testing

/// Items have rung, and the links of all are pressed at once in a web face that is killed.
@Suite("A web face that is killed at its answers")
struct AnswerCrashTests {
  private static let texts = (1...8).map { "Item \($0)" }
  private static let web = "web: { listen: 127.0.0.1:0, public_url: \"http://localhost\" }\n"

  @Test("killed at the N-th call, each answer is there as a whole or not at all; what got its reply is there")
  func killed() async throws {
    let server = try HTTPCollector()
    let box = try Sandbox(sinks: ["hook: { type: webhook, url: \"\(server.url)\" }"], more: Self.web)
    var kills = 0
    for (call, numbers) in [("pwrite64", [1, 2, 9, 30, 60]), ("fdatasync", [1, 2, 3])] {
      for number in numbers {
        let tokens = try await ring(box, server)
        var options = RunOptions()
        options.prefix = [
          // Without -I, strace blocks signals if the N-th call never happens.
          "/usr/bin/strace", "-I1", "-f", "-qq", "-o", box.path("trace"), "-P", box.store + "-wal",
          "-e", "trace=\(call)", "-e", "inject=\(call):signal=KILL:when=\(number)",
        ]
        let face = try await box.webFace([], options)
        let replied = try await press(tokens, at: face.url, box)
        let answered = try await answered(box)
        #expect(replied.isSubset(of: answered), "\(call) \(number): replied \(replied), answered \(answered)")
        if replied.count < tokens.count { kills += 1 }
        _ = await face.stop()

        let next = try await box.webFace()
        #expect(try await press(tokens, at: next.url, box) == Set(tokens.keys))
        #expect(try await self.answered(box).isSuperset(of: tokens.keys))
        #expect(await next.stop() == .exited(0))
      }
    }
    #expect(kills >= 5, "\(kills) kills")
    #expect(try await box.belfry("store", "check").isDone)
  }

  /// Rings new items, and returns the tokens of their first action by the items' numbers.
  private func ring(_ box: Sandbox, _ server: HTTPCollector) async throws -> [Int64: String] {
    let known = try server.received().count
    try await box.addDueItems(Self.texts)
    try await box.belfry("run", "--once").requireDone()
    var tokens: [Int64: String] = [:]
    for request in try server.received().dropFirst(known) {
      let message = try JSON(request.text)
      // The copies of the previous round are told of their answers.
      guard message["type"] == .text("reminder.fired"), let content = message["data"] else { continue }
      let item = try #require(content["item"]?["id"]?.integer)
      tokens[item] = content["actions"]?.elements?.first?["token"]?.text
    }
    try #require(tokens.count == Self.texts.count, "\(tokens)")
    return tokens
  }

  /// Presses all at once, and returns the items whose press was replied to with 200.
  private func press(_ tokens: [Int64: String], at url: String, _ box: Sandbox) async throws -> Set<Int64> {
    let presses = tokens.map { item, token in
      "{ [ \"$(curl -sS -o /dev/null -w '%{http_code}' -X POST '\(url)/a/\(token)')\" != 200 ] || echo \(item); } &"
    }
    let outcome = try await box.shell((presses + ["wait"]).joined(separator: "\n"))
    return Set(outcome.output.split(separator: "\n").compactMap { Int64($0) })
  }

  /// The items that were answered; each is checked, has one answer, and nothing else is.
  private func answered(_ box: Sandbox) async throws -> Set<Int64> {
    let answers = try #require(try await box.json("answers", "-n", "1000").elements)
    let items = try #require(try await box.json("show", "--all").elements)
    let owners = answers.compactMap { $0["item_id"]?.integer }
    #expect(answers.allSatisfy { $0["effect"] == .text("done") } && Set(owners).count == answers.count)
    let checked = items.filter { $0["is_checked"] == .bool(true) }.compactMap { $0["id"]?.integer }
    #expect(Set(checked) == Set(owners), "half done: \(answers)")
    return Set(owners)
  }
}
