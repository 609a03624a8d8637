import BelfryModel

/// The fault of a table with a value that Belfry never writes.
struct StoredValueFault: RecordFault {
  /// The fault, with its place once that is known.
  let message: String
  private let column: Int?
  private let isPlaced: Bool

  /// A fault of a value whose table and row are not known yet.
  init(_ message: String, _ column: Int? = nil) {
    (self.message, self.column, isPlaced) = (message, column, false)
  }

  private init(placed message: String) {
    (self.message, column, isPlaced) = (message, nil, true)
  }

  /// The fault with its table, row and column, as far as the row knows them.
  func placed(in row: SQLRow, table name: (UInt32) -> String?) -> StoredValueFault {
    guard !isPlaced else { return self }
    // An expression has no table; the statement's own is that of its first column.
    let table = [column.map(row.table), row.table(0)].compactMap(\.self).first { $0 != 0 }
    var words = [table.flatMap(name).map { "table \($0)" }, table.flatMap { Self.identity(of: row, in: $0, column) }]
    if let column { words.append(row.name(column).map { "column \($0)" }) }
    let place = words.compactMap(\.self).joined(separator: ", ")
    return StoredValueFault(placed: place.isEmpty ? message : "\(place): \(message)")
  }

  // The column that identifies the row.
  private static func identity(of row: SQLRow, in table: UInt32, _ fault: Int?) -> String? {
    for column in 0..<row.count where column != fault && row.table(column) == table {
      guard let name = row.name(column), ["id", "owner_id", "uuid"].contains(name),
        let value = try? row.at(column) as String
      else { continue }
      return name == "id" ? "row \(value)" : "\(name) \(value)"
    }
    return nil
  }
}
