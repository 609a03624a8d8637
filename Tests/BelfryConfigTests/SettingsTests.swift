import BelfryConfig
import BelfryEngine
import BelfryModel
import CivilTime
import ConfigKeys
import Testing
import Transport

@Suite("What a config says")
struct SettingsTests {
  @Test("the settings of an empty config are those of the contract")
  func standard() {
    let settings = Settings()
    #expect(settings.defaultList == "Inbox")
    #expect(settings.defaultTime.description == "09:00")
    #expect(settings.timeZone == .local)
    #expect(
      settings.missed == MissedPolicy(policy: .once, graceSeconds: 600, maxAge: CalendarDuration(days: 7, minutes: 0)))
    #expect(settings.alert == AlertStyle(sound: "default", action: "View list"))
    #expect(settings.categories == [] && settings.routes == [])
    #expect(settings.history == CalendarDuration(days: 30, minutes: 0))
  }

  @Test("every key is read")
  func everyKey() throws {
    let configuration = try Fixture.load(
      """
      store: { type: json, path: ~/belfry.json }
      default_list: Groceries
      default_time: "07:30"
      time_zone: Europe/Zurich
      missed: { policy: all, grace: 1h, max_age: 2d }
      alert: { sound: bell, action: Open }
      sinks:
        mail: { type: email, url: smtps://mail, to: [a, b], tls: none, timeout: 30s, retry: { max_age: 2h } }
        terminal: { type: stdout, format: json, enabled: false }
      categories:
        shopping:
          alert: { action: Shop }
          actions:
            - { identifier: ok, title: "OK, got it" }
            - { identifier: later, title: Later, do: snooze, for: 1h }
            - { identifier: soon, title: Soon, do: snooze }
            - { identifier: trash, title: Trash, do: clear_list, destructive: true, authentication_required: true,
                activation: foreground }
          minimal: [trash, ok]
        bare: {}
      routes:
        - { lists: [Work, "Project *"], categories: [shopping], sinks: [mail], continue: true }
        - { sinks: [] }
      people: { anna: { sinks: [mail] } }
      answers: { valid_for: 2d, key_file: ~/keys }
      web: { listen: "[::1]:80", socket_mode: group, public_url: https://Belfry.example.org/, trusted_proxies: ["::1"],
        user_header: X-User, proxy_secret: a }
      history: 1w
      """)
    var expected = Settings()
    expected.defaultList = "Groceries"
    expected.defaultTime = try #require(TimeOfDay(hour: 7, minute: 30))
    expected.timeZone = .named("Europe/Zurich")
    expected.missed = MissedPolicy(policy: .all, graceSeconds: 3600, maxAge: CalendarDuration(days: 2, minutes: 0))
    expected.alert = AlertStyle(sound: "bell", action: "Open")
    let shopping = [
      CategoryAction(identifier: "ok", title: "OK, got it", operation: .none),
      CategoryAction(
        identifier: "later", title: "Later", operation: .snooze(CalendarDuration(days: 0, minutes: 60))),
      CategoryAction(identifier: "soon", title: "Soon", operation: .snooze(CalendarDuration(days: 0, minutes: 10))),
      CategoryAction(
        identifier: "trash", title: "Trash", operation: .clearList, activation: .foreground, isDestructive: true,
        requiresAuthentication: true),
    ]
    expected.categories = [
      Category(
        identifier: "shopping", actions: shopping, minimal: ["trash", "ok"],
        alert: AlertOverride(action: "Shop")),
      Category(identifier: "bare"),
    ]
    expected.routes = [
      Route(
        lists: [ListPattern("Work"), ListPattern("Project *")], categories: ["shopping"], sinks: ["mail"],
        continues: true),
      Route(sinks: []),
    ]
    expected.people = [Person(name: "anna", sinks: ["mail"])]
    expected.answers = AnswerSettings(validFor: 172_800, keyFile: "/home/me/keys")
    expected.web = WebSettings(
      listen: .tcp(address: "::1", port: 80), socketMode: .group,
      publicURL: try ServerURL("https://belfry.example.org", schemes: ["https"]), trustedProxies: ["::1"],
      userHeader: "X-User", proxySecret: configuration.settings.web.proxySecret)
    #expect(try configuration.settings.web.proxySecret?.read() == Secret("a"))
    expected.history = CalendarDuration(days: 7, minutes: 0)
    #expect(configuration.settings == expected)
    #expect(configuration.source == "x.yaml")
    #expect(configuration.warnings == [])

    #expect(configuration.store.type == "json")
    #expect(configuration.store.path == "/home/me/belfry.json")
    #expect(configuration.sinks.map(\.name) == ["mail", "terminal"])
    #expect(configuration.sinks.map(\.isEnabled) == [true, false])
    #expect(configuration.sinks.map(\.retryMaxAge) == [7200, 86_400])
    let mail = try #require(configuration.sinks[0].plugin as? MailStub)
    #expect(mail.url == "smtps://mail")
    #expect(mail.recipients == ["a", "b"])
    #expect(mail.tls == .none)
    #expect(mail.timeout == 30)
    #expect(mail.concurrency == 16)
    #expect(mail.subject == nil)
    #expect(mail.cc == nil)
    #expect((configuration.sinks[1].plugin as? TerminalStub)?.format == .json)
  }

  @Test("a category offers its first two actions where there is little room, unless it says which")
  func minimal() {
    let actions = ["a", "b", "c"].map { CategoryAction(identifier: $0, title: $0) }
    #expect(Category(identifier: "x", actions: actions).minimal == ["a", "b"])
    #expect(Category(identifier: "x", actions: actions, minimal: []).minimal == [])
    #expect(Category(identifier: "x", actions: Array(actions.prefix(1))).minimal == ["a"])
  }

  @Test("a category's alert fills up from the general one")
  func alert() {
    var settings = Settings()
    settings.alert = AlertStyle(sound: "bell", action: "Open")
    settings.categories = [
      Category(identifier: "a", alert: AlertOverride(action: "Shop")),
      Category(identifier: "b", alert: AlertOverride(sound: "gong", urgency: .low)),
    ]
    settings.lists = [
      ListRule(pattern: ListPattern("Work*"), alert: AlertOverride(sound: "buzz", urgency: .critical)),
      ListRule(pattern: ListPattern("*"), alert: AlertOverride(action: "Look")),
    ]
    func alert(_ list: String, _ category: String?, _ priority: ItemPriority.Level? = nil) -> AlertStyle {
      settings.alert(forList: list, category: category, priority: priority.map { ItemPriority($0) })
    }
    #expect(alert("Home", "a") == AlertStyle(sound: "bell", action: "Shop"))
    #expect(alert("Home", "b") == AlertStyle(sound: "gong", action: "Look", urgency: .low))
    #expect(alert("Home", "c") == AlertStyle(sound: "bell", action: "Look") && alert("Home", nil) == alert("Home", "c"))
    #expect(alert("Work at home", "a") == AlertStyle(sound: "buzz", action: "Shop", urgency: .critical))
    #expect(alert("Work", "b") == AlertStyle(sound: "gong", action: "Open", urgency: .low))
    #expect(alert("Home", nil, .high).urgency == .high && alert("Home", nil, .medium).urgency == .normal)
    #expect(alert("Work", nil, .high).urgency == .critical && alert("Home", "b", .high).urgency == .low)
    settings.alert.urgency = .low
    #expect(alert("Home", nil).urgency == .low && alert("Home", nil, .high).urgency == .high)
    settings.alert.urgency = .critical
    #expect(alert("Home", nil, .high).urgency == .critical)
    #expect(settings.category("b")?.alert.sound == "gong")
    #expect(settings.category("B") == nil)
  }

  @Test("the actions of items without a category are done and later, or those of the config")
  func actions() throws {
    #expect(try Fixture.load("").settings.actions == Settings.usualActions)
    let text = """
      actions:
        - { identifier: ok, title: OK, do: acknowledge }
        - { identifier: soon, title: Soon, do: snooze, for: 5m }
      """
    #expect(
      try Fixture.load(text).settings.actions == [
        CategoryAction(identifier: "ok", title: "OK", operation: .acknowledge),
        CategoryAction(identifier: "soon", title: "Soon", operation: .snooze(CalendarDuration(days: 0, minutes: 5))),
      ])
  }

  @Test(
    "a category's actions are checked together",
    arguments: [
      Complaint(
        "  actions: [{identifier: a, title: A}, {identifier: a, title: B}]\n",
        "x.yaml:3:40: error: a second action with the identifier 'a'"),
      Complaint(
        "  actions:\n" + ["a", "b", "c", "d", "e", "f"].map { "  - {identifier: \($0), title: T}\n" }.joined(),
        "x.yaml:8:5: error: a category has at most 4 actions, found 6"),
      Complaint(
        "  actions: [{identifier: trash, title: A}]\n  minimal: [tarsh]\n",
        "x.yaml:4:13: error: no action has the identifier 'tarsh'; did you mean 'trash'?"),
      Complaint(
        "  actions: [{identifier: a, title: A}]\n  minimal: [a, a]\n",
        "x.yaml:4:16: error: 'a' is named twice"),
      Complaint(
        "  actions: [{identifier: a, title: A}, {identifier: b, title: A}, {identifier: c, title: A}]\n"
          + "  minimal: [a, b, c]\n",
        "x.yaml:4:19: error: at most 2 actions can be named here, not 3"),
      Complaint("  minimal: [a]\n", "x.yaml:3:13: error: no action has the identifier 'a'"),
      Complaint(
        "  actions: [{identifier: a, title: A, do: check, for: 1h}]\n",
        "x.yaml:3:50: error: 'for' belongs to 'do: snooze' only"),
      Complaint(
        "  actions: [{identifier: a, title: A, do: snoze}]\n  minimal: [a]\n",
        """
        x.yaml:3:43: error: expected one of none, acknowledge, check, snooze, edit, delete, clear_list, \
        delete_list, found 'snoze'; did you mean 'snooze'?
        """),
      Complaint(
        "  actions: [{title: A}]\n  minimal: [a]\n", "x.yaml:3:13: error: missing key 'identifier'"),
    ])
  func categories(_ complaint: Complaint) {
    #expect(Fixture.complaints("categories:\n c:\n" + complaint.text) == complaint.lines)
  }

  @Test(
    "a name that the user chooses is one line of text without white space around it",
    arguments: [
      Complaint(
        "sinks: { \" a\": { type: stdout } }\n", "x.yaml:1:10: error: the name ' a' has white space at its ends"),
      Complaint("sinks: { \"\": { type: stdout } }\n", "x.yaml:1:10: error: the text is empty"),
      Complaint(
        "categories: { \"a\\nb\": {} }\n",
        "x.yaml:1:15: error: the text holds a line break, which one line cannot have"),
    ])
  func names(_ complaint: Complaint) { #expect(Fixture.complaints(complaint.text) == complaint.lines) }

  @Test("the lines of the config in force name the places of its keys, and none for defaults")
  func places() throws {
    let configuration = try Fixture.load(
      """
      sinks:
        terminal: { type: stdout }

      categories:
        shopping:
          actions:
            - identifier: ok
              title: "OK"
      """)
    let lines = configuration.effectiveLines
    #expect(lines.map(\.text).joined(separator: "\n") == configuration.effectiveText)
    for (text, place) in [
      "sinks:": 1, "  terminal:": 2, "    type: \"stdout\"": 2, "    enabled: true": nil, "store:": nil,
      "time_zone: local": nil, "categories:": 4, "  shopping:": 5, "    actions:": 6, "      - identifier: \"ok\"": 7,
      "        title: \"OK\"": 8,
    ] as KeyValuePairs<String, Int?> {
      let line = try #require(lines.first { $0.text == text }, "\(text) in \(configuration.effectiveText)")
      #expect(line.position?.line == place, "\(text)")
    }
    let standard = try Fixture.loader().loadDefault()
    #expect(!standard.effectiveLines.isEmpty && standard.effectiveLines.allSatisfy { $0.position == nil })
  }
}
