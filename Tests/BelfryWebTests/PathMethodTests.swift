import Hummingbird
import Testing

@testable import BelfryWeb

@Suite("Methods that a path does not take")
struct PathMethodTests {
  private func reply(_ method: String, _ path: String, from server: Server) async throws -> Reply {
    try await server.reply(to: "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
  }

  @Test(
    "OPTIONS names those of the path, and another one is refused with the same names",
    arguments: [
      ("/", "GET, HEAD, OPTIONS"), ("/healthz", "GET, HEAD, OPTIONS"), ("//healthz//", "GET, HEAD, OPTIONS"),
      ("/metrics", "GET, HEAD, OPTIONS"), (AssetRoutes.stylesheet.path, "GET, HEAD, OPTIONS"),
      ("/sign-in/x", "GET, HEAD, OPTIONS, POST"), ("/sign-out", "OPTIONS, POST"),
      ("/reminders/x/actions/1", "GET, HEAD, OPTIONS, POST"), ("/reminders/x/take-back?a=b", "OPTIONS, POST"),
    ])
  func known(path: String, names: String) async throws {
    let server = try Server()
    let told = try await reply("OPTIONS", path, from: server)
    #expect(told.status == 204 && told["allow"] == [names], "\(told)")
    #expect(told.body == "" && told["content-length"] == [] && told["x-content-type-options"] == ["nosniff"])
    for method in ["PUT", "DELETE", "PATCH", "TRACE", "PROPFIND"] + (names.contains("GET") ? [] : ["GET", "HEAD"]) {
      let refused = try await reply(method, path, from: server)
      #expect(refused.status == 405 && refused["allow"] == [names], "\(method): \(refused)")
      #expect(refused["content-type"] == ["application/problem+json"])
      #expect(refused.body.contains("\(method) is not for this path") == (method != "HEAD"), "\(refused)")
    }
    #expect(server.log == [])
  }

  @Test("a path that is not there is not found, whatever the method", arguments: ["OPTIONS", "GET", "PUT", "TRACE"])
  func unknown(method: String) async throws {
    let server = try Server()
    for path in ["/nothing", "/healthz/x", "/a", "/a/x/y", "/reminders"] {
      let reply = try await reply(method, path, from: server)
      #expect(reply.status == 404 && reply["allow"] == [], "\(reply)")
    }
  }

  @Test("they are those of the routes in force, of the most exact one where two take the path")
  func derived() async throws {
    let server = try Server { router in
      router.put("things/:name") { _, _ in Response.text("named\n") }
      router.get("things/all") { _, _ in Response.text("all\n") }
    }
    #expect(try await reply("OPTIONS", "/things/x", from: server)["allow"] == ["OPTIONS, PUT"])
    #expect(try await reply("OPTIONS", "/things/all", from: server)["allow"] == ["GET, HEAD, OPTIONS"])
    try server.reload()
    #expect(try await reply("OPTIONS", "/things/x", from: server).status == 404)
    #expect(try await reply("OPTIONS", "/healthz", from: server).status == 204)
  }

  @Test("of a link they are the same for every token, and none of them is looked at")
  func tokens() async throws {
    let rung = try RungReminder()
    let digest = try rung.digest()
    for (suffix, method) in [("", "OPTIONS"), ("", "DELETE"), ("/take-back", "GET"), ("/confirm", "OPTIONS")] {
      var replies: Set<String> = []
      // More than an address may be refused within a minute.
      let tokens = [rung.token(), rung.token(1), rung.token(hours: 0)] + (1...25).map { "made-up-\($0)" }
      for token in tokens {
        let reply = try await reply(method, "/a/\(token)\(suffix)", from: rung.server)
        #expect(reply.status == (method == "OPTIONS" ? 204 : 405) && reply["referrer-policy"] == ["no-referrer"])
        replies.insert(reply.fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n") + reply.body)
      }
      #expect(replies.count == 1, "\(replies)")
    }
    #expect(try rung.digest() == digest)
    #expect(try await rung.page(rung.token()).status == 200)
  }
}
