import BelfryTestKit
import Foundation
import Testing
import WebAccess

@testable import BelfryEngine
@testable import BelfryModel
@testable import BelfryWeb
@testable import CivilTime

/// A server over some lists, and its visitors. It is 09:00 in Zurich on 2026-11-21, a Saturday.
struct PageFixture {
  static let html = "Accept: text/html,application/xhtml+xml,*/*;q=0.8\r\n"

  let server: Server

  init(categories: [String] = [], people: [String] = [], setup: WebSetup = WebSetup()) throws {
    var settings = Settings()
    settings.timeZone = .named("Europe/Zurich")
    settings.categories = categories.map { Category(identifier: $0, actions: [], minimal: []) }
    settings.people = people.map { Person(name: $0, sinks: ["phone"]) }
    server = try Server(belfry: settings, setup: setup)
    server.time.now = try #require(parseRFC3339("2026-11-21T09:00:00+01:00"))
  }

  /// Adds items of the next numbers to a list, each due at one of the times if given.
  func add(_ texts: [String], to list: String = "Groceries", due: String? = nil, notes: String? = nil) throws {
    let due = try due.map { try #require(WallTime(parsing: $0)) }
    let drafts = texts.map { ItemDraft(text: $0, notes: notes, due: due, shouldRemind: due != nil) }
    _ = try server.belfry.add(drafts, to: ListChoice(list, createsMissing: true))
  }

  /// The fields of requests from a browser in which somebody signed in.
  func visitor(_ scope: AccessScope = .admin, person: String? = nil, lists: [String] = []) throws -> String {
    let uuids = try server.belfry.store.read { view in
      try lists.map { name in try #require(try view.list(named: name)).uuid }
    }
    let grant = Access.Grant(person: person, scope: scope, lists: uuids)
    let now = server.time.now
    let link = try server.access.makeLink(for: grant, at: now)
    let session = try #require(try server.access.openSession(link: link, lasting: 3_600, at: now))
    return "Cookie: belfry=\(session)\r\nSec-Fetch-Site: same-origin\r\n" + Self.html
  }

  func item(_ id: Int64) throws -> Item? { try server.belfry.store.read { try $0.item(id: id)?.item } }

  func list(_ id: Int64) throws -> Checklist? { try server.belfry.store.read { try $0.list(id: id) } }

  func digest() throws -> StoreDigest { try server.belfry.store.read { try StoreDigest($0) } }

  /// Posts a form, and looks at the page to which the reply leads.
  func submit(_ path: String, _ fields: KeyValuePairs<String, String>, _ visitor: String) async throws -> Reply {
    let reply = try await post(path, fields, visitor)
    #expect(reply.status == 303, "\(reply.body)")
    let place = try #require(reply["location"].first)
    return try await server.get(place, visitor)
  }

  func post(_ path: String, _ fields: KeyValuePairs<String, String>, _ visitor: String) async throws -> Reply {
    let body = fields.map { "\($0)=\(FormFields.encoded($1))" }.joined(separator: "&")
    return try await server.post(path, visitor, body: body)
  }

  /// The fields of the form of an item's page, as a browser would send them.
  func fields(ofItem id: Int64, _ visitor: String) async throws -> [String: String] {
    try Self.itemFields(in: try await server.get("/items/\(id)", visitor).body)
  }

  /// The fields of the form of an item's page, as a browser would send them.
  static func itemFields(in page: String) throws -> [String: String] {
    let form = try #require(page.firstMatch(of: #/<form class="item".*?<\/form>/#.dotMatchesNewlines()))
    return fields(in: String(form.0))
  }

  /// The contents of the controls of a form.
  static func fields(in form: String) -> [String: String] {
    var fields: [String: String] = [:]
    for match in form.matches(of: #/<input([^>]*)>/#) {
      let attributes = Self.attributes(String(match.1))
      guard let name = attributes["name"] else { continue }
      let isMark = ["checkbox", "radio"].contains(attributes["type"])
      if !isMark || match.1.hasSuffix(" checked") { fields[name] = attributes["value"] ?? "" }
    }
    for match in form.matches(of: #/<textarea[^>]* name="(\w+)"[^>]*>\n(.*?)<\/textarea>/#.dotMatchesNewlines()) {
      fields[String(match.1)] = unescaped(String(match.2))
    }
    for match in form.matches(of: #/<select[^>]* name="(\w+)".*?<\/select>/#.dotMatchesNewlines()) {
      let chosen = match.0.firstMatch(of: #/value="([^"]*)" selected/#) ?? match.0.firstMatch(of: #/value="([^"]*)"/#)
      fields[String(match.1)] = chosen.map { unescaped(String($0.1)) } ?? ""
    }
    return fields
  }

  private static func attributes(_ text: String) -> [String: String] {
    let pairs = text.matches(of: #/([\w-]+)="([^"]*)"/#).map { (String($0.1), unescaped(String($0.2))) }
    return Dictionary(pairs) { first, _ in first }
  }

  private static func unescaped(_ text: String) -> String {
    text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
      .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
  }
}

extension Reply {
  /// The path to which it leads, without the mark of the change that a notice undoes.
  var place: String? { self["location"].first?.replacing(#/&change=[\w-]+/#, with: "") }
}

extension PageFixture {
  /// Sends the form of an item's page with some fields changed.
  func save(
    _ id: Int64, _ changes: [String: String], from shown: [String: String], _ visitor: String,
    typedAt time: String? = nil
  ) async throws -> Reply {
    let all = shown.merging(changes) { $1 }
    let body = all.map { "\($0)=\(FormFields.encoded($1))" }.joined(separator: "&")
    return try await server.post("/items/\(id)" + (time.map { "?now=\($0)" } ?? ""), visitor, body: body)
  }
}
