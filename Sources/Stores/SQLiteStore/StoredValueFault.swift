import BelfryModel
import CSQLite

/// The fault of a table with a value that Belfry never writes.
package struct StoredValueFault: RecordFault {
  /// The fault, with its place once that is known.
  package let message: String
  private let column: Int32?
  private let isPlaced: Bool

  /// A fault of a value whose table and row are not known yet.
  package init(_ message: String, _ column: Int32? = nil) {
    (self.message, self.column, isPlaced) = (message, column, false)
  }

  private init(placed message: String) {
    (self.message, column, isPlaced) = (message, nil, true)
  }

  /// The fault with its table, row and column, as far as the statement on that row knows them.
  func placed(in statement: OpaquePointer) -> StoredValueFault {
    guard !isPlaced else { return self }
    // An expression has no table; the statement's own is that of its first column.
    let table = column.flatMap { Self.table(statement, $0) } ?? Self.table(statement, 0)
    var words = [table.map { "table \($0)" }, table.flatMap { Self.row(statement, of: $0, besides: column) }]
    if let column { words.append(Self.name(statement, column).map { "column \($0)" }) }
    let place = words.compactMap(\.self).joined(separator: ", ")
    return StoredValueFault(placed: place.isEmpty ? message : "\(place): \(message)")
  }

  // The columns that identify the row, as far as the statement has read them.
  private static func row(_ statement: OpaquePointer, of table: String, besides fault: Int32?) -> String? {
    for column in 0..<sqlite3_column_count(statement) where column != fault && self.table(statement, column) == table {
      guard let name = name(statement, column), ["id", "owner_id", "uuid"].contains(name) else { continue }
      switch sqlite3_column_type(statement, column) {
      case SQLITE_INTEGER:
        return name == "id"
          ? "row \(sqlite3_column_int64(statement, column))"
          : "\(name) \(sqlite3_column_int64(statement, column))"
      case SQLITE_BLOB: return "uuid \(hexadecimal(statement, column))"
      default: continue
      }
    }
    return nil
  }

  private static func hexadecimal(_ statement: OpaquePointer, _ column: Int32) -> String {
    let bytes = UnsafeRawBufferPointer(
      start: sqlite3_column_blob(statement, column), count: Int(sqlite3_column_bytes(statement, column)))
    return "x'" + bytes.prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
  }

  private static func table(_ statement: OpaquePointer, _ column: Int32) -> String? {
    belfry_sqlite_table_of_column(statement, column).map { String(cString: $0) }
  }

  private static func name(_ statement: OpaquePointer, _ column: Int32) -> String? {
    sqlite3_column_name(statement, column).map { String(cString: $0) }
  }
}
