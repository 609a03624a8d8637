import CurlTransport
import Foundation
import TestSupport
import Testing
import Transport

@Suite("HTTP requests")
struct HTTPTests {
  // Long, so that no connection is closed between two requests on a busy machine.
  let transport = CurlTransport(httpIdleLimit: .seconds(3_600))

  @Test("every status is an answer, redirects too", arguments: [200, 204, 301, 400, 410, 425, 429, 500, 503])
  func statuses(status: Int) async throws {
    let server = try NginxServer()
    let response = try await transport.send(.post("\(server.url)/\(status)"))
    #expect(response.status == status)
    #expect(response.field("SERVER")?.hasPrefix("nginx") == true)
    #expect(response.field("Retry-After") == ([429, 503].contains(status) ? "7" : nil))
    #expect(response.field("Location")?.hasSuffix("/200") == (status == 301 ? true : nil))
    if status == 200 { #expect(response.body == Array("ok".utf8)) }
    await eventually("one request is logged") { server.accessLog.count == 1 }
  }

  @Test("method, header fields in their order and the body arrive byte for byte, and nothing else is made up")
  func fidelity() async throws {
    let server = try HTTPCollector(answers: [.init(200, fields: ["X-B": "b ", "X-a": ""], body: "fine")])
    let body = (0...255).map { UInt8($0) } + Array("é漢\r\n".utf8)
    var request = HTTPRequest(
      url: server.url,
      fields: [
        HTTPField("webhook-id", "msg_1"), HTTPField("X-Empty", ""), HTTPField("X-Latin", "caf\u{e9}"),
        HTTPField("Content-Type", "application/json"), HTTPField("User-Agent", "belfry/1"),
      ], body: body, options: TransferOptions())
    let response = try await transport.send(request)
    #expect(response == HTTPResponse(status: 200, fields: response.fields, body: Array("fine".utf8)))
    #expect(response.field("x-b") == "b")
    #expect(response.field("X-A") == "")
    request.method = "PUT"
    _ = try await transport.send(request)
    _ = try await transport.send(HTTPRequest(method: "GET", url: server.url, fields: [], body: [], options: .init()))
    let received = try server.received()
    #expect(received.map(\.method) == ["POST", "PUT", "GET"])
    let first = try #require(received.first)
    #expect(Array(first.body) == body)
    let names = first.fields.compactMap(\.first)
    #expect(
      names == [
        "Host", "Accept", "webhook-id", "X-Empty", "X-Latin", "Content-Type", "User-Agent", "Content-Length",
      ])
    #expect(first.field("x-empty") == "")
    #expect(received.last?.fields.compactMap(\.first) == ["Host", "Accept"])
  }

  @Test("one after the other goes over one connection; a body without a type gets none")
  func reuse() async throws {
    let server = try HTTPCollector()
    for _ in 1...20 { _ = try await transport.send(.post(server.url)) }
    let received = try server.received()
    #expect(received.map(\.connection) == Array(repeating: 1, count: 20))
    #expect(received.allSatisfy { $0.field("Content-Type") == nil && $0.field("Expect") == nil })
  }

  @Test("a connection that nobody has used for its limit is closed")
  func idle() async throws {
    let transport = CurlTransport(httpIdleLimit: .zero)
    let server = try HTTPCollector()
    for _ in 1...3 { _ = try await transport.send(.post(server.url)) }
    #expect(try server.received().map(\.connection) == [1, 2, 3])
  }

  @Test("many at once all get their own answers")
  func many() async throws {
    let server = try NginxServer()
    let statuses = [200, 204, 410, 503]
    let answers = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
      for index in 0..<200 {
        let status = statuses[index % 4]
        let request = HTTPRequest.post("\(server.url)/\(status)", body: String(repeating: "x", count: index * 50))
        group.addTask { (status, try await transport.send(request).status) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.count == 200)
    #expect(answers.allSatisfy { $0.0 == $0.1 })
    await eventually("all are logged") { server.accessLog.count == 200 }
  }

  @Test("over TLS HTTP/2 is used where it is offered")
  func http2() async throws {
    let authority = try TestAuthority()
    let server = try NginxServer(.tls(authority))
    let options = TransferOptions(caFile: authority.certificate)
    let first = try await transport.send(.post("\(server.url)/200", options: options))
    #expect(first.body == Array("ok".utf8))
    #expect(try await transport.send(.post("\(server.url)/204", options: options)).status == 204)
    await eventually("both are logged") { server.accessLog.count == 2 }
    #expect(server.accessLog.map { $0.split(separator: " ")[3] } == ["HTTP/2.0", "HTTP/2.0"])
    #expect(Set(server.accessLog.map { $0.split(separator: " ")[4] }).count == 1)
  }

  @Test("a client's certificate is shown where it is configured")
  func clientCertificate() async throws {
    let authority = try TestAuthority()
    let server = try NginxServer(.mutual(authority))
    let client = try authority.identity("belfry", for: .client)
    var options = TransferOptions(
      caFile: authority.certificate, clientCertificate: client.certificate, clientKey: client.key)
    #expect(try await transport.send(.post("\(server.url)/204", options: options)).status == 204)
    options.clientCertificate = nil
    options.clientKey = nil
    // A connection made with a client certificate is not reused without it.
    #expect(try await transport.send(.post("\(server.url)/204", options: options)).status == 400)
  }

  @Test("the start of a body is kept, and a header name may occur in several fields")
  func limits() async throws {
    let body = String(repeating: "0123456789", count: 10_000)
    let server = try HTTPCollector(answers: [
      .init(200, fields: ["X-Long": String(repeating: "y", count: 9_000)], body: body)
    ])
    let response = try await transport.send(.post(server.url))
    #expect(response.body == Array(body.utf8.prefix(HTTPResponse.keptBody)))
    #expect(response.field("X-Long")?.count == 9_000)
    _ = try await transport.send(.post(server.url))
    #expect(try server.received().map(\.connection) == [1, 1])
  }

  @Test("the trace hears both sides, and the transport about the connection")
  func trace() async throws {
    let server = try NginxServer()
    let trace = RecordedTrace()
    let options = TransferOptions(trace: trace.hear)
    _ = try await transport.send(
      .post("\(server.url)/200", [HTTPField("X-A", "b")], body: "one\ntwo", options: options))
    #expect(trace.lines.contains(.sent("POST /200 HTTP/1.1")))
    for line in ["X-A: b", "one", "two"] { #expect(trace.lines.contains(.sent(line))) }
    for line in ["HTTP/1.1 200 OK", "ok"] { #expect(trace.lines.contains(.received(line))) }
    #expect(trace.lines.contains { if case .note(let text) = $0 { text.contains("127.0.0.1") } else { false } })
  }

  @Test("a probe connects and sends nothing")
  func probe() async throws {
    let server = try NginxServer()
    try await transport.probe(url: "\(server.url)/503", options: TransferOptions())
    #expect(server.accessLog.isEmpty)
    server.stop()
    let refused = await failure { () async throws(TransferFailure) in
      try await transport.probe(url: server.url, options: TransferOptions())
    }
    #expect(refused?.kind == .unreachable)
  }
}
