extension String {
  /// The text as one line that a terminal can show: what would steer the terminal is a `�`.
  public var visibleLine: String { visible { _ in false } }

  /// The text with its line breaks, as a terminal can show it: what else would steer the terminal is a `�`.
  public var visibleLines: String { visible { $0 == "\n" } }

  private func visible(keeping isKept: (Unicode.Scalar) -> Bool) -> String {
    // ASCII without controls is what most texts are.
    guard utf8.contains(where: { $0 < 0x20 || $0 > 0x7e }) else { return self }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar {
      case _ where isKept(scalar): text.append(scalar)
      case "\n", "\t", "\u{2028}", "\u{2029}": text.append(" ")
      // Embeddings, overrides and isolates turn what stands around them; letters and marks of a script need none.
      case "\u{202a}"..."\u{202e}", "\u{2066}"..."\u{2069}": text.append("\u{fffd}")
      default: text.append(scalar.properties.generalCategory == .control ? "\u{fffd}" : scalar)
      }
    }
    return String(text)
  }
}
