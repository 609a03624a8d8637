import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import JSONStore
import SQLiteStore
import Testing
import VdirStore
import WebAccess

@testable import BelfryWeb

/// It is 08:00 UTC on 2026-11-21, and the clock stands still unless a test moves it.
@Suite("The stream of changes")
struct LiveEventTests {
  /// The end of a reply in chunks.
  private static let end = "0\r\n\r\n"

  private struct Page {
    let connection: Connection
    /// The reply so far.
    let beginning: String

    /// The next event or comment.
    func next() async throws -> String { try await onThread { [connection] in try connection.text(until: "\n\n") } }

    func ends() async throws {
      _ = try await onThread { [connection] in try connection.text(until: LiveEventTests.end) }
    }
  }

  private func page(
    _ server: Server, lastID: String? = nil, shown: String? = nil, _ grant: Access.Grant = Access.Grant(scope: .read),
    name: String = "page"
  ) async throws -> Page {
    let token = try server.access.addToken(name, for: grant, at: server.time.now)
    let field = lastID.map { "Last-Event-ID: \($0)\r\n" } ?? ""
    let query = shown.map { "?last=\($0)" } ?? ""
    return try await onThread { [address = server.address] in
      let connection = try Connection(to: address)
      try connection.send(
        "GET /api/v1/events\(query) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n\(field)\r\n")
      return Page(connection: connection, beginning: try connection.text(until: "\n\n"))
    }
  }

  private func add(_ belfry: Belfry, to list: String = "Groceries") throws {
    _ = try belfry.add([ItemDraft(text: "Buy milk")], to: ListChoice(list, createsMissing: true))
  }

  @Test("a page is told its place first, then each change, and between them that the server lives")
  func changes() async throws {
    let server = try Server()
    try add(server.belfry)
    let page = try await page(server)
    #expect(page.beginning.contains(" 200 ") && page.beginning.contains("text/event-stream"), "\(page.beginning)")
    #expect(page.beginning.contains("\nid: 1\n\n"), "\(page.beginning)")
    try add(server.belfry)
    server.feed.wake()
    #expect(try await page.next().contains("id: 2\nevent: change\ndata: {\"change\": 2}\n\n"))
    server.time.advance(by: 25)
    server.feed.wake()
    let beat = try await page.next()
    #expect(beat.contains("\n:\n\n") && !beat.contains("event"), "\(beat)")
  }

  @Test(
    "a page that comes back is told whether it missed something",
    arguments: [
      ("2", "id: 2\n\n"), ("1", "event: change"), ("0", "event: change"), ("3", "event: reset"), ("-1", "event: reset"),
      ("x", "event: reset"),
    ])
  func resumed(lastID: String, expected: String) async throws {
    let server = try Server()
    try add(server.belfry)
    try add(server.belfry)
    for page in [try await page(server, lastID: lastID), try await page(server, shown: lastID, name: "new")] {
      #expect(page.beginning.contains(expected) && page.beginning.contains("id: 2\n"), "\(page.beginning)")
    }
  }

  @Test("a visitor of some lists is told of their changes alone")
  func lists() async throws {
    let server = try Server()
    try add(server.belfry)
    try add(server.belfry, to: "Work")
    let list = try #require(try server.belfry.store.read { try $0.list(named: "Work") })
    let page = try await page(server, Access.Grant(scope: .read, lists: [list.uuid]))
    try add(server.belfry)
    server.time.advance(by: 25)
    server.feed.wake()
    let beat = try await page.next()
    #expect(beat.contains("\n:\n\n") && !beat.contains("event"), "\(beat)")
    _ = try server.belfry.setChecked(true, [2])
    server.feed.wake()
    #expect(try await page.next().contains("event: change"))
  }

  @Test("a visitor of some lists who comes back learns nothing of changes of others")
  func resumedLists() async throws {
    let server = try Server()
    try add(server.belfry, to: "Work")
    let list = try #require(try server.belfry.store.read { try $0.list(named: "Work") })
    let grant = Access.Grant(scope: .read, lists: [list.uuid])
    let first = try await page(server, grant).beginning
    let id = try #require(first.firstMatch(of: #/id: (\d+)/#).map { String($0.1) }, "\(first)")
    try add(server.belfry)
    let same = try await page(server, lastID: id, grant, name: "same").beginning
    #expect(same.contains("id: \(id)\n\n") && !same.contains("event: "), "\(same)")
    try add(server.belfry, to: "Work")
    let other = try await page(server, lastID: id, grant, name: "other").beginning
    #expect(other.contains("event: change") && !other.contains("id: \(id)\n"), "\(other)")
  }

  @Test("what another program changes is seen in the store's file", arguments: ["sqlite", "json"])
  func elsewhere(kind: String) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store")
    func store() -> any ItemStore {
      kind == "json" ? JSONStorePlugin.store(path: path) : SQLiteStore(path: path)
    }
    let server = try Server(store: store())
    try add(server.belfry)
    let page = try await page(server)
    try add(Belfry(store: store(), settings: Settings(), time: server.time, zones: server.belfry.zones))
    // A look at the file may precede the end of the change: the next one is later.
    server.time.advance(by: 1)
    #expect(try await page.next().contains("event: change"))
  }

  @Test("what another program changes in a folder of calendars is seen without a daemon")
  func calendars() async throws {
    let folder = try TemporaryFolder()
    let (path, zones) = (folder.file("calendars"), ZoneDatabase(environment: [:]))
    let server = try Server(store: VdirStore(path: path, states: folder.file("states"), zones: zones))
    try add(server.belfry)
    let page = try await page(server)
    let todo = ["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VTODO", "UID:a", "SUMMARY:Eggs", "END:VTODO", "END:VCALENDAR"]
    try Data((todo + [""]).joined(separator: "\r\n").utf8).write(to: URL(filePath: "\(path)/groceries/a.ics"))
    server.time.advance(by: 1)
    #expect(try await page.next().contains("event: change"))
  }

  @Test("the stream of an access that is revoked ends, and no other")
  func revoked() async throws {
    let server = try Server()
    let (one, other) = (try await page(server, name: "one"), try await page(server, name: "other"))
    try server.access.revoke("one")
    server.time.advance(by: 1)
    try await one.ends()
    try add(server.belfry)
    server.feed.wake()
    #expect(try await other.next().contains("event: change"))
  }

  @Test("a session that expires ends its stream with the next sign of life")
  func expired() async throws {
    let server = try Server()
    let now = server.time.now
    let link = try server.access.makeLink(for: Access.Grant(scope: .read), at: now)
    let session = try #require(try server.access.openSession(link: link, lasting: 20, at: now))
    let page = try await onThread { [address = server.address] in
      let connection = try Connection(to: address)
      try connection.send("GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\nCookie: belfry=\(session)\r\n\r\n")
      return Page(connection: connection, beginning: try connection.text(until: "\n\n"))
    }
    #expect(page.beginning.contains(" 200 "))
    server.time.advance(by: 25)
    server.feed.wake()
    try await page.ends()
  }

  @Test("the end of the server ends every stream at once")
  func end() async throws {
    let server = try Server()
    let page = try await page(server)
    server.stop()
    try await page.ends()
    try await server.ended()
  }

  @Test("without a right there is no stream, and HEAD has no body")
  func closed() async throws {
    let server = try Server()
    #expect(try await server.get("/api/v1/events").status == 401)
    let token = try server.access.addToken("feed", for: Access.Grant(scope: .feed), at: server.time.now)
    #expect(try await server.get("/api/v1/events", "Authorization: Bearer \(token)\r\n").status == 403)
    let reader = try server.access.addToken("reader", for: Access.Grant(scope: .read), at: server.time.now)
    let head = try await server.exchange(
      "HEAD /api/v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(reader)\r\nConnection: close\r\n\r\n")
    #expect(head.contains(" 200 ") && head.hasSuffix("\r\n\r\n"), "\(head)")
  }

  @Test("a store that cannot be read ends what begins, and the log tells why")
  func unreadable() async throws {
    let folder = try TemporaryFolder()
    try Data("no database".utf8).write(to: URL(filePath: folder.file("store")))
    let server = try Server(store: SQLiteStore(path: folder.file("store")))
    let token = try server.access.addToken("page", for: Access.Grant(scope: .read), at: server.time.now)
    let reply = try await server.get("/api/v1/events", "Authorization: Bearer \(token)\r\n")
    #expect(reply.status == 200 && reply.body == "0\r\n\r\n", "\(reply)")
    #expect(server.log.contains { $0.message.hasPrefix("open pages cannot be told of changes: ") }, "\(server.log)")
  }

  @Test("another store in the place of this one makes a page begin anew")
  func replaced() {
    var known = FeedState()
    known.number = 5
    var state = known
    (state.number, state.era) = (3, 1)
    #expect(EventRoutes.text(after: known, state, nil) == "id: 3\nevent: reset\ndata: {\"change\": 3}\n\n")
    #expect(EventRoutes.text(after: state, state, nil).isEmpty)
  }
}
