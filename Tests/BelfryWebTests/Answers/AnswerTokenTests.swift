import AnswerTokens
import BelfryModel
import BelfryTestKit
import Foundation
import Synchronization
import Testing
import WebAccess

@testable import BelfryEngine
@testable import BelfryWeb

private struct InstantWaits: TaskWaits {
  func until(_ instant: Date) async {}
  func ready(_ descriptor: Int32, for events: Int16, until instant: Date?) async {}
}

@Suite("Links that are bad, expired, or pressed by many")
struct AnswerTokenTests {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

  /// Every text that differs from a token in one bit.
  private static func flipped(_ token: String) -> [String] {
    let characters = Array(token)
    return characters.indices.flatMap { index in
      (0..<6).compactMap { bit in
        guard let value = alphabet.firstIndex(of: characters[index]) else { return nil }
        var changed = characters
        changed[index] = alphabet[value ^ 1 << bit]
        return String(changed)
      }
    }
  }

  private func comparable(_ reply: Reply) -> String {
    "\(reply.status) "
      + reply.fields.filter { $0.name != "date" }.map { "\($0.name): \($0.value)" }.joined(separator: "\n") + reply.body
  }

  @Test("a test has a page, and a press of it is taken, of the message alone that waits for it")
  func test() async throws {
    let rung = try RungReminder()
    let (waiting, other) = (UUID(), UUID())
    #expect(try await rung.server.post("/a/\(rung.token(2, of: waiting))").status == 404)
    let test = LinkTest(of: waiting, rung.server.belfry)
    try test.begin([.done, .destroying, .later])
    #expect(try await rung.server.post("/a/\(rung.token(1, of: other))").status == 404)
    #expect(try await rung.server.get("/a/\(rung.token(of: other))").status == 404)
    for action in [2, 9] as [UInt16] {
      #expect(try await rung.server.post("/a/\(rung.token(action, of: waiting))").status == 404)
    }
    // A link in a mail leads to its page, which acts by a press alone.
    let page = try await rung.server.get("/a/\(rung.token(3, of: waiting))", RungReminder.browser)
    let buttons = page.body.matches(of: /<form method="post" action="([^"]+)"><button[^>]*>([^<]+)</)
    #expect(page.status == 200 && buttons.map { String($0.2) } == ["Later", "Done"], "\(page)")
    #expect(try await test.pressed(within: 0, InstantWaits()) == nil)
    #expect(try await rung.server.post(String(buttons[0].1), RungReminder.browser).status == 404)
    try test.begin([.done, .destroying, .later])
    let pressed = try await rung.server.post(String(buttons[0].1), RungReminder.browser)
    #expect(pressed.status == 200 && pressed.body.contains("“Later” came back."), "\(pressed)")
    let reply = try await rung.server.post("/a/\(rung.token(1, of: waiting))", RungReminder.program)
    #expect(reply.status == 200 && reply.body.contains("\"effect\":\"done\""), "\(reply)")
    #expect(try await test.pressed(within: 60, InstantWaits()) == 1)
    #expect(try await LinkTest(of: other, rung.server.belfry).pressed(within: 0, InstantWaits()) == nil)
  }

  @Test("each token that is not right gets the same reply, and does nothing")
  func bad() async throws {
    let rung = try RungReminder()
    let token = rung.token(1)
    let foreign = try KeyRingFile(path: rung.server.keys.path + "-other").make(at: rung.server.time.now)
    let expiry = TokenExpiry(claim: rung.server.time.now, validFor: 604_800, retryMaxAge: 0)
    let content = AnswerToken(reminder: rung.reminder, action: 1, person: 0, expiry: expiry)
    var wrong =
      Self.flipped(token) + [
        String(token.dropLast()), token + "A", String(token.dropFirst()), token + token, "A", "%41",
        String(repeating: "A", count: 54), rung.token(1, use: TokenUse(.phone)), rung.token(1, use: TokenUse(.watch)),
        foreign.sign(content, for: .link), rung.token(1, of: UUID()), rung.token(9),
      ]
    wrong.shuffle()
    let digest = try rung.digest()
    var replies: [Set<String>] = [[], []]
    for text in wrong {
      // Otherwise so many requests would have to wait.
      rung.server.time.advance(by: 60)
      replies[0].insert(comparable(try await rung.server.post("/a/\(text)")))
      // The page is shown for each action, and offers the existing ones.
      if text != rung.token(9) { replies[1].insert(comparable(try await rung.page(text))) }
    }
    #expect(replies.map(\.count) == [1, 1], "\(replies)")
    #expect(replies[0].first?.hasPrefix("404 ") == true && replies[0].first?.contains("problem+json") == true)
    #expect(replies[1].first?.hasPrefix("404 ") == true && replies[1].first?.contains("<h1>Not found</h1>") == true)
    #expect(try rung.digest() == digest)
    #expect(rung.server.log.isEmpty)
  }

  @Test("a key that was taken away takes its links along, and without keys there are none")
  func removedKey() async throws {
    let rung = try RungReminder()
    let token = rung.token(1)
    try FileManager.default.removeItem(atPath: rung.server.keys.path)
    #expect(try await rung.page(token).status == 404)
    _ = try rung.server.keys.make(at: rung.server.time.now)
    #expect(try await rung.page(token).status == 404)
  }

  @Test("after a rotation links and the buttons of their pages go on to work")
  func rotation() async throws {
    let rung = try RungReminder()
    let token = rung.token()
    let before = PageForm.all(in: try await rung.page(token).body).map(\.action)
    _ = try rung.server.keys.rotate(at: rung.server.time.now, validFor: 604_800, retryMaxAge: 0)
    let after = PageForm.all(in: try await rung.page(token).body)
    #expect(after.map(\.action) == before)
    #expect(try await rung.server.press(after[1]).status == 200)
  }

  @Test("keys that cannot be read: nobody is told why but the log, and nothing is done")
  func unreadable() async throws {
    let rung = try RungReminder()
    try Data("{".utf8).write(to: URL(filePath: rung.server.keys.path))
    let reply = try await rung.press(1)
    #expect(reply.status == 500 && !reply.body.contains(rung.server.keys.path))
    let line = try #require(rung.server.log.first?.message)
    #expect(line.contains(rung.server.keys.path) && !line.contains(rung.token(1)))
    #expect(line.hasPrefix("POST /a/\(rung.token(1).prefix(6))…:"))
  }

  @Test("an expired link says so and offers to sign in; a clock set back makes it good again")
  func expired() async throws {
    let rung = try RungReminder()
    let token = rung.token(1, hours: 1)
    rung.server.time.advance(by: 3_600)
    for reply in [try await rung.page(token), try await rung.server.post("/a/\(token)", RungReminder.browser)] {
      #expect(reply.status == 410 && reply.body.contains("This link has expired"))
      #expect(reply.body.contains("It worked until Sat 21 Nov 2026 09:00 UTC."))
      #expect(PageForm.all(in: reply.body).map(\.label) == ["Sign in"])
    }
    let program = try await rung.server.post("/a/\(token)", RungReminder.program)
    #expect(program.status == 410 && program["content-type"] == ["application/problem+json"])
    #expect(try rung.answers() == [])
    rung.server.time.advance(by: -3_600)
    #expect(try await rung.server.post("/a/\(token)").status == 200)
  }

  @Test("fifty answers a second from one address trip nothing; twenty made-up links hold back made-up ones alone")
  func limit() async throws {
    let rung = try RungReminder()
    for _ in 1...25 {
      #expect(try await rung.page(rung.token()).status == 200)
      #expect(try await rung.press(1).status == 200)
    }
    for wrong in ["made-up", rung.token(of: UUID())] {
      for _ in 1...20 { #expect(try await rung.page(wrong).status == 404) }
      #expect(try await rung.page(wrong).status == 429)
      #expect(try await rung.page(rung.token()).status == 200)
      rung.server.time.advance(by: 60)
    }
  }

  @Test("no cookie counts behind a link, and none is asked where it comes from; a foreign Host is refused")
  func otherRules() async throws {
    let rung = try RungReminder()
    let cookie = try rung.session(Access.Grant(scope: .admin))
    let foreign = cookie + "Origin: https://evil.example\r\nSec-Fetch-Site: cross-site\r\n" + RungReminder.browser
    #expect(try await rung.press(4, foreign).status == 403)
    #expect(try await rung.press(2, foreign).status == 200)
    #expect(try rung.answers() == ["away refused", "later done"])
    let digest = try rung.digest()
    #expect(try await rung.server.post("/a/\(rung.token(1))", host: "evil.example").status == 421)
    #expect(try rung.digest() == digest)
  }

  @Test(
    "what is no form of a page is refused",
    arguments: [
      ("latest=x", 400), ("latest=1&latest=1", 400), ("latest=-1", 400), ("latest=", 400),
      ("latest=99999999999999999999", 400), (String(repeating: "x", count: 5_000), 413), ("other=1&&=", 200),
    ])
  func forms(body: String, status: Int) async throws {
    let rung = try RungReminder()
    #expect(try await rung.server.post("/a/\(rung.token(1))", body: body).status == status)
    #expect(try rung.answers().count == (status == 200 ? 1 : 0))
    let path = "/a/\(rung.token(1))"
    let json = try await rung.server.reply(
      to: "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
        + "Connection: close\r\n\r\n{}")
    #expect(json.status == 415)
  }

  @Test("pressed by many at once, it has one effect and one reply")
  func atOnce() async throws {
    let rung = try RungReminder()
    let replies = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 1...16 { group.addTask { try await rung.press(2, latest: 0).body } }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(replies.count == 1)
    #expect(try rung.answers() == ["later done"])
  }
}

extension OfferedAction {
  fileprivate static let done = OfferedAction(identifier: "done", title: "Done", operation: .check)
  fileprivate static let destroying = OfferedAction(identifier: "away", title: "Throw away", operation: .delete)
  fileprivate static let later = OfferedAction(identifier: "later", title: "Later", operation: .acknowledge)
}
