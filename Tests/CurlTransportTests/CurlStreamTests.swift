import BelfryTestKit
import ConfigKeys
import CurlTransport
import Foundation
import TestSupport
import Testing
import Transport

@Suite("HTTP streams")
struct CurlStreamTests {
  let transport = CurlTransport()
  let server: StreamServer

  init() throws { server = try StreamServer() }

  private func open(_ path: String = "/stream") async throws(TransferFailure) -> HTTPStream {
    try await transport.stream(.get(server.url + path), silenceSeconds: TimeLimit.patience / .seconds(1))
  }

  private func say(_ text: String, at path: String = "/say") async throws {
    _ = try await transport.send(.post(server.url + path, body: text))
  }

  // Bytes that were said at once may arrive in pieces.
  private func text(_ count: Int, from stream: HTTPStream) async throws -> String {
    var bytes: [UInt8] = []
    while bytes.count < count, let more = try await stream.next() { bytes += more }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("the head arrives first, then each piece while the response is open, then the end")
  func pieces() async throws {
    let stream = try await open()
    #expect(stream.head.status == 200)
    #expect(stream.head.field("transfer-encoding") == "chunked")
    #expect(stream.head.body.isEmpty)
    for word in ["one\n", "two\n", "half"] {
      try await say(word)
      #expect(try await text(word.utf8.count, from: stream) == word)
    }
    try await say("", at: "/finish")
    #expect(try await stream.next() == nil)
    #expect(try await stream.next() == nil)
  }

  @Test("two streams and ordinary requests do not wait for each other")
  func side() async throws {
    let streams = [try await open("/stream?1"), try await open("/stream?2")]
    for number in 10...59 {
      try await say("\(number)\n")
      for stream in streams { #expect(try await text(3, from: stream) == "\(number)\n") }
    }
    #expect(Set(try server.events()) == [.opened(path: "/stream?1"), .opened(path: "/stream?2")])
  }

  @Test("a stream that is cut gives what has arrived, and then breaks")
  func cut() async throws {
    let stream = try await open()
    try await say("one\n")
    try await say("", at: "/cut")
    var bytes: [UInt8] = []
    let failed = await failure { () async throws(TransferFailure) in
      while let more = try await stream.next() { bytes += more }
    }
    #expect(failed?.kind == .interrupted, "\(failed?.reason ?? "")")
    #expect(String(decoding: bytes, as: UTF8.self) == "one\nhalf a chu")
  }

  @Test("a server that falls silent ends the stream, and what it had said is read first")
  func silence() async throws {
    let stream = try await transport.stream(.get(server.url + "/stream"), silenceSeconds: 1.2)
    try await say("one\n")
    #expect(try await text(4, from: stream) == "one\n")
    let taken = await duration {
      let failed = await failure { () async throws(TransferFailure) in try await stream.next() }
      #expect(failed?.kind == .timedOut && failed?.reason == "the server was silent for 1.2 s")
    }
    #expect(taken < TimeLimit.ending)
  }

  @Test("a server that never answers is silent too; one that is never reached is unreachable")
  func noAnswer() async throws {
    let silent = try RudeServer(.silent)
    let answerless = await failure { () async throws(TransferFailure) in
      try await transport.stream(.get("http://\(silent.address)/"), silenceSeconds: 1.2)
    }
    #expect(answerless?.kind == .timedOut && answerless?.reason == "the server was silent for 1.2 s")
    let request = HTTPRequest.get("https://\(silent.address)/", options: TransferOptions(timeoutSeconds: 1.2))
    let unreached = await failure { () async throws(TransferFailure) in
      try await transport.stream(request, silenceSeconds: TimeLimit.patience / .seconds(1))
    }
    #expect(unreached?.kind == .unreachable && unreached?.reason == "no connection within 1.2 s")
  }

  @Test("a cancelled reader ends at once, and its connection with it; others go on")
  func cancellation() async throws {
    let other = try await open("/other")
    let stream = try await open()
    let reading = Task { () async -> TransferFailure? in
      await failure { () async throws(TransferFailure) in try await stream.next() }
    }
    let taken = await duration {
      reading.cancel()
      #expect(await reading.value?.kind == .cancelled)
    }
    #expect(taken < TimeLimit.ending)
    try await eventually("the connection is closed") { try server.events().contains(.closed) }
    try await say("on")
    #expect(try await text(2, from: other) == "on")
    #expect(try server.events().count == 3)
  }

  @Test("a stream that nobody holds any more ends, and so does one whose head is never waited for")
  func abandonment() async throws {
    _ = try await open()
    try await eventually("the connection is closed") { try server.events().last == .closed }
    let silent = try RudeServer(.silent)
    let opening = Task { () async -> TransferFailure? in
      await failure { () async throws(TransferFailure) in
        try await transport.stream(.get("http://\(silent.address)/"), silenceSeconds: 600)
      }
    }
    try await eventually("the request is under way") { try silent.connections() == ["open"] }
    opening.cancel()
    #expect(await opening.value?.kind == .cancelled)
    try await eventually("the connection is closed") { try silent.connections() == ["open", "closed"] }
  }

  @Test("a task that is cancelled before it begins opens no stream")
  func cancelledBefore() async throws {
    let failed = await Task { () async -> TransferFailure? in
      withUnsafeCurrentTask { $0?.cancel() }
      return await failure { () async throws(TransferFailure) in try await open() }
    }.value
    #expect(failed?.kind == .cancelled)
    #expect(try server.events().isEmpty)
  }

  @Test("a slow reader holds up the server, which is not taken for silent, and then reads everything in order")
  func slowness() async throws {
    let stream = try await transport.stream(.get(server.url + "/flood"), silenceSeconds: 3)
    try await eventually("the server is held up") { try !server.events().isEmpty }
    guard case .heldUp(let sent) = try server.events().first else {
      Issue.record("the stream has ended")
      return
    }
    // As much as the kernel's buffers hold.
    #expect(sent < 64 << 20)
    var count = 0
    while count < sent + (8 << 20), let bytes = try await stream.next() {
      #expect(bytes.count <= 81_920)
      try #require(bytes.enumerated().allSatisfy { $1 == UInt8(truncatingIfNeeded: count + $0) })
      count += bytes.count
    }
    #expect(count >= sent + (8 << 20))
  }

  @Test("a status of failure comes with its head and the start of its body")
  func refusal() async throws {
    let response = try await open("/refused").response()
    #expect(response.status == 403)
    #expect(response.field("Retry-After") == "7")
    #expect(response.body == Array(repeating: UInt8(ascii: "n"), count: HTTPResponse.keptBody))
  }

  @Test("a body is read whole, or not at all where it is longer than its limit")
  func bodies() async throws {
    #expect(try await open("/refused").body(upTo: 100_000).count == 100_000)
    let stream = try await open("/refused")
    let failed = await failure { () async throws(TransferFailure) in try await stream.body(upTo: 99_999) }
    #expect(failed?.kind == .protocolViolation && failed?.reason == "the answer is longer than 99999 bytes")
  }

  @Test("a redirect is an answer and is not followed")
  func redirect() async throws {
    let stream = try await open("/moved")
    #expect(stream.head.status == 302)
    #expect(stream.head.field("Location") == "/stream")
    #expect(try await stream.next() == nil)
    #expect(try server.events().isEmpty)
  }

  @Test("the trace of a stream masks secrets in the path, the fields and the body")
  func trace() async throws {
    let trace = RecordedTrace()
    let options = TransferOptions(trace: Redaction([Secret("T0PSECRET")]).masking(trace.hear))
    let request = HTTPRequest.get(
      server.url + "/stream/T0PSECRET", [HTTPField("X-Echo", "Bearer T0PSECRET")], options: options)
    let stream = try await transport.stream(request, silenceSeconds: TimeLimit.patience / .seconds(1))
    try await say("{\"token\":\"T0PSECRET\"}\n")
    #expect(try await text(22, from: stream) == "{\"token\":\"T0PSECRET\"}\n")
    for line: TransferLine in [
      .sent("GET /stream/<redacted> HTTP/1.1"), .sent("X-Echo: Bearer <redacted>"),
      .received("X-Echo: Bearer <redacted>"), .received("{\"token\":\"<redacted>\"}"),
    ] {
      #expect(trace.lines.contains(line))
    }
    #expect(!trace.lines.contains { "\($0)".contains("T0PSECRET") })
  }

  @Test("over TLS too a stream has its own connection, over HTTP/1.1")
  func tls() async throws {
    let authority = try TestAuthority()
    let nginx = try NginxServer(.tls(authority))
    let options = TransferOptions(timeoutSeconds: TimeLimit.patience / .seconds(1), caFile: authority.certificate)
    let stream = try await transport.stream(
      .get("\(nginx.url)/200", options: options), silenceSeconds: TimeLimit.patience / .seconds(1))
    #expect(try await stream.body(upTo: 2) == Array("ok".utf8))
    await eventually("it is logged") { nginx.accessLog.count == 1 }
    #expect(nginx.accessLog.first?.hasPrefix("200 GET /200 HTTP/1.1") == true)
    let untrusting = await failure { () async throws(TransferFailure) in
      try await transport.stream(.get("\(nginx.url)/200"), silenceSeconds: 600)
    }
    #expect(untrusting?.kind == .untrusted)
  }

  @Test("a closed transport ends its streams as cancelled, and opens none")
  func closing() async throws {
    let stream = try await open()
    await transport.close()
    let ended = await failure { () async throws(TransferFailure) in try await stream.next() }
    #expect(ended?.kind == .cancelled)
    let refused = await failure { () async throws(TransferFailure) in try await open() }
    #expect(refused?.kind == .cancelled)
  }
}
