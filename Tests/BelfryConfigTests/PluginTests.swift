import BelfryConfig
import BelfryEngine
import ConfigKeys
import Testing

@Suite("Sections of plug-ins")
struct PluginTests {
  @Test(
    "the kind of a store or sink must be known; the known ones are named",
    arguments: [
      Complaint(
        "store: { type: sqlit, path: a }\n",
        "x.yaml:1:16: error: unknown store type 'sqlit': known are sqlite, json; did you mean 'sqlite'?"),
      Complaint(
        "sinks: { a: { type: webhook } }\n",
        "x.yaml:1:21: error: unknown sink type 'webhook': known are stdout, email"),
      Complaint("sinks: { a: { type: [stdout] } }\n", "x.yaml:1:21: error: expected text, found a list"),
      Complaint("sinks: { a: stdout }\n", "x.yaml:1:13: error: expected a section of keys, found 'stdout'"),
      Complaint("sinks: { a: }\n", "x.yaml:1:13: error: expected a section of keys, found nothing"),
      Complaint("sinks: [stdout]\n", "x.yaml:1:8: error: expected a section of keys, found a list"),
      Complaint("store: sqlite\n", "x.yaml:1:8: error: expected a section of keys, found 'sqlite'"),
      Complaint(
        "store: { type: sqlite, path: a, enabled: false }\n",
        "x.yaml:1:33: error: unknown key 'enabled'; known are type, path"),
    ])
  func kinds(_ complaint: Complaint) { #expect(Fixture.complaints(complaint.text) == complaint.lines) }

  @Test(
    "without a kind, only what no plug-in knows is told beside the missing kind",
    arguments: [
      Complaint(
        "sinks: { a: { foramt: 1, url: [], zzz: 1 } }\n",
        "x.yaml:1:13: error: missing key 'type'",
        "x.yaml:1:15: error: unknown key 'foramt'; did you mean 'format'?",
        """
        x.yaml:1:35: error: unknown key 'zzz'; known are type, enabled, retry, \
        quiet_hours, rate_limit, on_failure, host, format, url, tls, to, subject, \
        timeout, concurrency, cc, quiet_from
        """
      ),
      Complaint(
        "sinks: { a: { tpye: email, to: 5 } }\n", "x.yaml:1:15: error: unknown key 'tpye'; did you mean 'type'?"),
    ])
  func withoutKind(_ complaint: Complaint) { #expect(Fixture.complaints(complaint.text) == complaint.lines) }

  @Test("errors across keys are reported with the others")
  func check() {
    #expect(
      Fixture.complaints("sinks: { a: { type: email, url: plain:x, to: 5, concurrency: 40 } }\n") == [
        "x.yaml:1:33: error: 'tls: required' needs another url",
        "x.yaml:1:46: error: expected a list, found '5'",
        "x.yaml:1:62: warning: more than 32 at once is a lot",
      ])
  }

  @Test("a warning across keys becomes a warning of the config, and the section has no errors")
  func checkWarning() throws {
    let configuration = try Fixture.load("sinks: { a: { type: email, url: x, concurrency: 40, cc: [me] } }\n")
    #expect(
      configuration.warnings == [
        ConfigDiagnostic(.warning, at: SourcePosition(line: 1, column: 49), "more than 32 at once is a lot")
      ])
    let mail = try #require(configuration.sinks[0].plugin as? MailStub)
    #expect(mail.concurrency == 40)
    #expect(mail.cc?.map(\.value) == ["me"])
    #expect(mail.cc?.first?.position == SourcePosition(line: 1, column: 58))
  }

  @Test("a section tells where its keys and values stand, and where it starts for those that are absent")
  func positions() throws {
    let configuration = try Fixture.load("sinks:\n  a:\n    type: email\n    url: x\n    tls: none\n")
    let mail = try #require(configuration.sinks[0].plugin as? MailStub)
    let start = SourcePosition(line: 2, column: 3)
    #expect(mail.section.position == start)
    #expect(mail.places.map(\.name) == ["tls", "to"] && mail.places.map(\.isGiven) == [true, false])
    #expect(mail.places.map(\.key) == [SourcePosition(line: 5, column: 5), start])
    #expect(mail.places.map(\.value) == [SourcePosition(line: 5, column: 10), start])
    #expect(mail.section.context.directory == "/etc/belfry")
  }

  @Test("a key can be given under several names")
  func severalNames() throws {
    let schema = ConfigSchema(stores: Fixture.schema.stores, sinks: [NoteStub.self])
    let loader = ConfigLoader(schema: schema, environment: Fixture.environment(), zones: Fixture.zones)
    func load(_ keys: String) throws -> SecretSource? {
      let text = "sinks: { a: { type: note, \(keys) } }"
      return (try loader.load(bytes: Array(text.utf8), name: "x").sinks[0].plugin as? NoteStub)?.password
    }
    #expect(try load("password: hush")?.read().revealed == "hush")
    #expect(try load("password_file: f")?.file == "/work/f")
    #expect(
      throws: ConfigurationError.invalid(
        file: "x",
        diagnostics: [
          ConfigDiagnostic(
            .error, at: SourcePosition(line: 1, column: 43),
            "'password_file' gives 'password' a second time, beside 'password'")
        ])
    ) { try load("password: hush, password_file: f") }
    #expect(
      throws: ConfigurationError.invalid(
        file: "x",
        diagnostics: [
          ConfigDiagnostic(
            .error, at: SourcePosition(line: 1, column: 27), "unknown key 'pasword'; did you mean 'password'?")
        ])
    ) { try load("pasword: hush") }
  }
}

private struct NoteStub: SinkStub {
  static let type = "note"
  static let summary = "notes"
  var password: SecretSource?

  init(_ section: inout ConfigSection) {
    section.secret("password", &password, "The password.", isRequired: true)
  }
}
