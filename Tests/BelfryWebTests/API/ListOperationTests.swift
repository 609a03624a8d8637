import BelfryTestKit
import Foundation
import OrderedJSON
import Testing

@testable import BelfryEngine
@testable import BelfryWeb

@Suite("Lists, undo and files over the API")
struct ListOperationTests {
  @Test("a list is made, renamed, reminded of, cleared and deleted, each under the version that was seen")
  func lists() async throws {
    let api = try APIServer()
    let token = try api.token(.edit)
    let made = try await api.send("POST", "/lists", #"{"name": "Party"}"#, as: token)
    #expect(try made.status == 201 && made["location"] == ["/api/v1/lists/3"] && made.json["name"] == "Party")
    #expect(try await api.send("POST", "/lists", #"{"name": "party"}"#, as: token).status == 422)
    #expect(try await api.send("POST", "/lists", "{}", as: token).status == 422)
    let seen = try await api.send("GET", "/lists/3", as: token)
    #expect(try await api.send("PATCH", "/lists/3", #"{"name": "Feast"}"#, as: token).status == 428)
    let renamed = try await api.send("PATCH", "/lists/3", #"{"name": "Feast"}"#, as: token, seen.match)
    #expect(try renamed.status == 200 && renamed.json["name"] == "Feast", "\(renamed)")
    #expect(try await api.send("DELETE", "/lists/3", as: token, seen.match).status == 412)
    let body = #"{"at": "sat 9am", "repeat": "weekly", "message": "Shop"}"#
    let reminded = try await api.send("PUT", "/lists/3/reminder", body, as: token, renamed.match)
    #expect(try reminded.json["reminder"]?["message"] == "Shop", "\(reminded)")
    let silent = try await api.send("DELETE", "/lists/3/reminder", as: token, reminded.match)
    #expect(try silent.json["reminder"] == .null)
    #expect(try await api.send("PUT", "/lists/3/reminder", "{}", as: token, "If-Match: *\r\n").status == 422)
    #expect(try await api.send("DELETE", "/lists/1/items", as: token, "If-Match: *\r\n").status == 200)
    #expect(try api.texts() == ["Report"])
    #expect(try await api.send("DELETE", "/lists/2", as: token, "If-Match: *\r\n").status == 200)
    #expect(try await api.send("GET", "/lists", as: token).all("name") == ["Home", "Feast"])
  }

  @Test("a list gets a colour, an icon and a place; null takes off, and what is no value is refused by its name")
  func look() async throws {
    let api = try APIServer()
    let token = try api.token(.edit)
    let any = "If-Match: *\r\n"
    let body = "{\"color\": \"green\", \"icon\": \"\u{1F3E0}\", \"before\": 1}"
    let edited = try await api.send("PATCH", "/lists/2", body, as: token, any)
    #expect(try edited.status == 200 && edited.json["color"] == "#30a46c" && edited.json["icon"] == "\u{1F3E0}")
    #expect(try await api.send("GET", "/lists", as: token).all("id") == [2, 1])
    let cleared = try await api.send("PATCH", "/lists/2", #"{"color": null, "icon": null}"#, as: token, any)
    #expect(try cleared.json["color"] == .null && cleared.json["icon"] == .null)
    for fault in [
      #"{"color": "mud"}"#, #"{"icon": "ab"}"#, #"{"name": null}"#, #"{"before": "1"}"#, #"{"before": 1, "after": 1}"#,
      #"{"colour": "red"}"#,
    ] {
      let refused = try await api.send("PATCH", "/lists/2", fault, as: token, any)
      #expect(try refused.status == 422 && refused.json["errors"]?.arrayValue?.count == 1, "\(fault) \(refused)")
    }
    #expect(try await api.send("PATCH", "/lists/2", #"{"before": 99}"#, as: token, any).status == 404)
  }

  @Test("a person undoes their own last change, in whatever way they came, and nobody else's")
  func undo() async throws {
    let api = try APIServer()
    let (anna, annaElsewhere) = (try api.token(.edit, person: "anna"), try api.token(.edit, person: "anna"))
    let ben = try api.token(.edit, person: "ben")
    #expect(try await api.send("POST", "/undo", as: anna).status == 404)
    _ = try await api.send("POST", "/items", #"{"text": "New"}"#, as: anna)
    #expect(try await api.send("POST", "/undo", as: ben).status == 404)
    #expect(try await api.send("POST", "/undo", as: try api.token(.edit)).status == 404)
    let undone = try await api.send("POST", "/undo", as: annaElsewhere)
    #expect(try undone.status == 200 && undone.all("fate").contains("removed"), "\(undone)")
    #expect(try !api.texts().contains("New"))
    #expect(try await api.send("POST", "/redo", as: ben).status == 404)
    #expect(try await api.send("POST", "/redo", as: anna).status == 200)
    #expect(try api.texts().contains("New"))
    #expect(try await api.send("POST", "/redo", as: anna).status == 404)
    _ = try api.server.belfry.setChecked(true, [2])
    #expect(try await api.send("POST", "/undo", as: anna).status == 200)
    #expect(try !api.texts().contains("New"))
  }

  @Test("what is exported comes in again elsewhere; a dry run, and what is no file, change nothing")
  func transfer() async throws {
    let (api, other) = (try APIServer(), try APIServer())
    let (token, guest) = (try api.token(.read), try other.token(.edit))
    for (format, type) in [
      ("json", "application/json"), ("ics", "text/calendar; charset=utf-8"), ("todo.txt", "text/plain; charset=utf-8"),
      ("csv", "text/csv; charset=utf-8"), ("plist", "application/x-plist"),
    ] {
      let file = try await api.send("GET", "/export?format=\(format)", as: token)
      #expect(file.status == 200 && file["content-type"] == [type] && file.body.contains("Milk"), "\(file)")
      guard format != "csv" else { continue }
      let dry = try await other.send("POST", "/import?dry_run=true", file.body, as: guest, type: "text/plain")
      #expect(try dry.status == 200 && dry.all("text").contains("Milk"), "\(dry)")
      #expect(try other.texts() == ["Milk", "Bread", "Report"])
    }
    let file = try await api.send("GET", "/export?list=work", as: token).body
    let key = "Idempotency-Key: one\r\n"
    let came = try await other.send("POST", "/import?list=Inbox&create=true", file, as: guest, key)
    #expect(try came.all("text") == ["Report"] && came["belfry-added"] == ["1"], "\(came)")
    let again = try await other.send("POST", "/import?list=Inbox&create=true", file, as: guest, key)
    #expect(again.body == came.body)
    #expect(try other.texts() == ["Milk", "Bread", "Report", "Report"])
    let known = try await other.send("POST", "/import", file, as: guest)
    #expect(try known.status == 200 && known.json == [] && known["belfry-known"] == ["1"])
    for (query, body) in [("", "\u{1}"), ("?format=ics", "x"), ("?list=Nowhere", file)] {
      #expect([404, 422].contains(try await other.send("POST", "/import\(query)", body, as: guest).status), "\(query)")
    }
    #expect(try await other.send("POST", "/import?format=xml", file, as: guest).status == 400)
    #expect(try await other.send("POST", "/import", as: guest).status == 400)
  }

  @Test("an import that made a list alone says so", arguments: ["", "Idempotency-Key: one\r\n"])
  func listImport(key: String) async throws {
    let api = try APIServer()
    let file = #"""
      {"format": "belfry-store", "version": 1, "lists": [{"name": "New"}], "items": [{"text": 5}]}
      """#
    let reply = try await api.send("POST", "/import", file, as: try api.token(.edit), key)
    #expect(try reply.status == 200 && reply.json == [] && reply["belfry-refused"] == ["1"], "\(reply)")
    #expect(reply["belfry-refusals"].first?.contains("text") == true, "\(reply)")
    #expect(try api.server.belfry.store.read { try $0.list(named: "New") } != nil)
    let again = try await api.send("POST", "/import", file, as: try api.token(.edit))
    #expect(again.status == 422, "\(again)")
  }

  @Test("an import keeps what it can read, and its reply names the rest")
  func mixedImport() async throws {
    let api = try APIServer()
    let lines = "Pay due:2026-12-24\nWin due:2026-02-30\nB\u{fc}cher due:\u{1F4D6}\n"
    let reply = try await api.send(
      "POST", "/import?format=todo.txt", lines, as: try api.token(.edit), type: "text/plain")
    #expect(try reply.status == 200 && reply.all("text") == ["Pay"], "\(reply)")
    #expect(reply["belfry-refused"] == ["2"], "\(reply)")
    let field = try #require(reply["belfry-refusals"].first)
    #expect(field.utf8.allSatisfy { $0 < 0x80 })
    let refusals = try JSONValue(parsing: Array(field.utf8)).arrayValue
    #expect(refusals?.map { $0["place"] } == ["line 2", "line 3"], "\(field)")
    #expect(refusals?.last?["reason"] == "its 'due:\u{1F4D6}' is not a date: write due:2026-12-24", "\(field)")
  }

  @Test("a reply names no more refused entries than a proxy's buffer for heads has room for")
  func longRefusals() async throws {
    let api = try APIServer()
    let refused = "Win due:\(String(repeating: "\u{1F4D6}", count: 150))\n"
    let reply = try await api.send(
      "POST", "/import?format=todo.txt", "Pay\n" + String(repeating: refused, count: 20), as: try api.token(.edit),
      type: "text/plain")
    #expect(reply.status == 200 && reply["belfry-refused"] == ["20"], "\(reply)")
    let field = try #require(reply["belfry-refusals"].first)
    let named = try JSONValue(parsing: Array(field.utf8)).arrayValue
    #expect(named?.first?["place"] == "line 2" && field.utf8.count <= 2_600, "\(field.utf8.count)")
  }

  @Test("a file may be longer than other bodies, up to its own limit")
  func longFiles() async throws {
    let api = try APIServer(try Server(limits: WebLimits(body: 1_000, upload: 20_000)))
    let token = try api.token(.edit)
    let lines = { (count: Int) in (0..<count).map { "(A) item number \($0)\n" }.joined() }
    let reply = try await api.send("POST", "/import?format=todo.txt", lines(500), as: token)
    #expect(try reply.status == 200 && reply.json.arrayValue?.count == 500, "\(reply.status)")
    #expect(try await api.send("POST", "/import?format=todo.txt", lines(5_000), as: token).status == 413)
    let long = #"{"text": "\#(String(repeating: "x", count: 1_000))"}"#
    #expect(try await api.send("POST", "/items", long, as: token).status == 413)
    #expect(try api.texts().count == 503)
  }
}
