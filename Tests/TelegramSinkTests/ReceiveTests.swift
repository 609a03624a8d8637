import BelfryTestKit
import Foundation
import OrderedJSON
import Testing
import Transport

@testable import BelfryEngine
@testable import ConfigKeys
@testable import TelegramSink

@Suite("The connection to a Telegram bot")
struct ReceiveTests {
  private func end(_ reply: @escaping ScriptedBotAPI.Reply) async throws -> ReceiveOutcome {
    try await ChatFixture(reply: reply).receive()
  }

  private func end(_ response: HTTPResponse) async throws -> ReceiveOutcome {
    try await end { _, _ throws(TransferFailure) in response }
  }

  @Test("a server that answers at once without news is not asked without end")
  func noWait() async throws {
    let fixture = ChatFixture()
    #expect(try await fixture.receive() == .ended)
    #expect(fixture.api.calls(of: "getUpdates").map { $0["timeout"] } == [0, 50])
  }

  @Test("a poll that has waited is followed by the next")
  func waited() async throws {
    let time = ManualTimeSource()
    let fixture = ChatFixture(time: time) { _, earlier throws(TransferFailure) in
      time.advance(by: 50)
      guard earlier < 3 else { throw TransferFailure(.interrupted, "broken") }
      return .result([])
    }
    #expect(try await fixture.receive() == .later(reason: "broken"))
    #expect(fixture.api.calls.count == 4)
  }

  @Test(
    "another program that takes the updates, and a token that is none, wait for the user", arguments: [409, 401, 404])
  func attention(status: Int) async throws {
    let description = "Conflict: terminated by other getUpdates request"
    guard case .later(let reason, nil, true) = try await end(.refusal(status, description)) else {
      Issue.record("not later")
      return
    }
    #expect(reason.hasPrefix("HTTP \(status), "))
    #expect(status != 409 || reason.contains("deleteWebhook") && reason.contains(description))
  }

  @Test("the server says when to come again, or that it failed")
  func busy() async throws {
    let description = "Too Many Requests: retry after 9"
    #expect(
      try await end(.refusal(429, description, ["retry_after": 9]))
        == .later(reason: "HTTP 429: \(description)", retryAfter: Sample.now + 9))
    #expect(try await end(.refusal(502, "Bad Gateway")) == .later(reason: "HTTP 502: Bad Gateway"))
    #expect(
      try await end { _, _ throws(TransferFailure) in throw TransferFailure(.untrusted, "expired") }
        == .later(reason: "expired", needsAttention: true))
  }

  @Test(
    "an answer that is none is not quoted: it may hold tokens",
    arguments: [
      #"{"ok":true,"result":[{"update_id":501,"callback_query":{"data":"t0ken"#, "t0ken", "", "[\"t0ken\"]",
      #"{"ok":true,"result":{"t0ken":1}}"#, #"{"ok":false,"description":"no"}"#,
    ])
  func malformed(body: String) async throws {
    #expect(
      try await end(HTTPResponse(status: 200, body: Array(body.utf8)))
        == .later(reason: "HTTP 200, but not an answer of the Bot API", needsAttention: true))
  }

  @Test("a body without end is given up")
  func huge() async throws {
    let body = [UInt8](repeating: 0x20, count: 4_194_305)
    guard case .later(let reason, nil, false) = try await end(HTTPResponse(status: 200, body: body)) else {
      Issue.record("not later")
      return
    }
    #expect(reason.contains("4194304"))
  }

  @Test("the token is in no reason")
  func secret() async throws {
    let key = String(Telling.token.split(separator: ":")[1])
    let said = "no /bot\(Telling.token)/getUpdates"
    for status in [400, 409, 500] {
      let end = try await end(.refusal(status, said))
      #expect("\(end)".contains("<redacted>") && !"\(end)".contains(key), "\(end)")
    }
    let failed = try await end { _, _ throws(TransferFailure) in throw TransferFailure(.unreachable, said) }
    #expect("\(failed)".contains("<redacted>") && !"\(failed)".contains(key))
  }

  @Test("a token that cannot be read waits for the user")
  func unreadable() async throws {
    let source = SecretSource(key: "token_file", place: .file("/nowhere/bot-token"))
    let fixture = ChatFixture(token: source)
    guard case .later(let reason, nil, true) = try await fixture.receive() else {
      Issue.record("not later")
      return
    }
    #expect(reason.contains("/nowhere/bot-token") && fixture.api.calls.isEmpty)
  }
}
