import Hummingbird
import NIOCore
import Testing

@testable import BelfryWeb

@Suite("What is not a proper request")
struct BadInputTests {
  private static let start = "POST /take HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"

  private static func long(_ count: Int) -> String { String(repeating: "x", count: count) }

  private func server() throws -> Server {
    try Server { router in
      router.post("take") { request, _ in
        let body = try await request.body.collect(upTo: WebLimits().body)
        return Response.text("\(body.readableBytes)\n")
      }
    }
  }

  @Test(
    "it gets a clear 4xx or a closed connection, and others are served",
    arguments: [
      "GET /healthz\r\n\r\n", "GET /healthz HTTP/0.9\r\n\r\n", "GET /healthz HTTP/3.0\r\nHost: localhost\r\n\r\n",
      "BREW /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", "\r\n\r\n\r\nnonsense\r\n\r\n", "\u{16}\u{3}\u{1}\0\u{5}",
      "GET /healthz HTTP/1.1\nHost localhost\n\n", "GET /healthz HTTP/1.1\r\nHost: localhost\r\n folded\r\n\r\n",
      "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX\u{0}Y: z\r\n\r\n",
      "GET /\0 HTTP/1.1\r\nHost: localhost\r\n\r\n",
      start + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      start + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
      start + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", start + "Content-Length: -1\r\n\r\n",
      start + "Content-Length: +3\r\n\r\nabc", start + "Content-Length: 99999999999999999999\r\n\r\n",
      start + "Content-Length: 3, 3\r\n\r\nabc", start + "Transfer-Encoding: gzip\r\n\r\nabc",
      start + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n", start + "Transfer-Encoding: chunked\r\n\r\n-1\r\nabc\r\n",
      start + "Transfer-Encoding: chunked\r\n\r\n3\r\nabcdef\r\n0\r\n\r\n",
      start + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nabc\r\n",
      "GET /\(long(20_000)) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
      "GET /\(long(200_000)) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
      "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: \(long(20_000))\r\nConnection: close\r\n\r\n",
      "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        + String(repeating: "X: y\r\n", count: 3_000) + "\r\n",
    ])
  func refused(request: String) async throws {
    let server = try server()
    let text = try await server.exchange(request)
    if !text.isEmpty {
      let status = try #require(Reply(text)?.status, "\(text)")
      #expect(400..<500 ~= status, "\(text)")
    }
    #expect(try await server.get("/healthz").status == 200)
    #expect(server.log == [])
  }

  @Test("a body of exactly the limit is taken, one byte more is told to be too long, however it comes")
  func bodies() async throws {
    let server = try server()
    let most = WebLimits().body
    for (count, status) in [(0, 200), (most, 200), (most + 1, 413), (3 * most, 413)] {
      let body = Self.long(count)
      let plain = try await server.exchange(Self.start + "Content-Length: \(count)\r\n\r\n\(body)")
      #expect(Reply(plain)?.status == status, "\(count)")
      let chunk = count == 0 ? "" : "\(String(count, radix: 16))\r\n\(body)\r\n"
      let chunked = try await server.exchange(Self.start + "Transfer-Encoding: chunked\r\n\r\n\(chunk)0\r\n\r\n")
      #expect(Reply(chunked)?.status == status, "\(count) in chunks")
    }
  }

  @Test("requests that come together are answered in their order")
  func pipelining() async throws {
    let server = try server()
    let text = try await server.exchange(
      "POST /take HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\na"
        + "POST /take HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nab"
        + Self.start + "Content-Length: 3\r\n\r\nabc")
    #expect(text.split(separator: "\r\n\r\n").dropFirst().map { $0.prefix(2) } == ["1\n", "2\n", "3\n"])
  }
}
