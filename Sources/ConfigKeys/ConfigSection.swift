import CivilTime

/// A section of the config, whose keys are read one by one.
///
/// Reading a key declares it; the value of the property before is its default. The code that sets the properties also
/// runs on an empty section, to list the keys. Keys of the file that were not read are unknown.
public struct ConfigSection: Sendable {
  /// The start of the section.
  public let position: SourcePosition
  private let entries: [String: ConfigEntry]
  private var names: [String] = []
  private var missing: [String] = []
  private var values: [(key: String, value: any Sendable)] = []
  private var described: [ConfigKey]?
  private var report: ConfigReport

  /// The section with these entries.
  public init(_ entries: [ConfigEntry], at position: SourcePosition, context: ConfigContext) {
    self.position = position
    self.entries = Dictionary(entries.map { ($0.key, $0) }) { first, _ in first }
    report = ConfigReport(context: context)
  }

  /// The keys that some code reads, in its order.
  public static func keys(_ read: (inout ConfigSection) -> Void) -> [ConfigKey] {
    var section = ConfigSection([], at: .start, context: .empty)
    section.described = []
    read(&section)
    return section.described ?? []
  }

  /// The context in which the values are read.
  public var context: ConfigContext { report.context }
  /// True if an error was found so far, unknown and missing keys aside.
  public var hasErrors: Bool { report.hasErrors }

  /// Reads an optional key into a property, whose value is the default.
  @discardableResult
  public mutating func read<Value>(
    _ name: String, _ property: inout Value, _ type: ConfigType<Value>, _ summary: String
  ) -> KeyPlace {
    declare([name]) { ConfigKey(name, type.shape, summary, defaultText: type.write(property)) }
    if let value = decode(name, type) { property = value }
    return place(name)
  }

  /// Reads an optional key without a default.
  @discardableResult
  public mutating func read<Value>(
    _ name: String, _ property: inout Value?, _ type: ConfigType<Value>, _ summary: String
  ) -> KeyPlace {
    declare([name]) { ConfigKey(name, type.shape, summary) }
    property = decode(name, type)
    return place(name)
  }

  /// Reads a required key; `nil` if it is absent or invalid, which is reported.
  public mutating func require<Value>(_ name: String, _ type: ConfigType<Value>, _ summary: String) -> Value? {
    declare([name]) { ConfigKey(name, type.shape, summary, isRequired: true) }
    if entries[name] == nil { reportMissing(name) }
    return decode(name, type)
  }

  /// Reads the path of a file, by default in the user's data folder; `nil` if an error was reported.
  public mutating func dataFile(_ name: String, in file: String, _ summary: String) -> String? {
    declare([name]) { ConfigKey(name, .path, summary, defaultText: "$XDG_DATA_HOME/belfry/\(file)", dataFile: file) }
    if entries[name] != nil { return decode(name, ConfigType<String>.path) }
    guard let path = context.dataFile(file) else {
      error("the home folder is unknown: set HOME, or write a \(inQuotes(name))", at: position)
      return nil
    }
    return path
  }

  /// Reports an error that the types of single keys cannot find.
  public mutating func error(_ message: String, at position: SourcePosition) { report.error(message, at: position) }

  /// Reports a warning: the config is valid, but probably not as intended.
  public mutating func warning(_ message: String, at position: SourcePosition) { report.warning(message, at: position) }

  /// Reports that a key is missing, unless an unknown key is probably a misspelling of it.
  public mutating func reportMissing(_ name: String) { missing.append(name) }
}

extension ConfigSection {
  /// The position of a key's value; that of the section if the key is absent.
  package func position(of name: String) -> SourcePosition { entries[name]?.value.position ?? position }

  /// The values of one type that were read, each with its key.
  package func values<Value>(_ type: Value.Type) -> [(key: String, value: Value)] {
    values.compactMap { key, value in (value as? Value).map { (key, $0) } }
  }

  /// The keys of the section under a key, in the file's order, with their positions; `nil` if its value is no section.
  package func names(under name: String) -> [Located<String>]? {
    guard let node = entries[name]?.value else { return [] }
    guard case .mapping(let entries) = node.content else { return nil }
    return entries.map { Located($0.key, at: $0.position) }
  }

  /// The elements of the list under a key as written, invalid ones included; none if its value is no list.
  package func elements(under name: String) -> [ConfigNode] {
    if case .sequence(let nodes)? = entries[name]?.value.content { nodes } else { [] }
  }

  /// Reports unknown and missing keys, then returns all diagnostics and removes them.
  ///
  /// - Parameter others: known keys besides those that were read.
  package mutating func finish(knowing others: [String] = []) -> [ConfigDiagnostic] {
    let known = names + others
    var suggested: Set<String> = []
    for entry in entries.values where !known.contains(entry.key) {
      if let nearest = Suggestion.nearest(to: entry.key, among: known) { suggested.insert(nearest) }
      error("unknown key \(inQuotes(entry.key))\(Suggestion.text(for: entry.key, among: known))", at: entry.position)
    }
    for name in missing where !suggested.contains(name) { error("missing key \(inQuotes(name))", at: position) }
    return report.drain()
  }

  mutating func declare(_ names: [String], key: () -> ConfigKey) {
    self.names += names
    described?.append(key())
  }

  mutating func decode<Value>(_ name: String, _ type: ConfigType<Value>) -> Value? {
    guard let entry = entries[name], let value = type.decode(entry.value, &report) else { return nil }
    values.append((name, value))
    return value
  }

  /// The position of a key, or of a form of one.
  package func place(_ name: String, of key: String? = nil) -> KeyPlace {
    KeyPlace(
      name: key ?? name, isGiven: entries[name] != nil, key: entries[name]?.position ?? position,
      value: position(of: name))
  }
}
