import ConfigKeys

extension Configuration {
  /// The config as a complete file: its own values, and the default of every key that it leaves out.
  ///
  /// Secrets are `<redacted>`, but the places where they are kept are shown. Paths are absolute. Keys are in the order
  /// of the reference; those without a value or default are left out.
  public var effectiveText: String { effectiveLines.map(\.text).joined(separator: "\n") }

  /// The lines of ``effectiveText``, with the places from which they come.
  public var effectiveLines: [EffectiveLine] {
    let writer = EffectiveConfig(context: context)
    return schema.keys.flatMap { key in
      let lines = writer.lines(entries, keys: [key])
      return key.names.contains(where: defaultKeys.contains) ? lines.map { EffectiveLine($0.text) } : lines
    }
  }

  /// The position of a route in the file.
  ///
  /// - Parameter index: its place in ``Settings/routes``.
  public func position(ofRoute index: Int) -> SourcePosition? {
    routePositions.indices.contains(index) ? routePositions[index] : nil
  }
}

/// A line of the effective config.
public struct EffectiveLine: Hashable, Sendable {
  /// The line as YAML, without the line break; secrets are masked.
  public let text: String
  /// The place of its key, or of its section, in the file; `nil` for a default.
  public let position: SourcePosition?

  init(_ text: String, at position: SourcePosition? = nil) {
    (self.text, self.position) = (text, position)
  }

  fileprivate func indented(by start: String = "  ") -> EffectiveLine { EffectiveLine(start + text, at: position) }
}

/// Writes a checked section with the defaults of its keys.
private struct EffectiveConfig {
  let context: ConfigContext

  /// The lines of a section.
  func lines(_ entries: [ConfigEntry], keys: [ConfigKey]) -> [EffectiveLine] {
    keys.flatMap { key in
      let given = entries.filter { key.names.contains($0.key) }
      return given.isEmpty ? absent(key) : given.flatMap { lines($0.key, $0, key.shape(of: $0.key)) }
    }
  }

  private func absent(_ key: ConfigKey) -> [EffectiveLine] {
    if let text = key.defaultText(in: context) { return [EffectiveLine("\(key.name): \(text)")] }
    // A section with a required key has no default.
    guard case .section(let keys) = key.shape, !keys.contains(where: \.isRequired) else { return [] }
    let inner = lines([], keys: keys)
    return inner.isEmpty ? [] : [EffectiveLine("\(key.name):")] + inner.map { $0.indented() }
  }

  private func lines(_ name: String, _ entry: ConfigEntry, _ shape: ConfigShape) -> [EffectiveLine] {
    let (node, position) = (entry.value, entry.position)
    switch (node.content, shape) {
    case (.sequence(let nodes), .list(.section(let keys))):
      guard !nodes.isEmpty else { return [EffectiveLine("\(name): []", at: position)] }
      let items = nodes.flatMap { node in
        section(node, keys).enumerated().map { $0.element.indented(by: $0.offset == 0 ? "  - " : "    ") }
      }
      return [EffectiveLine("\(name):", at: position)] + items
    case (.sequence(let nodes), .list(let element)):
      return [EffectiveLine(flow(name, nodes, element), at: position)]
    case (.sequence(let nodes), _): return [EffectiveLine(flow(name, nodes, shape), at: position)]
    case (.mapping, _):
      let inner = content(node, shape)
      return [EffectiveLine(inner.isEmpty ? "\(name): {}" : "\(name):", at: position)] + inner.map { $0.indented() }
    case (.scalar(let scalar), _):
      return [EffectiveLine("\(name): \(text(scalar, node, shape))", at: position)]
    case (.null, _), (.invalid, _): return []
    }
  }

  private func content(_ node: ConfigNode, _ shape: ConfigShape) -> [EffectiveLine] {
    guard case .mapping(let entries) = node.content else { return [] }
    switch shape {
    case .plugin(let common, let plugins):
      let type = entries.first { $0.key == ConfigSchema.typeKey }?.value.content
      let plugin = plugins.first { type == .scalar(ConfigScalar($0.type)) }
      guard let plugin else { return [] }
      let keys = common + plugin.keys.filter { mayStand($0, beside: entries, plugin) }
      return lines(entries, keys: keys)
    case .section(let keys): return lines(entries, keys: keys)
    case .map(let element): return entries.flatMap { lines(name($0.key), $0, element) }
    default: return []
    }
  }

  // True if a key that is not set can be shown with its default: some keys need another key to be set.
  private func mayStand(
    _ key: ConfigKey, beside entries: [ConfigEntry], _ plugin: any ConfigPlugin.Type
  ) -> Bool {
    guard !entries.contains(where: { key.names.contains($0.key) }), key.defaultText(in: context) != nil else {
      return true
    }
    // An invalid value that was reported leaves the default.
    let added = ConfigEntry(key.name, at: .start, value: ConfigNode(.invalid, at: .start))
    var section = ConfigSection(entries + [added], at: .start, context: context)
    _ = plugin.init(&section)
    return !section.hasErrors
  }

  // A key is written plain if YAML reads it as a word, which excludes numbers and booleans.
  private func name(_ text: String) -> String {
    let isWord = text.utf8.allSatisfy {
      (0x61...0x7a).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_")
    }
    let isOther = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"].contains(text.lowercased())
    let startsAsWord = text.utf8.first.map { !(0x30...0x39).contains($0) } ?? false
    return isWord && startsAsWord && !isOther ? text : ConfigText.write(text)
  }

  private func section(_ node: ConfigNode, _ keys: [ConfigKey]) -> [EffectiveLine] {
    content(node, .section(keys))
  }

  private func flow(_ name: String, _ nodes: [ConfigNode], _ element: ConfigShape) -> String {
    let texts = nodes.map { node in
      if case .scalar(let scalar) = node.content { text(scalar, node, element) } else { "" }
    }
    return "\(name): [\(texts.joined(separator: ", "))]"
  }

  private func text(_ scalar: ConfigScalar, _ node: ConfigNode, _ shape: ConfigShape) -> String {
    switch shape {
    case .secret: return Secret.placeholder
    case .path:
      var report = ConfigReport(context: context)
      return ConfigText.write(ConfigType<String>.path.decode(node, &report) ?? scalar.text)
    case .choice, .duration, .calendarDuration, .rateLimit, .zone: return scalar.text
    default: return scalar.kind == .text ? ConfigText.write(scalar.text) : scalar.text
    }
  }
}
