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
        quiet_hours, rate_limit, on_failure, format, url, tls, to, subject, \
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
    var section = configuration.sinks[0].section
    #expect(section.diagnostics == [] && !section.hasErrors)
    #expect(section.value(Fixture.concurrency) == 40)
    #expect(section.value(Fixture.cc)?.map(\.value) == ["me"])
    #expect(section.value(Fixture.cc)?.first?.position == SourcePosition(line: 1, column: 58))
    section.error("no", at: section.position(ofKey: "cc"))
    #expect(section.hasErrors)
    #expect(section.diagnostics == [ConfigDiagnostic(.error, at: SourcePosition(line: 1, column: 53), "no")])
  }

  @Test("a section tells where its keys and values stand, and where it starts for those that are absent")
  func positions() throws {
    let section = try Fixture.load("sinks:\n  a:\n    type: email\n    url: x\n").sinks[0].section
    #expect(section.position == SourcePosition(line: 2, column: 3))
    #expect(section.position(of: "url") == SourcePosition(line: 4, column: 10))
    #expect(section.position(ofKey: "url") == SourcePosition(line: 4, column: 5))
    #expect(section.position(of: "to") == section.position)
    #expect(section.position(ofKey: "to") == section.position)
    #expect(section.contains("url") && !section.contains("to"))
    #expect(section.context.directory == "/etc/belfry")
  }

  @Test("a key can be given under several names")
  func severalNames() throws {
    let schema = ConfigSchema(
      stores: Fixture.schema.stores,
      sinks: [PluginDescription(type: "note", summary: "notes", keys: [Password()])])
    let loader = ConfigLoader(schema: schema, environment: Fixture.environment(), zones: Fixture.zones)
    func load(_ keys: String) throws -> Configuration {
      try loader.load(bytes: Array("sinks: { a: { type: note, \(keys) } }".utf8), name: "x")
    }
    #expect(try load("password: hush").sinks[0].section.value(of: Password(), as: String.self) == "hush")
    #expect(
      try load("password_file: f").sinks[0].section.value(of: Password(), as: String.self) == "contents of /work/f")
    #expect(
      throws: ConfigurationError.invalid(
        file: "x",
        diagnostics: [
          ConfigDiagnostic(.error, at: SourcePosition(line: 1, column: 43), "'password' is given twice")
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

/// A key that is given either directly or as a file.
private struct Password: ConfigKeyDescription {
  let names = ["password", "password_file"]
  let summary = "The password."
  let shape = ConfigShape.text
  let isRequired = true
  let defaultText: String? = nil

  func read(from section: inout ConfigSection) -> (any Sendable)? {
    switch (section.contains("password"), section.contains("password_file")) {
    case (true, true): section.error("'password' is given twice", at: section.position(ofKey: "password_file"))
    case (true, false): return section.decode("password", as: ConfigType<String>.text)
    case (false, true): return section.decode("password_file", as: ConfigType<String>.path).map { "contents of \($0)" }
    case (false, false): section.reportMissing("password")
    }
    return nil
  }
}
