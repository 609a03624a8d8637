import BelfryConfig
import BelfryEngine
import CivilTime
import Testing

@Suite("What a config says of escalations")
struct EscalationTests {
  private static let people = """
    sinks: { phone: { type: stdout }, mail: { type: email, url: x } }
    people: { anna: { sinks: [phone] } }

    """

  private static func minutes(_ minutes: Int) -> CalendarDuration { CalendarDuration(days: 0, minutes: minutes) }

  @Test("escalations are read with their steps")
  func read() throws {
    let settings = try Fixture.load(
      Self.people + """
        escalations:
          home:
            - { to: [anna] }
            - { after: 10m, to: [mail, anna], every: 5m }
            - { after: 1d, to: [mail], every: 10m, times: 6 }
            - { after: 25h, to: [mail], times: 1 }
          short: [{ to: [mail], every: 1m, times: 100 }]
        """
    ).settings
    #expect(
      settings.escalations == [
        Escalation(
          name: "home",
          steps: [
            Escalation.Step(to: ["anna"]),
            Escalation.Step(after: Self.minutes(10), to: ["mail", "anna"], every: Self.minutes(5), times: 24),
            Escalation.Step(
              after: CalendarDuration(days: 1, minutes: 0), to: ["mail"], every: Self.minutes(10), times: 6),
            Escalation.Step(after: Self.minutes(1500), to: ["mail"]),
          ]),
        Escalation(name: "short", steps: [Escalation.Step(to: ["mail"], every: Self.minutes(1), times: 100)]),
      ])
  }

  @Test(
    "what is wrong with steps is told at its place",
    arguments: [
      ("[]", ["3:22: error: an escalation needs at least one step"]),
      ("anna", ["3:22: error: expected a list, found 'anna'"]),
      ("[anna]", ["3:23: error: expected a section of keys, found 'anna'"]),
      (
        "[{ after: 10m }]",
        [
          "3:23: error: missing key 'to'"
        ]
      ),
      ("[{ to: [] }]", ["3:29: error: a step without recipients: name at least one person or sink"]),
      (
        "[{ to: [ana, 7] }]",
        [
          "3:30: error: unknown person or sink 'ana'; did you mean 'anna'?",
          "3:35: error: expected text, found the number '7'; put it in quotes",
        ]
      ),
      ("[{ after: 10m, to: [anna] }]", ["3:25: error: the first step comes with the reminder: leave out 'after'"]),
      (
        "[{ to: [anna] }, { to: [mail] }]",
        [
          "3:39: error: missing key 'after': every step after the first needs it"
        ]
      ),
      (
        "[{ to: [anna] }, { after: 10, to: [mail] }]",
        [
          "3:48: error: expected a duration such as 10m, 1h30m, 2d or 1w, found '10'"
        ]
      ),
      (
        "[{ to: [anna] }, { after: 0m, to: [mail] }]",
        [
          "3:48: error: '0m' is less than a minute: write for example 10m, 1h30m, 2d or 1w"
        ]
      ),
      (
        "[{ to: [anna] }, { after: 30m, to: [mail] }, { after: 10m, to: [mail] }, { after: 20m, to: [mail] }]",
        [
          "3:76: error: the steps are out of order: 'after' must be more than the 30m of an earlier step",
          "3:104: error: the steps are out of order: 'after' must be more than the 30m of an earlier step",
        ]
      ),
      (
        "[{ to: [anna] }, { after: 24h, to: [mail] }, { after: 1d, to: [mail] }]",
        [
          "3:76: error: the steps are out of order: 'after' must be more than the 24h of an earlier step"
        ]
      ),
      (
        "[{ to: [anna], every: 30s }]",
        [
          "3:44: error: '30s' has seconds, but reminders ring on the minute: write for example 1m"
        ]
      ),
      ("[{ to: [anna, mail, anna] }]", ["3:42: error: 'anna' is named twice"]),
      ("[{ to: [anna], times: 2 }]", ["3:37: error: 'times: 2' needs an 'every'"]),
      (
        "[{ to: [anna], every: 1m, times: 0 }]",
        [
          "3:55: error: expected a whole number from 1 to 100, found '0'"
        ]
      ),
      (
        "[{ to: [anna], every: 1m, times: 101 }]",
        [
          "3:55: error: expected a whole number from 1 to 100, found '101'"
        ]
      ),
    ])
  func refused(steps: String, complaints: [String]) {
    #expect(
      Fixture.complaints(Self.people + "escalations: { home: \(steps) }\n") == complaints.map { "x.yaml:\($0)" })
  }

  @Test("an escalation has at most 20 steps")
  func steps() throws {
    func text(_ count: Int) -> String {
      let steps = (1..<count).map { "  - { after: \($0)m, to: [mail] }\n" }.joined()
      return Self.people + "escalations:\n  home:\n  - { to: [anna] }\n" + steps
    }
    #expect(try Fixture.load(text(20)).settings.escalations.first?.steps.count == 20)
    #expect(Fixture.complaints(text(22)) == ["x.yaml:25:5: error: an escalation has at most 20 steps, not 22"])
  }

  private static let escalations =
    people + """
      escalations: { home: [{ to: [anna] }], work: [{ to: [mail] }] }

      """

  @Test("a category's escalation comes before that of the list, for which the first pattern that matches decides")
  func escalations() throws {
    let settings = try Fixture.load(
      Self.escalations + """
        categories:
          medicine: { escalation: work, again_after: 1h, again: once, notify_on_answer: false }
          bills: {}
        lists:
          "Fam?ly Fun": {}
          "fam*": { escalation: home, again_after: 2d }
          "*": { escalation: work }
        """
    ).settings
    func escalation(_ list: String, _ category: String? = nil) -> Escalation? {
      settings.escalation(forList: list, category: category)
    }
    let (home, work) = (settings.escalations[0], settings.escalations[1])
    let medicine = Escalation(
      name: "work", steps: work.steps, againAfter: Self.minutes(60), again: .once, tellsAnswer: false)
    let family = Escalation(
      name: "home", steps: home.steps, againAfter: CalendarDuration(days: 2, minutes: 0))
    #expect(escalation("Family", "medicine") == medicine)
    #expect(escalation("Family Fun", "medicine") == medicine)
    #expect(escalation("Family", "bills") == family)
    #expect(escalation("FAMILY", "unknown") == family)
    #expect(escalation("Family") == family)
    #expect(family.again == .always && family.tellsAnswer)
    #expect(escalation("Family Fun") == nil)
    #expect(escalation("Work") == work)
    #expect(Settings().escalation(forList: "Work", category: nil) == nil)
  }

  @Test(
    "what is wrong with an escalation is told at its place, for a category as for lists",
    arguments: [
      ("escalation: hoem", "error: unknown escalation 'hoem'; did you mean 'home'?", 20),
      ("escalation: x", "error: unknown escalation 'x'; known are home, work", 20),
      ("again_after: 1h", "error: 'again_after' needs an 'escalation'", 8),
      ("again: once", "error: 'again' needs an 'escalation'", 8),
      ("notify_on_answer: true", "error: 'notify_on_answer' needs an 'escalation'", 8),
      (
        "again_after: 0m, escalation: home",
        "error: '0m' is less than a minute: write for example 10m, 1h30m, 2d or 1w", 21
      ),
      ("again_after: 1h, again: never, escalation: home", "error: expected one of once, always, found 'never'", 32),
      ("again: once, escalation: home", "warning: 'again' has no effect without 'again_after'", 8),
    ])
  func wrongEscalations(keys: String, complaint: String, column: Int) {
    for section in ["categories", "lists"] {
      #expect(
        Fixture.complaints(Self.escalations + "\(section):\n  b: { \(keys) }\n") == ["x.yaml:5:\(column): \(complaint)"]
      )
    }
  }

  @Test("a wait for an acknowledgement that no action of the category gives is told")
  func unacknowledged() {
    func complaints(_ operation: String) -> [String] {
      let action = "{ identifier: a, title: A, do: \(operation) }"
      return Fixture.complaints(
        Self.escalations + "categories: { b: { escalation: home, again_after: 1h, actions: [\(action)] } }\n")
    }
    #expect(
      complaints("check") == ["x.yaml:4:38: warning: 'again_after' has no effect: no action acknowledges"])
    #expect(complaints("acknowledge") == [])
  }

  @Test("people, escalations and the rules that name them mean the same in the effective config")
  func effective() throws {
    let configuration = try Fixture.load(
      """
      sinks: { phone: { type: stdout }, mail: { type: email, url: x } }
      people:
        anna:
          sinks: [phone, mail]
          address: anna@example.org
          quiet_hours: { from: "22:00", to: "07:00" }
          away: [{ from: 2026-12-24, until: 2027-01-02 }, { from: 2027-02-05 12:00, until: 2027-02-08 08:00 }]
        "42": { sinks: [mail] }
      escalations: { home: [{ to: [anna] }, { after: 10m, to: [mail, "42"], every: 5m, times: 3 }] }
      categories: { medicine: { escalation: home, again_after: 1h, again: once, notify_on_answer: false }, bills: {} }
      lists: { "Fam*": { escalation: home }, "*": {} }
      routes: [{ sinks: [anna] }]
      """)
    #expect(try Fixture.load(configuration.effectiveText).settings == configuration.settings)
    #expect(configuration.settings.people.count == 2 && configuration.settings.lists.count == 2)
  }

  @Test("an escalation that a mistake left out is not called unknown")
  func invalidEscalation() {
    #expect(
      Fixture.complaints(Self.people + "escalations: { home: [] }\nlists: { A: { escalation: home } }\n")
        == ["x.yaml:3:22: error: an escalation needs at least one step"])
  }
}
