extension String {
  /// The text isolated from the direction of its surroundings: right-to-left text between U+2068 and U+2069, with
  /// unpaired isolates inside closed (Unicode Standard Annex 9). Other text is unchanged.
  ///
  /// Without isolates a bidirectional terminal reorders the columns around a Hebrew or Arabic cell.
  var isolated: String {
    guard !utf8.allSatisfy({ $0 < 0x80 }), unicodeScalars.contains(where: \.turnsText) else { return self }
    var text = String.UnicodeScalarView()
    var open = 0
    for scalar in unicodeScalars {
      switch scalar {
      case "\u{2066}", "\u{2067}", "\u{2068}": open += 1
      case "\u{2069}":
        // An unpaired isolate would end the outer one.
        guard open > 0 else { continue }
        open -= 1
      default: break
      }
      text.append(scalar)
    }
    return "\u{2068}" + String(text) + String(repeating: "\u{2069}", count: open + 1)
  }
}

extension Unicode.Scalar {
  /// True if it is written from right to left, or changes the direction of the following text.
  fileprivate var turnsText: Bool {
    switch value {
    case 0x0590...0x08ff, 0xfb1d...0xfdff, 0xfe70...0xfeff, 0x10800...0x10fff, 0x1e800...0x1efff: true
    case 0x200e...0x200f, 0x202a...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}
