import BelfryConfig
import ConfigKeys
import Testing

/// A text and its expected diagnostics.
struct Complaint: Sendable, CustomTestStringConvertible {
  let text: String
  let lines: [String]

  init(_ text: String, _ lines: String...) {
    self.text = text
    self.lines = lines
  }

  var testDescription: String { text.debugDescription }
}

@Suite("What is wrong is told with its place")
struct DiagnosticTests {
  @Test(
    "an unknown key is refused with the nearest name",
    arguments: [
      Complaint(
        "sinks:\n  mail: { tpye: stdout }\n", "x.yaml:2:11: error: unknown key 'tpye'; did you mean 'type'?"),
      Complaint("defualt_list: A\n", "x.yaml:1:1: error: unknown key 'defualt_list'; did you mean 'default_list'?"),
      Complaint("Sinks: {}\n", "x.yaml:1:1: error: unknown key 'Sinks'; did you mean 'sinks'?"),
      Complaint("missed:\n  polcy: all\n", "x.yaml:2:3: error: unknown key 'polcy'; did you mean 'policy'?"),
      Complaint(
        "missed: { whatever: 1 }\n",
        "x.yaml:1:11: error: unknown key 'whatever'; known are policy, grace, max_age"),
      Complaint(
        "sinks:\n  a:\n    type: stdout\n    fromat: json\n",
        "x.yaml:4:5: error: unknown key 'fromat'; did you mean 'format'?"),
      Complaint(
        "sinks: { a: { type: stdout, retry: { maxage: 1h } } }\n",
        "x.yaml:1:38: error: unknown key 'maxage'; did you mean 'max_age'?"),
      Complaint(
        "categories:\n  c:\n    actions:\n      - { identifier: a, title: A, destuctive: true }\n",
        "x.yaml:4:36: error: unknown key 'destuctive'; did you mean 'destructive'?"),
      Complaint(
        "plugins: { every: 5m }\n",
        """
        x.yaml:1:1: error: unknown key 'plugins'; known are store, sinks, default_list, default_time, time_zone, \
        missed, alert, people, escalations, categories, actions, lists, routes, answers, web, history, heartbeat, \
        metrics
        """),
      Complaint("\"\u{1b}[31m\": 1\n", "x.yaml:1:2: error: a control character is not allowed here"),
      Complaint(
        "missed: { \"\\e[31m\\u202e\": 1 }\n",
        #"x.yaml:1:11: error: unknown key '\u{1B}[31m\u{202E}'; known are policy, grace, max_age"#),
    ])
  func unknownKeys(_ complaint: Complaint) { #expect(Fixture.complaints(complaint.text) == complaint.lines) }

  @Test("an action's identifier that looks like an option is refused at its place")
  func optionLikeIdentifier() {
    #expect(
      Fixture.complaints("categories:\n  c:\n    actions:\n      - { identifier: -a, title: A }\n") == [
        "x.yaml:4:11: error: an action's identifier cannot begin with '-': 'belfry act' would take it for an option"
      ])
  }

  @Test(
    "a missing key is told where its section starts",
    arguments: [
      Complaint("store:\n  type: json\n", "x.yaml:1:1: error: missing key 'path'"),
      Complaint("store: { type: json }\n", "x.yaml:1:8: error: missing key 'path'"),
      Complaint("store: { path: a }\n", "x.yaml:1:8: error: missing key 'type'"),
      Complaint("sinks:\n  mail:\n    url: x\n", "x.yaml:2:3: error: missing key 'type'"),
      Complaint("routes:\n  - lists: [A]\n", "x.yaml:2:5: error: missing key 'sinks'"),
      Complaint(
        "categories:\n  c:\n    actions:\n    - title: A\n    - {}\n",
        "x.yaml:4:7: error: missing key 'identifier'",
        "x.yaml:5:7: error: missing key 'identifier'",
        "x.yaml:5:7: error: missing key 'title'"),
    ])
  func missingKeys(_ complaint: Complaint) { #expect(Fixture.complaints(complaint.text) == complaint.lines) }

  @Test(
    "a duplicate key is refused at the second",
    arguments: [
      Complaint(
        "default_list: A\ndefault_list: B\n", "x.yaml:2:1: error: duplicate key 'default_list', first given on line 1"),
      Complaint(
        "sinks:\n  a: { type: stdout }\n  \"a\": { type: stdout }\n",
        "x.yaml:3:3: error: duplicate key 'a', first given on line 2"),
      Complaint(
        "missed: { grace: 1h, policy: all, grace: 2h, grace: 3h }\n",
        "x.yaml:1:35: error: duplicate key 'grace', first given on line 1",
        "x.yaml:1:46: error: duplicate key 'grace', first given on line 1"),
    ])
  func duplicateKeys(_ complaint: Complaint) { #expect(Fixture.complaints(complaint.text) == complaint.lines) }

  @Test("everything is told at once, in the order of the file")
  func allAtOnce() {
    let text = """
      stoer: { type: sqlite }
      default_time: 25:00
      sinks:
        mail: { type: emial }
        chat:
          type: email
          tls: maybe
          timeout: 0s
          to: me
      routes:
        - { lists: Work, sinks: [mial] }
        - { sinks: [chat] }
      history: 3 moons
      default_time: "08:00"
      """
    #expect(
      Fixture.complaints(text) == [
        "x.yaml:1:1: error: unknown key 'stoer'; did you mean 'store'?",
        "x.yaml:2:15: error: expected a time such as 09:00, found '25:00'",
        "x.yaml:4:17: error: unknown sink type 'emial': known are stdout, email; did you mean 'email'?",
        "x.yaml:5:3: error: missing key 'url'",
        "x.yaml:7:10: error: expected one of required, opportunistic, none, found 'maybe'",
        "x.yaml:8:14: error: expected a duration such as 15s, 10m or 1h30m, found '0s'",
        "x.yaml:9:9: error: expected a list, found 'me'",
        "x.yaml:11:14: error: expected a list, found 'Work'",
        "x.yaml:11:28: error: unknown person or sink 'mial'; did you mean 'mail'?",
        "x.yaml:13:10: error: '3 moons' has no unit that is known: write for example 10m, 1h30m, 2d or 1w",
        "x.yaml:14:1: error: duplicate key 'default_time', first given on line 2",
      ])
  }

  @Test("what is wrong with one key of an action, a category, a person or a sink hides nothing else")
  func noSecondStage() {
    let text = """
      sinks:
        a: { type: stdotu, on_failure: b, formt: text }
      actions:
        - { identifier: x, title: X, do: chek }
        - { identifier: x, titel: Y }
      categories:
        c:
          actions: [{ identifier: y, titl: Y }, { identifier: z, title: Z }]
          minimal: [y, w, z, z]
      people:
        anna: { sinks: [], address: anna }
      escalations:
        e: [{ to: [], every: 1 }]
      """
    #expect(
      Fixture.complaints(text).map { $0.dropFirst("x.yaml:".count).prefix { $0 != ";" } } == [
        "2:14: error: unknown sink type 'stdotu': known are stdout, email",
        "2:34: error: unknown sink 'b'",
        "2:37: error: unknown key 'formt'",
        """
        4:36: error: expected one of none, acknowledge, check, snooze, edit, delete, clear_list, delete_list, \
        found 'chek'
        """,
        "5:5: error: a second action with the identifier 'x'",
        "5:22: error: unknown key 'titel'",
        "8:32: error: unknown key 'titl'",
        "9:18: error: no action has the identifier 'w'",
        "9:21: error: at most 2 actions can be named here, not 4",
        "9:24: error: 'z' is named twice",
        "11:18: error: nothing reaches a person without a sink: name at least one",
        "11:31: error: an address needs an '@'",
        "13:13: error: a step without recipients: name at least one person or sink",
        "13:24: error: expected a duration such as 10m, 1h30m, 2d or 1w, found '1'",
      ])
  }

  @Test("an error names its file, whatever it is called, and the exit status is that of a wrong config")
  func rendering() {
    let diagnostic = ConfigDiagnostic(.warning, at: SourcePosition(line: 3, column: 7), "odd")
    #expect(diagnostic.line(file: "/etc/belfry/my config.yaml") == "/etc/belfry/my config.yaml:3:7: warning: odd")
    #expect(ConfigurationError.invalid(file: "-", diagnostics: [diagnostic]).description == "-:3:7: warning: odd")
    #expect(ConfigurationError.invalid(file: "-", diagnostics: []).kind == .badConfig)
  }

  @Test("columns count characters, not bytes")
  func columns() {
    #expect(
      Fixture.complaints("missed: { \"äöü🔔\": 1, x: 2 }\n") == [
        "x.yaml:1:11: error: unknown key 'äöü🔔'; known are policy, grace, max_age",
        "x.yaml:1:22: error: unknown key 'x'; known are policy, grace, max_age",
      ])
  }
}
