import BelfryModel

/// A manual page of section 7, made from an article of the documentation, which is in Markdown.
struct GuidePage {
  /// The pages, each with the file of its article.
  static let articles = [("belfry-concepts.7", "Concepts.md"), ("belfry-recipes.7", "Recipes.md")]

  private var page: RoffPage
  private var lines: ArraySlice<String>

  /// The source of a page.
  static func source(_ name: String, article: String) -> String {
    var guide = GuidePage(String(name.prefix { $0 != "." }), article)
    guide.convert()
    return guide.page.text
  }

  private init(_ name: String, _ article: String) {
    page = RoffPage(name: name, section: 7, version: BelfryVersion.current)
    lines = article.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)[...].drop {
      $0.isEmpty || $0.hasPrefix("# ")
    }
    let abstract = takeParagraph()
    let subject = String(abstract.prefix { $0 != ":" && $0 != "." })
    page.name(name, subject.prefix(1).lowercased() + subject.dropFirst())
    page.heading("DESCRIPTION")
    page.alignLeft()
    page.paragraph(markdown: abstract)
  }

  private mutating func convert() {
    while let line = lines.first {
      if line.isEmpty || line == "## Overview" {
        lines.removeFirst()
      } else if line.hasPrefix("### ") {
        page.subheading(String(lines.removeFirst().dropFirst(4)))
      } else if line.hasPrefix("## ") {
        page.heading(String(lines.removeFirst().dropFirst(3)))
      } else if line.hasPrefix("```") {
        lines.removeFirst()
        page.example(Array(lines.prefix { !$0.hasPrefix("```") }))
        lines = lines.drop { !$0.hasPrefix("```") }.dropFirst()
      } else if Self.isRow(line) {
        convertTable()
      } else if let label = Self.label(of: line) {
        lines.removeFirst()
        let rest = takeParagraph()
        page.point(label, markdown: line.dropFirst(label.count + 1) + (rest.isEmpty ? "" : " \(rest)"))
      } else {
        page.paragraph(markdown: takeParagraph())
      }
    }
    page.heading("SEE ALSO")
    page.paragraph(ManualPages.everyPage.joined(separator: ", "))
  }

  // The lines of a paragraph, or the continuation lines of a list item.
  private mutating func takeParagraph() -> String {
    let paragraph = lines.prefix { line in
      !line.isEmpty && !line.hasPrefix("```") && !Self.isRow(line) && Self.label(of: line) == nil
    }
    lines = lines.dropFirst(paragraph.count)
    return paragraph.map { $0.trimmingWhitespace() }.joined(separator: " ")
  }

  // A row becomes an entry under its first cell, with the other cells under their titles.
  private mutating func convertTable() {
    let rows = lines.prefix(while: Self.isRow)
    lines = lines.dropFirst(rows.count)
    let titles = rows.first.map(Self.cells) ?? []
    for row in rows.dropFirst(2) {
      let cells = Self.cells(of: row)
      let words = zip(titles, cells).dropFirst().map { title, cell in
        titles.count > 2 && !title.isEmpty && !cell.isEmpty ? "\(title): \(cell)" : cell
      }
      page.entry(cells.first ?? "", markdown: words.filter { !$0.isEmpty }.joined(separator: "; "))
    }
  }

  // A row within a list item is indented.
  private static func isRow(_ line: String) -> Bool { line.drop { $0 == " " }.hasPrefix("|") }

  private static func cells(of row: String) -> [String] {
    row.trimmingWhitespace().split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map {
      String($0).trimmingWhitespace()
    }
  }

  // The label at the start of a list item, `-` or `1.`; `nil` for any other line.
  private static func label(of line: String) -> String? {
    if line.hasPrefix("- ") { return "-" }
    let digits = line.prefix { $0.isNumber }
    return !digits.isEmpty && line.dropFirst(digits.count).hasPrefix(". ") ? "\(digits)." : nil
  }
}
