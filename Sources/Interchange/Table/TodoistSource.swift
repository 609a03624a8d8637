import BelfryModel
import CivilTime
import FoundationEssentials

/// The tasks of a project that Todoist exported as CSV.
///
/// A row is a task, a section that the tasks after it belong to, or a note, a comment on the task before it.
struct TodoistSource: ColumnedSource {
  /// The columns that have a special meaning; all others are kept as properties.
  enum Column: String, CaseIterable {
    case type, content, description, priority, indent, author, responsible, date, timezone
    case language = "date_lang"
  }

  private enum Kind: String { case task, section, note, meta }

  private var rows: TableReader
  private let reader: TodoistTasks
  private var names: [String] = []
  private var section: String?
  /// The tasks above the current row: the INDENT of each, and whether it is an item.
  private var branch: [(indent: Int, isItem: Bool)] = []
  private var waiting: ImportEntry?

  init(_ bytes: ByteSource, context: ImportContext) {
    rows = TableReader(bytes)
    reader = TodoistTasks(context: context)
  }

  var columns: [ColumnMeaning] {
    names.map { name in ColumnMeaning(name: name, meaning: Self.meaning(Column(rawValue: name.lowercased()), name)) }
  }

  private static func meaning(_ column: Column?, _ name: String) -> String {
    switch column {
    case .type: "task: an item; section: \(TodoistTasks.property("section")); note: a line of the task's notes"
    case .content: "the text; its @labels: the tags"
    case .description: "the notes"
    case .priority: "the priority: high, medium and low for 1, 2 and 3; 4 is none"
    case .date, .language, .timezone: "the due date and the repeat, with a reminder"
    case .indent: "RELATED-TO, for a task below another"
    case .author, .responsible, nil: TodoistTasks.property(name)
    }
  }

  mutating func next() throws -> ImportEntry? {
    while let read = try rows.next() {
      let row: TableRow
      switch read {
      case .success(let found): row = found
      case .failure(let refused):
        // Without a header no row can be read, so the whole file is refused.
        if names.isEmpty { throw ImportError(message: "\(refused.refusal.place): \(refused.reason)") }
        if let entry = swap(.refusal(refused.refusal)) { return entry }
        continue
      }
      guard !names.isEmpty else {
        names = row.fields.map { $0.trimmingWhitespace() }
        guard Self.isHeader(names.map { $0.lowercased() }) else {
          throw ImportError(message: "\(row.place): expected the header of a Todoist export, TYPE,CONTENT,…")
        }
        continue
      }
      if let entry = take(TodoistRow(row, names: names)) { return entry }
    }
    defer { waiting = nil }
    return waiting
  }

  /// True for the names of the columns of a Todoist export.
  static func isHeader(_ names: [String]) -> Bool {
    Set([Column.type, .content].map(\.rawValue)).isSubset(of: names)
  }

  // The entry that this row completes. A task is complete once a row other than a note follows.
  private mutating func take(_ row: TodoistRow) -> ImportEntry? {
    let content = row[.content] ?? ""
    switch Kind(rawValue: row[.type]?.lowercased() ?? "") {
    case .task: return swap(task(row))
    case .section:
      section = content
      branch = []
      return swap(nil)
    case .note:
      guard case .item(var item, let list)? = waiting else { return swap(.leftOut("comment without a task")) }
      item.notes = [item.notes, content].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "\n")
      waiting = .item(item, list: list)
      return nil
    case .meta: return swap(.leftOut("setting of a view"))
    case nil:
      let type = row[.type].map { "is \(inQuotes($0)), not task, section or note" } ?? "is empty"
      return swap(.refusal(ImportRefusal(place: row.place, reason: "its TYPE \(type)")))
    }
  }

  private mutating func task(_ row: TodoistRow) -> ImportEntry {
    let indent = TodoistTasks.indent(of: row) ?? 1
    while let last = branch.last, last.indent >= indent { branch.removeLast() }
    let entry = reader.entry(row, section: section, depth: branch.count(where: \.isItem))
    let isItem = if case .item = entry { true } else { false }
    branch.append((indent, isItem))
    return entry
  }

  private mutating func swap(_ entry: ImportEntry?) -> ImportEntry? {
    defer { waiting = entry }
    return waiting
  }
}

/// A row of a project.
typealias TodoistRow = NamedRow<TodoistSource.Column>
