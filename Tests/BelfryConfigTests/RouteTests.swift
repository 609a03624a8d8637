import BelfryConfig
import BelfryEngine
import Testing

@Suite("Routes")
struct RouteTests {
  @Test(
    "a pattern fits names as in a shell, without regard to case",
    arguments: [
      ("Work", "work", true), ("Work", "Works", false), ("*", "", true), ("*", "anything", true), ("", "", true),
      ("", "a", false), ("Project *", "project x", true), ("Project *", "Project ", true),
      ("Project *", "Project", false),
      ("?", "ä", true), ("?", "", false), ("?", "ab", false), ("??", "👩‍👩‍👧é", true), ("a*b*c", "aXbYbZc", true),
      ("a*b*c", "acb", false), ("*a", "baa", true), ("*?a", "a", false), ("a**", "a", true), ("[ab]", "a", false),
      ("[AB]", "[ab]", true), ("ÄPFEL*", "äpfel und birnen", true), ("caf\u{e9}", "cafe\u{301}", true),
      ("a.c", "abc", false),
      ("**?**", "x", true),
    ])
  func patterns(pattern: String, name: String, fits: Bool) {
    #expect(ListPattern(pattern).matches(name) == fits)
  }

  @Test("a pattern full of stars is matched quickly")
  func stars() {
    let pattern = ListPattern(String(repeating: "a*", count: 200) + "b")
    #expect(!pattern.matches(String(repeating: "a", count: 5_000)))
  }

  private let routes = [
    Route(lists: [ListPattern("Home")], sinks: ["off"]),
    Route(lists: [ListPattern("Work*")], sinks: ["mail", "chat"], continues: true),
    Route(lists: [ListPattern("*2")], categories: ["bills"], sinks: ["chat", "paper"]),
    Route(categories: ["secret"], sinks: []),
    Route(lists: [ListPattern("Work 3")], sinks: ["never"], continues: true),
  ]

  @Test(
    "the first route that matches decides, unless it continues; each name comes once, whether or not it is enabled",
    arguments: [
      ("Work", nil, ["mail", "chat"]), ("Work 2", nil, ["mail", "chat"]),
      ("work 2", "bills", ["mail", "chat", "paper"]),
      ("A2", "bills", ["chat", "paper"]), ("A2", nil, nil), ("A2", "other", nil), ("Home", nil, ["off"]),
      ("A", "secret", []), ("Work", "secret", ["mail", "chat"]), ("Work 3", nil, ["mail", "chat", "never"]),
      ("Elsewhere", nil, nil),
    ] as [(String, String?, [String]?)])
  func names(list: String, category: String?, names: [String]?) {
    #expect(routes.names(forList: list, category: category) == names)
  }

  @Test("without routes, none matches")
  func noRoutes() {
    #expect([Route]().names(forList: "A", category: nil) == nil)
  }

  @Test(
    "sinks that are not defined are refused, those with an error of their own are defined",
    arguments: [
      Complaint(
        "sinks: { mail: { type: stdout } }\nroutes: [{ sinks: [mail, mial, gone] }]\n",
        "x.yaml:2:26: error: unknown person or sink 'mial'; did you mean 'mail'?",
        "x.yaml:2:32: error: unknown person or sink 'gone'; known are mail"),
      Complaint(
        "sinks: { mail: { type: stdotu } }\nroutes: [{ sinks: [mail] }]\n",
        "x.yaml:1:24: error: unknown sink type 'stdotu': known are stdout, email; did you mean 'stdout'?"),
      Complaint(
        "routes: [{ sinks: [terminal, x] }]\n", "x.yaml:1:30: error: unknown person or sink 'x'; known are terminal"),
      Complaint("sinks: {}\nroutes: [{ sinks: [a] }]\n", "x.yaml:2:20: error: unknown person or sink 'a'"),
      Complaint(
        "sinks: [mail]\nroutes: [{ sinks: [mail] }]\n",
        "x.yaml:1:8: error: expected a section of keys, found a list"),
      Complaint("routes: [{ sinks: mail }]\n", "x.yaml:1:19: error: expected a list, found 'mail'"),
      Complaint(
        "routes: [{ lists: [], sinks: [] }]\n",
        "x.yaml:1:19: error: an empty list matches nothing: leave the key out to match all"),
      Complaint(
        "routes: [{ categories: [], sinks: [] }]\n",
        "x.yaml:1:24: error: an empty list matches nothing: leave the key out to match all"),
      Complaint(
        "routes: [{ lists: [7], sinks: [] }]\n",
        "x.yaml:1:20: error: expected text, found the number '7'; put it in quotes"),
      Complaint("routes: [terminal]\n", "x.yaml:1:10: error: expected a section of keys, found 'terminal'"),
      Complaint("routes: { sinks: [terminal] }\n", "x.yaml:1:9: error: expected a list, found a section"),
    ])
  func wrongRoutes(_ complaint: Complaint) { #expect(Fixture.complaints(complaint.text) == complaint.lines) }

  @Test(
    "what is allowed but hardly meant is a warning",
    arguments: [
      Complaint(
        "routes:\n- { lists: [A], sinks: [] }\n",
        """
        x.yaml:1:1: warning: reminders that match no route go to every enabled sink; \
        to change that, add a last route with 'sinks' alone
        """),
      Complaint("routes:\n- { lists: [\"*\"], sinks: [] }\n"),
      Complaint("routes:\n- { sinks: [], continue: true }\n"),
      Complaint(
        "routes:\n- { sinks: [] }\n- { lists: [A], sinks: [] }\n",
        "x.yaml:3:3: warning: no reminder reaches this route: one before it matches all"),
      Complaint(
        "categories: { bills: {} }\nroutes:\n- { categories: [bils, bills], sinks: [] }\n- { sinks: [] }\n",
        "x.yaml:3:18: warning: no category is called 'bils'; did you mean 'bills'?"),
      Complaint(
        "sinks: { a: { type: stdout, enabled: false }, b: { type: stdout } }\nroutes: [{ sinks: [a, b] }]\n",
        "x.yaml:2:20: warning: the sink 'a' is switched off"),
      Complaint(
        "sinks: { a: { type: stdout, enabled: false } }\n",
        "x.yaml:1:1: warning: no sink is switched on: no reminder goes anywhere"),
      Complaint("sinks: {}\n", "x.yaml:1:1: warning: no sink is switched on: no reminder goes anywhere"),
    ])
  func warnings(_ complaint: Complaint) { #expect(Fixture.complaints(complaint.text) == complaint.lines) }
}

@Suite("What a sink says about others and about when")
struct SinkPolicyTests {
  private static func sinks(_ lines: String...) -> String {
    "sinks:\n" + lines.map { "  \($0)\n" }.joined()
  }

  @Test("quiet hours, a rate limit and who is told of failures are read")
  func read() throws {
    let configuration = try Fixture.load(
      Self.sinks(
        "a: { type: stdout, quiet_hours: { from: \"22:00\", to: \"07:00\" }, rate_limit: 60/m, on_failure: b }",
        "b: { type: stdout }"))
    #expect(configuration.sinks[0].quietHours?.from.description == "22:00")
    #expect(configuration.settings.sinkQuietHours["a"] == configuration.sinks[0].quietHours)
    #expect(configuration.settings.sinkQuietHours.count == 1)
    #expect(configuration.sinks[0].rateLimit == RateLimit(count: 60, interval: 60))
    #expect(configuration.sinks[0].onFailure?.value == "b")
    #expect(configuration.sinks[1].quietHours == nil && configuration.sinks[1].rateLimit == nil)
  }

  @Test(
    "what makes no sense is told at its place",
    arguments: [
      ("quiet_hours: { from: \"22:00\" }", "x.yaml:2:35: error: missing key 'to'"),
      (
        "quiet_hours: { from: \"22:00\", to: \"22:00\" }",
        "x.yaml:2:56: error: the quiet hours begin and end at 22:00: name two times"
      ),
      (
        "rate_limit: 60",
        "x.yaml:2:34: error: expected a number and a unit of time such as 60/m, found '60'"
      ),
      ("rate_limit: 60/y", "x.yaml:2:34: error: expected a number and a unit of time such as 60/m, found '60/y'"),
      ("rate_limit: 0/m", "x.yaml:2:34: error: a limit of 0 would let nothing through: write 'enabled: false'"),
      ("on_failure: c", "x.yaml:2:34: error: unknown sink 'c'; did you mean 'a'?"),
      ("on_failure: a", "x.yaml:2:34: error: 'on_failure' forms a circle: a → a"),
      ("on_failure: b", "x.yaml:2:34: error: 'on_failure' forms a circle: a → b → a"),
    ])
  func refused(key: String, complaint: String) {
    #expect(
      Fixture.complaints(Self.sinks("a: { type: stdout, \(key) }", "b: { type: stdout, on_failure: a }")).first
        == complaint)
  }
}
