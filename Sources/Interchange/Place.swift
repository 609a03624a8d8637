/// Names of places in a file.
enum Place {
  /// A name from a file in single quotes, made fit for a terminal: at most 40 characters, control characters escaped.
  static func quoted(_ name: some StringProtocol) -> String { "'\(shown(name))'" }

  /// The same without quotation marks.
  static func shown(_ name: some StringProtocol) -> String {
    let end = name.index(name.startIndex, offsetBy: 40, limitedBy: name.endIndex) ?? name.endIndex
    let shown = name[..<end].unicodeScalars.prefix(160).map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: scalar.escaped(asASCII: true)
      default: String(scalar)
      }
    }
    return "\(shown.joined())\(end < name.endIndex ? "…" : "")"
  }
}
