import BelfryRuntime
import BelfryTestKit
import Foundation
import Testing

@testable import BelfryWeb

@Suite("The page of the config")
struct ConfigPageTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(in: TemporaryFolder.inMemory) }

  private static let secrets = [
    "https://hooks.example/secret-hook", "secret-token", "secret-password", "c2VjcmV0", "secret-beat",
    "secret-proxy", "secret-header",
  ]

  // Every secret that a config can hold itself, and a key that is warned of.
  private func config() throws -> String {
    let path = folder.file("belfry.yaml")
    let text = """
      store: {type: sqlite, path: \(folder.file("store"))}
      heartbeat: {url: "https://beat.example/secret-beat"}
      web: {listen: "127.0.0.1:8787", user_header: Remote-User, proxy_secret: secret-proxy-secret-proxy}
      people: {anna: {sinks: [screen]}}
      sinks:
        screen: {type: stdout}
        hook: {type: webhook, url: "https://hooks.example/secret-hook", authorization: secret-header, secret: whsec_c2VjcmV0LWtleS1zZWNyZXQta2V5LXNlY3JldC1rZXk=}
        mail: {type: email, url: "smtps://mail.example", from: a@example.org, to: [b@example.org], username: a, password: secret-password}
        chat: {type: telegram, token: "123456:secret-token-secret-token-secret-to", chat_id: 1}

      """
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  private func server(_ script: String) throws -> PageFixture {
    let program = folder.file("belfry")
    try "#!/bin/sh\n\(script)\n".write(toFile: program, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
    var setup = WebSetup(try Assembly(.file(config()), time: ManualTimeSource()))
    setup.command = program
    setup.warnings = ["belfry.yaml:1:1: warning: <this> is odd"]
    return try PageFixture(setup: setup)
  }

  @Test("it shows the config without any secret, its warnings, and what the command says of the machine")
  func page() async throws {
    let finding = #"{"check":"sink <hook>","state":"fail","message":"it is gone","advice":"chmod 600 key"}"#
    let fixture = try server(
      #"[ "$1 $2 $3" = "doctor --json --config=\#(folder.file("belfry.yaml"))" ] && echo '[\#(finding)]'; exit 66"#)
    try fixture.add(["Milk"])
    let body = try await fixture.server.get("/config", try fixture.visitor()).body
    for secret in Self.secrets { #expect(!body.contains(secret), "\(secret)") }
    #expect(body.matches(of: /&lt;redacted&gt;/).count == 7, "\(body)")
    for line in [
      "sinks:<span class=\"place\">  # belfry.yaml:5</span>",
      "    chat_id: 1<span class=\"place\">  # belfry.yaml:9</span>",
      "  user_header: &quot;Remote-User&quot;<span class=\"place\">  # belfry.yaml:3</span>",
      "time_zone: local<span class=\"place\">  # default</span>",
    ] {
      #expect(body.contains("\n\(line)\n"), "\(line)")
    }
    #expect(body.contains("&lt;this&gt; is odd"))
    #expect(body.contains("<span class=\"state bad\">fail</span>") && body.contains(">sink &lt;hook&gt;</strong>"))
    #expect(body.contains("it is gone") && body.contains(">chmod 600 key</p>"))
    for reader in [try fixture.visitor(.edit), try fixture.visitor(person: "anna", lists: ["Groceries"])] {
      #expect(try await fixture.server.get("/config", reader).status == 403)
      #expect(try await !fixture.server.get("/", reader).body.contains("\"/config\""))
    }
  }

  @Test("where the command fails, the page says so and shows the rest")
  func fault() async throws {
    let fixture = try server("echo 'belfry: no memory' >&2; exit 70")
    let reply = try await fixture.server.get("/config", try fixture.visitor())
    #expect(reply.status == 200 && reply.body.contains("The checks could not be made: belfry: no memory"))
    #expect(reply.body.contains("user_header: &quot;Remote-User&quot;"))
  }
}
