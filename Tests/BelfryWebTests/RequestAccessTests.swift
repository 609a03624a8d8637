import BelfryEngine
import Foundation
import HTTPTypes
import Hummingbird
import Testing
import Transport
import WebAccess

@testable import BelfryWeb

@Suite("Who gets in to the web face")
struct RequestAccessTests {
  private static let now = Date(timeIntervalSince1970: 1_795_248_000)
  private static let reader = Access.Grant(scope: .read)
  private static let guarded = ["/", "/metrics"]

  private func bearer(_ token: String) -> String { "Authorization: Bearer \(token)\r\n" }

  @Test("a token opens what its scope allows, and a feed opens nothing else", arguments: AccessScope.allCases)
  func scopes(scope: AccessScope) async throws {
    let server = try Server()
    let token = try server.access.addToken("program", for: Access.Grant(scope: scope), at: Self.now)
    for path in Self.guarded {
      let reply = try await server.get(path, bearer(token))
      #expect(reply.status == (scope == .feed ? 403 : 200), "\(path)")
    }
    #expect(try await server.get("/metrics", bearer(token)).body.contains("belfry_") == (scope != .feed))
  }

  @Test("a token for some lists is not for what tells about all of them")
  func lists() async throws {
    let server = try Server()
    let grant = Access.Grant(scope: .admin, lists: [UUID()])
    let token = try server.access.addToken("phone", for: grant, at: Self.now)
    #expect(try await server.get("/", bearer(token)).status == 200)
    let reply = try await server.get("/metrics", bearer(token))
    #expect(reply.status == 403 && reply.body.contains("'phone' has access to some lists only"), "\(reply.body)")
  }

  @Test("without a right every guarded route says the same, whatever was shown")
  func alike() async throws {
    let server = try Server()
    let token = try server.access.addToken("gone", for: Self.reader, at: Self.now)
    try server.access.revoke("gone")
    let shown = [
      "", bearer(token), bearer(token + "A"), bearer("bfy_"), bearer(""), "Authorization: Basic YTpi\r\n",
      "Authorization: \(token)\r\n", "Cookie: belfry=x\r\n", "Cookie: belfry=x; __Host-belfry=y\r\n",
      "Cookie: __Host-belfry=\(String(repeating: "A", count: 43))\r\n",
    ]
    for path in Self.guarded {
      let server = try Server()
      var replies: Set<String> = []
      for fields in shown {
        let reply = try await server.get(path, fields)
        #expect(reply.status == 401 && reply["www-authenticate"] == ["Bearer"], "\(fields)")
        // It shows only that a cookie was sent.
        let told = reply.fields.filter { $0.name.lowercased() != "clear-site-data" }
        #expect((told.count < reply.fields.count) == fields.hasPrefix("Cookie"), "\(fields)")
        replies.insert(told.map { "\($0.name): \($0.value)" }.joined(separator: "\n") + reply.body)
      }
      #expect(replies.count == 1)
    }
  }

  @Test("nobody is told where tokens and sessions are kept, nor why they cannot be read, but the log")
  func damaged() async throws {
    let server = try Server()
    try Data("no database".utf8).write(to: URL(filePath: server.accessFile.path))
    let shown = ["", bearer("bfy_x"), "Cookie: belfry=x\r\n"]
    for (path, fields) in shown.map({ ("/metrics", $0) }) + [("/sign-in/x", ""), ("/sign-in", shown[2])] {
      let reply = try await server.get(path, fields)
      #expect(reply.status == 500 && reply.body.contains("nothing was changed"), "\(reply)")
      #expect(!reply.body.contains(server.accessFile.path) && !reply.body.contains("database"), "\(reply)")
    }
    #expect(try await server.post("/sign-in/x").status == 500)
    let out = try await server.post("/sign-out", shown[2] + "Sec-Fetch-Site: same-origin\r\n")
    #expect(out.status == 500 && !out.body.contains(server.accessFile.path), "\(out)")
    #expect(server.log.count == 7 && server.log.allSatisfy { $0.message.contains(server.accessFile.path) })
  }

  @Test("signing in leads to the page that a browser asked for, of this server alone")
  func wayBack() async throws {
    let server = try Server()
    let asked = try await server.get("/lists?order=a+b", PageFixture.html)
    #expect(asked.status == 401)
    let cookie = try #require(asked["set-cookie"].first)
    #expect(cookie.hasPrefix("belfry-page=%2Flists%3Forder%3Da%2Bb; Path=/; Max-Age=900; HttpOnly"), "\(cookie)")
    let others = [
      "Accept: application/json\r\n", PageFixture.html + "Fragment: items\r\n",
      PageFixture.html + "Purpose: prefetch\r\n", PageFixture.html + "Sec-Purpose: prefetch;prerender\r\n",
    ]
    for fields in others {
      #expect(try await server.get("/lists", fields)["set-cookie"] == [], "\(fields)")
    }
    for (value, place) in [
      ("%2Flists%3Forder%3Da%2Bb", "/lists?order=a+b"), ("%2F%2Fevil.example", "/"),
      ("https%3A%2F%2Fevil.example", "/"),
      ("%2F%5Cevil.example", "/"), ("%", "/"), ("", "/"),
    ] {
      let link = try server.access.makeLink(for: Self.reader, at: Self.now)
      let signedIn = try await server.post(
        "/sign-in/\(link)", "Cookie: belfry-page=\(value)\r\nSec-Fetch-Site: same-origin\r\n")
      #expect(signedIn.status == 303 && signedIn["location"] == [place], "\(value) \(signedIn)")
      #expect(signedIn["set-cookie"].count == (place == "/" ? 1 : 2))
    }
  }

  @Test("a sign-in link shows one button, which signs in once")
  func signIn() async throws {
    let server = try Server()
    let link = try server.access.makeLink(for: Self.reader, at: Self.now)
    for _ in 1...2 {
      let page = try await server.get("/sign-in/\(link)")
      #expect(page.status == 200 && page["referrer-policy"] == ["no-referrer"] && page["set-cookie"] == [])
      #expect(page.body.matches(of: /<button/).count == 1 && page.body.contains("method=\"post\""))
      #expect(!page.body.contains("<script") && !page.body.contains("http"))
    }
    let head = try await server.reply(
      to: "HEAD /sign-in/\(link) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    #expect(head.status == 200)
    let signedIn = try await server.post("/sign-in/\(link)")
    #expect(signedIn.status == 303 && signedIn["location"] == ["/"])
    let cookie = try #require(signedIn["set-cookie"].first)
    #expect(
      cookie.wholeMatch(of: /belfry=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict/) != nil, "\(cookie)")
    #expect(try await server.post("/sign-in/\(link)").status == 410)
    #expect(try await server.get("/sign-in/\(link)").status == 410)
    let session = "Cookie: a=b; \(cookie.prefix { $0 != ";" })\r\n"
    #expect(try await server.get("/", session).status == 200)

    let foreign = try await server.post("/sign-out", session + "Sec-Fetch-Site: cross-site\r\n")
    #expect(foreign.status == 403)
    #expect(try await server.get("/", session).status == 200)
    let out = try await server.post("/sign-out", session + "Sec-Fetch-Site: same-origin\r\n")
    #expect(out.status == 200 && out["clear-site-data"] == ["\"cache\", \"storage\""])
    #expect(out["set-cookie"].first?.hasPrefix("belfry=; Path=/; Max-Age=0") == true)
    #expect(try await server.get("/", session).status == 401)
  }

  @Test("over https the cookie is bound to the host, and lasts thirty days")
  func secureCookie() async throws {
    let url = try ServerURL("https://belfry.example.org", schemes: ["https"])
    let server = try Server(WebSettings(listen: .tcp(address: "127.0.0.1", port: 0), publicURL: url))
    let link = try server.access.makeLink(for: Self.reader, at: Self.now)
    let reply = try await server.post("/sign-in/\(link)", host: "belfry.example.org")
    let cookie = try #require(reply["set-cookie"].first)
    let form = /__Host-belfry=[\w-]{43}; Path=\/; Max-Age=2592000; Secure; HttpOnly; SameSite=Lax/
    #expect(cookie.wholeMatch(of: form) != nil, "\(cookie)")
    let pair = String(cookie.prefix { $0 != ";" })
    // Another host of the domain can set one without the prefix.
    let plain = pair.replacing("__Host-", with: "")
    for (shown, secure, local) in [(pair, 200, 401), (plain, 401, 200), ("\(plain); \(pair)", 200, 200)] {
      let fields = "Cookie: \(shown)\r\n"
      #expect(try await server.get("/", fields, host: "belfry.example.org").status == secure, "\(shown)")
      #expect(try await server.get("/", fields).status == local, "\(shown)")
    }
    server.time.advance(by: 2_592_000)
    #expect(try await server.get("/", "Cookie: \(pair)\r\n", host: "belfry.example.org").status == 401)
  }

  @Test(
    "no other site signs a browser in",
    arguments: [
      ("Sec-Fetch-Site: cross-site\r\n", 403), ("Origin: https://evil.example\r\n", 403), ("Origin: null\r\n", 403),
      ("Sec-Fetch-Site: same-origin\r\nOrigin: null\r\n", 303), ("", 303),
    ])
  func loginForgery(fields: String, status: Int) async throws {
    let server = try Server()
    let link = try server.access.makeLink(for: Self.reader, at: Self.now)
    #expect(try await server.post("/sign-in/\(link)", fields).status == status)
    #expect(try server.access.isLinkGood(link, at: Self.now) == (status == 403))
  }

  @Test("an address that shows many wrong tokens has to wait a minute with them; right ones are never refused for it")
  func failureLimit() async throws {
    let server = try Server(
      WebSettings(listen: .tcp(address: "127.0.0.1", port: 0), trustedProxies: ["127.0.0.1", "10.0.0.1"]))
    let token = try server.access.addToken("program", for: Self.reader, at: Self.now)
    let attacker = "X-Forwarded-For: 1.1.1.1, 6.6.6.6, 10.0.0.1\r\n"
    // Who shows none guesses none.
    for _ in 1...25 { #expect(try await server.get("/", attacker).status == 401) }
    let wrong = bearer(String(token.reversed()))
    for _ in 1...20 { #expect(try await server.get("/", attacker + wrong).status == 401) }
    let refused = try await server.get("/", attacker + wrong)
    #expect(refused.status == 429 && refused["retry-after"] == ["60"])
    #expect(try await server.get("/", attacker + bearer(token)).status == 200)
    #expect(try await server.get("/", "X-Forwarded-For: 6.6.6.6, 7.7.7.7\r\n" + wrong).status == 401)
    // Sign-in links are counted apart, and a right one of that address works.
    let link = try server.access.makeLink(for: Self.reader, at: server.time.now)
    for _ in 1...10 {
      #expect(try await server.post("/sign-in/wrong", attacker).status == 410)
      #expect(try await server.get("/sign-in/wrong", attacker).status == 410)
    }
    #expect(try await server.post("/sign-in/wrong", attacker).status == 429)
    #expect(try await server.get("/sign-in/wrong", attacker).status == 429)
    #expect(try await server.get("/sign-in/\(link)", attacker).status == 200)
    #expect(try await server.post("/sign-in/\(link)", attacker).status == 303)
    server.time.advance(by: 60)
    #expect(try await server.get("/", attacker + wrong).status == 401)
  }

  @Test("a proxy that nobody trusts says nothing of who asks")
  func addresses() throws {
    var head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/")
    head.headerFields[try #require(HTTPField.Name("X-Forwarded-For"))] = "1.1.1.1, 2.2.2.2"
    let trusting = ClientAddresses(trusted: ["9.9.9.9", "2.2.2.2"], isLocalSocket: false)
    #expect(trusting.client(of: head, from: "9.9.9.9") == "1.1.1.1")
    #expect(trusting.client(of: head, from: "8.8.8.8") == "8.8.8.8")
    #expect(ClientAddresses(trusted: [], isLocalSocket: true).client(of: head, from: nil) == "2.2.2.2")
    #expect(ClientAddresses(trusted: [], isLocalSocket: false).client(of: head, from: nil) == "")
  }

  @Test("texts are shown as texts")
  func escaping() {
    var page = HTML()
    page.add("<a href=\"x\" id='y'>&é")
    #expect(page.text == "&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;é")
  }
}
