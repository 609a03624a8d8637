import ConfigKeys

/// A config that was read and checked as a whole.
public struct Configuration: Sendable {
  /// The file's name; `nil` for the default config without a file.
  public let source: String?
  /// The settings other than the store and sinks.
  public let settings: Settings
  /// The store.
  public let store: PluginSection
  /// The sinks, in the file's order.
  public let sinks: [SinkSection]
  /// The warnings, in the file's order.
  public let warnings: [ConfigDiagnostic]
  /// The entries of the file, with the default store and sinks if it has none.
  let entries: [ConfigEntry]
  let schema: ConfigSchema
  let context: ConfigContext

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
    let section = ConfigSection(entries, at: .start, keys: schema.keys, context: context)
    report.append(section.diagnostics)
    // Invalid sections have no value, like absent ones, but only absent ones get a default.
    var store = section.value(schema.storeKey)
    if !section.contains(schema.storeKey.name) {
      let node = Configuration.defaultStore(context)
      store = schema.storeKey.type.decode(node, &report) ?? nil
      entries.append(ConfigEntry(schema.storeKey.name, at: .start, value: node))
    }
    var sinks = section.value(schema.sinksKey)
    if !section.contains(schema.sinksKey.name) {
      sinks = schema.sinksKey.type.decode(Configuration.defaultSinks, &report) ?? nil
      entries.append(ConfigEntry(schema.sinksKey.name, at: .start, value: Configuration.defaultSinks))
    }
    RouteCheck(section: section, schema: schema, sinks: sinks).run(&report)

    let diagnostics = report.diagnostics.enumerated()
      .sorted { ($0.element.position, $0.offset) < ($1.element.position, $1.offset) }
      .map(\.element)
    guard !report.hasErrors, let store, let sinks else {
      throw .invalid(file: source ?? Configuration.defaultName, diagnostics: diagnostics)
    }
    self.source = source
    var settings = Settings(section)
    for sink in sinks { settings.failureTargets[sink.name] = sink.onFailure?.value }
    self.settings = settings
    self.store = store
    self.sinks = sinks
    warnings = diagnostics
    self.entries = entries
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
    return section(["type": "sqlite", "path": path])
  }

  private static let defaultSinks = ConfigNode(
    .mapping([ConfigEntry("terminal", at: .start, value: section(["type": "stdout"]))]), at: .start)

  private static func section(_ texts: KeyValuePairs<String, String>) -> ConfigNode {
    let entries = texts.map { key, text in
      ConfigEntry(key, at: .start, value: ConfigNode(.scalar(ConfigScalar(text)), at: .start))
    }
    return ConfigNode(.mapping(entries), at: .start)
  }
}
