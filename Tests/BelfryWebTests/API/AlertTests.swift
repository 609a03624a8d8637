import BelfryTestKit
import CivilTime
import Foundation
import OrderedJSON
import Testing

@testable import BelfryEngine
@testable import BelfryModel
@testable import BelfryWeb

@Suite("Alerts of monitors")
struct AlertTests {
  /// A message as Alertmanager's documentation of webhook_config has it.
  private func message(_ status: String, startsAt: String, endsAt: String = "0001-01-01T00:00:00Z") -> String {
    """
    {"version": "4", "groupKey": "{}:{alertname=\\"DiskFull\\"}", "truncatedAlerts": 0, "status": "\(status)",
     "receiver": "belfry", "groupLabels": {"alertname": "DiskFull"}, "commonLabels": {"alertname": "DiskFull"},
     "commonAnnotations": {}, "externalURL": "http://alertmanager:9093",
     "alerts": [{"status": "\(status)", "labels": {"alertname": "DiskFull", "instance": "db1:9100"},
       "annotations": {"summary": "disk of\\ndb1", "description": "5 % left"}, "startsAt": "\(startsAt)",
       "endsAt": "\(endsAt)", "generatorURL": "http://prometheus:9090/graph", "fingerprint": "b3c1d2e4f5a60718"}]}
    """
  }

  /// A request body of Prometheus.
  private func alerts(_ endsAt: String, startsAt: String = "2026-11-21T06:59:30.123Z") -> String {
    """
    [{"annotations": {"summary": "disk of db1"}, "endsAt": "\(endsAt)", "startsAt": "\(startsAt)",
      "generatorURL": "http://prometheus:9090/graph", "labels": {"alertname": "DiskFull", "instance": "db1:9100"}}]
    """
  }

  /// The reply to a request of Prometheus.
  private func post(_ body: String, to api: APIServer, as token: String) async throws -> Reply {
    try await api.server.reply(
      to: "POST /api/v2/alerts HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n"
        + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")
  }

  private func isChecked(_ api: APIServer, _ id: Int64 = 4) throws -> Bool? {
    try api.server.belfry.store.read { try $0.item(id: id)?.item.isChecked }
  }

  @Test("an alert of Alertmanager is one item, which resolved checks and only a new start opens again")
  func webhook() async throws {
    let api = try APIServer()
    let token = try api.token(.edit)
    let path = "/alertmanager?list=On-call&create=true"
    let first = try await api.send("POST", path, message("firing", startsAt: "2026-11-21T06:59:30Z"), as: token)
    let item = try #require(try first.json.arrayValue?.first, "\(first)")
    #expect(item["text"] == "Alert DiskFull: disk of db1" && item["list"] == "On-call")
    #expect(item["due_date"] == "2026-11-21T07:01:00Z" && item["notes"] == "5 % left\nhttp://prometheus:9090/graph")
    let steps: [(status: String, startsAt: String, changes: Int, isChecked: Bool)] = [
      ("firing", "2026-11-21T06:59:30Z", 0, false), ("resolved", "2026-11-21T06:59:30Z", 1, true),
      ("resolved", "2026-11-21T06:59:30Z", 0, true), ("firing", "2026-11-21T06:59:30Z", 0, true),
      ("firing", "2026-11-21T07:30:00Z", 1, false), ("resolved", "2026-11-21T06:59:30Z", 0, false),
      ("resolved", "2026-11-21T07:30:00Z", 1, true),
    ]
    for step in steps {
      let reply = try await api.send("POST", path, message(step.status, startsAt: step.startsAt), as: token)
      #expect(try reply.status == 200 && reply.json.arrayValue?.count == step.changes, "\(step) \(reply)")
      #expect(try isChecked(api) == step.isChecked, "\(step)")
    }
    #expect(try api.texts().count == 4)
  }

  @Test("what a person checked stays checked while the same event is repeated")
  func checkedByHand() async throws {
    let api = try APIServer()
    let token = try api.token(.edit)
    let body = message("firing", startsAt: "2026-11-21T06:59:30Z")
    #expect(try await api.send("POST", "/alertmanager", body, as: token).status == 200)
    _ = try api.server.belfry.setChecked(true, [4])
    #expect(try await api.send("POST", "/alertmanager", body, as: token).body == "[]\n")
    #expect(try isChecked(api) == true)
  }

  @Test("repeats of Prometheus renew the expiry; without them the item is checked instead of rung")
  func expiry() async throws {
    let api = try APIServer()
    let token = try api.token(.edit)
    #expect(try await post(alerts("2026-11-21T07:04:00Z"), to: api, as: token).json.arrayValue?.count == 1)
    #expect(try await post(alerts("2026-11-21T07:08:00Z"), to: api, as: token).body == "[]\n")
    api.server.time.now = try #require(parseRFC3339("2026-11-21T07:05:00Z"))
    #expect(try await post("[]", to: api, as: token).body == "[]\n")
    #expect(try isChecked(api) == false)
    api.server.time.now = try #require(parseRFC3339("2026-11-21T07:08:00Z"))
    try api.server.belfry.ring()
    #expect(try isChecked(api) == true)
    let fired = try api.server.belfry.store.read { try $0.reminders(of: .item(4), at: nil, state: .fired) }
    #expect(fired.isEmpty)
    #expect(try await post(alerts("2026-11-21T07:12:00Z"), to: api, as: token).json.arrayValue?.count == 1)
    #expect(try isChecked(api) == false)
    #expect(try await post(alerts("2026-11-21T07:07:59Z"), to: api, as: token).json.arrayValue?.count == 1)
    #expect(try isChecked(api) == true)
  }

  @Test("an empty label is an absent one: with it and without it is the same alert")
  func emptyLabels() async throws {
    let api = try APIServer()
    let token = try api.token(.edit)
    let bodies = [#"[{"labels": {"alertname": "a", "job": ""}}]"#, #"[{"labels": {"alertname": "a"}}]"#]
    #expect(try await post(bodies[0], to: api, as: token).json.arrayValue?.first?["text"] == "Alert a")
    #expect(try await post(bodies[1], to: api, as: token).body == "[]\n")
    #expect(try api.texts().count == 4)
    for labels in [#"{"alertname": ""}"#, "{}"] {
      let refused = try await post(#"[{"labels": \#(labels)}]"#, to: api, as: token)
      #expect(refused.status == 422 && refused.body.contains("has no label"), "\(labels): \(refused)")
    }
    #expect(try api.texts().count == 4)
  }

  @Test("what is wrong is named with its place, and nothing is changed")
  func wrong() async throws {
    let api = try APIServer()
    let token = try api.token(.edit)
    let cases: [(String, [JSONValue])] = [
      ("[{}, 5]", ["[0].labels", "[1]"]),
      (#"[{"labels": {"a": 1}, "startsAt": "soon"}]"#, ["[0].labels.a", "[0].startsAt"]),
      (
        #"[{"labels": {"a": "b"}, "startsAt": "2026-11-21T07:00:00Z", "endsAt": "2026-11-21T06:00:00Z"}]"#,
        ["[0].endsAt"]
      ),
    ]
    for (body, places) in cases {
      let reply = try await post(body, to: api, as: token)
      #expect(reply.status == 422 && reply["content-type"] == ["application/problem+json"], "\(body) \(reply)")
      #expect(try reply.json["errors"]?.arrayValue?.compactMap { $0["field"] } == places, "\(body)")
    }
    #expect(try await post("{}", to: api, as: token).status == 422)
    #expect(try await post("[", to: api, as: token).status == 400)
    #expect(try await api.send("POST", "/alertmanager", #"{"version": "3", "alerts": []}"#, as: token).status == 422)
    #expect(try api.texts().count == 3)
  }

  @Test("each alert of a batch stands for itself: the good ones are kept, and the reply names the others")
  func mixed() async throws {
    let api = try APIServer()
    let token = try api.token(.edit)
    let good = #"{"labels": {"alertname": "a"}}"#
    for (bad, place) in [
      ("{}", "[0].labels"), ("5", "[0]"), (#"{"labels": {"b": "c"}, "startsAt": 1}"#, "[0].startsAt"),
    ] {
      let reply = try await post("[\(bad), \(good)]", to: api, as: token)
      #expect(reply.status == 422 && reply["content-type"] == ["application/problem+json"], "\(reply)")
      #expect(try reply.json["errors"]?.arrayValue?.compactMap { $0["field"] } == [.string(place)], "\(reply)")
      #expect(try reply.json["detail"]?.stringValue?.hasSuffix("; the rest was carried out") == true, "\(reply)")
      let texts: [JSONValue] = place == "[0].labels" ? ["Alert a"] : []
      #expect(try reply.json["items"]?.arrayValue?.compactMap { $0["text"] } == texts, "\(reply)")
    }
    #expect(try api.texts().filter { $0 == "Alert a" }.count == 1)
    let firing = message("firing", startsAt: "2026-11-21T06:59:30Z")
    let alerts = firing.replacing(#""alerts": ["#, with: #""alerts": [{"status": "new", "labels": {}}, "#)
    let reply = try await api.send("POST", "/alertmanager", alerts, as: token)
    #expect(reply.status == 422, "\(reply)")
    let fields = try reply.json["errors"]?.arrayValue?.compactMap { $0["field"] }
    #expect(fields == ["alerts[0].status", "alerts[0].startsAt", "alerts[0].labels"], "\(reply)")
    #expect(try reply.json["items"]?.arrayValue?.compactMap { $0["text"] } == ["Alert DiskFull: disk of db1"])
  }

  @Test("a token for one list brings its alerts there, and they are others than those of the rest")
  func oneList() async throws {
    let api = try APIServer()
    let (all, home) = (try api.token(.edit), try api.token(.edit, lists: "Home"))
    let end = "2026-11-21T07:04:00Z"
    #expect(try await post(alerts(end), to: api, as: home).all("list") == ["Home"])
    #expect(try await post(alerts(end), to: api, as: all).json.arrayValue?.count == 1)
    let foreign = try await api.send(
      "POST", "/alertmanager?list=Work", message("firing", startsAt: end), as: home)
    #expect(foreign.status == 422)
  }

  @Test("labels name the list and the category; a wrong name is told in the notes")
  func labels() async throws {
    var settings = Settings()
    settings.categories = [Category(identifier: "alert", actions: [], minimal: [])]
    let api = try APIServer(try Server(belfry: settings))
    func post(_ labels: String, as token: String) async throws -> JSONValue {
      let body = #"[{"labels": {"alertname": "a", \#(labels)}}]"#
      return try #require(try await self.post(body, to: api, as: token).json.arrayValue?.first)
    }
    let token = try api.token(.edit)
    let placed = try await post(#""belfry_list": "Work", "belfry_category": "alert""#, as: token)
    #expect(placed["list"] == "Work" && placed["category"] == "alert" && placed["notes"] == .null, "\(placed)")
    let home = try api.token(.edit, lists: "Home")
    for (item, notes) in [
      (try await post(#""belfry_list": "Work""#, as: home), "belfry_list names no list"),
      (
        try await post(#""belfry_list": "x\u0000", "belfry_category": "y""#, as: home),
        "belfry_list names no list\nbelfry_category names no category"
      ),
    ] { #expect(item["list"] == "Home" && item["category"] == .null && item["notes"] == .string(notes), "\(item)") }
  }

  @Test("a line in plain text is an item")
  func plainLine() async throws {
    let api = try APIServer()
    let reply = try await api.send(
      "POST", "/inbox", "Call Anna tomorrow 9am\n", as: try api.token(.edit), type: "text/plain; charset=utf-8")
    #expect(try reply.status == 201 && reply.json["text"] == "Call Anna", "\(reply)")
  }
}

@Suite("The calendar to subscribe to")
struct FeedTests {
  @Test("it has the rings of the token's lists, a tag, and nothing for tokens of other scopes")
  func feed() async throws {
    let api = try APIServer()
    let token = try api.token(.feed, lists: "Home")
    let reply = try await api.server.get("/agenda/\(token).ics")
    #expect(reply.status == 200 && reply["content-type"] == ["text/calendar; charset=utf-8"], "\(reply)")
    #expect(reply.body.contains("DTSTART:20261121T080000Z\r\nSUMMARY:Milk\r\n") && !reply.body.contains("Report"))
    #expect(!reply.body.contains("VALARM") && reply["referrer-policy"] == ["no-referrer"])
    let tag = reply["etag"].first ?? ""
    let again = try await api.server.reply(
      to: "GET /agenda/\(token).ics HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: \(tag)\r\nConnection: close\r\n\r\n")
    #expect(again.status == 304 && again.body.isEmpty)
    // Two alerts of one moment.
    let twice = #"{"text": "Twice", "list": "Home", "due": "2026-11-25 09:00", "alerts": ["1d", "24h"]}"#
    #expect(try await api.send("POST", "/items", twice, as: try api.token(.edit)).status == 201)
    let more = try await api.server.get("/agenda/\(token).ics").body
    let identities = more.matches(of: /UID:.*\r\n/).map { String($0.0) }
    #expect(more.contains("SUMMARY:Twice") && Set(identities).count == identities.count, "\(more)")
    #expect(try await api.server.get("/agenda/bfy_x.ics").status == 401)
    #expect(try await api.server.get("/agenda/\(try api.token(.admin)).ics").status == 403)
    #expect(try await api.server.get("/agenda/\(token)").status == 404)
    #expect(try await api.send("GET", "/items", as: token).status == 403)
  }
}
