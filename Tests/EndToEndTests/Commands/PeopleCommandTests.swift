import Foundation
import Testing

@Suite("belfry people, and the routes to them")
struct PeopleCommandTests {
  /// Anna is away, Ben will be, Cleo and Dora never are.
  private static let config = """
    store: { type: sqlite, path: store.sqlite }
    time_zone: Europe/Zurich
    sinks:
      phone: { type: stdout }
      mail:
        { type: email, url: "smtp://mail.example.org", username: me, password: secret, from: a@example.org,
          to: [team@example.org] }
      pager: { type: stdout, enabled: false }
    people:
      anna: { sinks: [phone, mail], address: anna@example.org, away: [{ from: 2020-01-01, until: 2096-12-24 }] }
      ben:
        sinks: [mail, pager]
        address: ben@example.org
        quiet_hours: { from: "22:00", to: "06:00" }
        away: [{ from: 2096-12-24 18:00, until: 2096-12-26 08:00 }, { from: 2000-01-01, until: 2000-01-02 }]
      cleo: { sinks: [pager] }
      dora: { sinks: [phone] }
    escalations:
      home:
        - { to: [anna, dora] }
        - { after: 10m, to: [ben, mail], every: 5m, times: 3 }
        - { after: 1h, to: [anna, cleo] }
    categories: { medicine: { escalation: home, again_after: 30m, again: once }, bills: {} }
    lists: { "Fam*": { escalation: home, again_after: 1h } }
    routes:
      - { lists: [Work], sinks: [anna, ben, cleo, mail] }
      - { sinks: [dora] }
    """

  @Test("people lists each person with what reaches them, and why not")
  func people() async throws {
    let box = try Sandbox(config: Self.config)
    let outcome = try await box.belfry("people")
    let lines = outcome.output.split(separator: "\n").dropFirst().map { line in
      line.split(separator: #/ {2,}/#).map(String.init)
    }
    #expect(
      lines == [
        ["anna", "phone (stdout), mail (email)", "anna@example.org", "away until 2096-12-24"],
        [
          "ben", "mail (email), pager (stdout, off)", "ben@example.org",
          "away from 2096-12-24 18:00 until 2096-12-26 08:00; quiet from 22:00 to 06:00",
        ],
        ["cleo", "pager (stdout, off)", "no sink is enabled"],
        ["dora", "phone (stdout)", "reachable"],
      ], "\(outcome)")
    let none = try Sandbox()
    #expect(try await none.belfry("people").messages == "The config names no people.\n")
    #expect(try await none.json("people") == .array([]))
  }

  @Test("people --json has the present or next absence as instants, and the sinks with their types")
  func json() async throws {
    let box = try Sandbox(config: Self.config)
    let people = try #require(try await box.json("people").elements)
    #expect(people.map { $0["name"]?.text } == ["anna", "ben", "cleo", "dora"])
    #expect(
      people[0]["sinks"]
        == .array([
          .object(["name": .text("phone"), "type": .text("stdout"), "enabled": .bool(true)]),
          .object(["name": .text("mail"), "type": .text("email"), "enabled": .bool(true)]),
        ]))
    #expect(people[0]["address"] == .text("anna@example.org") && people[0]["quiet_hours"] == .null)
    #expect(
      people[0]["away"]
        == .object([
          "now": .bool(true), "from": .text("2020-01-01T00:00:00+01:00"), "until": .text("2096-12-25T00:00:00+01:00"),
        ]))
    #expect(people[1]["quiet_hours"] == .object(["from": .text("22:00"), "to": .text("06:00"), "except": .null]))
    #expect(
      people[1]["away"]
        == .object([
          "now": .bool(false), "from": .text("2096-12-24T18:00:00+01:00"), "until": .text("2096-12-26T08:00:00+01:00"),
        ]))
    #expect(people[2]["away"] == .null && people[2]["sinks"]?.elements?.first?["enabled"] == .bool(false))
  }

  @Test(
    "config route prints whom names of people reach now, and who is left out",
    arguments: [
      (
        ["-l", "Work"], "mail (ben@example.org)\nmail\n", ["Route 1 decides", "; switched off: cleo; away: anna."]
      ),
      (["-l", "Home"], "phone\n", ["Route 2 decides"]),
      (["-l", "Family"], "phone\n", ["These are reached by the first step of escalation 'home'"]),
    ] as [([String], String, [String])])
  func route(words: [String], output: String, messages: [String]) async throws {
    let box = try Sandbox(config: Self.config)
    let outcome = try await box.run([Programs.belfry, "config", "route"] + words, RunOptions())
    #expect(outcome.isDone && outcome.output == output, "\(outcome)")
    for message in messages { #expect(outcome.messages.contains(message), "no '\(message)': \(outcome)") }
  }

  @Test("config route --escalation prints the steps, with whom they reach now")
  func escalation() async throws {
    let box = try Sandbox(config: Self.config)
    let outcome = try await box.belfry("config", "route", "-l", "Work", "--category", "medicine", "--escalation")
    let lines = outcome.output.split(separator: "\n").dropFirst().map { line in
      line.trimmingCharacters(in: .whitespaces).split(separator: #/ {2,}/#).map(String.init)
    }
    #expect(
      lines == [
        ["1", "0m", "anna (away), dora", "phone", "once"],
        ["2", "10m", "ben, mail", "mail (ben@example.org), mail", "every 5m, 3 times"],
        ["3", "1h", "anna (away), cleo", "none", "once"],
      ], "\(outcome)")
    #expect(outcome.messages.contains("Escalation 'home' of the category 'medicine'"), "\(outcome)")
    #expect(outcome.messages.contains("it starts again after 30m, once."), "\(outcome)")
    let list = try await box.belfry("config", "route", "-l", "Family", "--category", "bills", "--escalation")
    #expect(list.output == outcome.output && list.messages.contains("of the list 'Family'"), "\(list)")
    #expect(list.messages.contains("after 1h, each time."), "\(list)")
    let none = try await box.belfry("config", "route", "-l", "Work", "--escalation")
    #expect(none.isDone && none.output.isEmpty && none.messages.contains("No escalation: "), "\(none)")
  }

  @Test("config route --json prints an array of one: what decides, whom it reaches now, and every step")
  func routeJSON() async throws {
    let box = try Sandbox(config: Self.config)
    let work = try #require(try await box.json("config", "route", "-l", "Work").elements?.first)
    #expect(work["routes"] == .array([.integer(1)]) && work["away"] == .array([.text("anna")]))
    for key in ["category", "escalation", "again_after", "again"] { #expect(work[key] == .null) }
    let sinks = try #require(work["sinks"]?.elements)
    #expect(
      sinks.first
        == .object(["name": .text("mail"), "person": .text("ben"), "address": .text("ben@example.org")]))
    #expect(sinks.map { $0["name"] } == [.text("mail"), .text("mail")] && sinks.last?["address"] == .null)
    #expect(work["steps"] == .array([]))

    let medicine = try await box.json("config", "route", "-l", "Work", "--category", "medicine")
    let escalation = try #require(medicine.elements?.first)
    #expect(escalation["escalation"] == .text("home") && escalation["routes"] == .array([]))
    #expect(escalation["again_after"] == .text("PT30M") && escalation["again"] == .text("once"))
    let steps = try #require(escalation["steps"]?.elements)
    #expect(steps.map { $0["step"] } == [.integer(1), .integer(2), .integer(3)])
    #expect(steps.map { $0["after"] } == [.text("PT0S"), .text("PT10M"), .text("PT1H")])
    #expect(steps[1]["every"] == .text("PT5M") && steps[1]["times"] == .integer(3))
    #expect(steps[2]["to"] == .array([.text("anna"), .text("cleo")]) && steps[2]["sinks"] == .array([]))
    #expect(steps[2]["away"] == .array([.text("anna")]))
  }

  @Test("on a narrow terminal what reaches people goes on below, and nothing is cut")
  func narrow() async throws {
    let box = try Sandbox(config: Self.config)
    for command in ["people", "config route -l Family --escalation"] {
      let outcome = try await box.shell(
        "script -qec 'stty cols 50 rows 24; \"$BELFRY\" \(command) --color never 2>/dev/null' /dev/null")
      try #require(outcome.isDone, "\(outcome)")
      let lines = outcome.output.replacing("\r\n", with: "\n").split(separator: "\n")
      // Marks of direction take no column.
      let widths = lines.map { line in line.unicodeScalars.count { $0.properties.generalCategory != .format } }
      #expect(widths.allSatisfy { $0 <= 50 }, "\(outcome.output)")
      #expect(!outcome.output.contains("…") && outcome.output.contains("Sinks"), "\(outcome.output)")
    }
  }

  @Test("pending and plan name the sinks through which people are reached when it rings")
  func sinks() async throws {
    let box = try Sandbox(config: Self.config)
    for list in ["Family", "Work", "Home"] {
      // Anna is back then, and Ben is away.
      try await box.json("add", "Milk", "-l", list, "--create", "--due", "2096-12-25 09:00")
    }
    for words in [["pending"], ["plan", "--until", "2097-01-01"]] {
      let outcome = try await box.run([Programs.belfry] + words + ["--json"], RunOptions())
      let sinks = try outcome.elements.map { ($0["list"]?.text ?? "", $0["sinks"]) }
      #expect(
        Dictionary(sinks) { first, _ in first } == [
          "Family": .array([.text("phone"), .text("mail")]), "Work": .array([.text("phone"), .text("mail")]),
          "Home": .array([.text("phone")]),
        ], "\(outcome)")
    }
  }
}
