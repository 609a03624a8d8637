import Foundation
import HTTPTypes
import Testing
import WebAccess

@testable import BelfryWeb

@Suite("Parts of pages")
struct FragmentTests {
  @Test("a part is asked for by its name, and comes again only where it has changed")
  func parts() async throws {
    let fixture = try PageFixture()
    try fixture.add(["Milk"])
    let visitor = try fixture.visitor()
    let part = try await fixture.server.get("/lists/1", visitor + "Fragment: items\r\n")
    #expect(part.status == 200 && part.body.hasPrefix("<div id=\"items\" data-live=\"\">"))
    #expect(part.body.hasSuffix("</div>\n") && part.body.contains(">Milk</a>") && !part.body.contains("<main"))
    let tag = try #require(part["etag"].first)
    let question = visitor + "Fragment: items\r\nIf-None-Match: \(tag)\r\n"
    let same = try await fixture.server.get("/lists/1", question)
    #expect(same.status == 304 && same.body.isEmpty && same["etag"] == [tag])
    _ = try await fixture.submit("/items/1/check", [:], visitor)
    #expect(try await fixture.server.get("/lists/1", question).status == 200)
    #expect(try await fixture.server.get("/lists/1", visitor + "Fragment: <main>\r\n").status == 404)
  }

  @Test("that nothing has changed is said again until the store or the time changes, and to the same visitor alone")
  func unchanged() async throws {
    let fixture = try PageFixture()
    try fixture.add(["Milk"], due: "2026-11-21T09:30")
    let (visitor, reader) = (try fixture.visitor(), try fixture.visitor(.read))
    let tag = try #require(try await fixture.server.get("/lists/1", visitor + "Fragment: items\r\n")["etag"].first)
    let fields = "Fragment: items\r\nIf-None-Match: \(tag)\r\n"
    for _ in 0..<3 { #expect(try await fixture.server.get("/lists/1", visitor + fields).status == 304) }
    #expect(try await fixture.server.get("/lists/1?show=checked", visitor + fields).status == 200)
    #expect(try await fixture.server.get("/lists/1", visitor + "If-None-Match: \(tag)\r\n").status == 200)
    // The row of someone who may only read has no button.
    #expect(try await fixture.server.get("/lists/1", reader + fields).status == 200)
    #expect(try await fixture.server.get("/lists/1", fields).status == 401)
    // It is overdue by then.
    fixture.server.time.advance(by: 2_400)
    #expect(try await fixture.server.get("/lists/1", visitor + fields).status == 200)
  }

  @Test("of what was unchanged only the present state is kept, and no long question")
  func kept() throws {
    let access = Access.proxied("Anna")
    func question(_ path: String, _ method: HTTPRequest.Method = .get, known: String? = "\"a\"") -> HTTPRequest {
      var head = HTTPRequest(method: method, scheme: nil, authority: "localhost", path: path)
      head.headerFields[.ifNoneMatch] = known
      return head
    }
    for head in [
      question("/", .head), question("/", known: nil), question("/" + String(repeating: "a", count: 1_000)),
      question("/api/v1/items?due_before=2h"),
    ] { #expect(UnchangedReplies.Question(head, by: access) == nil, "\(head)") }
    let (replies, fields): (UnchangedReplies, HTTPFields) = (UnchangedReplies(), [.eTag: "\"a\""])
    let start = Date(timeIntervalSince1970: 60_000)
    let asked = try #require(UnchangedReplies.Question(question("/"), by: access))
    let state = UnchangedReplies.State(change: 7, now: start + 1)
    replies.keep(fields, tag: "\"a\"", for: asked, in: state)
    for now in [start + 0.5, start + 1, start + 59.9] {
      #expect(replies.fields(for: asked, in: UnchangedReplies.State(change: 7, now: now)) == fields)
    }
    for known in ["\"b\", W/\"a\"", "\"a\""] {
      let again = try #require(UnchangedReplies.Question(question("/", known: known), by: access))
      #expect(replies.fields(for: again, in: state) == fields)
    }
    for known in ["\"b\"", "*", "a", "\"a"] {
      let other = try #require(UnchangedReplies.Question(question("/", known: known), by: access))
      #expect(replies.fields(for: other, in: state) == nil)
    }
    let other = try #require(UnchangedReplies.Question(question("/"), by: .proxied("Ben")))
    #expect(replies.fields(for: other, in: state) == nil)
    // What is due at the start of a minute is overdue right after it.
    for (change, now) in [(8, start + 1), (7, start), (7, start + 60), (7, start + 61), (7, start - 1)] {
      #expect(replies.fields(for: asked, in: UnchangedReplies.State(change: Int64(change), now: now)) == nil)
    }
    for number in 0..<2_000 {
      let asked = try #require(UnchangedReplies.Question(question("/\(number)"), by: access))
      replies.keep(fields, tag: "\"a\"", for: asked, in: state)
    }
    #expect(replies.fields(for: asked, in: state) == nil)
  }

  @Test(
    "nothing is said to be unchanged after a change of the store, the time or the rights", arguments: [false, true])
  func inputs(isAPI: Bool) async throws {
    let fixture = try PageFixture()
    try fixture.add(["Milk"], due: "2026-11-21T09:30")
    try fixture.add(["Bread"])
    let visitor = try fixture.visitor()
    let paths =
      isAPI ? ["/api/v1/lists", "/api/v1/lists/1/items", "/api/v1/items", "/api/v1/items/1"] : ["/", "/lists/1"]
    var known: [String: String] = [:]
    // The second reply is told from what was kept of the first.
    func statuses(_ visitor: String) async throws -> [Int] {
      var found: [Int] = []
      for path in paths {
        let part = isAPI ? "" : "Fragment: \(path == "/" ? "today" : "items")\r\n"
        for _ in 1...2 {
          let tag = known[path].map { "If-None-Match: \($0)\r\n" } ?? ""
          let reply = try await fixture.server.get(path, visitor + part + tag)
          found.append(reply.status)
          let newTag = try #require(reply["etag"].first)
          known[path] = newTag
        }
      }
      return found
    }
    let changed = paths.flatMap { _ in [200, 304] }
    #expect(try await statuses(visitor) == changed)
    #expect(try await statuses(visitor) == changed.map { _ in 304 })
    _ = try await fixture.submit("/items/1/check", [:], visitor)
    #expect(try await statuses(visitor) == changed)
    _ = try fixture.server.belfry.setChecked(false, [1])
    #expect(try await statuses(visitor) == changed)
    fixture.server.time.advance(by: 2_400)
    // It is overdue, which pages say.
    let afterwards = try await statuses(visitor)
    if !isAPI { #expect(afterwards == changed) }
    try fixture.server.access.revoke("session-1")
    #expect(
      try await fixture.server.get(paths[0], visitor + "If-None-Match: \(known[paths[0]] ?? "")\r\n").status == 401)
  }

  @Test("the fields of a form are texts in UTF-8")
  func fields() throws {
    let fields = FormFields("a=b+c%20d&e=%C3%A9%E2%82%AC&f=100%&g&bad=%ff&a=second")
    #expect(try fields.text("a") == "b c d" && fields.text("e") == "é€" && fields.text("f") == "100%")
    #expect(try fields.text("g") == "" && fields.text("h") == nil)
    #expect(throws: Problem.self) { try fields.text("bad") }
    let text = "ä & b=+%/?\u{1F468}\u{200D}\u{1F469}\r\n"
    #expect(try FormFields("x=\(FormFields.encoded(text))").text("x") == text)
  }
}
