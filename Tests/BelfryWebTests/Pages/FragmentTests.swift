import Foundation
import HTTPTypes
import Testing
import WebAccess

@testable import BelfryWeb

@Suite("Parts of pages")
struct FragmentTests {
  @Test("a part is asked for by its name, and comes again only where it has changed")
  func parts() async throws {
    let bench = try PageBench()
    try bench.add(["Milk"])
    let visitor = try bench.visitor()
    let part = try await bench.server.get("/lists/1", visitor + "Fragment: items\r\n")
    #expect(part.status == 200 && part.body.hasPrefix("<div id=\"items\" data-live=\"\">"))
    #expect(part.body.hasSuffix("</div>\n") && part.body.contains(">Milk</a>") && !part.body.contains("<main"))
    let tag = try #require(part["etag"].first)
    let question = visitor + "Fragment: items\r\nIf-None-Match: \(tag)\r\n"
    let same = try await bench.server.get("/lists/1", question)
    #expect(same.status == 304 && same.body.isEmpty && same["etag"] == [tag])
    _ = try await bench.submit("/items/1/check", [:], visitor)
    #expect(try await bench.server.get("/lists/1", question).status == 200)
    #expect(try await bench.server.get("/lists/1", visitor + "Fragment: <main>\r\n").status == 404)
  }

  @Test("that nothing has changed is said again until the store or the time changes, and to the same visitor alone")
  func unchanged() async throws {
    let bench = try PageBench()
    try bench.add(["Milk"], due: "2026-11-21T09:30")
    let (visitor, reader) = (try bench.visitor(), try bench.visitor(.read))
    let tag = try #require(try await bench.server.get("/lists/1", visitor + "Fragment: items\r\n")["etag"].first)
    let fields = "Fragment: items\r\nIf-None-Match: \(tag)\r\n"
    for _ in 0..<3 { #expect(try await bench.server.get("/lists/1", visitor + fields).status == 304) }
    #expect(try await bench.server.get("/lists/1?show=checked", visitor + fields).status == 200)
    #expect(try await bench.server.get("/lists/1", visitor + "If-None-Match: \(tag)\r\n").status == 200)
    // The row of someone who may only read has no button.
    #expect(try await bench.server.get("/lists/1", reader + fields).status == 200)
    #expect(try await bench.server.get("/lists/1", fields).status == 401)
    // It is overdue by then.
    bench.server.time.advance(by: 2_400)
    #expect(try await bench.server.get("/lists/1", visitor + fields).status == 200)
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
    ] { #expect(UnchangedReplies.Question(head, by: access) == nil, "\(head)") }
    let (replies, fields): (UnchangedReplies, HTTPFields) = (UnchangedReplies(), [.eTag: "\"a\""])
    let asked = try #require(UnchangedReplies.Question(question("/"), by: access))
    let state = UnchangedReplies.State(change: 7, second: 1)
    replies.keep(fields, for: asked, in: state)
    #expect(replies.fields(for: asked, in: state) == fields)
    let other = try #require(UnchangedReplies.Question(question("/"), by: .proxied("Ben")))
    #expect(replies.fields(for: other, in: state) == nil)
    for later in [UnchangedReplies.State(change: 8, second: 1), UnchangedReplies.State(change: 7, second: 2)] {
      #expect(replies.fields(for: asked, in: later) == nil)
    }
    for number in 0..<2_000 {
      let asked = try #require(UnchangedReplies.Question(question("/\(number)"), by: access))
      replies.keep(fields, for: asked, in: state)
    }
    #expect(replies.fields(for: asked, in: state) == nil)
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
