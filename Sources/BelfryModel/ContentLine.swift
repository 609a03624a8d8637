import ICalendar

/// Property lines as ``Item/properties`` keeps them: unfolded content lines (RFC 5545, section 3.1).
package enum ContentLine {
  /// The name of a property that keeps what a program has in a column or field: `X-TODOIST-DATE-LANG`.
  package static func name(_ program: String, _ column: String) -> String {
    let letters = column.uppercased().unicodeScalars.map { scalar in
      "A"..."Z" ~= scalar || "0"..."9" ~= scalar ? Character(scalar) : "-"
    }
    return "X-\(program)-" + String(letters)
  }

  /// `NAME:value`, the value escaped as a text (section 3.3.11).
  package static func text(_ name: String, _ value: String) -> String { "\(name):\(escaped(value))" }

  /// `NAME:one,two`, each value escaped.
  package static func texts(_ name: String, _ values: [String]) -> String {
    "\(name):\(values.map(escaped).joined(separator: ","))"
  }

  /// The CATEGORIES of a text that lists them, separated by one of these characters; none for a blank text.
  package static func categories(_ text: String?, separators: Set<Character>) -> [String] {
    let names = (text ?? "").split { separators.contains($0) }.map { String($0).trimmingWhitespace() }
    let named = names.filter { !$0.isEmpty }
    return named.isEmpty ? [] : [texts("CATEGORIES", named)]
  }

  /// The text of a line that is exactly `NAME:value`; `nil` for any other line.
  package static func text(of line: String, named name: String) -> String? {
    let values = texts(of: line, named: name)
    return values?.count == 1 ? values?[0] : nil
  }

  /// The texts of a line that is exactly `NAME:one,two`; `nil` for any other line.
  package static func texts(of line: String, named name: String) -> [String]? {
    guard line.utf8.starts(with: "\(name):".utf8) else { return nil }
    var values = [""]
    var isEscaped = false
    for scalar in line.unicodeScalars.dropFirst(name.unicodeScalars.count + 1) {
      if isEscaped {
        isEscaped = false
        values[values.count - 1].unicodeScalars.append(scalar == "n" || scalar == "N" ? "\n" : scalar)
      } else if scalar == "\\" {
        isEscaped = true
      } else if scalar == "," {
        values.append("")
      } else {
        values[values.count - 1].unicodeScalars.append(scalar)
      }
    }
    return values
  }

  private static func escaped(_ text: String) -> String {
    CalendarText.escaped(text.replacing("\r\n", with: "\n").replacing(scalar: "\r", with: "\n"))
  }
}
