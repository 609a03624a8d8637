import BelfryTestKit
import Digests
import Foundation
import Testing

@testable import BelfryEngine
@testable import BelfryWeb
@testable import WebAccess

@Suite("Requests that take effect once")
struct OnceTests {
  private static let key = "Idempotency-Key: 4f2c\r\n"
  private static let body = #"{"text": "Once"}"#

  @Test("the same request again gets the same reply and changes nothing, for a day")
  func again() async throws {
    let api = try APIServer()
    let token = try api.token(.edit)
    let first = try await api.send("POST", "/items", Self.body, as: token, Self.key)
    api.server.time.advance(by: 86_399)
    let again = try await api.send("POST", "/items", Self.body, as: token, Self.key)
    #expect(first.status == 201 && again.status == 201 && again.body == first.body)
    #expect(again["location"] == first["location"] && again["etag"] == first["etag"])
    #expect(try api.texts().count == 4)
    api.server.time.advance(by: 1)
    #expect(try await api.send("POST", "/items", Self.body, as: token, Self.key).status == 201)
    #expect(try api.texts().count == 5)
  }

  @Test("the same key with another body or path is refused; another access has keys of its own")
  func other() async throws {
    let api = try APIServer()
    let (token, stranger) = (try api.token(.edit), try api.token(.edit))
    _ = try await api.send("POST", "/items", Self.body, as: token, Self.key)
    #expect(try await api.send("POST", "/items", #"{"text": "Twice"}"#, as: token, Self.key).status == 422)
    #expect(try await api.send("POST", "/items/1/check", as: token, Self.key).status == 422)
    #expect(try await api.send("POST", "/items", Self.body, as: stranger, Self.key).status == 201)
    let long = "Idempotency-Key: \(String(repeating: "k", count: 256))\r\n"
    #expect(try await api.send("POST", "/items", Self.body, as: token, long).status == 400)
    #expect(try api.texts().count == 5)
  }

  @Test("a request that failed may be sent again under its key")
  func failed() async throws {
    let api = try APIServer()
    let token = try api.token(.edit)
    let body = #"{"text": "Once", "list": "Later"}"#
    #expect(try await api.send("POST", "/items", body, as: token, Self.key).status == 422)
    _ = try api.server.belfry.createList("Later")
    #expect(try await api.send("POST", "/items", body, as: token, Self.key).status == 201)
  }

  @Test("a request that died with its process may be sent again under its key after a minute")
  func died() async throws {
    let api = try APIServer()
    let token = try api.token(.edit)
    let access = try #require(try api.server.access.token(token, at: api.server.time.now))
    let digest = Base64URL.encode(SHA256.digest(Array(Self.body.utf8)))
    let once = OnceRequest(key: "4f2c", from: access, content: "/api/v1/items \(digest)")
    #expect(try api.server.access.begin(once, at: api.server.time.now) == .begun(api.server.time.now))
    api.server.time.advance(by: 59)
    let early = try await api.send("POST", "/items", Self.body, as: token, Self.key)
    #expect(early.status == 409 && early["retry-after"] == ["1"], "\(early)")
    api.server.time.advance(by: 1)
    #expect(try await api.send("POST", "/items", Self.body, as: token, Self.key).status == 201)
    #expect(try await api.send("POST", "/items", Self.body, as: token, Self.key).status == 201)
    #expect(try api.texts().count == 4)
  }

  @Test("what a process made before it died is not made again, and the reply says that it was done")
  func diedAfterwards() async throws {
    let api = try APIServer()
    let token = try api.token(.edit)
    let (began, server) = (api.server.time.now, api.server)
    let access = try #require(try server.access.token(token, at: began))
    for (path, body) in [("/items", Self.body), ("/lists", #"{"name": "Once"}"#)] {
      let content = "/api/v1\(path) \(Base64URL.encode(SHA256.digest(Array(body.utf8))))"
      let once = OnceRequest(key: path, from: access, content: content)
      #expect(try server.access.begin(once, at: began) == .begun(began))
      var belfry = server.belfry
      belfry.identities = NewIdentities(seed: "\(once.digest) \(Int64(began.timeIntervalSince1970))")
      if path == "/lists" {
        _ = try belfry.createList("Once")
      } else {
        _ = try belfry.add([ItemDraft(text: "Once", shouldRemind: false)], to: ListChoice("Home"))
      }
    }
    server.time.advance(by: 60)
    for (path, body) in [("/items", Self.body), ("/lists", #"{"name": "Once"}"#)] {
      for _ in 1...2 {
        let reply = try await api.send("POST", path, body, as: token, "Idempotency-Key: \(path)\r\n")
        #expect(reply.status == 409 && reply.body.contains("this was done"), "\(path) \(reply)")
      }
    }
    #expect(try api.texts().count { $0 == "Once" } == 1)
  }

  @Test("a file of access that refuses the reply changes nothing of what was made, nor of what is said")
  func unkept() async throws {
    let api = try APIServer()
    let token = try api.token(.edit)
    let trigger = "CREATE TRIGGER refuse BEFORE UPDATE ON reply BEGIN SELECT RAISE(ABORT, 'disk full'); END"
    try api.server.access.write { try $0.execute(trigger) }
    #expect(try await api.send("POST", "/items", Self.body, as: token, Self.key).status == 201)
    #expect(try await api.send("POST", "/items", Self.body, as: token, Self.key).status == 409)
    api.server.time.advance(by: 60)
    let late = try await api.send("POST", "/items", Self.body, as: token, Self.key)
    #expect(late.status == 409 && late.body.contains("this was done"), "\(late)")
    #expect(try api.texts().count { $0 == "Once" } == 1)
  }

  @Test("many at once under one key have one effect, and no other reply than the one or 'under way'")
  func concurrent() async throws {
    let api = try APIServer()
    let token = try api.token(.edit)
    let replies = try await withThrowingTaskGroup(of: Reply.self) { group in
      for _ in 0..<16 {
        group.addTask { try await api.send("POST", "/items", Self.body, as: token, Self.key) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(try api.texts().count { $0 == "Once" } == 1)
    let made = replies.filter { $0.status == 201 }
    #expect(!made.isEmpty && Set(made.map(\.body)).count == 1)
    #expect(replies.allSatisfy { $0.status == 201 || ($0.status == 409 && $0["retry-after"] == ["1"]) })
  }
}
