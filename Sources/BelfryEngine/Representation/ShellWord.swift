extension String {
  /// The text as one word of a shell, for commands that a message names.
  public var shellQuoted: String {
    let isPlain =
      !isEmpty && unicodeScalars.allSatisfy { $0.properties.isAlphabetic || "0123456789_-.".contains(Character($0)) }
    return isPlain ? self : "'" + replacing(scalar: "'", with: "'\\''") + "'"
  }
}
