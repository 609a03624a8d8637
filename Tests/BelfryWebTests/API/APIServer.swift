import BelfryTestKit
import CivilTime
import Foundation
import OrderedJSON
import Testing
import WebAccess

@testable import BelfryEngine
@testable import BelfryWeb

/// A server with two lists, and tokens for its API: `Home` has the items 1 (due) and 2, `Work` has item 3 (due).
struct APIServer {
  let server: Server

  init(_ server: Server? = nil) throws {
    var settings = Settings()
    settings.timeZone = .named("Europe/Zurich")
    self.server = try server ?? Server(belfry: settings)
    self.server.time.now = try #require(parseRFC3339("2026-11-21T08:00:00+01:00"))
    try add("Milk", due: "2026-11-21T09:00", to: "Home")
    try add("Bread", due: nil, to: "Home")
    try add("Report", due: "2026-11-21T10:00", to: "Work")
  }

  private func add(_ text: String, due: String?, to list: String) throws {
    let draft = ItemDraft(
      text: text, due: try due.map { try #require(WallTime(parsing: $0)) }, shouldRemind: due != nil)
    _ = try server.belfry.add([draft], to: ListChoice(list, createsMissing: true))
  }

  /// All routes of the server.
  var routes: [WebRoute] {
    let face = WebFace(
      belfry: server.belfry, access: server.access, links: LinkReader(file: server.keys), threads: StoreThreads(),
      memory: WebMemory(), feed: server.feed, log: { _ in })
    let once = face.once(.freePort, at: server.address, nil)
    return face.routes(.freePort, at: server.address, limits: WebLimits(), proxy: nil, once)
  }

  /// The identity of a list.
  func list(_ name: String) throws -> UUID {
    try #require(try server.belfry.store.read { try $0.list(named: name) }).uuid
  }

  func token(_ scope: AccessScope = .admin, person: String? = nil, lists: String...) throws -> String {
    let grant = Access.Grant(person: person, scope: scope, lists: try lists.map(list))
    return try server.access.addToken("\(UUID())", for: grant, at: server.time.now)
  }

  /// The reply to a request.
  ///
  /// - Parameters:
  ///   - path: the path below `base`.
  ///   - fields: more fields, each with its line end.
  func send(
    _ method: String, _ path: String, _ body: String = "", as token: String?, _ fields: String = "",
    type: String = "application/json", base: String = "/api/v1"
  ) async throws -> Reply {
    let access = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
    let content = body.isEmpty ? "" : "Content-Type: \(type)\r\n"
    return try await server.reply(
      to: "\(method) \(base)\(path) HTTP/1.1\r\nHost: localhost\r\n\(access)\(content)\(fields)"
        + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")
  }

  /// The texts of the items on all lists.
  func texts() throws -> [String] {
    var texts: [String] = []
    try server.belfry.store.read { view in
      try view.forEachItem(ItemQuery(checked: .any, order: .place)) { texts.append($0.item.text) }
    }
    return texts
  }

  /// Claims the reminders that are due, without delivering them, and returns the first one of an item.
  func ring(item: Int64 = 1, at time: String = "2026-11-21T10:00:00+01:00") throws -> UUID {
    server.time.now = try #require(parseRFC3339(time))
    try server.belfry.ring()
    let fired = try server.belfry.store.read { try $0.reminders(of: .item(item), at: nil, state: .fired) }
    return try #require(fired.first).id
  }
}

extension Reply {
  var json: JSONValue { get throws { try JSONValue(parsing: body.utf8) } }

  /// The members of that name in each element of the body.
  func all(_ name: String) throws -> [JSONValue] { try json.arrayValue?.compactMap { $0[name] } ?? [] }

  /// The field If-Match for what the reply holds.
  var match: String { "If-Match: \(self["etag"].first ?? "")\r\n" }
}
