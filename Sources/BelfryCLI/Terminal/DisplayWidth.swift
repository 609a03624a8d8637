extension Character {
  /// The number of columns on a terminal: 0 for a lone mark, 2 for East Asian wide characters and emoji, else 1.
  ///
  /// By Unicode Standard Annex 11; ambiguous characters are narrow.
  var displayWidth: Int {
    guard let first = unicodeScalars.first else { return 0 }
    if first.isASCII { return 1 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    if first.properties.isEmojiPresentation || unicodeScalars.contains("\u{fe0f}") { return 2 }
    return Character.wide.contains { $0.contains(first.value) } ? 2 : 1
  }

  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115f, 0x231a...0x231b, 0x2329...0x232a, 0x2e80...0x303e, 0x3041...0x33ff, 0x3400...0x4dbf,
    0x4e00...0x9fff, 0xa000...0xa4cf, 0xa960...0xa97f, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f,
    0xff00...0xff60, 0xffe0...0xffe6, 0x17000...0x18cff, 0x1b000...0x1b2ff, 0x1f200...0x1f2ff, 0x20000...0x3fffd,
  ]
}

extension String {
  /// The number of columns on a terminal.
  var displayWidth: Int {
    // Most texts are ASCII, with one byte for each character. A table asks for the width of each cell several times.
    let count = count
    return count == utf8.count ? count : reduce(0) { $0 + $1.displayWidth }
  }

  /// The text cut to at most `width` columns, the last one `…`.
  func truncated(to width: Int) -> String {
    guard displayWidth > width else { return self }
    var kept = ""
    var used = 1
    for character in self {
      used += character.displayWidth
      if used > width { break }
      kept.append(character)
    }
    return width > 0 ? kept + "…" : ""
  }

  /// The text in lines of at most `width` columns, split between words if they fit.
  func pieces(to width: Int) -> [String] {
    guard width > 0, displayWidth > width else { return [self] }
    return wrapped(to: width).flatMap { line in
      var pieces = [""]
      for character in line {
        let fits = (pieces[pieces.count - 1] + String(character)).displayWidth <= width
        if fits || pieces[pieces.count - 1].isEmpty {
          pieces[pieces.count - 1].append(character)
        } else {
          pieces.append(String(character))
        }
      }
      return pieces
    }
  }

  /// The text followed by spaces up to `width` columns.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - displayWidth))
  }
}
