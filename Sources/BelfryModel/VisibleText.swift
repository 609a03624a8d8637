extension String {
  /// The text as one line that is safe for a terminal: line breaks and tabs become spaces, control characters `�`.
  public var visibleLine: String { visible { _ in false } }

  /// The text with its line breaks, safe for a terminal: other control characters become `�`.
  public var visibleLines: String { visible { $0 == "\n" } }

  /// The visible line in single quotes, cut after 60 characters (Unicode scalars).
  package var quotedLine: String {
    let line = visibleLine.unicodeScalars
    let start = String(line.prefix(60))
    return line.count > 60 ? "'\(start)…'" : "'\(start)'"
  }

  private func visible(keeping isKept: (Unicode.Scalar) -> Bool) -> String {
    // Most texts are ASCII without control characters.
    guard utf8.contains(where: { $0 < 0x20 || $0 > 0x7e }) else { return self }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar {
      case _ where isKept(scalar): text.append(scalar)
      case "\n", "\t", "\u{2028}", "\u{2029}": text.append(" ")
      // Embeddings, overrides and isolates reorder the text around them. No script needs them, unlike directional
      // marks.
      case "\u{202a}"..."\u{202e}", "\u{2066}"..."\u{2069}": text.append("\u{fffd}")
      default: text.append(scalar.properties.generalCategory == .control ? "\u{fffd}" : scalar)
      }
    }
    return String(text)
  }
}

extension String {
  /// The text as one shell word, quoted if necessary, for commands in messages.
  public var shellQuoted: String {
    let isPlain =
      !isEmpty && unicodeScalars.allSatisfy { $0.properties.isAlphabetic || "0123456789_-.".contains(Character($0)) }
    return isPlain ? self : "'" + replacing(scalar: "'", with: "'\\''") + "'"
  }
}
