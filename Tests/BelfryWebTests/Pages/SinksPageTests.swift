import BelfryPlugins
import BelfryTestKit
import Foundation
import Testing
import WebAccess

@testable import BelfryWeb

@Suite("The page of sinks")
struct SinksPageTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(in: TemporaryFolder.inMemory) }

  /// A server with two sinks, one of them switched off, and a script in place of belfryd.
  private func api(_ script: String) throws -> APIServer {
    let (config, program) = (folder.file("belfry.yaml"), folder.file("belfryd"))
    let text = """
      store: {type: sqlite, path: \(folder.file("store"))}
      sinks:
        screen: {type: stdout}
        idle: {type: stdout, enabled: false}

      """
    try text.write(toFile: config, atomically: true, encoding: .utf8)
    try "#!/bin/sh\n\(script)\n".write(toFile: program, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
    var setup = WebSetup(try Assembly(.file(config), time: ManualTimeSource()))
    setup.daemon = program
    return try APIServer(try Server(setup: setup))
  }

  @Test("it shows each sink, and a test of it with what was said")
  func test() async throws {
    let result = #"[{"sink":"screen","recipient":null,"outcome":"later","reason":"no <tty>"}]"#
    let api = try api("echo '\(result)'; echo '> EHLO' >&2")
    let visitor = { (scope: AccessScope) in "Authorization: Bearer \(try api.token(scope))\r\n\(PageBench.html)" }
    let page = try await api.server.get("/sinks", try visitor(.admin)).body
    #expect(page.contains("action=\"/sinks/screen/test\"") && !page.contains("action=\"/sinks/idle/test\""))
    #expect(page.contains(">switched off</span>") && page.contains("nothing waits"))
    #expect(!(try await api.server.get("/sinks", try visitor(.read)).body.contains("action=\"/sinks/")))
    let tested = try await api.server.post("/sinks/screen/test", try visitor(.admin), body: "")
    #expect(tested.status == 200 && tested.body.contains("<span class=\"state bad\">later</span>"), "\(tested)")
    #expect(tested.body.contains("no &lt;tty&gt;") && tested.body.contains("&gt; EHLO"))
    #expect(try await api.server.post("/sinks/idle/test", try visitor(.admin), body: "").status == 404)
  }
}
