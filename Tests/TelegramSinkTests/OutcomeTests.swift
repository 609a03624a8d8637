import BelfryEngine
import BelfryTestKit
import ConfigKeys
import Foundation
import Synchronization
import Testing
import Transport

@testable import TelegramSink

@Suite("What an answer of the Bot API means")
struct OutcomeTests {
  private func outcome(_ response: HTTPResponse) async throws -> DeliveryOutcome {
    let api = ScriptedBotAPI { _, _ throws(TransferFailure) in response }
    return await Telling.sink(api).deliver(Telling.attempt(try Sample.message()))
  }

  private func response(_ status: Int, _ body: String) -> HTTPResponse {
    HTTPResponse(status: status, body: Array(body.utf8))
  }

  @Test("a message with its number is delivered, and nothing else that has the status 200")
  func accepted() async throws {
    #expect(
      try await outcome(.result(["message_id": 5, "chat": ["id": -100_123]]))
        == .delivered(reply: "message 5 in chat -100123"))
    for body in [
      "", "<html>Sign in</html>", "[]", #"{"ok":true}"#, #"{"ok":true,"result":true}"#,
      #"{"ok":false,"result":{"message_id":5,"chat":{"id":1}}}"#, #"{"ok":true,"result":{"message_id":5}}"#,
    ] {
      guard case .later(_, nil, true) = try await outcome(response(200, body)) else {
        Issue.record("\(body) is delivered")
        continue
      }
    }
  }

  @Test("a token that is none any more waits for the user", arguments: [(401, "Unauthorized"), (404, "Not Found")])
  func token(status: Int, description: String) async throws {
    guard case .later(let reason, nil, true) = try await outcome(.refusal(status, description)) else {
      Issue.record("not later")
      return
    }
    #expect(reason.hasPrefix("HTTP \(status), ") && reason.contains("@BotFather"))
  }

  @Test("a bot that was blocked waits for the user")
  func blocked() async throws {
    let description = "Forbidden: bot was blocked by the user"
    #expect(
      try await outcome(.refusal(403, description))
        == .later(reason: "HTTP 403, access denied: \(description)", needsAttention: true))
  }

  @Test("a chat that is not there is final, and the new number of a group is told")
  func chat() async throws {
    #expect(
      try await outcome(.refusal(400, "Bad Request: chat not found"))
        == .never(reason: "HTTP 400: Bad Request: chat not found"))
    let moved = "Bad Request: group chat was upgraded to a supergroup chat"
    #expect(
      try await outcome(.refusal(400, moved, ["migrate_to_chat_id": -1_001_234]))
        == .never(reason: "HTTP 400: \(moved); the group's chat_id is now -1001234"))
  }

  @Test("too many requests wait as long as the answer says")
  func busy() async throws {
    let description = "Too Many Requests: retry after 37"
    #expect(
      try await outcome(.refusal(429, description, ["retry_after": 37]))
        == .later(reason: "HTTP 429: \(description)", retryAfter: Sample.now + 37))
    // A proxy in front of the server has only the field.
    let field = HTTPResponse(status: 429, fields: [HTTPField("Retry-After", "12")])
    #expect(try await outcome(field) == .later(reason: "HTTP 429", retryAfter: Sample.now + 12))
  }

  @Test("a server that failed may have sent the message")
  func failed() async throws {
    #expect(try await outcome(.refusal(502, "Bad Gateway")) == .unknown(reason: "HTTP 502: Bad Gateway"))
    #expect(try await outcome(response(500, "")) == .unknown(reason: "HTTP 500"))
    #expect(try await outcome(response(503, "")) == .later(reason: "HTTP 503"))
    let kinds: [(TransferFailure.Kind, DeliveryOutcome)] = [
      (.unreachable, .later(reason: "broken")), (.untrusted, .later(reason: "broken", needsAttention: true)),
      (.timedOut, .unknown(reason: "broken")), (.interrupted, .unknown(reason: "broken")),
      (.cancelled, .unknown(reason: "broken")),
    ]
    for (kind, expected) in kinds {
      let api = ScriptedBotAPI { _, _ throws(TransferFailure) in throw TransferFailure(kind, "broken") }
      #expect(await Telling.sink(api).deliver(Telling.attempt(try Sample.message())) == expected, "\(kind)")
    }
  }

  @Test("a probe asks who the bot is and whether it knows the chat, and says what is wrong with them")
  func probe() async throws {
    let api = ScriptedBotAPI()
    #expect(await Telling.sink(api).probe() == .delivered)
    #expect(api.calls.map(\.method) == ["getMe", "getChat"])
    #expect(api.calls(of: "getChat").map { $0["chat_id"] } == [.integer(Telling.chat)])
    let elsewhere = ScriptedBotAPI { call, earlier throws(TransferFailure) in
      call.method == "getChat" ? .refusal(400, "Bad Request: chat not found") : .usual(call, earlier)
    }
    #expect(await Telling.sink(elsewhere).probe() == .never(reason: "HTTP 400: Bad Request: chat not found"))
    let refusing = ScriptedBotAPI { _, _ throws(TransferFailure) in .refusal(401, "Unauthorized") }
    guard case .later(_, _, true) = await Telling.sink(refusing).probe() else {
      Issue.record("not later")
      return
    }
  }

  @Test("the token is in no outcome and no trace, whatever the other side says")
  func secrets() async throws {
    let key = String(Telling.token.split(separator: ":")[1])
    let said = "no /bot\(Telling.token)/sendMessage, \(Telling.token.replacing(":", with: "%3A")), \(key)"
    let lines = Mutex<[TransferLine]>([])
    let api = ScriptedBotAPI { _, earlier throws(TransferFailure) in
      switch earlier {
      case 0: throw TransferFailure(.unreachable, said)
      case 1: .refusal(400, said)
      default: HTTPResponse(status: 500, body: Array(said.utf8))
      }
    }
    let sink = Telling.sink(api, trace: { line in lines.withLock { $0.append(line) } })
    for _ in 1...3 {
      let outcome = await sink.deliver(Telling.attempt(try Sample.message()))
      #expect("\(outcome)".contains("<redacted>") && !"\(outcome)".contains(key), "\(outcome)")
    }
    for request in api.requests {
      request.options.trace?(.sent(said))
      #expect(!"\(sink)".contains(key))
    }
    let heard = lines.withLock { $0 }
    #expect(heard.count == 3 && !"\(heard)".contains(key), "\(heard)")
  }

  @Test("a token in a file is read at each attempt; where it cannot be, the delivery waits and says which file")
  func files() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("bot-token")
    let entries = [("token_file", path), ("chat_id", "1001")].map { key, text in
      ConfigEntry(key, at: .start, value: ConfigNode(.scalar(ConfigScalar(text)), at: .start))
    }
    let context = ConfigContext(
      directory: "/", environment: ConfigEnvironment(variables: [:], workingDirectory: "/"), zones: Telling.zones)
    var section = ConfigSection(entries, at: .start, context: context)
    let plugin = try #require(TelegramSinkPlugin(&section))
    let api = ScriptedBotAPI()
    let sink = plugin.makeSink(Transports(http: api, mail: Transports.none.mail))
    let attempt = Telling.attempt(try Sample.message())
    guard case .later(let reason, nil, true) = await sink.deliver(attempt) else {
      Issue.record("not later")
      return
    }
    #expect(reason.contains("'token_file'") && reason.contains("bot-token"))
    for token in ["1:one", "2:two"] {
      try "\(token)\n".write(toFile: path, atomically: true, encoding: .utf8)
      #expect(await sink.deliver(attempt).isDelivered)
    }
    #expect(api.calls.map(\.url) == ["1:one", "2:two"].map { "https://api.telegram.org/bot\($0)/sendMessage" })
    try "hidden/../token\n".write(toFile: path, atomically: true, encoding: .utf8)
    guard case .later(let other, nil, true) = await sink.deliver(attempt) else {
      Issue.record("not later")
      return
    }
    #expect(other.contains("not the token of a bot") && !other.contains("hidden"))
  }
}
