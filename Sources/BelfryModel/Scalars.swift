// Foundation's normalisation needs ICU; this is the only one without.
@_spi(_Unicode) import Swift

extension String {
  /// The text with `replacement` in place of each `scalar`.
  ///
  /// Works on scalars, which escaping needs: a combining mark after `'` makes both one `Character`, so a search by
  /// characters would miss the `'`.
  public func replacing(scalar: Unicode.Scalar, with replacement: String) -> String {
    guard unicodeScalars.contains(scalar) else { return self }
    var text = String.UnicodeScalarView()
    for other in unicodeScalars {
      if other == scalar { text.append(contentsOf: replacement.unicodeScalars) } else { text.append(other) }
    }
    return String(text)
  }

  /// The text without white space at its ends. A space that carries a combining mark keeps the mark.
  package func trimmingWhitespace() -> String {
    let scalars = unicodeScalars
    guard let start = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let end = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[start...end])
  }

  /// The text in Unicode normalisation form C.
  package var canonicallyComposed: String { String(String.UnicodeScalarView(_nfc)) }
}
