/// A name or value for a message: in single quotes, cut after 60 characters, with all characters escaped that could
/// control a terminal or change the writing direction.
package func inQuotes(_ text: some StringProtocol) -> String {
  var shown = ""
  var rest = text.unicodeScalars[...]
  for scalar in rest.prefix(60) {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate:
      shown += scalar.escaped(asASCII: true)
    default: shown.unicodeScalars.append(scalar)
    }
  }
  rest = rest.dropFirst(60)
  return rest.isEmpty ? "'\(shown)'" : "'\(shown)…'"
}

extension Unicode.Scalar {
  /// The name of the scalar for a message: `U+0007`.
  package var codePoint: String {
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }
}
