import CivilTime

/// A table of an unknown program, known by its header, so that its rows are not read as lines of todo.txt.
struct ForeignTable {
  private static let mostLines = 1_000

  private let header: Substring

  /// The table that the first lines of a file are, or contain; `nil` if there is none.
  ///
  /// - Parameter beginsWithTask: whether the first line has a mark of todo.txt.
  init?(_ lines: [Substring], beginsWithTask: Bool) {
    let plain = beginsWithTask ? nil : Self.plainHeader(lines)
    guard let found = Self.quotedHeader(lines) ?? plain ?? Self.ruledHeader(lines) else { return nil }
    header = found
  }

  var refusal: ImportError {
    ImportError(
      message: """
        \(inQuotes(header)) is the header of a table that Belfry does not know: of tables it reads csv (what \
        'belfry export --format csv' writes), todoist, ticktick and outlook; with --format todo.txt each line is an item
        """)
  }

  // Programs write the names of their columns in quotes, with which no task starts.
  private static func quotedHeader(_ lines: [Substring]) -> Substring? {
    lines.prefix(TickTickTable.rowsBeforeHeader).first { line in
      let cells = line.split { $0 == "," || $0 == ";" || $0 == "\t" }
      return cells.count > 1 && cells.allSatisfy { $0.count > 1 && $0.hasPrefix("\"") && $0.hasSuffix("\"") }
    }
  }

  // Names on the first line, and as many cells on the next.
  private static func plainHeader(_ lines: [Substring]) -> Substring? {
    guard lines.count > 1, let first = lines.first else { return nil }
    let separators: [Character] = [",", ";", "\t", "|"]
    let isHeader = separators.contains { separator in
      guard let names = cells(of: first, separator), names.count(where: { !$0.isEmpty }) > 1 else { return false }
      guard names.allSatisfy(isName) else { return false }
      // "Milk, eggs" is a sentence.
      let isSpaced = separator.isPunctuation && names.dropFirst().contains { $0.first == " " }
      guard !isSpaced || names.count > 2 else { return false }
      let next = cells(of: lines[1], separator)
      return next == nil || next?.count == names.count
    }
    return isHeader ? first : nil
  }

  // The line above a line such as `|---|---|`, as in Markdown.
  private static func ruledHeader(_ lines: [Substring]) -> Substring? {
    zip(lines.prefix(mostLines), lines.dropFirst()).first { line, rule in
      line.contains("|") && rule.contains("-") && rule.contains { $0 == "|" || $0 == "+" }
        && rule.allSatisfy { "|-:+= \t".contains($0) }
    }?.0
  }

  // The cells of a line; `nil` if the last one continues on the next line.
  private static func cells(of line: Substring, _ separator: Character) -> [Substring]? {
    var isQuoted = false
    let cells = line.split(omittingEmptySubsequences: false) { character in
      if character == "\"" { isQuoted.toggle() }
      return character == separator && !isQuoted
    }
    return isQuoted ? nil : cells
  }

  private static func isName(_ cell: Substring) -> Bool {
    let first = cell.first { $0 != " " && $0 != "\"" }
    return cell.count <= 40 && first.map { $0.isLetter || "#%_".contains($0) } ?? true
  }
}
