import BelfryModel

/// The text of a statement, with `?` for its values in order, or `?1` for one that occurs more than once.
struct SQLText {
  private let sql: String
  /// The text with the placeholders of the server.
  let numbered: String
  let count: Int

  init(_ sql: String) {
    var (count, text) = (0, "")
    var rest = sql[...]
    while let mark = rest.firstIndex(of: "?") {
      text += rest[..<mark] + "$"
      rest = rest[rest.index(after: mark)...]
      if let number = Int(rest.prefix(while: \.isNumber)) {
        count = max(count, number)
      } else {
        count += 1
        text += "\(count)"
      }
    }
    (self.sql, numbered, self.count) = (sql, text + rest, count)
  }

  /// The error of a NUL in a text, with its table and column.
  func refusal(ofNULAt placeholder: Int) -> BelfryError {
    let place = [table, column(placeholder).map { "'\($0)'" }].compactMap(\.self).joined(separator: ", ")
    return BelfryError(
      .badInput, "\(place.isEmpty ? "a text" : place): a NUL character (U+0000) cannot be stored in PostgreSQL",
      hint: "remove it; nothing was changed")
  }

  private var words: [Substring] { sql.split { $0 == " " || $0 == "\n" } }

  // The table that is changed.
  private var table: String? {
    let words = words
    let index = words.first == "INSERT" ? 2 : words.first == "UPDATE" ? 1 : nil
    return index.flatMap { $0 < words.count ? String(words[$0]) : nil }
  }

  // The column that is set to a placeholder.
  private func column(_ placeholder: Int) -> String? {
    if words.first == "INSERT", let open = sql.firstIndex(of: "("), let close = sql.firstIndex(of: ")") {
      let names = sql[open..<close].dropFirst().split { $0 == "," || $0 == " " || $0 == "\n" }
      return placeholder < names.count ? String(names[placeholder]) : nil
    }
    let numbered = numbered.split { $0 == " " || $0 == "," || $0 == "\n" || $0 == ")" }
    guard let index = numbered.firstIndex(of: "$\(placeholder + 1)"), index >= 2 else { return nil }
    return String(numbered[index - 2])
  }
}
