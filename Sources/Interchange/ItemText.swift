/// The text of an item, which the apps let have many lines, as one line and the rest.
struct ItemText {
  /// The first line that is not blank.
  let text: String
  /// The lines behind it, joined by LF.
  let notes: String

  /// The parts of a text.
  ///
  /// - Parameter field: the name of the text's field, for the fault.
  /// - Throws: a fault when the text is blank or holds a NUL.
  init(_ raw: String, field: String) throws(EntryFault) {
    guard !raw.utf8.contains(0) else { throw EntryFault(reason: "its \(field) holds a NUL character") }
    let lines = Self.lines(of: raw)
    guard let first = lines.firstIndex(where: { !Self.isBlank($0) }) else {
      throw EntryFault(reason: "its \(field) is empty")
    }
    text = String(lines[first])
    let rest = lines[(first + 1)...]
    notes = rest.allSatisfy(Self.isBlank) ? "" : rest.joined(separator: "\n")
  }

  /// The lines of a text in one, for what cannot have more.
  static func singleLine(_ raw: String, field: String) throws(EntryFault) -> String {
    let parts = try ItemText(raw, field: field)
    let rest = lines(of: parts.notes).filter { !isBlank($0) }
    return ([parts.text[...]] + rest).joined(separator: " ")
  }

  private static func lines(of text: String) -> [Substring] {
    guard text.unicodeScalars.contains(where: { Character($0).isNewline }) else { return [text[...]] }
    return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
  }

  private static func isBlank(_ line: Substring) -> Bool { line.allSatisfy(\.isWhitespace) }
}
