import BelfryModel
import CivilTime
import FoundationEssentials

/// A program's table in which each row is a task.
protocol TaskTable {
  /// The columns that have a special meaning, by their names in lower case; all others are kept as properties.
  associatedtype Column: RawRepresentable<String>

  /// The program's name in properties: `TICKTICK`.
  static var program: String { get }
  /// The header in messages: `the header of a TickTick backup, "List Name","Title",…`.
  static var header: String { get }
  /// The most rows before the header.
  static var rowsBeforeHeader: Int { get }

  /// True for the names of the columns, in lower case.
  static func isHeader(_ names: [String]) -> Bool

  /// A reader of the rows.
  ///
  /// - Parameter bytes: the table, at whose start it may peek.
  init(_ bytes: ByteSource, context: ImportContext) throws

  /// The use of a column, for people; `nil` for a column that is kept as a property.
  func meaning(of column: Column) -> String?

  func entry(_ row: NamedRow<Column>) throws(EntryFault) -> ImportEntry
}

/// The use of a column's value.
enum ColumnUse {
  /// A field of the item holds it.
  case taken
  /// No field can hold it; a property keeps it.
  case kept
  /// Its field cannot hold it, since it is not understood; a property keeps it, and the user is notified.
  case notUnderstood
}

extension ImportedItem {
  /// Keeps a column's value as a property, if the item does not say it.
  mutating func keep(_ value: String, of column: String, by program: String, as use: ColumnUse) {
    guard use != .taken else { return }
    let property = ContentLine.name(program, column)
    content.properties.append(ContentLine.text(property, value))
    guard use == .notUnderstood else { return }
    notUnderstood.append("its \(column) \(inQuotes(value)) is not understood, and kept as \(property)")
  }
}

struct TaskTableSource<Table: TaskTable>: ColumnedSource {
  private let table: Table
  private var rows: TableReader
  private var names: [String] = []

  init(_ bytes: ByteSource, context: ImportContext) throws {
    table = try Table(bytes, context: context)
    rows = TableReader(bytes)
  }

  var columns: [ColumnMeaning] {
    names.map { name in
      let meaning = Table.Column(rawValue: name.lowercased()).flatMap(table.meaning)
      return ColumnMeaning(name: name, meaning: meaning ?? ContentLine.name(Table.program, name))
    }
  }

  mutating func next() throws -> ImportEntry? {
    if names.isEmpty { try readHeader() }
    switch try rows.next() {
    case nil: return nil
    case .failure(let refused)?: return .refusal(refused.refusal)
    case .success(let found)?:
      let row = NamedRow<Table.Column>(found, names: names)
      do throws(EntryFault) {
        return try table.entry(row)
      } catch {
        return .refusal(ImportRefusal(place: row.place, reason: error.reason))
      }
    }
  }

  private mutating func readHeader() throws {
    for _ in 0...Table.rowsBeforeHeader {
      guard case .success(let row)? = try rows.next() else { break }
      let found = row.fields.map { $0.trimmingWhitespace() }
      guard !Table.isHeader(found.map { $0.lowercased() }) else { return names = found }
    }
    throw ImportError(message: "expected \(Table.header)")
  }
}
