import BelfryModel

/// An error of a database or of its content. The store translates it before users see it.
package protocol DatabaseFault: Error {}

/// The fault of a table with a value that Belfry never writes.
package struct StoredValueFault: RecordFault, DatabaseFault {
  /// The fault, with its place once that is known.
  package let message: String
  private let column: Int?
  private let isPlaced: Bool

  /// A fault of a value whose table and row are not known yet.
  package init(_ message: String, _ column: Int? = nil) {
    (self.message, self.column, isPlaced) = (message, column, false)
  }

  private init(placed message: String) {
    (self.message, column, isPlaced) = (message, nil, true)
  }

  /// The fault with its table, row and column, as far as the statement on that row knows them.
  func placed(in statement: any PreparedStatement) -> StoredValueFault {
    guard !isPlaced else { return self }
    // An expression has no table; the statement's own is that of its first column.
    let table = column.flatMap(statement.tableName) ?? statement.tableName(0)
    var words = [table.map { "table \($0)" }, table.flatMap { Self.row(statement, of: $0, besides: column) }]
    if let column { words.append(statement.columnName(column).map { "column \($0)" }) }
    let place = words.compactMap(\.self).joined(separator: ", ")
    return StoredValueFault(placed: place.isEmpty ? message : "\(place): \(message)")
  }

  // The column that identifies the row.
  private static func row(_ statement: any PreparedStatement, of table: String, besides fault: Int?) -> String? {
    for column in 0..<statement.columnCount where column != fault && statement.tableName(column) == table {
      guard let name = statement.columnName(column), ["id", "owner_id", "uuid"].contains(name) else { continue }
      switch statement.cell(column) {
      case .integer(let number): return name == "id" ? "row \(number)" : "\(name) \(number)"
      case .bytes(let bytes): return "uuid \(hexadecimal(bytes))"
      case .identity(let uuid): return "uuid \(uuid)"
      default: continue
      }
    }
    return nil
  }

  private static func hexadecimal(_ bytes: UnsafeRawBufferPointer) -> String {
    "x'" + bytes.prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
  }
}
