import Foundation
import Testing
import TestSupport

@Suite("What the config commands print")
struct ConfigCommandTests {
  static let secrets = ["hunter2hunter", "TOKENINTHEURL", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "INTHEVARIABLE"]
  static let config = """
    store: { type: json, path: items.json }
    sinks:
      mail:
        { type: email, url: "smtp://mail.example.org:587", username: me, password: hunter2hunter, from: a@example.org,
          to: [me@example.org], rate_limit: 60/m, quiet_hours: { from: "22:00", to: "07:00" } }
      chat: { type: webhook, url: "https://hooks.example.org/TOKENINTHEURL", token_file: token,
              secret: [whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw, whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw] }
      "no": { type: webhook, url_env: HOOK, secret_credential: signing, enabled: false }
    categories:
      shopping: { actions: [{ identifier: ok, title: "OK, got it" }] }
    routes:
      - { lists: [Work, "Project *"], sinks: [mail], continue: true }
      - { lists: [Work, Home], categories: [shopping], sinks: [chat] }
      - { lists: [Mute], sinks: ["no"] }
      - { lists: [Silent], sinks: [] }
      - { sinks: [mail] }
    people: { anna: { sinks: [mail], away: [{ from: 2026-12-24, until: 2027-01-02 18:00 }] } }
    escalations: { home: [{ to: [anna] }, { after: 10m, to: [chat, anna], every: 5m }] }
    lists: { "Fam*": { escalation: home, again_after: 1h } }
    """

  @Test("config show prints every default and absolute paths; where secrets are kept is told, they are not")
  func show() async throws {
    let box = try Sandbox(config: Self.config)
    var options = RunOptions()
    options.environment["HOOK"] = "https://hooks.example.org/INTHEVARIABLE"
    let shown = try await box.belfry("config", "show", options: options)
    #expect(shown.isDone, "\(shown)")
    for secret in Self.secrets { #expect(!(shown.output + shown.messages).contains(secret), "\(shown)") }
    let lines = Set(shown.output.split(separator: "\n").map { $0.drop { $0 == " " } })
    for line in [
      "path: \"\(box.path("items.json"))\"", "password: <redacted>", "url: <redacted>", "tls: required",
      "secret: [<redacted>, <redacted>]", "url_env: \"HOOK\"", "secret_credential: \"signing\"",
      "token_file: \"\(box.path("token"))\"", "\"no\":", "default_time: \"09:00\"", "grace: 10m", "history: 30d",
      "rate_limit: 60/m", "enabled: false", "max_age: 24h", "- identifier: \"ok\"", "activation: background",
      "- from: \"2026-12-24\"", "until: \"2027-01-02 18:00\"", "- to: [\"anna\"]", "- after: 10m", "\"Fam*\":",
    ] {
      #expect(lines.contains(line[...]), "no line '\(line)': \(shown.output)")
    }
  }

  @Test("the output of config show is an equivalent config", arguments: [nil, config] as [String?])
  func roundTrip(config: String?) async throws {
    let box = try Sandbox(config: config)
    var options = RunOptions()
    if config == nil { options.prefix = [Programs.env, "-u", "BELFRY_CONFIG"] }
    let first = try await box.run([Programs.belfry, "config", "show"], options)
    try #require(first.isDone, "\(first)")
    // Redacted values cannot be read back, so they are replaced.
    let text = first.output.replacing("url: <redacted>", with: "url: https://other.example.org/")
      .replacing(
        "[<redacted>, <redacted>]",
        with: "[whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw, whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw]")
    try FileManager.default.createDirectory(atPath: box.path("elsewhere"), withIntermediateDirectories: true)
    try box.write(text, to: "elsewhere/shown.yaml")
    let second = try await box.belfry("config", "show", "--config", "elsewhere/shown.yaml")
    #expect(second.isDone, "\(second)")
    #expect(second.output.split(separator: "\n").dropFirst() == first.output.split(separator: "\n").dropFirst())
  }

  @Test(
    "config route prints the sinks of a list's reminders and tells which route decides",
    arguments: [
      (["-l", "Groceries"], "mail\n", ["Route 5 decides", ":16)"]),
      (["-l", "project x"], "mail\n", ["Route 1 decides", "Route 5 decides"]),
      (["-l", "Home", "--category", "shopping"], "chat\n", ["Route 2 decides"]),
      (["-l", "Home"], "mail\n", ["Route 5 decides"]),
      (["-l", "Work", "--category", "shopping"], "mail\nchat\n", ["Route 1 decides", "Route 2 decides"]),
      (["-l", "Mute"], "", ["Route 3 decides", "switched off: no", "goes to no sink"]),
      (["-l", "Silent"], "", ["Route 4 decides", "goes to no sink"]),
    ])
  func route(words: [String], output: String, messages: [String]) async throws {
    let box = try Sandbox(config: Self.config)
    let outcome = try await box.run([Programs.belfry, "config", "route"] + words, RunOptions())
    #expect(outcome.isDone && outcome.output == output, "\(outcome)")
    for message in messages { #expect(outcome.messages.contains(message), "no '\(message)': \(outcome)") }
  }

  @Test("which machine sends through a sink of a shared store is asked by checks and daemons, not by every command")
  func sharedStore() async throws {
    // No server listens there.
    let box = try Sandbox(
      config: """
        store: { type: postgres, url: "postgresql://nobody@127.0.0.1:1/none" }
        time_zone: Europe/Zurich
        sinks: { out: { type: stdout } }
        routes: [{ sinks: [out], categories: [nope] }, { sinks: [out] }]
        """)
    let shown = try await box.belfry("show")
    #expect(shown.status == 75 && shown.messages.contains("no category is called 'nope'"), "\(shown)")
    #expect(!shown.messages.contains("several machines"), "\(shown)")
    let check = try await box.belfry("config", "check")
    #expect(check.isDone && check.messages.contains("several machines may share the store"), "\(check)")
    let doctor = try await box.belfry("doctor")
    #expect(doctor.output.contains("several machines may share the store"), "\(doctor)")
  }

  @Test("config route says that no list has the name, and routes it all the same")
  func unknownList() async throws {
    let box = try Sandbox(config: Self.config)
    try await box.json("list", "create", "Home")
    let known = try await box.belfry("config", "route", "-l", "home")
    #expect(known.isDone && !known.messages.contains("no list"), "\(known)")
    let unknown = try await box.belfry("config", "route", "-l", "Hoem")
    #expect(unknown.isDone && unknown.output == "mail\n", "\(unknown)")
    #expect(unknown.messages.contains("no list is called 'Hoem' yet; did you mean 'Home'?\n"), "\(unknown)")
  }

  @Test("config route needs a list, and knows the categories")
  func wrongRoute() async throws {
    let box = try Sandbox(config: Self.config)
    #expect(try await box.belfry("config", "route").status == 64)
    let outcome = try await box.belfry("config", "route", "-l", "Home", "--category", "shoping")
    #expect(outcome.status == 66 && outcome.messages.contains("'shopping'"), "\(outcome)")
  }

  @Test("Config/belfry.schema.json is what 'belfry config schema' prints")
  func schema() async throws {
    let box = try Sandbox()
    let printed = try await box.belfry("config", "schema")
    let kept = try String(
      contentsOf: Checkout.file("Config/belfry.schema.json"), encoding: .utf8)
    #expect(printed.output == kept, "run: belfry config schema > Config/belfry.schema.json")
  }
}
