import BelfryTestKit
import Foundation
import Testing
import TestSupport

@Suite("belfry sinks test, config check --probe and what they keep to themselves")
struct SinkTestCommandTests {
  static let path = "pa5sage-wh1ch-nobody-reads"
  static let token = "t0ken~which/nobody+reads"
  static let password = "pa5sword~which/nobody+reads"
  static let key = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

  @Test("0 where the other side says yes, and it got a test; the store knows nothing of it")
  func accepted() async throws {
    let server = try HTTPCollector()
    let box = try Sandbox(sinks: ["hook: { type: webhook, url: \"\(server.url)\" }"])
    let outcome = try await box.belfry("sinks", "test", "hook")
    #expect(outcome.isDone, "\(outcome)")
    let request = try #require(try server.received().first)
    #expect(try JSON(request.text)["type"] == .text("reminder.test"))
    #expect(try await box.json("deliveries") == .array([]))
    #expect(try await box.belfry("config", "check", "--probe").isDone)
    #expect(try server.received().count == 1)
  }

  @Test("66 for a sink that is not there or switched off")
  func unknown() async throws {
    let box = try Sandbox(sinks: [
      "hook: { type: webhook, url: \"http://127.0.0.1:9/\" }", "silent: { type: stdout, enabled: false }",
    ])
    let misspelt = try await box.belfry("sinks", "test", "hok")
    #expect(misspelt.status == 66, "\(misspelt)")
    #expect(misspelt.messages.contains("'hook'"), "\(misspelt)")
    #expect(try await box.belfry("sinks", "test", "silent").status == 66)
  }

  @Test("69 where it says no, or says yes in another language than the format's")
  func refused() async throws {
    let server = try NginxServer()
    let formats = ["a": ("standard", "400"), "b": ("slack", "204"), "c": ("ntfy", "200"), "d": ("standard", "503")]
    let box = try Sandbox(
      sinks: formats.map { "\($0): { type: webhook, format: \($1.0), url: \"\(server.url)/\($1.1)\" }" }
        + ["good: { type: webhook, format: slack, url: \"\(server.url)/200\" }"])
    for name in formats.keys {
      let outcome = try await box.belfry("sinks", "test", name)
      #expect(outcome.status == 69, "\(outcome)")
    }
    #expect(try await box.belfry("sinks", "test", "good").isDone)
  }

  @Test("a wrong password and a certificate that nobody trusts are failures, with the server's words")
  func wrongPassword() async throws {
    let authority = try TestAuthority()
    var configuration = MailCollector.Configuration()
    configuration.passwords = ["me": Self.password]
    let server = try MailCollector(configuration, authority: authority)
    let sink = "type: email, url: \"\(server.url)\", from: a@example.org, to: [me@example.org], username: me"
    let box = try Sandbox(sinks: [
      "wrong: { \(sink), password: nonsense, ca_file: \"\(authority.certificate)\" }",
      "untrusted: { \(sink), password: \"\(Self.password)\" }",
      "good: { \(sink), password_file: password, ca_file: \"\(authority.certificate)\" }",
    ])
    try box.write(Self.password + "\n", to: "password")
    for (name, words) in [("wrong", "535"), ("untrusted", "certificate")] {
      let outcome = try await box.belfry("sinks", "test", name, "-v")
      #expect(outcome.status == 69, "\(outcome)")
      #expect(outcome.messages.contains(words), "\(outcome)")
      expectNoSecret(in: outcome.messages + outcome.output, "\(name)")
      #expect(!outcome.messages.contains("nonsense"), "\(outcome)")
    }
    let good = try await box.belfry("sinks", "test", "good", "-v")
    #expect(good.isDone, "\(good)")
    #expect(good.messages.contains("MAIL FROM"), "\(good)")
    expectNoSecret(in: good.messages, "good")
    let probe = try await box.belfry("config", "check", "--probe")
    #expect(probe.status == 69, "\(probe)")
    #expect(probe.messages.contains("good can be reached"), "\(probe)")
    #expect(try server.received().count == 1)
  }

  @Test("secrets are in no output, log, store or command line, however they are written")
  func secrets() async throws {
    let told = "not with \(Self.token), whsec_\(Self.key) or /\(Self.path)"
    let web = try HTTPCollector(answers: [.init(500, fields: ["X-Told": told], body: told)])
    var configuration = MailCollector.Configuration()
    configuration.passwords = ["me": Self.password]
    configuration.refused = ["me@example.org": "450 4.7.1 not with \(Self.password)"]
    let authority = try TestAuthority()
    let mail = try MailCollector(configuration, authority: authority)
    let box = try Sandbox(sinks: [
      "hook: { type: webhook, url: \"\(web.url)/\(Self.path)\", token_file: token, secret: whsec_\(Self.key) }",
      "mail: { type: email, url: \"\(mail.url)\", from: a@example.org, to: [me@example.org], username: me, "
        + "password_env: MAIL_PASSWORD, ca_file: \"\(authority.certificate)\" }",
    ])
    try box.write(Self.token, to: "token")
    try await box.addDueItems(["Milk"])
    let options = RunOptions(
      output: .writing(box.path("rang")), messages: .writing(box.path("log")),
      environment: ["MAIL_PASSWORD": Self.password])
    let daemon = try box.start(bytes: [Array(try Programs.belfryd.utf8)], options)
    try await waitUntil("both were tried: \(box.text("log"))") {
      let log = box.text("log")
      return log.contains("hook") && log.contains("mail") && log.contains("4.7.1")
    }
    expectNoSecret(in: box.text("/proc/\(daemon.pid)/cmdline"), "the command line")
    daemon.send(SIGTERM)
    #expect(await daemon.end == .exited(0))
    for name in ["rang", "log"] + box.files().filter({ $0.hasPrefix("store") }) {
      expectNoSecret(in: String(decoding: box.data(name), as: UTF8.self), name)
    }
    let withPassword = RunOptions(environment: ["MAIL_PASSWORD": Self.password])
    for words in [
      ["deliveries"], ["deliveries", "--json"], ["explain", "1"], ["explain", "1", "--json"], ["config", "show"],
      ["config", "check"], ["config", "check", "--probe"], ["sinks", "--json"], ["sinks", "test", "hook", "-v"],
      ["sinks", "test", "mail", "-v"], ["sinks", "test", "mail", "--json"], ["doctor"],
    ] {
      let outcome = try await box.run([Programs.belfry] + words, withPassword)
      #expect(!(outcome.output + outcome.messages).isEmpty, "\(words)")
      expectNoSecret(in: outcome.output + outcome.messages, "\(words)")
    }
  }

  private func expectNoSecret(in text: String, _ place: String, sourceLocation: SourceLocation = #_sourceLocation) {
    for secret in [Self.path, Self.token, Self.password, Self.key] {
      for spelling in Spelling.all(of: secret) where text.contains(spelling) {
        Issue.record("\(spelling) (\(secret)) is in \(place): \(text.prefix(2_000))", sourceLocation: sourceLocation)
      }
    }
  }
}
