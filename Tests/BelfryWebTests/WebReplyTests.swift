import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import Hummingbird
import MemoryStore
import Testing

@testable import BelfryWeb

@Suite("Replies of the web face")
struct WebReplyTests {
  @Test("it is alive, and ready while the store can be read")
  func health() async throws {
    let server = try Server()
    let alive = try await server.get("/healthz")
    #expect(alive.status == 200 && alive.body == "ok\n")
    let ready = try await server.get("/readyz")
    #expect(ready.status == 200 && ready.body == "ready\n")
  }

  @Test("without its store it is alive and not ready, and says neither path nor reason")
  func notReady() async throws {
    let server = try Server(store: BrokenStore())
    #expect(try await server.get("/healthz").status == 200)
    let reply = try await server.get("/readyz")
    #expect(reply.status == 503 && reply["retry-after"] == ["5"] && !reply.body.contains("/secret/place"))
    #expect(server.log.contains { $0.message.contains("/secret/place") })
  }

  @Test("every reply has the fields that hold a browser back", arguments: ["/healthz", "/nothing", "/b/../c"])
  func fields(path: String) async throws {
    let reply = try await Server().get(path)
    let policy = try #require(reply["content-security-policy"].first)
    #expect(policy.hasPrefix("default-src 'none';") && !policy.contains("unsafe") && !policy.contains("http"))
    #expect(policy.contains("frame-ancestors 'none'") && policy.contains("base-uri 'none'"))
    for (name, value) in [
      ("x-content-type-options", "nosniff"), ("referrer-policy", "same-origin"), ("cache-control", "no-store"),
      ("cross-origin-opener-policy", "same-origin"), ("cross-origin-resource-policy", "same-origin"),
      ("x-robots-tag", "noindex"), ("date", "Sat, 21 Nov 2026 08:00:00 GMT"),
    ] { #expect(reply[name] == [value], "\(name)") }
    #expect(reply["server"] == [])
  }

  @Test(
    "no page behind a secret path tells others where a browser came from",
    arguments: [
      ("/a/x", true), ("//a//x", true), ("/a/x/", true), ("/sign-in/x", true), ("//sign-in/x", true), ("/a", false),
      ("/sign-in", false), ("/ab/x", false),
    ])
  func secretPaths(path: String, isSecret: Bool) async throws {
    let reply = try await Server().get(path)
    #expect(reply["referrer-policy"] == [isSecret ? "no-referrer" : "same-origin"])
  }

  @Test("HEAD has the fields of GET and no body", arguments: ["/healthz", "/nothing"])
  func head(path: String) async throws {
    let server = try Server()
    let whole = try await server.get(path)
    let head = try await server.reply(to: "HEAD \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    #expect(head.status == whole.status && head.body == "" && whole.body != "")
    #expect(head.fields.map(\.name).sorted() == whole.fields.map(\.name).sorted())
    #expect(head["content-length"] == ["\(whole.body.utf8.count)"])
  }

  @Test("errors are problems as RFC 9457 has them")
  func problems() async throws {
    let server = try Server { router in
      router.get("locked") { _, _ -> Response in throw BelfryError(.tryAgain, "locked", hint: "again") }
      router.get("strange") { _, _ -> Response in throw Connection.Failure(code: 5) }
    }
    let missing = try await server.get("/nothing")
    #expect(missing.status == 404 && missing["content-type"] == ["application/problem+json"])
    let locked = try await server.get("/locked")
    #expect(locked.status == 503 && locked["retry-after"] == ["1"])
    #expect(
      locked.body
        == #"{"type":"about:blank","title":"Service Unavailable","status":503,"detail":"locked","hint":"again"}"#
        + "\n")
    #expect(try await server.get("/strange").status == 500)
    #expect(server.log.map(\.message) == ["GET /locked: locked; again", "GET /strang…: Failure(code: 5)"])
  }

  @Test("a page that tells of an error has a bar that leads to Today, unless the visitor has only a link")
  func bar() async throws {
    let fixture = try PageFixture()
    let bar = #/<header class="bar"><a class="back" href="\/">.*Today<\/span>/#.dotMatchesNewlines()
    for path in ["/items/999", "/nowhere"] {
      let reply = try await fixture.server.get(path, fixture.visitor())
      #expect(reply.status == 404 && reply.body.contains(bar), "\(reply)")
    }
    for (path, status) in [("/", 401), ("/a/x", 404)] {
      let reply = try await fixture.server.get(path, PageFixture.html)
      #expect(reply.status == status && !reply.body.contains("class=\"bar\""), "\(reply)")
    }
  }

  @Test(
    "each kind of error has a status of its own",
    arguments: [
      (BelfryError.Kind.usage, 400), (.badInput, 422), (.notFound, 404), (.refused, 502), (.internalError, 500),
      (.cannotCreate, 500), (.storeFailed, 500), (.tryAgain, 503), (.noPermission, 403), (.badConfig, 500),
    ])
  func statuses(kind: BelfryError.Kind, status: Int) {
    #expect(Problem(BelfryError(kind, "x")).status.code == status)
  }

  @Test("a log shows six characters of what could be a token")
  func loggedPath() {
    #expect(LoggedPath.text("/a/JQARIjNEVWZ3iJmqu8zd7v8AAgADAO0Yx") == "/a/JQARIj…")
    #expect(LoggedPath.text("/api/v1/items/12") == "/api/v1/items/12")
    #expect(LoggedPath.text("") == "")
  }

  @Test("dates are those of RFC 9110")
  func dates() {
    #expect(HTTPDate.text(Date(timeIntervalSince1970: 784_111_777)) == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(HTTPDate.text(Date(timeIntervalSince1970: 0)) == "Thu, 01 Jan 1970 00:00:00 GMT")
    #expect(HTTPDate.text(Date(timeIntervalSince1970: -1)) == "Wed, 31 Dec 1969 23:59:59 GMT")
  }

  @Test("calls that wait for the store hold up nothing else, and too many are told to come again")
  func storeThreads() async throws {
    let threads = StoreThreads(count: 2)
    let gate = Gate()
    let server = try Server { router in
      router.get("slow") { _, _ -> Response in
        try await threads.run { gate.wait() }
        return .text("done\n")
      }
    }
    async let replies = withThrowingTaskGroup(of: Int.self) { group in
      for _ in 1...300 { group.addTask { try await server.get("/slow").status } }
      var statuses: [Int: Int] = [:]
      for try await status in group {
        statuses[status, default: 0] += 1
        // All that have to be refused were refused, so the others wait.
        if statuses[503] == 44 { gate.open() }
      }
      return statuses
    }
    #expect(try await server.get("/healthz").status == 200)
    #expect(try await replies == [200: 256, 503: 44])
  }
}

/// A store that cannot be read.
private struct BrokenStore: ItemStore {
  private let store = MemoryStore()
  var location: String { "/secret/place" }

  func read<Result>(_ body: (any StoreView) throws -> Result) throws -> Result {
    throw BelfryError(.storeFailed, "/secret/place is damaged")
  }

  func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result { try store.write(body) }
  func lockForDaemon() throws -> any DaemonLock { try store.lockForDaemon() }
  func tidy() {}
  func info() -> StoreInfo { StoreInfo() }
  func damage() -> [String] { [] }
}
