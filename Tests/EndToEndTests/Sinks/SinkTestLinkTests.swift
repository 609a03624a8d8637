import Foundation
import TestSupport
import Testing

/// Services that bring back no press: their messages have links, or buttons with tokens.
@Suite("belfry sinks test --answer by links")
struct SinkTestLinkTests {
  private static let answer = #"{"id":1,"event":"message","event_id":"$event:example.org","error":""}"#

  private struct Fixture {
    let collector: HTTPCollector
    let mail: MailCollector?
    let face: RunningWebFace
    var box: Sandbox { face.box }

    /// A web face, and a sink of a format to which it leads; `mail` for a sink of mail.
    init(_ format: String, answer: String = SinkTestLinkTests.answer) async throws {
      collector = try HTTPCollector(answers: [.init(200, body: answer)])
      mail = format == "mail" ? try MailCollector() : nil
      let url = "\(collector.url)?token=app&user=anna"
      let sink = mail.map { Sandbox.mailSink($0.url) } ?? "mail: { type: webhook, format: \(format), url: \"\(url)\" }"
      face = try await Sandbox().linkedWebFace("store: { type: sqlite, path: store.sqlite }\nsinks:\n  \(sink)\n")
    }

    /// What the service got, once it did.
    func message() async throws -> String {
      func text() throws -> String? {
        try mail?.received().first?.parts.map(\.text).joined() ?? collector.received().first?.text
      }
      try await waitUntil("the test arrives; it said: \(box.text("told"))") { try text() != nil }
      return try text() ?? ""
    }

    /// Waits for the end of a test of which a button was pressed.
    func ended(_ test: ChildProcess, _ words: String) async throws {
      #expect(await test.end == .exited(0), "\(box.text("told"))")
      let told = box.text("told")
      #expect(told.contains("\(words) came back over a link."), "\(told)")
      #expect(told.firstMatch(of: #/[\w-]{54}/#) == nil, "\(told)")
      #expect(try await box.json("answers") == .array([]))
      #expect(try await box.json("deliveries") == .array([]))
      #expect(!face.log.contains(#/\/a\/[\w-]{7}/#), "\(face.log)")
      #expect(await face.stop() == .exited(0))
    }
  }

  @Test(
    "a press on the page to which a message leads ends it with 0",
    arguments: ["mail", "matrix", "slack", "discord", "gotify", "apprise", "ntfy"])
  func page(format: String) async throws {
    let fixture = try await Fixture(format, answer: format == "slack" ? "ok" : Self.answer)
    let test = try fixture.box.startSinkTest("mail", "-v")
    let link = try #require(try await fixture.message().firstMatch(of: #/http:\/\/[\w.:]+(\/a\/[\w-]{54})/#))
    let page = try #require(try await fixture.face.get(String(link.1)))
    let form = try #require(PageForm("Later", on: page), "\(page)")
    let reply = try #require(try await fixture.face.post(form.path, as: .page))
    #expect(reply.status == 200 && reply.body.contains("<h1>The test works</h1>"), "\(reply)")
    try await fixture.ended(test, "'later'")
  }

  @Test("a press that a program posts ends it with 0", arguments: ["standard", "homeassistant"])
  func token(format: String) async throws {
    let fixture = try await Fixture(format, answer: "[]")
    let test = try fixture.box.startSinkTest("mail", "-v")
    let token = try #require(try await fixture.message().firstMatch(of: #/"(?:belfry-)?([\w-]{54})"/#))
    let reply = try #require(try await fixture.face.post("/a/\(token.1)"))
    #expect(reply.status == 200 && reply.body.contains(#""effect":"done""#), "\(reply)")
    try await fixture.ended(test, "'done'")
  }
}
