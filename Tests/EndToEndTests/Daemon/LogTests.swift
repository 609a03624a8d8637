import BelfryTestKit
import Foundation
import Testing
import TestSupport

@Suite("The daemon's log")
struct LogTests {
  static let path = "pa5sage-wh1ch-nobody-reads"
  static let token = "t0ken~which/nobody+reads"
  static let header = "h3ader~which/nobody+reads"
  static let password = "pa5sword~which/nobody+reads"
  static let key = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

  @Test("a line of JSON for each event, or of text; standard output is the sinks'", arguments: ["text", "json"])
  func formats(format: String) async throws {
    let box = try Sandbox()
    try await box.json("add", "Milk", "--due", "09:00", at: "2026-11-21 08:59:00")
    let outcome = try await box.belfry(
      "run", "--once", "--log-format", format, "--log-level", "debug", options: .at("2026-11-21 09:00:10"))
    #expect(outcome.isDone, "\(outcome)")
    #expect(try JSON(outcome.output)["type"] == .text("reminder.fired"))
    let lines = outcome.messages.split(separator: "\n").map(String.init)
    #expect(
      lines.contains { $0.contains("1 reminder fired") } && lines.contains { $0.contains("done") }, "\(outcome)")
    for line in lines {
      if format == "text" {
        #expect(line.wholeMatch(of: /belfryd: (debug|info|warning|error): .+/) != nil, "\(line)")
      } else {
        let event = try JSON(line)
        #expect(event.keys == ["time", "level", "message"])
        #expect(event["time"]?.text?.wholeMatch(of: /2026-11-21T08:00:\d\dZ/) != nil, "\(line)")
      }
    }
  }

  @Test("a level leaves out what matters less", arguments: [("debug", 2), ("info", 1), ("warning", 0), ("error", 0)])
  func levels(level: String, count: Int) async throws {
    let box = try Sandbox()
    try await box.json("add", "Milk", "--due", "09:00", at: "2026-11-21 08:59:00")
    let outcome = try await box.belfry("run", "--once", "--log-level", level, options: .at("2026-11-21 09:00:10"))
    #expect(outcome.isDone, "\(outcome)")
    #expect(outcome.messages.split(separator: "\n").count == count, "\(outcome)")
  }

  @Test(
    "wrong words are refused, naming the right ones", arguments: [["--log-format", "xml"], ["--log-level", "loud"]])
  func wrongWords(words: [String]) async throws {
    for program in [[try Programs.belfry, "run"], [try Programs.belfryd]] {
      let outcome = try await Sandbox().run(program + words, RunOptions())
      #expect(outcome.status == 64, "\(outcome)")
      #expect(outcome.messages.contains(words[1]) && outcome.messages.contains(/'(text|warning)'/), "\(outcome)")
    }
  }

  @Test("without events nothing is logged")
  func idle() async throws {
    let box = try Sandbox()
    try await box.json("add", "Milk", "--due", "2096-12-24 09:00")
    let options = RunOptions(
      output: .appending(box.path("rang")), messages: .appending(box.path("log")), clock: "2026-11-21 08:59:58")
    let words = [try Programs.belfry, "run", "--log-level", "debug"].map { Array($0.utf8) }
    let process = try box.start(bytes: words, options)
    try await waitUntil("it has started") { box.text("log").contains("started") }
    try await Task.sleep(for: .seconds(4))
    #expect(box.lines("log").count == 1, "\(box.text("log"))")
    process.send(SIGTERM)
    #expect(await process.end == .exited(0))
  }

  @Test(
    "secrets are in no log at any level, in no output, store or command line, whether sending works or fails",
    arguments: ["debug", "info", "warning", "error"], ["text", "json"])
  func secrets(level: String, format: String) async throws {
    // A server may repeat the request in its answer.
    let told = "not with \(Self.header), whsec_\(Self.key) or /\(Self.path)"
    let yes = try HTTPCollector()
    let no = try HTTPCollector(answers: [.init(500, fields: ["X-Told": told], body: told)])
    let rude = try RudeServer(.garbage)
    let authority = try TestAuthority()
    var open = MailCollector.Configuration()
    open.passwords = ["me": Self.password]
    var closed = open
    closed.refused = ["me@example.org": "450 4.7.1 not with \(Self.password)"]
    let (mail, refusing) = (
      try MailCollector(open, authority: authority), try MailCollector(closed, authority: authority)
    )
    func hook(_ url: String, _ credential: String) -> String {
      "{ type: webhook, url: \"\(url)/\(Self.path)\", secret: whsec_\(Self.key), timeout: 5s, \(credential) }"
    }
    func mailSink(_ url: String) -> String {
      "{ type: email, url: \"\(url)\", from: a@example.org, to: [me@example.org], username: me, "
        + "password_env: MAIL_PASSWORD, ca_file: \"\(authority.certificate)\" }"
    }
    let box = try Sandbox(sinks: [
      "good: \(hook(yes.url, "token_file: token"))",
      "bad: \(hook(no.url, "authorization: \"Key \(Self.header)\""))",
      "rude: \(hook("http://\(rude.address)", "token_file: token"))",
      "mail: \(mailSink(mail.url))", "refusing: \(mailSink(refusing.url))",
    ])
    try box.write(Self.token, to: "token")
    try await box.addDueItems(["Milk"])
    let options = RunOptions(
      output: .writing(box.path("rang")), messages: .writing(box.path("log")),
      environment: ["MAIL_PASSWORD": Self.password])
    let words = [try Programs.belfryd, "--log-level", level, "--log-format", format].map { Array($0.utf8) }
    let daemon = try box.start(bytes: words, options)
    try await waitUntil("each sink was tried: \(box.text("log"))") {
      try yes.received().count > 0 && no.received().count > 0 && mail.received().count > 0
        && rude.connections().count > 0
    }
    try expectNoSecret(in: box.text("/proc/\(daemon.pid)/cmdline"), "the command line")
    daemon.send(SIGTERM)
    #expect(await daemon.end == .exited(0))
    if level == "debug" { #expect(box.text("log").contains("HTTP 500") && box.text("log").contains("done")) }
    for name in ["rang", "log"] + box.files().filter({ $0.hasPrefix("store") }) {
      try expectNoSecret(in: String(decoding: box.data(name), as: UTF8.self), name)
    }
    // The output of other commands does not depend on the log level.
    guard level == "debug" else { return }
    for words in [
      ["sinks", "test", "good", "-v"], ["sinks", "test", "bad", "-v"], ["sinks", "test", "rude", "-v"],
      ["sinks", "test", "mail", "-v"], ["sinks", "test", "refusing", "-v"], ["config", "show"],
      ["config", "check", "--probe"], ["deliveries"], ["deliveries", "--json"], ["explain", "1"], ["pending"],
    ] {
      let outcome = try await box.run(
        [try Programs.belfry] + words, RunOptions(environment: ["MAIL_PASSWORD": Self.password]))
      #expect(!(outcome.output + outcome.messages).isEmpty, "\(words)")
      #expect(!outcome.messages.contains("belfryd:"), "a command of belfry speaks of itself as another: \(outcome)")
      try expectNoSecret(in: outcome.output + outcome.messages, "\(words)")
    }
  }

  private func expectNoSecret(
    in text: String, _ place: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for secret in [Self.path, Self.token, Self.header, Self.password, Self.key] {
      for spelling in Spelling.all(of: secret) where text.contains(spelling) {
        Issue.record("\(spelling) (\(secret)) is in \(place): \(text.prefix(2_000))", sourceLocation: sourceLocation)
      }
    }
  }
}
