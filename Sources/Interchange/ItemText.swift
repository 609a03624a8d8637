import BelfryModel

/// The text of an item, split into its first line and the rest.
struct ItemText {
  /// The first line that is not blank.
  let text: String
  /// The lines after it, joined by LF.
  let notes: String

  /// The parts of a text.
  ///
  /// - Parameter field: the name of the text's field, for the fault.
  /// - Throws: a fault when the text is blank or holds a NUL.
  init(_ raw: String, field: String) throws(EntryFault) {
    // Most texts are one line of ASCII.
    if raw.utf8.allSatisfy({ 0x20...0x7E ~= $0 }), raw.utf8.contains(where: { $0 != 0x20 }) {
      (text, notes) = (raw, "")
      return
    }
    guard !raw.utf8.contains(0) else { throw EntryFault(reason: "its \(field) holds a NUL character") }
    var rest = raw[...]
    var line = Self.removeLine(from: &rest)
    while Self.isBlank(line), !rest.isEmpty { line = Self.removeLine(from: &rest) }
    guard !Self.isBlank(line) else { throw EntryFault(reason: "its \(field) is empty") }
    text = String(line)
    notes = Self.isBlank(rest) ? "" : Self.withUniformLineEnds(rest)
  }

  /// The content of an item of a program that has no other fields, or has them as properties.
  func content(notes others: String? = nil, reminds: Bool) -> ItemContent {
    ItemContent(
      text: text, notes: [notes, others ?? ""].filter { !$0.isEmpty }.joined(separator: "\n"), shouldRemind: reminds,
      alerts: [], nag: nil, category: nil, key: nil, tags: .empty, priority: nil, properties: [])
  }

  /// The lines of a text joined into one.
  static func singleLine(_ raw: String, field: String) throws(EntryFault) -> String {
    let parts = try ItemText(raw, field: field)
    let rest = parts.notes.split(separator: "\n").filter { !isBlank($0) }
    return ([parts.text[...]] + rest).joined(separator: " ")
  }

  /// Removes the first line of a text with its line break.
  private static func removeLine(from text: inout Substring) -> Substring {
    let end = text.firstIndex(where: \.isNewline) ?? text.endIndex
    let line = text[..<end]
    text = text[end...].dropFirst()
    return line
  }

  private static func withUniformLineEnds(_ text: Substring) -> String {
    var result = ""
    for character in text { result.append(character.isNewline ? "\n" : character) }
    return result
  }

  private static func isBlank(_ line: Substring) -> Bool { line.unicodeScalars.allSatisfy(\.properties.isWhitespace) }
}
