import BelfryEngine
import HTTPTypes
import Hummingbird
import Testing
import Transport

@testable import BelfryWeb

@Suite("Which requests the web face takes")
struct RequestRuleTests {
  private static let settings = WebSettings(
    listen: .tcp(address: "127.0.0.1", port: 0),
    publicURL: try? ServerURL("https://belfry.example.org:8443", schemes: ["https"]))

  @Test(
    "a Host is this machine's or that of the public URL",
    arguments: [
      ("localhost", 200), ("LOCALHOST:8787", 200), ("127.0.0.1", 200), ("127.0.0.1:1", 200), ("[::1]:8787", 200),
      ("[::1]", 200), ("belfry.example.org:8443", 200), ("Belfry.Example.ORG:8443", 200), ("belfry.example.org", 421),
      ("belfry.example.org:443", 421), ("belfry.example.org.:8443", 421), ("evil.example", 421),
      ("localhost.evil.example", 421), ("127.0.0.2", 421), ("localhost:", 421), ("localhost:x", 421),
      ("localhost:80:80", 421), ("localhost:999999", 421), ("[::1", 421), ("[::1]x", 421), ("user@localhost", 421),
      ("", 400), (" ", 400),
    ])
  func host(host: String, status: Int) async throws {
    let server = try Server(Self.settings)
    let reply = try await server.reply(to: "GET /healthz HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
    #expect(reply.status == status, "\(reply)")
  }

  @Test(
    "a missing, a doubled and a contradicted Host are refused",
    arguments: [
      ("GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n", 400),
      ("GET /healthz HTTP/1.0\r\nConnection: close\r\n\r\n", 400),
      ("GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\nConnection: close\r\n\r\n", 400),
      ("GET /healthz HTTP/1.1\r\nHost: localhost\r\nhost: evil.example\r\nConnection: close\r\n\r\n", 400),
      ("GET /healthz HTTP/1.1\r\nHost: evil.example\r\nHost: localhost\r\nConnection: close\r\n\r\n", 400),
      ("GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 400),
      ("GET http://localhost/healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 400),
      ("OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 400),
    ])
  func hosts(request: String, status: Int) async throws {
    #expect(try await Server(Self.settings).reply(to: request).status == status)
  }

  @Test(
    "a path that could be read in two ways is refused",
    arguments: [
      "/./healthz", "/x/../healthz", "/..", "/%2e%2E/healthz", "/x/%2e%2e/healthz", "/a%2fb", "/a%5cb", "/%00",
      "/%0d%0aX: y", "/%7f", "/%", "/%g1", "/%1", "/%ff", "/%c0%ae",
    ])
  func paths(path: String) async throws {
    #expect(try await Server().get(path).status == 400)
  }

  @Test("other paths are looked for", arguments: ["/%41", "/é", "//healthz//", "/healthz/", "/healthz?x=../%zz"])
  func otherPaths(path: String) async throws {
    let expected = path.contains("healthz") ? 200 : path == "/é" ? 400 : 404
    #expect(try await Server().get(path).status == expected)
  }

  @Test(
    "what a browser changes with its cookie comes from a page of this server",
    arguments: [
      ("", 403), ("Sec-Fetch-Site: same-origin\r\n", 200), ("Sec-Fetch-Site: same-site\r\n", 403),
      ("Sec-Fetch-Site: cross-site\r\nOrigin: https://belfry.example.org:8443\r\n", 403),
      ("Sec-Fetch-Site: none\r\n", 403), ("Sec-Fetch-Site: same-origin\r\nSec-Fetch-Site: same-origin\r\n", 403),
      ("Origin: https://belfry.example.org:8443\r\n", 200), ("Origin: https://belfry.example.org\r\n", 403),
      ("Origin: http://belfry.example.org:8443\r\n", 403), ("Origin: null\r\n", 403),
      ("Origin: https://evil.example\r\n", 403), ("Origin: http://localhost:PORT\r\n", 200),
      ("Origin: http://127.0.0.1:PORT\r\n", 200), ("Origin: http://localhost\r\n", 403),
      ("Origin: http://localhost:PORT\r\nOrigin: http://evil.example\r\n", 403),
    ])
  func origins(fields: String, status: Int) async throws {
    let server = try Server(Self.settings) { router in router.post("change") { _, _ in Response.text("changed\n") } }
    guard case .tcp(_, let port) = server.address else { return }
    let fields = fields.replacing("PORT", with: "\(port)")
    for (cookie, expected) in [("Cookie: session=x\r\n", status), ("", 200)] {
      let reply = try await server.reply(
        to:
          "POST /change HTTP/1.1\r\nHost: localhost\r\n\(cookie)\(fields)Content-Length: 0\r\nConnection: close\r\n\r\n"
      )
      #expect(reply.status == expected, "\(cookie)")
    }
  }
}
