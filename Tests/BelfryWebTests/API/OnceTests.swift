import BelfryTestKit
import Foundation
import SQLiteStore
import Testing

@testable import BelfryEngine
@testable import BelfryWeb
@testable import CivilTime
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

  @Test("a form that is sent again under its key counts once, and leads back, whenever its words were typed")
  func form() async throws {
    let fixture = try PageFixture()
    try fixture.add(["Milk"])
    let visitor = try fixture.visitor() + Self.key
    for path in ["/items", "/items?now=2026-11-19T23:30:00Z"] {
      let reply = try await fixture.post(
        path, ["line": "Call Anna tomorrow", "seen": "yes", "back": "/lists"], visitor)
      #expect(reply.status == 303 && reply["location"].first?.hasPrefix("/lists") == true, "\(reply)")
    }
    #expect(try fixture.item(2)?.text == "Call Anna" && fixture.item(3) == nil)
    #expect(try await fixture.post("/items", ["line": "Other", "seen": "yes"], visitor).status == 422)
    let other = try fixture.visitor() + Self.key
    _ = try await fixture.post("/items?now=2026-11-19T23:30:00Z", ["line": "Call Ben tomorrow", "seen": "yes"], other)
    #expect(try fixture.item(3)?.due?.local == WallTime(parsing: "2026-11-21T09:00"))
  }

  @Test("a form that was refused may be sent again under its key")
  func refusedForm() async throws {
    let fixture = try PageFixture()
    let visitor = try fixture.visitor() + Self.key
    #expect(try await fixture.post("/items/1/check", [:], visitor).status == 404)
    try fixture.add(["Milk"])
    #expect(try await fixture.post("/items/1/check", [:], visitor).status == 303)
    _ = try fixture.server.belfry.setChecked(false, [1])
    #expect(try await fixture.post("/items/1/check", [:], visitor).status == 303)
    #expect(try fixture.item(1)?.isChecked == false)
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

  @Test("a file of access that refuses the reply changes nothing, and the request may be sent again")
  func unkept() async throws {
    let api = try APIServer()
    let token = try api.token(.edit)
    let trigger = "CREATE TRIGGER refuse BEFORE UPDATE ON kept_reply BEGIN SELECT RAISE(ABORT, 'disk full'); END"
    let access = try #require(try api.server.access.token(token, at: api.server.time.now))
    _ = try api.server.access.begin([OnceRequest(key: "", from: access, content: "")], at: api.server.time.now)
    try api.server.access.write { try $0.statement(trigger).execute() }
    for _ in 1...2 {
      #expect(try await api.send("POST", "/items", Self.body, as: token, Self.key).status == 500)
      #expect(try api.texts().count == 3)
    }
    try api.server.access.write { try $0.statement("DROP TRIGGER refuse").execute() }
    for _ in 1...2 { #expect(try await api.send("POST", "/items", Self.body, as: token, Self.key).status == 201) }
    #expect(try api.texts().count == 4)
  }

  @Test("a store that another process holds is told as that, and the request may be sent again")
  func locked() async throws {
    let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    let path = folder.file("store.sqlite")
    let api = try APIServer(try Server(store: SQLiteStore(path: path, lockTimeout: 0.02)))
    let token = try api.token(.edit)
    let held = try await onThread {
      try SQLiteStore(path: path).write { _ in
        Task { try await api.send("POST", "/items", Self.body, as: token, Self.key) }
      }
    }
    _ = try await held.value
    for _ in 1...2 { #expect(try await api.send("POST", "/items", Self.body, as: token, Self.key).status == 201) }
    #expect(try api.texts().count { $0 == "Once" } == 1)
  }

  @Test("a repeat whose first sending cannot be looked up is not told that nothing was changed")
  func obscured() async throws {
    let api = try APIServer()
    let token = try api.token(.edit)
    let first = try await api.send("POST", "/items", Self.body, as: token, Self.key)
    try api.server.access.write { try $0.statement("ALTER TABLE kept_reply RENAME TO elsewhere").execute() }
    let repeated = try await api.send("POST", "/items", Self.body, as: token, Self.key)
    #expect(repeated.status == 500 && !"\(repeated)".contains("nothing was changed"), "\(repeated)")
    try api.server.access.write { try $0.statement("ALTER TABLE elsewhere RENAME TO kept_reply").execute() }
    let again = try await api.send("POST", "/items", Self.body, as: token, Self.key)
    #expect(again.status == 201 && again.body == first.body)
    #expect(try api.texts().count { $0 == "Once" } == 1)
  }

  @Test("an import that only tries takes effect never, however often it is sent")
  func dryRun() async throws {
    let api = try APIServer()
    let token = try api.token()
    for _ in 1...2 {
      let reply = try await api.send(
        "POST", "/import?format=todo.txt&dry_run=true", "Once\n", as: token, Self.key, type: "text/plain")
      #expect(reply.status == 200 && reply["belfry-added"] == ["1"], "\(reply)")
    }
    #expect(try api.texts().count == 3)
  }

  @Test("many at once under one key have one effect, and one reply")
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
    #expect(replies.allSatisfy { $0.status == 201 } && Set(replies.map(\.body)).count == 1)
  }
}
