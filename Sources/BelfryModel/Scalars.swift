extension String {
  /// The text with `replacement` in place of each `scalar`.
  ///
  /// A combining mark makes one `Character` with whatever stands before it, so that a search for the character `'` passes
  /// over a `'` with a mark behind it: what is escaped for a shell or a markup has to be found by its scalars.
  public func replacing(scalar: Unicode.Scalar, with replacement: String) -> String {
    guard unicodeScalars.contains(scalar) else { return self }
    var text = String.UnicodeScalarView()
    for other in unicodeScalars {
      if other == scalar { text.append(contentsOf: replacement.unicodeScalars) } else { text.append(other) }
    }
    return String(text)
  }

  /// The text without white space at its ends; a mark that combines with a space stays.
  public func trimmingWhitespace() -> String {
    let scalars = unicodeScalars
    guard let start = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let end = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[start...end])
  }
}
