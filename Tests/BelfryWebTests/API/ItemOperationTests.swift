import BelfryTestKit
import CivilTime
import Foundation
import OrderedJSON
import Testing

@testable import BelfryEngine
@testable import BelfryWeb

@Suite("Items over the API")
struct ItemOperationTests {
  @Test("an item is what --json prints, with a strong tag under which it is not sent twice")
  func item() async throws {
    let api = try APIServer()
    let token = try api.token(.read)
    let reply = try await api.send("GET", "/items/1", as: token)
    let printed = try api.server.belfry.read { reading in
      try reading.view.item(id: 1).map { reading.json($0).serialized() }
    }
    #expect(reply.status == 200 && reply.body == printed.map { $0 + "\n" })
    #expect(reply["content-type"] == ["application/json"])
    let tag = try #require(reply["etag"].first)
    #expect(tag.wholeMatch(of: /"[\w-]{22}"/) != nil)
    for field in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
      let again = try await api.send("GET", "/items/1", as: token, "If-None-Match: \(field)\r\n")
      #expect(again.status == 304 && again.body.isEmpty && again["etag"] == [tag], "\(field)")
    }
    _ = try api.server.belfry.setChecked(true, [1])
    #expect(try await api.send("GET", "/items/1", as: token, "If-None-Match: \(tag)\r\n").status == 200)
    for id in ["4", "x", "0x1", "99999999999999999999", "-1"] {
      #expect(try await api.send("GET", "/items/\(id)", as: token).status == 404, "\(id)")
    }
  }

  @Test("an item is added with add's words, in its list or the default one")
  func add() async throws {
    let api = try APIServer()
    let token = try api.token(.edit)
    let body = """
      {"text": "Pills", "list": "home", "due": "fri 17:00", "repeat": "daily", "alerts": ["1d", "10m"], "nag": "15m",
       "notes": "with water", "time_zone": "Asia/Tokyo", "repeat_from": "done", "remind": true, "tags": ["health", "Home"], "priority": "high"}
      """
    let reply = try await api.send("POST", "/items", body, as: token)
    #expect(reply.status == 201 && reply["location"] == ["/api/v1/items/4"], "\(reply)")
    let item = try reply.json
    #expect(item["list"] == "Home" && item["due_local"] == "2026-11-27T17:00" && item["repeat"] == "FREQ=DAILY")
    #expect(item["alerts"] == ["P1D", "PT10M"] && item["nag"] == "PT15M" && item["time_zone"] == "Asia/Tokyo")
    #expect(item["repeat_from"] == "done" && item["should_remind"] == true && item["notes"] == "with water")
    #expect(item["tags"] == ["health", "Home"] && item["priority"] == "high")
    #expect(try await api.send("GET", "/items?priority=high", as: token).json.arrayValue?.map { $0["id"] } == [4])
    #expect(try await api.send("GET", "/items?priority=urgent", as: token).status == 400)
    #expect(try await api.send("GET", "/items/4", as: token).body == reply.body)
    #expect(try await api.send("GET", "/items?tag=home,HEALTH", as: token).json.arrayValue?.map { $0["id"] } == [4])
    #expect(try await api.send("GET", "/items?tag=home,x", as: token).json == [])
    #expect(try await api.send("GET", "/items?tag=two+words", as: token).status == 422)
    let plain = try await api.send("POST", "/items", #"{"text": "Plain"}"#, as: token)
    #expect(try plain.json["list"] == .string(api.server.belfry.settings.defaultList))
    let listed = try await api.send("POST", "/lists/2/items", #"{"text": "Listed"}"#, as: token)
    #expect(try listed.json["list"] == "Work")
    let line = try await api.send("POST", "/inbox", #"{"line": "Call Anna tomorrow 9am", "list": "Work"}"#, as: token)
    #expect(try line.json["text"] == "Call Anna" && line.json["due_local"] == "2026-11-22T09:00")
    let named = try await api.send("POST", "/inbox", #"{"line": "Bins #work @street every tuesday 7am"}"#, as: token)
    #expect(try named.json["list"] == "Work" && named.json["due_local"] == "2026-11-24T07:00", "\(named)")
    #expect(try named.json["tags"] == ["street"] && named.json["remarks"] == [])
    let told = try await api.send("POST", "/inbox", #"{"line": "Meeting 5/12 14:00"}"#, as: token)
    let remarks = try told.json["remarks"]?.arrayValue ?? []
    #expect(remarks.count == 1 && remarks[0].stringValue?.contains("5 December or 12 May") == true, "\(told)")
    let unknown = try await api.send("POST", "/inbox", #"{"line": "Bins #work", "list": "Nope"}"#, as: token)
    #expect(unknown.status == 422, "\(unknown)")
  }

  @Test("a line is read at the time that the query names, as one that was typed before it could be sent")
  func typedEarlier() async throws {
    let api = try APIServer()
    let token = try api.token(.edit)
    let body = #"{"line": "Call Anna tomorrow"}"#
    let line = try await api.send("POST", "/inbox?now=2026-11-19T23:30:00Z", body, as: token)
    #expect(try line.json["text"] == "Call Anna" && line.json["due_local"] == "2026-11-21T09:00", "\(line)")
    #expect(try await api.send("POST", "/inbox?now=blursday", body, as: token).status == 400)
    #expect(try await api.send("POST", "/items?now=9am", #"{"text": "a"}"#, as: token).status == 400)
  }

  @Test("a body that is wrong says all that is wrong with it, and changes nothing")
  func wrong() async throws {
    let api = try APIServer()
    let token = try api.token(.edit)
    let digest = try api.server.belfry.store.read(StoreDigest.init)
    let cases: [(String, Int, [JSONValue])] = [
      ("", 400, []), ("{", 400, []), (#"{"text": "a", "text": "b"}"#, 400, []),
      (String(repeating: "[", count: 1_000), 400, []), ("[]", 422, []), ("{}", 422, ["text"]),
      (#"{"text": 5, "colour": "red", "remind": "yes"}"#, 422, ["text", "colour", "remind"]),
      (#"{"text": "a", "due": "blursday", "alerts": ["soon"], "list": "Nowhere"}"#, 422, ["list", "due", "alerts"]),
      (#"{"text": "a", "tags": ["two words"]}"#, 422, ["tags"]), (#"{"text": "a", "tags": "home"}"#, 422, ["tags"]),
      (#"{"text": ""}"#, 422, ["text"]), (#"{"text": "a", "repeat": "daily"}"#, 422, ["due"]),
      (#"{"text": "a", "due": "9am", "repeat": "FREQ=DAILY;UNTIL=20251201T000000Z"}"#, 422, ["repeat"]),
      (#"{"text": "a", "due": "9999-12-31 23:59", "time_zone": "Pacific/Pago_Pago"}"#, 422, ["due"]),
    ]
    for (body, status, fields) in cases {
      let reply = try await api.send("POST", "/items", body, as: token)
      #expect(reply.status == status && reply["content-type"] == ["application/problem+json"], "\(body) \(reply)")
      #expect(try Set(reply.json["errors"]?.arrayValue?.compactMap { $0["field"] } ?? []) == Set(fields), "\(body)")
    }
    #expect(try await api.send("POST", "/items", #"{"text": "a"}"#, as: token, type: "text/plain").status == 415)
    #expect(try await api.send("POST", "/items/1/check", #"{"a": 1}"#, as: token).status == 422)
    #expect(try api.server.belfry.store.read(StoreDigest.init) == digest)
  }

  @Test("a patch clears what is null, keeps what is absent, and needs the version that was seen")
  func patch() async throws {
    let api = try APIServer()
    let token = try api.token(.edit)
    let seen = try await api.send("GET", "/items/1", as: token)
    let type = "application/merge-patch+json"
    let body = #"{"notes": "two litres", "nag": "15m"}"#
    #expect(try await api.send("PATCH", "/items/1", body, as: token, type: type).status == 428)
    let wrong = try await api.send("PATCH", "/items/1", body, as: token, "If-Match: \"x\"\r\n", type: type)
    #expect(wrong.status == 412)
    let weak = "If-Match: W/\(seen["etag"].first ?? "")\r\n"
    #expect(try await api.send("PATCH", "/items/1", body, as: token, weak, type: type).status == 412)
    let first = try await api.send("PATCH", "/items/1", body, as: token, seen.match, type: type)
    #expect(try first.status == 200 && first.json["notes"] == "two litres" && first.json["nag"] == "PT15M", "\(first)")
    #expect(try await api.send("PATCH", "/items/1", body, as: token, seen.match, type: type).status == 412)
    let second = try await api.send("PATCH", "/items/1", #"{"notes": null, "due": null}"#, as: token, first.match)
    #expect(try second.status == 200 && second.json["notes"] == .null && second.json["due_date"] == .null)
    #expect(try second.json["nag"] == "PT15M" && second.json["text"] == "Milk")
    let unknown = try await api.send("PATCH", "/items/1", #"{"note": "x"}"#, as: token, second.match)
    #expect(try unknown.status == 422 && unknown.json["hint"] == "did you mean 'notes'?")
    let moved = try await api.send("PATCH", "/items/1", #"{"list": "Work"}"#, as: token, "If-Match: *\r\n")
    #expect(try moved.json["list"] == "Work")
  }

  @Test("checking, unchecking, snoozing, deleting and explaining do as the commands")
  func steps() async throws {
    let api = try APIServer()
    let token = try api.token(.edit)
    #expect(try await api.send("POST", "/items/1/check", as: token).json["is_checked"] == true)
    #expect(try await api.send("POST", "/items/1/uncheck", as: token).json["is_checked"] == false)
    let snoozed = try await api.send("POST", "/items/1/snooze", #"{"for": "2h"}"#, as: token)
    #expect(try snoozed.json["next_fire_date"] == "2026-11-21T09:00:00+01:00", "\(snoozed)")
    let until = try await api.send("POST", "/items/1/snooze", #"{"until": "8:30"}"#, as: token)
    #expect(try until.json["next_fire_date"] == "2026-11-21T08:30:00+01:00")
    #expect(try await api.send("POST", "/items/1/snooze", as: token).status == 200)
    for body in [#"{"for": "2h", "until": "9:30"}"#, #"{"for": 2}"#, #"{"for": "x"}"#, #"{"in": "2h"}"#] {
      #expect(try await api.send("POST", "/items/1/snooze", body, as: token).status == 422, "\(body)")
    }
    #expect(try await api.send("POST", "/items/2/snooze", as: token).status == 422)
    let explained = try await api.send("GET", "/items/1/explain", as: token)
    #expect(try explained.json["item"]?["id"] == 1 && explained.json["verdict"]?.stringValue?.isEmpty == false)
    let seen = try await api.send("GET", "/items/1", as: token)
    #expect(try await api.send("DELETE", "/items/1", as: token).status == 428)
    #expect(try await api.send("DELETE", "/items/1", as: token, seen.match).status == 200)
    #expect(try api.texts() == ["Bread", "Report"])
    #expect(try await api.send("DELETE", "/items/1", as: token, seen.match).status == 404)
  }

  @Test("an item moves before and behind others of its list, and to its end")
  func move() async throws {
    let api = try APIServer()
    let token = try api.token(.edit)
    for (body, texts) in [
      (#"{"before": 1}"#, ["Bread", "Milk"]), (#"{"after": 1}"#, ["Milk", "Bread"]),
      (#"{"last": true}"#, ["Milk", "Bread"]),
    ] {
      let reply = try await api.send("POST", "/items/2/move", body, as: token)
      #expect(try reply.status == 200 && reply.json["id"] == 2, "\(reply)")
      #expect(try Array(api.texts().prefix(2)) == texts, "\(body)")
    }
    for body in ["{}", #"{"before": "1"}"#, #"{"before": 1, "after": 1}"#, #"{"last": false}"#, #"{"before": 3}"#] {
      #expect(try await api.send("POST", "/items/2/move", body, as: token).status == 422, "\(body)")
    }
    #expect(try await api.send("POST", "/items/2/move", #"{"before": 9}"#, as: token).status == 404)
  }

  @Test("the queries of show, and unknown ones")
  func queries() async throws {
    let api = try APIServer()
    let token = try api.token(.read)
    _ = try api.server.belfry.setChecked(true, [2])
    api.server.time.now = try #require(parseRFC3339("2026-11-21T09:30:00+01:00"))
    let expected: [(String, [JSONValue])] = [
      ("", [1, 3, 2]), ("?all=false", [1, 3]), ("?checked=true", [2]), ("?checked=false", [1, 3]),
      ("?overdue=true", [1]), ("?list=Work", [3]), ("?due_before=tomorrow", [1, 3]),
      ("?list=home&all=true", [1, 2]),
    ]
    for (query, ids) in expected {
      let reply = try await api.send("GET", "/items\(query)", as: token)
      #expect(try reply.status == 200 && reply.all("id") == ids, "\(query) \(reply)")
    }
    #expect(try await api.send("GET", "/lists/1/items", as: token).all("id") == [1, 2])
    for query in [
      "?color=red", "?checked=maybe", "?limit=0", "?limit=501", "?limit=1&limit=2", "?due_before=x", "?cursor=x",
    ] {
      #expect(try await api.send("GET", "/items\(query)", as: token).status == 400, "\(query)")
    }
    #expect(try await api.send("GET", "/items?list=Nowhere", as: token).status == 404)
  }
}
