import CivilTime

/// Rules for texts that people write.
package enum TextRules {
  /// A text of one line, trimmed.
  ///
  /// - Parameter hint: what to do about a line break.
  /// - Throws: ``BelfryError`` `.badInput` if it is empty, or has a line break or a control character other than tab.
  package static func line(_ text: String, what: String, hint: String = "put further lines into the notes") throws
    -> String
  {
    if isPlainLine(text) { return text }
    let trimmed = text.trimmingWhitespace()
    guard !trimmed.isEmpty else { throw BelfryError(.badInput, "\(what) is empty", hint: "write at least a word") }
    if let control = trimmed.unicodeScalars.first(where: { isControl($0) && $0 != "\t" }) {
      let name = name(of: control)
      throw BelfryError(
        .badInput, "\(what) holds \(name), which one line cannot have",
        hint: name == lineBreak ? hint : "leave that character out")
    }
    return trimmed
  }

  /// The name of a list: one line.
  ///
  /// - Throws: as ``line(_:what:hint:)``.
  package static func listName(_ text: String) throws -> String {
    try line(text, what: "the list's name", hint: "a name is one line")
  }

  /// The message of a list's own reminder: one line.
  ///
  /// - Throws: as ``line(_:what:hint:)``.
  package static func message(_ text: String) throws -> String {
    try line(text, what: "the message", hint: "a message is one line")
  }

  /// The key of an item: one line of 1 to 200 bytes.
  ///
  /// - Throws: ``BelfryError`` `.badInput` for another text.
  package static func key(_ text: String) throws -> String {
    let key = try line(text, what: "the key", hint: "a key is one line: leave that character out")
    guard key.utf8.count <= longestKey else {
      throw BelfryError(
        .badInput, "the key is \(key.utf8.count) bytes long", hint: "a key has at most \(longestKey) bytes")
    }
    return key
  }

  /// The most bytes of a key.
  private static let longestKey = 200

  /// A text of any number of lines; `nil` if it is blank.
  ///
  /// - Throws: ``BelfryError`` `.badInput` for a control character other than line feed and tab.
  package static func lines(_ text: String, what: String) throws -> String? {
    if text.isEmpty { return nil }
    if isPlainLine(text) { return text }
    let unified = text.replacing("\r\n", with: "\n")
    if let control = unified.unicodeScalars.first(where: { isControl($0) && $0 != "\n" && $0 != "\t" }) {
      throw BelfryError(.badInput, "\(what) hold \(name(of: control))", hint: "leave that character out")
    }
    return unified.unicodeScalars.allSatisfy(\.properties.isWhitespace) ? nil : unified
  }

  // A fast path: most texts are printable ASCII without white space at their ends.
  private static func isPlainLine(_ text: String) -> Bool {
    let bytes = text.utf8
    guard let first = bytes.first, let last = bytes.last, first > 0x20, last > 0x20 else { return false }
    return bytes.allSatisfy { 0x20...0x7E ~= $0 }
  }

  private static let lineBreak = "a line break"

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control || scalar == "\u{2028}" || scalar == "\u{2029}"
  }

  private static func name(of scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n", "\r", "\u{2028}", "\u{2029}": return lineBreak
    case "\0": return "a NUL character"
    default: return "the control character \(scalar.codePoint)"
    }
  }
}
