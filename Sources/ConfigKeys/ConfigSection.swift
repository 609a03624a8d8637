import CivilTime

/// A section of the config, checked against its declared keys.
///
/// Every key is read once, when the section is made: unknown keys, missing keys and invalid values are in
/// ``diagnostics``. Errors between keys are for the reader of the section to report.
public struct ConfigSection: Sendable {
  /// The start of the section.
  public let position: SourcePosition
  private let entries: [String: ConfigEntry]
  private var values: [String: any Sendable] = [:]
  private var suggested: Set<String> = []
  private var report: ConfigReport

  /// A section with these entries, checked against these keys.
  package init(
    _ entries: [ConfigEntry], at position: SourcePosition, keys: [any ConfigKeyDescription], context: ConfigContext
  ) {
    self.position = position
    self.entries = Dictionary(entries.map { ($0.key, $0) }) { first, _ in first }
    report = ConfigReport(context: context)
    let known = keys.flatMap(\.names)
    for entry in entries where !known.contains(entry.key) { reportUnknown(entry, known: known) }
    for key in keys {
      if let name = key.names.first, let value = key.read(from: &self) { values[name] = value }
    }
  }

  /// The context in which the values were read.
  public var context: ConfigContext { report.context }
  /// The diagnostics that were not drained yet.
  public var diagnostics: [ConfigDiagnostic] { report.diagnostics }
  /// Whether there is an error among them.
  public var hasErrors: Bool { report.hasErrors }

  /// The value of a key; its default if it is absent or invalid.
  public func value<Value>(_ key: ConfigKey<Value>) -> Value {
    value(of: key, as: Value.self) ?? key.defaultValue
  }

  /// The value of a required key; `nil` only if an error was reported.
  public func value<Value>(_ key: RequiredConfigKey<Value>) -> Value? {
    value(of: key, as: Value.self)
  }

  /// The result of a key's ``ConfigKeyDescription/read(from:)``.
  public func value<Value>(of key: any ConfigKeyDescription, as type: Value.Type) -> Value? {
    key.names.first.flatMap { values[$0] as? Value }
  }

  /// Whether the file has this key in the section.
  public func contains(_ name: String) -> Bool { entries[name] != nil }

  /// The position of a key's value; that of the section if the key is absent.
  public func position(of name: String) -> SourcePosition { entries[name]?.value.position ?? position }

  /// The position of a key; that of the section if the key is absent.
  public func position(ofKey name: String) -> SourcePosition { entries[name]?.position ?? position }

  /// Reads the value of one key; `nil` if it is absent or an error was reported.
  package mutating func decode<Value>(_ name: String, as type: ConfigType<Value>) -> Value? {
    entries[name].flatMap { type.decode($0.value, &report) }
  }

  /// Reports an error that the checks of single keys cannot find.
  public mutating func error(_ message: String, at position: SourcePosition) { report.error(message, at: position) }

  /// Reports a warning.
  public mutating func warning(_ message: String, at position: SourcePosition) { report.warning(message, at: position) }

  /// Reports that a key is missing, unless an unknown key was reported that is probably a misspelling of it.
  public mutating func reportMissing(_ name: String) {
    if !suggested.contains(name) { error("missing key \(inQuotes(name))", at: position) }
  }

  /// The keys of the section under a key, in the file's order; empty if its value is not a section.
  package func names(under name: String) -> [String] {
    guard case .mapping(let entries)? = entries[name]?.value.content else { return [] }
    return entries.map(\.key)
  }

  /// Returns the diagnostics and removes them.
  package mutating func drainDiagnostics() -> [ConfigDiagnostic] { report.drain() }

  private mutating func reportUnknown(_ entry: ConfigEntry, known: [String]) {
    if let nearest = Suggestion.nearest(to: entry.key, among: known) { suggested.insert(nearest) }
    error("unknown key \(inQuotes(entry.key))\(Suggestion.text(for: entry.key, among: known))", at: entry.position)
  }
}
