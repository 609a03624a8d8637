import BelfryEngine
import BelfryModel
import BelfryTestKit
import ConfigKeys
import Foundation
import OrderedJSON
import Synchronization
import Testing
import Transport

@testable import WebhookSink

/// Replies as the documentation has them (https://pushover.net/api, https://pushover.net/api/receipts).
private final class Pushover: Sendable {
  static let receipt = "rLqVuqTRh62UzxtmqiaLzQmVcPgiCy"

  enum State { case pending, acknowledged, expired }

  let state = Mutex(State.pending)

  func answer(_ request: HTTPRequest) -> Result<HTTPResponse, TransferFailure> {
    guard request.method == "GET" else {
      let isUrgent = (try? JSONValue(parsing: request.body))?["priority"]?.integerValue == 2
      let receipt = isUrgent ? #","receipt":"\#(Self.receipt)""# : ""
      return .success(
        HTTPResponse(status: 200, body: Array(#"{"status":1,"request":"647d2300-702c-4b38-8b2f"\#(receipt)}"#.utf8)))
    }
    let state = state.withLock { $0 }
    let body = """
      {"status":1,"acknowledged":\(state == .acknowledged ? 1 : 0),\
      "acknowledged_at":\(state == .acknowledged ? 1_795_248_090 : 0),"acknowledged_by":"",\
      "last_delivered_at":1795248060,"expired":\(state == .expired ? 1 : 0),"expires_at":1795258860,"called_back":0,\
      "called_back_at":0,"request":"b8dd6e47-8d2d-4b1b-9d42"}
      """
    return .success(HTTPResponse(status: 200, body: Array(body.utf8)))
  }
}

@Suite("Emergencies of Pushover, which somebody acknowledges")
struct ReceiptTests {
  private static let url = "https://api.pushover.net/1/messages.json?token=azGDORePK8gMaC0Q&user=uQiRzpo4%2BDXg"

  private func fixture(_ pushover: Pushover, _ urgency: Urgency = .critical) async throws -> ReplyFixture {
    try await fixture(over: RecordingHTTPTransport { pushover.answer($0) }, urgency)
  }

  private func fixture(over transport: RecordingHTTPTransport, _ urgency: Urgency = .critical) async throws
    -> ReplyFixture
  {
    try await ReplyFixture(alert: AlertStyle(urgency: urgency), over: transport) { endpoint in
      endpoint.url = SecretSource(Secret(Self.url))
      (endpoint.format, endpoint.replyTopic, endpoint.authentication) = (.pushover, nil, nil)
    }
  }

  @Test("an acknowledgement is an answer, asked for without an open port")
  func acknowledged() async throws {
    let pushover = Pushover()
    let fixture = try await fixture(pushover)
    #expect(try Hooking.json(fixture.transport.requests[0])["user"] == "uQiRzpo4+DXg")
    try await fixture.receive(waits: false)
    #expect(try fixture.answers().isEmpty)
    let question = try #require(fixture.transport.requests.last)
    #expect(
      question.url
        == "https://api.pushover.net/1/receipts/\(Pushover.receipt).json?token=azGDORePK8gMaC0Q&user=uQiRzpo4%2BDXg")
    pushover.state.withLock { $0 = .acknowledged }
    try await fixture.receive(waits: false)
    let answer = try #require(try fixture.answers().first)
    #expect(answer.operation == .acknowledge && answer.channel.name == "pushover" && answer.effect == .done)
    #expect(try fixture.store.read { try $0.item(id: 1) }?.item.isChecked == false)
    // Once, also by a program that starts anew and knows the receipt from the store.
    try await fixture.receive(waits: false)
    #expect(try fixture.answers().count == 1 && fixture.log == [])
  }

  @Test("what was answered elsewhere is repeated no longer, however often it was sent, and is asked about no longer")
  func answeredElsewhere() async throws {
    let pushover = Pushover()
    let first = Mutex(true)
    let transport = RecordingHTTPTransport { request in
      let answer = pushover.answer(request)
      let isFirst = first.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      return isFirst ? .failure(TransferFailure(.interrupted, "the reply was lost")) : answer
    }
    let fixture = try await fixture(over: transport)
    fixture.time.advance(by: 60)
    try await fixture.tick()
    let tags = try fixture.transport.requests.map { try Hooking.json($0)["tags"]?.stringValue }
    let tag = try #require(tags.first ?? nil)
    #expect(tags == [tag, tag] && tag.wholeMatch(of: /belfry-[0-9a-f-]{36}/) != nil)
    _ = try fixture.belfry.setChecked(true, [1])
    try await fixture.tick()
    let last = try #require(fixture.transport.requests.last)
    #expect(last.url == "https://api.pushover.net/1/receipts/cancel_by_tag/\(tag).json")
    #expect(try Hooking.json(last).serialized() == #"{"token":"azGDORePK8gMaC0Q"}"#)
    let count = fixture.transport.requests.count
    try await fixture.receive(waits: false)
    #expect(fixture.transport.requests.count == count)
  }

  @Test("what is less urgent has no receipt, and nothing to withdraw")
  func withoutReceipt() async throws {
    let fixture = try await fixture(Pushover(), .high)
    _ = try fixture.belfry.setChecked(true, [1])
    try await fixture.tick()
    try await fixture.receive(waits: false)
    #expect(fixture.transport.requests.count == 1)
  }

  @Test("an emergency that nobody acknowledged in time is asked about no longer")
  func expired() async throws {
    let pushover = Pushover()
    let fixture = try await fixture(pushover)
    pushover.state.withLock { $0 = .expired }
    try await fixture.receive(waits: false)
    #expect(try fixture.answers().isEmpty && fixture.log == [])
  }
}
