import BelfryTestKit
import Foundation
import OrderedJSON
import Testing
import WebAccess

@testable import BelfryEngine
@testable import BelfryModel
@testable import BelfryWeb
@testable import CivilTime

/// The secrecy of other lists from a visitor of one: every operation and page, with names similar to hidden ones, so
/// that any mention of a hidden name is a leak.
@Suite("Names of other lists")
struct HiddenNameTests {
  /// Words of a list that the visitor does not see, of its items and of its reminder.
  private static let marks = ["Zebrafinch", "Quokkatime", "Numbatnote", "Wombatbell"]
  private static let methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]

  /// A server with a list that is seen, `Home` with the items 1, 2 and 5, and one that is not, with item 4. Item 5 came
  /// from there after it rang. All that is due has rung and been answered, and the last change was made in the hidden list.
  private struct Fixture {
    let api: APIServer
    let reminders: [String]

    init() throws {
      var settings = Settings()
      settings.timeZone = .named("Europe/Zurich")
      api = try APIServer(try Server(belfry: settings))
      let belfry = api.server.belfry
      let due = try #require(WallTime(parsing: "2026-11-21T10:00"))
      let hidden = ListChoice(marks[0], createsMissing: true)
      _ = try belfry.add(
        [
          ItemDraft(text: marks[1], notes: marks[2], due: due, shouldRemind: true),
          ItemDraft(text: "Moved", due: due, shouldRemind: true),
        ], to: hidden)
      let bell = ListReminderDraft(
        at: due, zone: .floating, rule: nil, message: marks[3], category: nil)
      _ = try belfry.remindList(3, bell)
      _ = try api.ring()
      reminders = try belfry.store.read { view in
        try [1, 4, 5].map { id in
          try #require(try view.reminders(of: .item(id), at: nil, state: .fired).first).id.uuidString.lowercased()
        }
      }
      for reminder in reminders {
        let id = try #require(UUID(uuidString: reminder))
        _ = try belfry.answer(Press(reminder: id, choice: .identifier("later"), channel: .api))
      }
      var move = ItemEdit()
      move.list = ListChoice("Home")
      _ = try belfry.edit(5, move)
      _ = try belfry.setChecked(true, [4])
      _ = try belfry.setChecked(false, [4])
    }

    /// The replies to a request that name a hidden thing.
    func leaks(_ reply: Reply) -> [String] {
      let text = reply.body + reply.fields.map(\.value).joined(separator: "\n")
      return marks.filter { text.localizedCaseInsensitiveContains($0) }
    }

    /// The ways to fill in a path.
    func paths(_ path: String) -> [String] {
      let isReminder = path.contains("reminders/")
      let numbers = isReminder ? reminders + ["\(UUID())"] : ["1", "3", "4", "5", "9"]
      return numbers.map { number in
        path.split(separator: "/", omittingEmptySubsequences: false).map { part in
          switch part {
          case "{id}", ":id", "{reminder}", ":reminder": number
          case "{action}", ":action": path.hasPrefix("/api") ? "later" : "1"
          case _ where part.hasPrefix("{") || part.hasPrefix(":"): near(marks[0])
          default: String(part)
          }
        }.joined(separator: "/")
      }.uniqued()
    }
  }

  /// A word that is almost another one.
  private static func near(_ word: String) -> String { word.dropLast() + "x" }

  private static var values: [String] { [near(marks[0]), near(marks[1]), "4"] }

  /// The operations that show the visitor the hidden list, each with a reply that does.
  private func tellingOperations(lists: String?...) async throws -> [String: String] {
    let document = try await Fixture().api.server.get("/api/openapi.json").json
    let check = SchemaCheck(document: document)
    let paths = try #require(document["paths"]?.objectValue?.members)
    var found: [String: String] = [:]
    for (path, operations) in paths.map({ ($0.key, $0.value) }) where !path.hasSuffix("/events") {
      let base = operations["servers"]?.arrayValue?.first?["url"]?.stringValue ?? "/api/v1"
      for method in Self.methods {
        guard let operation = operations[method.lowercased()] else { continue }
        // A new server for each, since some operations remove data.
        let fixture = try Fixture()
        let token = try fixture.api.token(of: lists.compactMap(\.self))
        let names = (operation["parameters"]?.arrayValue ?? []).filter { $0["in"] == "query" }
        let queries =
          names.compactMap { $0["name"]?.stringValue }.flatMap { name in Self.values.map { "?\(name)=\($0)" } }
        let bodies = check.members(ofBodyOf: operation).flatMap { name in
          Self.values.map { value -> String in
            let others = ["text": "New", "line": "New", "at": "18:00"].filter { $0.key != name }
            let members = check.members(ofBodyOf: operation)
            let sent = others.filter { members.contains($0.key) }.merging([name: value]) { $1 }
            return JSONValue.object(JSONObject(sent.map { ($0.key, .string($0.value)) })).serialized()
          }
        }
        for target in fixture.paths(path) {
          let requests =
            ([""] + queries).map { (target + $0.replacing(" ", with: "%20"), "") } + bodies.map { (target, $0) }
          for (target, body) in requests {
            let reply = try await fixture.api.send(method, target, body, as: token, "If-Match: *\r\n", base: base)
            if !fixture.leaks(reply).isEmpty { found["\(method) \(path)"] = "\(target) \(body): \(reply)" }
          }
        }
      }
    }
    return found
  }

  @Test("no operation tells them to whoever sees one list alone, and many tell those who see all")
  func operations() async throws {
    let telling = try await tellingOperations(lists: "Home")
    #expect(telling.isEmpty, "\(telling)")
    let open = try await tellingOperations()
    #expect(open.count > 15, "\(open.keys)")
  }

  @Test("no page does, nor does the calendar")
  func pages() async throws {
    var telling: [String: String] = [:]
    var openCount = 0
    let fields = [
      "list", "text", "line", "q", "item", "before", "after", "sink", "name", "notes", "message", "due", "at",
    ]
    for route in try Fixture().api.routes where !route.path.hasPrefix("/api/") {
      let fixture = try Fixture()
      let some = try fixture.api.session(of: ["Home"])
      let all = try fixture.api.session(of: [])
      let texts = fields.flatMap { field in Self.values.map { "\(field)=\(FormFields.encoded($0))" } }
      let together = fields.map { "\($0)=\(FormFields.encoded(Self.near(Self.marks[0])))" }.joined(separator: "&")
      var isOpen = false
      for (index, path) in fixture.paths(route.path).enumerated() {
        for text in ["", together] + (index == 0 ? texts : []) {
          let reply =
            route.method == .get
            ? try await fixture.api.server.get("\(path)?\(text)", some)
            : try await fixture.api.server.post(path, some, body: text)
          if !fixture.leaks(reply).isEmpty { telling["\(route.method) \(route.path)"] = "\(path) \(text): \(reply)" }
        }
        guard route.method == .get, case .scope = route.right else { continue }
        isOpen = try await !fixture.leaks(fixture.api.server.get(path, all)).isEmpty || isOpen
      }
      openCount += isOpen ? 1 : 0
    }
    #expect(telling.isEmpty, "\(telling)")
    #expect(openCount > 5)
    let fixture = try Fixture()
    for (lists, isTold) in [(["Home"], false), ([], true)] {
      let token = try fixture.api.token(of: lists, .feed)
      _ = try fixture.api.server.belfry.snooze(4, until: .after(CalendarDuration(days: 0, minutes: 30)))
      let calendar = try await fixture.api.server.get("/agenda/\(token).ics")
      #expect(calendar.status == 200 && fixture.leaks(calendar).isEmpty != isTold, "\(calendar)")
    }
  }

  @Test("no reply tells what a hidden list was called before", arguments: [true, false])
  func formerNames(isRenamed: Bool) async throws {
    let fixture = try Fixture()
    var rename = ListEdit()
    rename.name = "Private"
    let belfry = fixture.api.server.belfry
    _ = try isRenamed ? belfry.editList(3, rename) : belfry.deleteList(3)
    let paths =
      ["/deliveries", "/answers", "/items/5/explain"] + fixture.reminders.map { "/reminders/\($0)" }
    for (lists, isTold) in [(["Home"], false), ([], true)] {
      let token = try fixture.api.token(of: lists)
      var told = 0
      for path in paths {
        let reply = try await fixture.api.send("GET", path, as: token)
        told += fixture.leaks(reply).isEmpty ? 0 : 1
        #expect(isTold || fixture.leaks(reply).isEmpty, "\(path): \(reply)")
      }
      #expect((told > 0) == isTold)
    }
  }

  @Test("a name that somebody else's list has gets the same reply as one that no list has")
  func alike() async throws {
    let fixture = try Fixture()
    let token = try fixture.api.token(of: ["Home"])
    let hidden = Self.marks[0]
    let requests = [
      ("GET", "/items?list=NAME", "", "/api/v1"), ("GET", "/deliveries?list=NAME", "", "/api/v1"),
      ("POST", "/items", #"{"text": "x", "list": "NAME"}"#, "/api/v1"),
      ("POST", "/inbox", #"{"line": "x", "list": "NAME"}"#, "/api/v1"),
      ("POST", "/lists/1/items", #"{"text": "x", "list": "NAME"}"#, "/api/v1"),
      ("PATCH", "/items/1", #"{"list": "NAME"}"#, "/api/v1"), ("POST", "/lists", #"{"name": "NAME"}"#, "/api/v1"),
      ("PATCH", "/lists/1", #"{"name": "NAME"}"#, "/api/v1"), ("GET", "/export?list=NAME", "", "/api/v1"),
      ("POST", "/alertmanager?list=NAME", #"{"alerts": []}"#, "/api/v1"),
      ("POST", "/alertmanager?list=NAME&create=true", #"{"alerts": []}"#, "/api/v1"),
      ("POST", "/alerts?list=NAME", #"[{"labels": {"alertname": "a", "belfry_list": "NAME"}}]"#, "/api/v2"),
      ("POST", "/alerts", #"[{"labels": {"alertname": "a", "belfry_list": "NAME"}}]"#, "/api/v2"),
    ]
    for (method, target, body, base) in requests {
      let replies = try await [hidden, Self.near(hidden)].asyncMap { name in
        let reply = try await fixture.api.send(
          method, target.replacing("NAME", with: name), body.replacing("NAME", with: name), as: token,
          "If-Match: *\r\n", base: base)
        let plain = reply.body.replacing(name, with: "NAME").replacing(#/"(id|uuid|key)":[^,]+/#, with: "")
        return "\(reply.status) \(plain)"
      }
      #expect(replies[0] == replies[1], "\(method) \(target) \(body)")
    }
  }
}

extension APIServer {
  /// A new token for some lists; for all of them without any.
  fileprivate func token(of lists: [String], _ scope: AccessScope = .admin) throws -> String {
    try server.access.addToken(
      "\(UUID())", for: Access.Grant(scope: scope, lists: try lists.map(list)), at: server.time.now)
  }

  /// The fields of a browser that is signed in for some lists; for all of them without any.
  fileprivate func session(of lists: [String]) throws -> String {
    let grant = Access.Grant(scope: .admin, lists: try lists.map(list))
    let link = try server.access.makeLink(for: grant, at: server.time.now)
    let session = try #require(try server.access.openSession(link: link, lasting: 36_000, at: server.time.now))
    return "Cookie: belfry=\(session)\r\nSec-Fetch-Site: same-origin\r\nAccept: text/html\r\n"
  }
}

extension [String] {
  fileprivate func asyncMap(_ transform: (String) async throws -> String) async throws -> [String] {
    var results: [String] = []
    for element in self { results.append(try await transform(element)) }
    return results
  }
}
