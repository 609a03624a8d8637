import Foundation
import Testing

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
