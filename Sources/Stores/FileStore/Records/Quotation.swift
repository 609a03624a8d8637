/// A text in double quotes, cut after 60 characters and without what could harm a terminal.
package func shown(_ text: String) -> String {
  let start = text.prefix(60).unicodeScalars.map { scalar in
    scalar.properties.generalCategory == .control ? "\u{FFFD}" : Character(scalar)
  }
  return "\"\(String(start))\(start.count < text.unicodeScalars.count ? "…" : "")\""
}
