import BelfryConfig
import BelfryEngine
import CivilTime
import Foundation
import Testing

@Suite("What a config says of people")
struct PeopleTests {
  private static let sinks = "sinks: { phone: { type: stdout }, mail: { type: email, url: x } }\n"

  @Test("people are read with what reaches them, in the file's order")
  func read() throws {
    let settings = try Fixture.load(
      Self.sinks + """
        people:
          ben: { sinks: [phone] }
          anna:
            sinks: [mail, phone]
            address: Anna@Bücher.example
            quiet_hours: { from: "22:00", to: "07:00" }
            away: [{ from: 2026-12-24, until: 2026-12-24 }, { from: 2027-02-05 12:00, until: 2027-02-08 }]
        """
    ).settings
    #expect(settings.people.map(\.name) == ["ben", "anna"])
    #expect(settings.people[0] == Person(name: "ben", sinks: ["phone"]))
    let anna = settings.people[1]
    #expect(anna.sinks == ["mail", "phone"])
    #expect(anna.address == "Anna@xn--bcher-kva.example")
    #expect(anna.quietHours?.from.description == "22:00" && anna.quietHours?.to.description == "07:00")
    #expect(
      anna.away.map { "\($0.from) \($0.until)" } == [
        "2026-12-24T00:00 2026-12-25T00:00", "2027-02-05T12:00 2027-02-09T00:00",
      ])
    #expect(settings.peopleBySink == ["mail": anna])
  }

  @Test(
    "what is wrong with a person is told at its place",
    arguments: [
      ("anna: {}", "x.yaml:3:9: error: missing key 'sinks'"),
      ("anna: { sinks: [] }", "x.yaml:3:18: error: nothing reaches a person without a sink: name at least one"),
      ("anna: { sinks: [phne] }", "x.yaml:3:19: error: unknown sink 'phne'; did you mean 'phone'?"),
      ("anna: { sinks: [phone, phone] }", "x.yaml:3:26: error: 'phone' is named twice"),
      ("phone: { sinks: [mail] }", "x.yaml:3:3: error: a sink is called 'phone' too: rename one of them"),
      ("anna: { sinks: [mail], address: anna }", "x.yaml:3:35: error: an address needs an '@'"),
      (
        "anna: { sinks: [mail], address: Anna <anna@example.org> }",
        "x.yaml:3:35: error: expected an address alone, without a name"
      ),
      (
        "anna: { sinks: [mail], quiet_hours: { from: \"22:00\", to: \"22:00\" } }",
        "x.yaml:3:60: error: the quiet hours begin and end at 22:00: name two times"
      ),
      (
        "anna: { sinks: [mail], away: [{ from: 2026-12-24, until: 2026-12-23 }] }",
        "x.yaml:3:60: error: the absence ends before it begins"
      ),
      (
        "anna: { sinks: [mail], away: [{ from: 2026-12-24 18:00, until: 2026-12-24 18:00 }] }",
        "x.yaml:3:66: error: the absence ends before it begins"
      ),
      (
        "anna: { sinks: [mail], away: [{ from: tomorrow, until: 2026-12-24 }] }",
        "x.yaml:3:41: error: expected a day such as 2026-12-24 or 2026-12-24 18:00, found 'tomorrow'"
      ),
      (
        "anna: { sinks: [mail], away: [{ from: 2026-02-29, until: 2026-03-01 }] }",
        "x.yaml:3:41: error: expected a day such as 2026-12-24 or 2026-12-24 18:00, found '2026-02-29'"
      ),
      (
        "anna: { sinks: [mail], away: [{ from: 2026-02-01 24:00, until: 2026-03-01 }] }",
        "x.yaml:3:41: error: expected a day such as 2026-12-24 or 2026-12-24 18:00, found '2026-02-01 24:00'"
      ),
      ("anna: { sinks: [mail], away: [{ from: 2026-12-24 }] }", "x.yaml:3:33: error: missing key 'until'"),
    ])
  func refused(person: String, complaint: String) {
    #expect(Fixture.complaints(Self.sinks + "people:\n  \(person)\n") == [complaint])
  }

  @Test("all that is wrong with people is told at once")
  func allAtOnce() {
    #expect(
      Fixture.complaints(
        Self.sinks + """
          people:
            mail: { sinks: [] }
            anna: { sinks: [ben], address: "@" }
            ben: { sinks: [mail], away: [{ from: 2026-12-24, until: 2026-12-01 }] }
          """) == [
          "x.yaml:3:3: error: a sink is called 'mail' too: rename one of them",
          "x.yaml:3:18: error: nothing reaches a person without a sink: name at least one",
          "x.yaml:4:19: error: unknown sink 'ben'; known are phone, mail",
          "x.yaml:4:34: error: a part of the host's name is empty",
          "x.yaml:5:59: error: the absence ends before it begins",
        ])
  }

  @Test("routes may name people; a sink that is switched off is a warning there and with a person")
  func routes() throws {
    let text = """
      sinks: { phone: { type: stdout }, mail: { type: email, url: x, enabled: false } }
      people: { anna: { sinks: [phone, mail] } }
      routes: [{ sinks: [anna, SINK] }]
      """
    #expect(
      Fixture.complaints(text.replacing("SINK", with: "mail")) == [
        "x.yaml:2:34: warning: the sink 'mail' is switched off",
        "x.yaml:3:26: warning: the sink 'mail' is switched off",
      ])
    #expect(
      Fixture.complaints(text.replacing("SINK", with: "ana")).last
        == "x.yaml:3:26: error: unknown person or sink 'ana'; did you mean 'anna'?")
    #expect(try Fixture.load(text.replacing("SINK", with: "phone")).settings.routes[0].sinks == ["anna", "phone"])
  }

  @Test("names are not looked up where the section that defines them is itself invalid")
  func invalidSection() {
    #expect(
      Fixture.complaints("people: [anna]\nroutes: [{ sinks: [anna] }]\nescalations: { home: [{ to: [anna] }] }\n")
        == ["x.yaml:1:9: error: expected a section of keys, found a list"])
    #expect(
      Fixture.complaints("escalations: home\nlists: { A: { escalation: home } }\n")
        == ["x.yaml:1:14: error: expected a section of keys, found 'home'"])
  }

  @Test(
    "someone is away on whole days of the zone, both included, or up to a minute",
    arguments: [
      ("2026-12-23T22:59:59Z", false), ("2026-12-23T23:00:00Z", true), ("2027-01-02T22:59:59Z", true),
      ("2027-01-02T23:00:00Z", false), ("2027-03-28T00:59:59Z", false), ("2027-03-28T01:00:00Z", true),
      ("2027-03-28T01:59:59Z", true), ("2027-03-28T02:00:00Z", false), ("2027-10-30T23:59:59Z", false),
      ("2027-10-31T00:00:00Z", true), ("2027-10-31T00:29:59Z", true), ("2027-10-31T00:30:00Z", false),
      ("2027-10-31T01:00:00Z", false),
    ])
  func away(instant: String, isAway: Bool) throws {
    let settings = try Fixture.load(
      Self.sinks + """
        people:
          anna:
            sinks: [phone]
            away:
              - { from: 2026-12-24, until: 2027-01-02 }
              - { from: 2027-03-28 02:00, until: 2027-03-28 04:00 }        # 02:00 is skipped
              - { from: 2027-10-31 02:00, until: 2027-10-31 02:30 }        # 02:00 and 02:30 come twice
        """
    ).settings
    let zone = try Fixture.zones.zone("Europe/Zurich")
    let date = try Date(instant, strategy: .iso8601)
    #expect(settings.person("anna")?.isAway(at: date, in: zone) == isAway)
  }
}
