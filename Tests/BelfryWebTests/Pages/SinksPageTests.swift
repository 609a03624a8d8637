import Testing
import WebAccess

@testable import BelfryWeb

@Suite("The page of sinks")
struct SinksPageTests {
  private let daemon: ScriptedDaemon

  init() throws { daemon = try ScriptedDaemon() }

  @Test("it shows each sink, and a test of it with what was said")
  func test() async throws {
    let result = #"[{"sink":"screen","recipient":null,"outcome":"later","reason":"no <tty>"}]"#
    let api = try daemon.api("echo '\(result)'; echo '> EHLO' >&2; echo 'belfryd: screen: no <tty>' >&2")
    let visitor = { (scope: AccessScope) in "Authorization: Bearer \(try api.token(scope))\r\n\(PageFixture.html)" }
    let page = try await api.server.get("/sinks", try visitor(.admin)).body
    #expect(page.contains("action=\"/sinks/screen/test\"") && !page.contains("action=\"/sinks/idle/test\""))
    #expect(page.contains(">switched off</span>") && page.contains("nothing waits"))
    #expect(!(try await api.server.get("/sinks", try visitor(.read)).body.contains("action=\"/sinks/")))
    let path = "/sinks/screen/test"
    #expect(try await api.server.get(path, try visitor(.admin)).status == 404)
    let posted = try await api.server.post(path, try visitor(.admin), body: "")
    #expect(posted.status == 303 && posted["location"] == [path], "\(posted)")
    #expect(try await api.server.get(path, try visitor(.edit)).status == 403)
    let tested = try await api.server.get(path, try visitor(.admin))
    #expect(tested.status == 200 && tested.body.contains("<span class=\"state bad\">later</span>"), "\(tested)")
    #expect(tested.body.matches(of: /no &lt;tty&gt;/).count == 1)
    #expect(tested.body.contains("<span dir=\"auto\">no &lt;tty&gt;</span>") && tested.body.contains("&gt; EHLO"))
    #expect(try await api.server.post("/sinks/idle/test", try visitor(.admin), body: "").status == 404)
  }
}
