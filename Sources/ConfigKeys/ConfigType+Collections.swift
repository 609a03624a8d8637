import CivilTime

extension ConfigType {
  /// A list of values; invalid ones are reported and left out.
  public static func list<Element>(of element: ConfigType<Element>) -> ConfigType where Value == [Element] {
    let write: @Sendable ([Element]) -> String? = { values in
      let texts = values.compactMap(element.write)
      return texts.count == values.count ? "[\(texts.joined(separator: ", "))]" : nil
    }
    return ConfigType(shape: .list(element.shape), write: write) { node, report in
      guard case .sequence(let nodes) = node.content else {
        report.mismatch(node, .list(element.shape))
        return nil
      }
      return nodes.compactMap { element.decode($0, &report) }
    }
  }

  /// A section with keys of its own.
  ///
  /// - Parameter read: reads every key each time, whatever the values, and reports errors between them; returns `nil` only
  ///   if a required key has no value or an error was reported.
  public static func section(_ read: @escaping @Sendable (inout ConfigSection) -> Value?) -> ConfigType {
    @Sendable func shape() -> ConfigShape { .section(ConfigSection.keys { _ = read(&$0) }) }
    return ConfigType(shape: shape()) { node, report in
      guard case .mapping(let entries) = node.content else {
        report.mismatch(node, shape())
        return nil
      }
      var section = ConfigSection(entries, at: node.position, context: report.context)
      let value = read(&section)
      report.append(section.finish())
      return value
    }
  }

  /// A section with names of the user's choice as keys, in the file's order.
  ///
  /// - Parameters:
  ///   - value: the type of the values.
  ///   - make: combines a name and its value.
  public static func map<Input, Element>(
    of value: ConfigType<Input>, make: @escaping @Sendable (_ name: String, Input) -> Element
  ) -> ConfigType where Value == [Element] {
    ConfigType(shape: .map(value.shape)) { node, report in
      guard case .mapping(let entries) = node.content else {
        report.mismatch(node, .map(value.shape))
        return nil
      }
      // A loop, since 'compactMap' over a type that is not known here looks up conformances at each start.
      var elements: [Element] = []
      for entry in entries {
        guard let name = ConfigType<String>.line.decode(entry.nameNode, &report) else { continue }
        guard name == entry.key else {
          report.error("the name \(inQuotes(entry.key)) has white space at its ends", at: entry.position)
          continue
        }
        if let input = value.decode(entry.value, &report) { elements.append(make(name, input)) }
      }
      return elements
    }
  }
}

extension ConfigEntry {
  /// A key of the user's choice as a value.
  fileprivate var nameNode: ConfigNode { ConfigNode(.scalar(ConfigScalar(key)), at: position) }
}
