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

  /// A section with declared keys.
  ///
  /// - Parameter make: builds the value from the checked section and reports errors between its keys; returns `nil`
  ///   only after reporting an error.
  public static func section(
    _ keys: [any ConfigKeyDescription], make: @escaping @Sendable (inout ConfigSection) -> Value?
  ) -> ConfigType {
    ConfigType(shape: .section(keys)) { node, report in
      guard case .mapping(let entries) = node.content else {
        report.mismatch(node, .section(keys))
        return nil
      }
      var section = ConfigSection(entries, at: node.position, keys: keys, context: report.context)
      let value = make(&section)
      report.append(section.drainDiagnostics())
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
      return entries.compactMap { entry in
        guard let name = ConfigType<String>.line.decode(entry.nameNode, &report) else { return nil }
        guard name == entry.key else {
          report.error("the name \(inQuotes(entry.key)) has white space at its ends", at: entry.position)
          return nil
        }
        return value.decode(entry.value, &report).map { make(name, $0) }
      }
    }
  }
}

extension ConfigEntry {
  /// A key of the user's choice as a value.
  fileprivate var nameNode: ConfigNode { ConfigNode(.scalar(ConfigScalar(key)), at: position) }
}
