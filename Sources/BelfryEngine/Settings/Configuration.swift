import ConfigKeys

/// A config that was read and checked as a whole.
public struct Configuration: Sendable {
  /// The file's name; `nil` for the default config without a file.
  public let source: String?
  /// The settings other than the store and sinks.
  public let settings: Settings
  /// The section of the store.
  public let store: StoreSection
  /// The sinks, in the order of the file.
  public let sinks: [SinkSection]
  /// The warnings, in the file's order.
  public let warnings: [ConfigDiagnostic]
  /// The entries of the file, with the default store and sinks if it has none.
  let entries: [ConfigEntry]
  /// The keys of the entries that the file does not have.
  let defaultKeys: [String]
  let routePositions: [SourcePosition]
  let schema: ConfigSchema
  let context: ConfigContext

  /// True if the file has a section for the web face.
  package var hasWebFace: Bool { entries.contains { $0.key == ConfigSchema.webKey } }

  /// The warning that the store's place does not exist yet, and may be misspelt; `nil` if it exists.
  package var storeAbsence: ConfigDiagnostic? {
    store.plugin.absence.map { ConfigDiagnostic(.warning, at: store.section.position, $0) }
  }

  /// The secrets in use, without the secrets of sinks that are switched off.
  package var secrets: [SecretSource] {
    let sections = [store.section] + sinks.filter(\.isEnabled).map(\.section)
    return sections.flatMap { $0.values([SecretSource].self).flatMap(\.value) }
      + [settings.heartbeat?.url, settings.web.proxySecret].compactMap(\.self)
  }

  /// The name of the default config in diagnostics.
  package static let defaultName = "(default config)"

  /// Checks a whole file against the schema.
  ///
  /// - Parameters:
  ///   - root: the file's content; `nil` for an empty file, which stands for the default.
  ///   - source: the file's name for messages; `nil` if there is no file.
  ///   - problems: the problems that the file's reader found.
  /// - Throws: ``ConfigurationError`` `.invalid` with all errors and warnings, in the file's order.
  package init(
    root: ConfigNode?, source: String?, schema: ConfigSchema, context: ConfigContext, problems: [ConfigDiagnostic] = []
  ) throws(ConfigurationError) {
    var report = ConfigReport(context: context, diagnostics: problems)
    var entries = Configuration.entries(of: root, &report)
    let defaults = [
      ConfigEntry(ConfigSchema.storeKey, at: .start, value: Configuration.defaultStore(context)),
      ConfigEntry(ConfigSchema.sinksKey, at: .start, value: Configuration.defaultSinks),
    ].filter { entry in !entries.contains { $0.key == entry.key } }
    entries += defaults
    var section = ConfigSection(entries, at: .start, context: context)
    let contents = ConfigContents(&section, schema)
    report.append(section.finish())
    if contents.store?.isOnServer == true, contents.settings.timeZone == .local {
      report.error(
        "a store on a server needs a time zone that is the same on every machine: write its name, such as Europe/Zurich",
        at: section.position(of: ConfigSchema.timeZoneKey))
    }
    if contents.store?.isOnServer == true {
      for sink in contents.sinks ?? [] where sink.isEnabled && sink.lacksHost {
        report.warning(
          "several machines may share the store: 'host: NAME' says which one sends through this sink",
          at: sink.position, isForDaemons: true)
      }
    }
    // An invalid key counts as missing.
    if !report.hasErrors, contents.settings.web.publicURL?.scheme != "https" {
      for sink in contents.sinks ?? [] where sink.isEnabled {
        if let need = sink.webFaceNeed { report.warning(need, at: sink.position) }
      }
    }
    let names = DefinedNames(section, contents)
    RouteCheck(section: section, contents: contents, names: names).run(&report)
    PeopleCheck(section: section, contents: contents, names: names).run(&report)

    let diagnostics = report.diagnostics.enumerated()
      .sorted { ($0.element.position, $0.offset) < ($1.element.position, $1.offset) }
      .map(\.element)
    guard !report.hasErrors, let store = contents.store, let sinks = contents.sinks else {
      throw .invalid(file: source ?? Configuration.defaultName, diagnostics: diagnostics)
    }
    self.source = source
    settings = contents.settings
    self.store = store
    self.sinks = sinks.compactMap(SinkSection.init)
    routePositions = contents.routes.map(\.position)
    warnings = diagnostics
    self.entries = entries
    defaultKeys = defaults.map(\.key)
    self.schema = schema
    self.context = context
  }

  private static func entries(of root: ConfigNode?, _ report: inout ConfigReport) -> [ConfigEntry] {
    guard let root, root.content != .null else { return [] }
    if case .mapping(let entries) = root.content { return entries }
    report.mismatch(root, .section([]))
    return []
  }

  private static func defaultStore(_ context: ConfigContext) -> ConfigNode {
    let path = context.dataFile("belfry.sqlite") ?? "~/.local/share/belfry/belfry.sqlite"
    return section([ConfigSchema.typeKey: "sqlite", "path": path])
  }

  private static let defaultSinks = ConfigNode(
    .mapping([ConfigEntry("terminal", at: .start, value: section([ConfigSchema.typeKey: "stdout"]))]), at: .start)

  private static func section(_ texts: KeyValuePairs<String, String>) -> ConfigNode {
    let entries = texts.map { key, text in
      ConfigEntry(key, at: .start, value: ConfigNode(.scalar(ConfigScalar(text)), at: .start))
    }
    return ConfigNode(.mapping(entries), at: .start)
  }
}
