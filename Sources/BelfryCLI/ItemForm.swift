import BelfryEngine
import BelfryModel
import ConfigKeys
import FoundationEssentials
import ItemEntry

/// An item as a text for an editor: a line for each field, then the notes.
struct ItemForm: Equatable {
  /// A value and its line, from 1.
  struct Entry: Equatable {
    let value: String
    let line: Int
  }

  /// An error on a line.
  struct Problem: Error, Equatable {
    let line: Int
    let message: String
  }

  private(set) var entries: [ItemField: Entry] = [:]

  /// The form of an item.
  init(_ listing: ItemListing) {
    for field in ItemField.allCases {
      entries[field] = Entry(value: Self.trimmed(field.row.show(listing), field), line: 0)
    }
  }

  /// Parses an edited form; a missing key leaves its field unchanged.
  ///
  /// - Throws: ``ItemFormProblems`` with every line that is not a field.
  init(parsing text: String) throws {
    var problems: [Problem] = []
    let lines = text.linesOfAnyEnd
    for (index, line) in lines.enumerated() where !Self.isPassedOver(line) {
      let parts = Self.parts(line)
      let name = Self.trimmed(parts[0])
      guard parts.count == 2, let key = ItemField(rawValue: name) else {
        problems.append(Problem(line: index + 1, message: Self.unknown(name)))
        continue
      }
      if entries[key] != nil { problems.append(Problem(line: index + 1, message: "a second '\(name)'")) }
      guard key.isLast else {
        entries[key] = Entry(value: Self.trimmed(parts[1]), line: index + 1)
        continue
      }
      let first = Self.trimmed(parts[1])
      let rest = lines[(index + 1)...].joined(separator: "\n")
      entries[key] = Entry(value: Self.trimmed(first.isEmpty ? rest : "\(first)\n\(rest)", key), line: index + 1)
      break
    }
    guard problems.isEmpty else { throw ItemFormProblems(problems: problems) }
  }

  /// The text for the editor.
  ///
  /// - Parameter title: the text of the first line.
  func text(title: String) -> String {
    let hints = ItemField.allCases.compactMap { field in field.row.hint.map { "# \(field.rawValue): \($0)" } }
    let lines = ItemField.allCases.map { key in
      let value = entries[key]?.value ?? ""
      return key.isLast
        ? "\(key.rawValue):\n\(value)" : value.isEmpty ? "\(key.rawValue):" : "\(key.rawValue): \(value)"
    }
    return """
      # \(title)
      # Change the values after the colons, save, and leave the editor. An empty field has no value.
      \(hints.joined(separator: "\n"))
      # notes: all lines below

      \(lines.joined(separator: "\n"))

      """
  }

  /// The entries that differ in another form.
  func changes(in other: ItemForm) -> [ItemField: Entry] {
    other.entries.filter { entries[$0.key]?.value != $0.value.value }
  }

  private static func unknown(_ name: String) -> String {
    let known = ItemField.allCases.map(\.rawValue)
    let hint = Suggestion.nearest(to: name, among: known).map { "did you mean '\($0):'?" }
    return "'\(name)' is not a field: \(hint ?? "the fields are \(known.joined(separator: ", "))")"
  }

  /// True for the line after which all other lines belong to the last field.
  static func beginsLastField(_ line: Substring) -> Bool {
    let parts = parts(line)
    return parts.count == 2 && ItemField(rawValue: trimmed(parts[0]))?.isLast == true
  }

  private static func parts(_ line: Substring) -> [Substring] {
    line.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false).map { Substring($0) }
  }

  private static func isPassedOver(_ line: Substring) -> Bool {
    line.utf8.first == UInt8(ascii: "#") || line.unicodeScalars.allSatisfy(\.properties.isWhitespace)
  }

  private static func trimmed(_ text: Substring) -> String { String(text).trimmingWhitespace() }

  // Notes keep their white space, except for the line break that editors add at the end.
  private static func trimmed(_ text: String, _ key: ItemField) -> String {
    guard key.isLast else { return trimmed(text[...]) }
    return String(text.reversed().drop(while: \.isNewline).reversed())
  }
}

extension ItemField {
  /// True for the field that takes all lines to the form's end.
  fileprivate var isLast: Bool { if case .lines = row.kind { true } else { false } }
}

/// All errors in a form.
struct ItemFormProblems: Error {
  let problems: [ItemForm.Problem]
}
