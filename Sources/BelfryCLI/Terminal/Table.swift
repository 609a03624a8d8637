import BelfryModel

/// Rows in aligned columns, fitted to a terminal's width.
struct Table {
  struct Column {
    let title: String
    var isRightAligned = false
    /// True if it shrinks on a narrow terminal.
    var isFlexible = false
    /// True if it is never dropped; without such a column, the first flexible one is never dropped.
    var isSubject = false
    /// Its least width when it shrinks.
    var leastWidth = 8
  }

  /// One cell: a text with a style, which is applied after padding.
  struct Cell {
    let text: String
    var dress: (@Sendable (String) -> String)?

    init(_ text: String, _ dress: (@Sendable (String) -> String)? = nil) {
      self.text = text.visibleLine
      self.dress = dress
    }
  }

  let columns: [Column]
  /// True if a text that is wider than its column wraps, instead of being cut.
  let wraps: Bool
  private(set) var rows: [[Cell]] = []
  private static let gap = 2

  init(_ columns: [Column], wraps: Bool = false) { (self.columns, self.wraps) = (columns, wraps) }

  mutating func append(_ row: [Cell]) { rows.append(row) }

  /// The lines, titles first.
  ///
  /// - Parameter width: the terminal's columns, or `nil` to cut nothing.
  func lines(width: Int?, style: Style) -> [String] {
    let widths = fitted(to: width)
    let titles = columns.map { Cell($0.title, style.dim) }
    return ([titles] + rows).flatMap { wraps ? wrapped($0, widths) : [$0] }
      .map { line($0, widths, isolates: width != nil) }
  }

  private func wrapped(_ cells: [Cell], _ widths: [Int]) -> [[Cell]] {
    let pieces = zip(cells, widths).map { $0.text.pieces(to: $1) }
    return (0..<(pieces.map(\.count).max() ?? 0)).map { row in
      zip(cells, pieces).map { cell, pieces in Cell(row < pieces.count ? pieces[row] : "", cell.dress) }
    }
  }

  // Only a terminal gets directional isolates; a program gets the plain text.
  private func line(_ cells: [Cell], _ widths: [Int], isolates: Bool) -> String {
    var parts: [String] = []
    for (index, cell) in cells.enumerated() where widths[index] > 0 {
      let text = cell.text.truncated(to: widths[index])
      let padding = String(repeating: " ", count: max(0, widths[index] - text.displayWidth))
      let shown = isolates ? text.isolated : text
      let dressed = cell.dress?(shown) ?? shown
      if columns[index].isRightAligned {
        parts.append(padding + dressed)
      } else {
        parts.append(index == cells.count - 1 ? dressed : dressed + padding)
      }
    }
    return parts.joined(separator: String(repeating: " ", count: Self.gap))
  }

  // Flexible columns shrink, the widest first; then the last columns are dropped, but never the subject.
  private func fitted(to width: Int?) -> [Int] {
    let natural = columns.indices.map { index in
      rows.reduce(columns[index].title.displayWidth) { max($0, $1[index].text.displayWidth) }
    }
    guard let width else { return natural }
    let subject = columns.firstIndex(where: \.isSubject) ?? columns.firstIndex(where: \.isFlexible) ?? 0
    var widths = natural
    while total(widths) > width {
      let flexible = columns.indices.filter { columns[$0].isFlexible && widths[$0] > columns[$0].leastWidth }
      if let widest = flexible.max(by: { widths[$0] < widths[$1] }) {
        let next = flexible.filter { $0 != widest }.map { widths[$0] }.max() ?? 0
        let surplus = total(widths) - width
        widths[widest] = max(columns[widest].leastWidth, next - 1, widths[widest] - surplus)
      } else if let last = widths.indices.last(where: { widths[$0] > 0 && $0 != subject }) {
        widths = widths.indices.map { $0 == last || widths[$0] == 0 ? 0 : natural[$0] }
      } else {
        return widths.map { min($0, width) }
      }
    }
    return widths
  }

  private func total(_ widths: [Int]) -> Int {
    let shown = widths.filter { $0 > 0 }
    return shown.reduce(0, +) + Self.gap * max(0, shown.count - 1)
  }
}
