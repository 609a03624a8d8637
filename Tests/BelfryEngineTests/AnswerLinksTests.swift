import BelfryModel
import BelfryTestKit
import Foundation
import Synchronization
import Testing
@testable import BelfryEngine

/// Links from the claim to the sink. It is 09:00 in Zurich on 21 November 2026.
@Suite struct AnswerLinksTests {
  /// Links with a key that a test chooses; they note the calls.
  private final class TestLinks: AnswerLinks {
    private struct State {
      var key: UInt8? = 3
      var wereKeysInUse: [Bool] = []
    }

    private let state = Mutex(State())

    var wereKeysInUse: [Bool] { state.withLock { $0.wereKeysInUse } }

    func sign(by key: UInt8?) { state.withLock { $0.key = key } }

    func tokens(claimedAt now: Date, retryMaxAge: Double, isKeyInUse: () throws -> Bool) throws -> MessageTokens? {
      let isInUse = try isKeyInUse()
      return state.withLock { state in
        state.wereKeysInUse.append(isInUse)
        return state.key.map { MessageTokens(key: $0, expiry: UInt32(retryMaxAge)) }
      }
    }

    func links(of message: Message) -> [ReminderLinks] {
      guard let key = message.tokens?.key else { return [] }
      return Sample.links(of: message, at: "https://key-\(key).example.org")
    }

    func buttons(of message: Message, over channel: Answer.Channel) -> [[String?]] {
      message.contents.map { content in content.actions.map { "\(channel.name) \($0.identifier)" } }
    }

    func press(_ token: String, over channel: Answer.Channel, at now: Date) throws(ButtonRefusal) -> Press {
      throw .unknown
    }
  }

  private let fixture = EngineFixture()
  private let links = TestLinks()

  private func active(_ sink: RecordingSink, name: String = "sink", onFailure: String? = nil) -> ActiveSink {
    ActiveSink(name: name, sink: sink, retry: RetryPolicy(maxAge: 7_200), onFailure: onFailure, links: links)
  }

  @Test("what the tokens are made with is kept at the claim, and each attempt has its links, one for each reminder")
  func attempts() async throws {
    for text in ["a", "b"] { try fixture.add(text, due: "2026-11-21T10:00") }
    let sink = RecordingSink(grouping: .all) { _, earlier in earlier == 0 ? .later(reason: "busy") : .delivered }
    let daemon = try TestDaemon(fixture.belfry, sinks: [active(sink)])
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    try await daemon.tick()
    links.sign(by: 4)
    try fixture.setClock("2026-11-21T10:01:00+01:00")
    try await daemon.tick()
    let (first, second) = (try #require(sink.attempts.first), try #require(sink.attempts.last))
    #expect(sink.attempts.count == 2)
    #expect(first.message.tokens == MessageTokens(key: 3, expiry: 7_200))
    #expect(first.links == Sample.links(of: first.message, at: "https://key-3.example.org"))
    #expect(first.links.count == 2 && first.links == second.links)
    #expect(try fixture.store.read { try $0.message(id: first.message.id)?.tokens } == first.message.tokens)
  }

  @Test("a ring is asked for with what the store knows of keys in use")
  func keysInUse() async throws {
    for time in ["10:00", "10:01"] { try fixture.add(due: "2026-11-21T\(time)") }
    let daemon = try TestDaemon(fixture.belfry, sinks: [active(RecordingSink())])
    for time in ["10:00", "10:01"] {
      try fixture.setClock("2026-11-21T\(time):00+01:00")
      try await daemon.tick()
    }
    #expect(links.wereKeysInUse == [false, true])
  }

  @Test("without a key a message goes out without links")
  func noKey() async throws {
    links.sign(by: nil)
    try fixture.add(due: "2026-11-21T10:00")
    let sink = RecordingSink()
    let daemon = try TestDaemon(fixture.belfry, sinks: [active(sink)])
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    try await daemon.tick()
    #expect(sink.attempts.map(\.links) == [[]])
    #expect(sink.attempts.first?.message.tokens == nil)
  }

  @Test("a failure notice carries no links")
  func notice() async throws {
    try fixture.add(due: "2026-11-21T10:00")
    let (sink, other) = (RecordingSink { _, _ in .never(reason: "404") }, RecordingSink())
    var fixture = fixture
    fixture.settings.routes = [Route(sinks: ["sink"])]
    let daemon = try TestDaemon(
      fixture.belfry, sinks: [active(sink, onFailure: "other"), active(other, name: "other")])
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    try await daemon.tick()
    try await daemon.tick()
    #expect(sink.attempts.first?.links.count == 1)
    #expect(other.attempts.map(\.message.kind) == [.failed])
    #expect(other.attempts.map(\.links) == [[]])
  }

  @Test("what a server sends back of a token is neither stored nor logged, however it is cut")
  func echo() async throws {
    let words: @Sendable (DeliveryAttempt) -> [String] = { attempt in
      let links = attempt.links[0]
      let token = links.actions[0].token ?? ""
      return [
        "bad request: {\"answer_url\":\"\(links.answerURL)\"}", "…\(token.dropFirst(20))", "\(token.dropLast(1))",
        Data("x\(token)".utf8).base64EncodedString(), "no such path: \(links.actions[1].url.dropFirst(8))",
      ]
    }
    try fixture.add(due: "2026-11-21T10:00")
    let sink = RecordingSink { attempt, earlier in .later(reason: words(attempt)[earlier]) }
    let daemon = try TestDaemon(fixture.belfry, sinks: [active(sink)])
    for clock in ["10:00:00", "10:00:30", "10:02:00", "10:10:00", "10:30:00"] {
      try fixture.setClock("2026-11-21T\(clock)+01:00")
      try await daemon.tick()
      let attempt = try #require(sink.attempts.last)
      let urls = attempt.links.flatMap { [$0.answerURL] + $0.actions.map(\.url) }
      let tokens = urls.map { String($0.split(separator: "/").last ?? "") }
      let error = try only(fixture.deliveries()).lastError ?? ""
      #expect(error.contains("<redacted>"), "\(error)")
      let told =
        [error] + daemon.events.map(\.message)
        + (try fixture.store.read { try $0.attempts(of: 1).compactMap(\.words) })
      for text in told {
        for token in tokens + tokens.map({ Data($0.utf8).base64EncodedString() }) {
          for start in 0...(token.count - 12) {
            #expect(!text.contains(token.dropFirst(start).prefix(12)), "\(text) has a part of \(token)")
          }
        }
      }
    }
    #expect(sink.attempts.count == 5)
    #expect(try only(fixture.deliveries()).lastError?.contains("no such path: ") == true)
  }
}
