extension String {
  /// The text as one shell word, quoted if necessary, for commands in messages.
  public var shellQuoted: String {
    let isPlain =
      !isEmpty && unicodeScalars.allSatisfy { $0.properties.isAlphabetic || "0123456789_-.".contains(Character($0)) }
    return isPlain ? self : "'" + replacing(scalar: "'", with: "'\\''") + "'"
  }
}
