import CivilTime

/// A section of the config that was checked against the keys declared for it.
///
/// Every key was read once, when the section was made: unknown keys, missing keys and wrong values stand in
/// ``diagnostics``. What is wrong between keys is for whoever reads the section to report.
public struct ConfigSection: Sendable {
  /// Where the section starts.
  public let position: SourcePosition
  private let entries: [String: ConfigEntry]
  private var values: [String: any Sendable] = [:]
  private var suggested: Set<String> = []
  private var report: ConfigReport

  /// The section with these entries, checked against these keys.
  public init(
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

  /// What the section's values were read against.
  public var context: ConfigContext { report.context }
  /// What was found wrong and not yet handed on.
  public var diagnostics: [ConfigDiagnostic] { report.diagnostics }
  /// Whether an error was found and not yet handed on.
  public var hasErrors: Bool { report.hasErrors }

  /// The value of a key; its default where it is absent or wrong.
  public func value<Value>(_ key: ConfigKey<Value>) -> Value {
    value(of: key, as: Value.self) ?? key.defaultValue
  }

  /// The value of a required key; `nil` only where an error was reported.
  public func value<Value>(_ key: RequiredConfigKey<Value>) -> Value? {
    value(of: key, as: Value.self)
  }

  /// What a key's ``ConfigKeyDescription/read(from:)`` returned; `nil` where it returned nothing.
  public func value<Value>(of key: any ConfigKeyDescription, as type: Value.Type) -> Value? {
    key.names.first.flatMap { values[$0] as? Value }
  }

  /// Whether the file has this key here.
  public func contains(_ name: String) -> Bool { entries[name] != nil }

  /// Where the value of a key stands, or the section where the key is absent.
  public func position(of name: String) -> SourcePosition { entries[name]?.value.position ?? position }

  /// Where a key stands, or the section where it is absent.
  public func position(ofKey name: String) -> SourcePosition { entries[name]?.position ?? position }

  /// Reads the value of one key; `nil` where it is absent or an error was reported.
  public mutating func decode<Value>(_ name: String, as type: ConfigType<Value>) -> Value? {
    entries[name].flatMap { type.decode($0.value, &report) }
  }

  /// Reports an error that the keys' own checks cannot see.
  public mutating func error(_ message: String, at position: SourcePosition) { report.error(message, at: position) }

  /// Reports something doubtful.
  public mutating func warning(_ message: String, at position: SourcePosition) { report.warning(message, at: position) }

  /// Reports that a key is missing, unless a misspelling of it was reported already.
  public mutating func reportMissing(_ name: String) {
    if !suggested.contains(name) { error("missing key \(inQuotes(name))", at: position) }
  }

  /// The names of the keys below one key, in the order of the file; empty where it is no section.
  package func names(under name: String) -> [String] {
    guard case .mapping(let entries)? = entries[name]?.value.content else { return [] }
    return entries.map(\.key)
  }

  /// Hands over what was found wrong and forgets it.
  package mutating func drainDiagnostics() -> [ConfigDiagnostic] { report.drain() }

  private mutating func reportUnknown(_ entry: ConfigEntry, known: [String]) {
    if let nearest = Suggestion.nearest(to: entry.key, among: known) { suggested.insert(nearest) }
    error("unknown key \(inQuotes(entry.key))\(Suggestion.text(for: entry.key, among: known))", at: entry.position)
  }
}
