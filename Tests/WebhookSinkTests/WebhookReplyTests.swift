import BelfryEngine
import BelfryModel
import BelfryTestKit
import ConfigKeys
import Foundation
import Testing
import Transport

@testable import WebhookSink

@Suite("Answers over a topic of ntfy")
struct WebhookReplyTests {
  // Half a minute after the items of a fixture have rung.
  private static let later = Sample.now + 60 + 30

  private func interrupted() -> Result<Void, TransferFailure> { .failure(TransferFailure(.interrupted, "reset")) }

  @Test("only a sink with a topic for them has any")
  func source() async throws {
    let plain = try Hooking.sink(
      RecordingHTTPTransport(), url: "https://ntfy.example.org/bells", { $0.format = .ntfy })
    #expect(plain.replySource == nil)
    #expect(try await ReplyFixture().sink.sink.replySource?.channel.name == "ntfy")
  }

  @Test("a press is answered with the position after it; the next connection goes on there")
  func pressed() async throws {
    let fixture = try await ReplyFixture()
    let press = NtfyLine.message("press0000001", try fixture.token("Done"))
    let end = try await fixture.receive(
      .lines([]), .lines([NtfyLine.open, NtfyLine.keepalive, press, NtfyLine.keepalive]))
    #expect(end == .ended)
    let answers = try fixture.answers()
    #expect(
      answers.map(\.channel.name) == ["ntfy"] && answers.map(\.action) == ["done"] && answers.map(\.effect) == [.done])
    #expect(try fixture.store.read { try $0.item(id: 1) }?.item.isChecked == true)
    #expect(try fixture.position() == "press0000001")
    try await fixture.receive(.lines([]), .lines([NtfyLine.open]))
    #expect(
      fixture.queries == [
        "poll=1&since=all", "since=all", "poll=1&since=press0000001", "since=press0000001",
      ])
    #expect(fixture.log == [])
  }

  @Test("the topic is asked with the sink's own credentials, and without the user's header fields")
  func request() async throws {
    let fixture = try await ReplyFixture { $0.fields = [HTTPField("X-Priority", "5")] }
    try await fixture.receive(.lines([]), waits: false)
    let request = try #require(fixture.transport.requests.last)
    #expect(request.method == "GET" && request.body.isEmpty)
    #expect(request.fields.map(\.name) == ["User-Agent", "Authorization"])
    #expect(request.fields.last?.value == "Bearer tk_hidden")
  }

  @Test("what the server has kept is taken up in order, once, also where it comes again")
  func kept() async throws {
    let fixture = try await ReplyFixture((1...50).map { "number \($0)" })
    let lines = try (0..<50).map { NtfyLine.message("press\(1000 + $0)", try fixture.token("Done", of: $0)) }
    try await fixture.receive(.lines(lines + lines), .lines([NtfyLine.open] + lines, end: interrupted()))
    let answers = try fixture.answers()
    #expect(answers.count == 50 && answers.allSatisfy { $0.effect == .done })
    #expect(try fixture.position() == "press1049")
    #expect(fixture.log == [])
  }

  @Test("without waiting, only what is there is taken up, which ends the problem that was")
  func once() async throws {
    let fixture = try await ReplyFixture()
    try fixture.store.write { try $0.put(SinkInbox(sink: "phone", problem: "HTTP 502", changedAt: Sample.now)) }
    let end = try await fixture.receive(
      .lines([NtfyLine.message("press0000001", try fixture.token("Later"))]), waits: false)
    #expect(end == .ended && fixture.queries == ["poll=1&since=all"])
    #expect(try fixture.answers().map(\.action) == ["later"])
    let kept = try #require(try fixture.store.read { try $0.inbox(ofSink: "phone") })
    #expect(kept.position == "press0000001" && kept.problem == nil)
    #expect(fixture.log == ["sink 'phone' receives answers again"])
  }

  @Test("rubbish is passed over with one line of the log, and a press among it counts")
  func rubbish() async throws {
    let fixture = try await ReplyFixture()
    let press = NtfyLine.message("press0000001", try fixture.token("Done"))
    let rubbish =
      (0..<1_000).map { NtfyLine.message("rubbish\(1000 + $0)", "hello \($0) \u{202e}\u{7}") }
      + [
        "", "null", "[1,2", "{\"event\":\"message\"}", "{\"event\":7}", NtfyLine.message("a b&since=all", "x"),
        NtfyLine.message("", "x"), #"{"id":"gone00000001","time":1,"event":"message_delete","sequence_id":"x"}"#,
        NtfyLine.message("press0000000", "expired"), #"{"id":"none00000001","time":1,"event":"message"}"#,
      ]
    try await fixture.receive(.lines([]), .lines([NtfyLine.open] + rubbish + [press] + rubbish))
    #expect(try fixture.answers().map(\.action) == ["done"])
    #expect(try fixture.position() == "none00000001")
    #expect(fixture.log.count == 1 && fixture.log[0].contains("sink 'phone' ignored 1 message that is not an answer"))
    #expect(!fixture.log[0].contains("hello"))
  }

  @Test("rubbish alone moves the position, in writing at most once a minute")
  func skipped() async throws {
    let fixture = try await ReplyFixture()
    let (source, inbox) = try fixture.inbox()
    for (seconds, id, kept) in [(0.0, "first", "first"), (30, "second", "first"), (60, "third", "third")] {
      fixture.time.now = Sample.now + 60 + seconds
      fixture.transport.script([.lines([NtfyLine.message(id, "hello")])])
      _ = try await source.receive(inbox, waits: false)
      #expect(inbox.position == id)
      #expect(try fixture.position() == kept)
    }
  }

  @Test("a stream that ends within a line is read again from the position before it")
  func cut() async throws {
    let fixture = try await ReplyFixture(["Milk", "Bread"])
    let first = NtfyLine.message("press0000001", try fixture.token("Done"))
    let second = NtfyLine.message("press0000002", try fixture.token("Done", of: 1))
    for length in 0..<second.utf8.count {
      let end = try await fixture.receive(
        .lines([]),
        ScriptedStream(
          body: [NtfyLine.open, first, String(decoding: second.utf8.prefix(length), as: UTF8.self)]
            .joined(separator: "\n"), end: interrupted()))
      #expect(end == .later(reason: "reset"))
      #expect(try fixture.answers().count == 1 && fixture.position() == "press0000001")
    }
    // The end of the stream does not show either whether the line is whole.
    try await fixture.receive(.lines([]), ScriptedStream(body: "\(NtfyLine.open)\n\(second)"))
    #expect(try fixture.answers().count == 1)
    try await fixture.receive(.lines([second]), waits: false)
    #expect(try fixture.answers().count == 2)
    #expect(fixture.log == [])
  }

  @Test("a line without an end is not kept, and the next line counts")
  func endless() async throws {
    let fixture = try await ReplyFixture()
    let press = NtfyLine.message("press0000001", try fixture.token("Done"))
    let long = NtfyLine.message("long00000001", String(repeating: "x", count: 1_000_000))
    try await fixture.receive(.lines([long, press]), waits: false)
    #expect(try fixture.answers().count == 1)
    #expect(fixture.log.count == 1 && fixture.log[0].contains("a line that is not ntfy's"))
  }

  @Test(
    "a refusal says who must act, and none is for ever but 410",
    arguments: [
      (401, ReceiveOutcome.later(reason: "HTTP 401, access denied: no", retryAfter: later, needsAttention: true)),
      (403, .later(reason: "HTTP 403, access denied: no", retryAfter: later, needsAttention: true)),
      (404, .later(reason: "HTTP 404: no", needsAttention: true)),
      (429, .later(reason: "HTTP 429: no", retryAfter: later)),
      (500, .later(reason: "HTTP 500: no", retryAfter: later)),
      (410, .never(reason: "HTTP 410, the receiver is gone: no")),
    ])
  func refused(status: Int, outcome: ReceiveOutcome) async throws {
    let fixture = try await ReplyFixture()
    let refusal = ScriptedStream(
      status: status, fields: [HTTPField("Content-Type", "text/plain"), HTTPField("Retry-After", "30")], body: "no")
    #expect(try await fixture.receive(refusal) == outcome)
    #expect(try await fixture.receive(.lines([]), refusal) == outcome)
    #expect(try fixture.answers() == [])
  }

  @Test("a page in place of messages is told, and nothing in it counts")
  func page() async throws {
    let fixture = try await ReplyFixture()
    let press = NtfyLine.message("press0000001", try fixture.token("Done"))
    let page = ScriptedStream(fields: [HTTPField("Content-Type", "text/html")], body: "<html>\n\(press)\n")
    let told = ReceiveOutcome.later(reason: "HTTP 200, not from an ntfy server", needsAttention: true)
    #expect(try await fixture.receive(page) == told)
    #expect(try fixture.answers() == [])
  }

  @Test("what fails without an answer of the server is told without secrets")
  func failures() async throws {
    let fixture = try await ReplyFixture()
    let failed = TransferFailure(.untrusted, "no trust in \(ReplyFixture.topic)/json with tk_hidden")
    let end = try await fixture.receive(.lines([]), .lines([NtfyLine.open], end: .failure(failed)))
    guard case .later(let reason, nil, needsAttention: true) = end else { throw Unexpected("\(end)") }
    #expect(reason.contains("<redacted>") && !reason.contains("answers") && !reason.contains("hidden"))
    #expect(try await fixture.receive() == .later(reason: "nothing is scripted for <redacted>/json?poll=1&since=all"))
  }

  @Test("a position that the server does not understand is left, and everything read; no other request is refused so")
  func foreignPosition() async throws {
    let fixture = try await ReplyFixture()
    try fixture.store.write { try $0.put(SinkInbox(sink: "phone", position: "old", changedAt: Sample.now)) }
    let press = NtfyLine.message("press0000001", try fixture.token("Done"))
    let refusal = ScriptedStream(status: 400, fields: [], body: "invalid since parameter")
    try await fixture.receive(refusal, .lines([press]), waits: false)
    #expect(fixture.queries == ["poll=1&since=old", "poll=1&since=all"])
    #expect(try fixture.position() == "press0000001")
    let again = try await fixture.receive(refusal, refusal, waits: false)
    #expect(again == .later(reason: "HTTP 400: invalid since parameter", needsAttention: true))
  }

  @Test("secrets in files that cannot be read, and the messages' own topic in one, are told")
  func unusable() async throws {
    let fixture = try await ReplyFixture { $0.replyTopic = SecretSource(Secret("https://ntfy.example.org/bells")) }
    guard case .never(let reason) = try await fixture.receive() else { throw Unexpected("it was received") }
    #expect(reason.contains("the topic of the messages themselves") && fixture.queries == [])
    let other = try await ReplyFixture { $0.replyTopic = SecretSource(Secret("nonsense")) }
    guard case .later(_, nil, needsAttention: true) = try await other.receive() else { throw Unexpected("received") }
  }

  @Test("a cancelled task ends at once", .timeLimit(.minutes(10)))
  func cancelled() async throws {
    let fixture = try await ReplyFixture()
    fixture.transport.script([.lines([]), .lines([NtfyLine.open], end: nil)])
    let (source, inbox) = try fixture.inbox()
    let receiving = Task { try await source.receive(inbox, waits: true) }
    receiving.cancel()
    _ = try await receiving.value
    #expect(try fixture.answers() == [])
  }

  @Test(
    "a probe asks whether the topic can be read, and reads nothing",
    arguments: [(200, "application/x-ndjson", true), (200, "text/html", false), (403, "application/json", false)])
  func probe(status: Int, type: String, isGood: Bool) async throws {
    let transport = RecordingHTTPTransport { _ in
      .success(HTTPResponse(status: status, fields: [HTTPField("content-type", type)]))
    }
    let sink = try Hooking.sink(
      transport, url: "https://ntfy.example.org/bells",
      { endpoint in
        endpoint.format = .ntfy
        endpoint.replyTopic = SecretSource(Secret(ReplyFixture.topic))
      })
    let outcome = await sink.probe()
    #expect(outcome.isDelivered == isGood)
    #expect(transport.requests.map(\.url) == ["\(ReplyFixture.topic)/json?poll=1&since=none"])
    if !isGood { #expect(outcome == .never(reason: "HTTP \(status), the reply topic cannot be read")) }
  }
}
