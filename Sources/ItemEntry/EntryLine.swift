import BelfryModel
import CivilTime
import NaturalDates

/// A line that becomes an item: `Buy milk tomorrow 9am`.
package struct EntryLine: Equatable, Sendable {
  /// The text of the item.
  package let text: String
  /// The WHEN in the line, as written; `nil` for none.
  package let dueWords: String?
  /// The time of the WHEN on the clock of floating items.
  package let time: WallTime?

  /// The fields of the item.
  package var entry: ItemEntry {
    var entry = ItemEntry([.text: .text(text)])
    if let time { entry.values[.due] = .text("\(time)") }
    return entry
  }
}

extension EntryReader {
  /// The text and the time of a line that becomes an item.
  ///
  /// The time stands at the end, or at the beginning; see ``WhenParser/split(_:)``. A line in quotation marks or behind
  /// a backslash is all text, without these marks.
  ///
  /// - Throws: ``BelfryError`` `.badInput` for a line that is empty or no line.
  package func line(_ text: String) throws -> EntryLine {
    let line = try TextRules.line(text, what: "the text")
    if let plain = Self.unquoted(line) { return EntryLine(text: plain, dueWords: nil, time: nil) }
    guard let parts = parser(in: reading.planner.floatingZone).split(line) else {
      return EntryLine(text: line, dueWords: nil, time: nil)
    }
    return EntryLine(text: parts.text.trimmingWhitespace(), dueWords: parts.words, time: parts.time)
  }

  private static let marks: [(Character, Character)] = [
    ("\"", "\""), ("\u{201C}", "\u{201D}"), ("\u{201E}", "\u{201C}"),
  ]

  private static func unquoted(_ line: String) -> String? {
    guard let first = line.first, let last = line.last else { return nil }
    let inside = String(line.dropFirst())
    if first == "\\", !inside.allSatisfy(\.isWhitespace) { return inside.trimmingWhitespace() }
    guard marks.contains(where: { $0 == (first, last) }), !inside.dropLast().allSatisfy(\.isWhitespace) else {
      return nil
    }
    return String(inside.dropLast()).trimmingWhitespace()
  }
}
