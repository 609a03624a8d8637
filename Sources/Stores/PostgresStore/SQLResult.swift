import CPostgres

/// The rows that a statement returned.
final class SQLResult {
  fileprivate let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) { self.pointer = pointer }

  deinit { belfry_pg_free(pointer) }

  /// The rows.
  var rows: some Sequence<SQLRow> { (0..<count).lazy.map { SQLRow(result: self, row: Int32($0)) } }

  /// The first row; `nil` for none.
  var first: SQLRow? { count > 0 ? SQLRow(result: self, row: 0) : nil }

  /// The number of rows.
  var count: Int { Int(belfry_pg_rows(pointer)) }

  /// The number of rows inserted, changed or deleted; of a result with columns, 0.
  var changes: Int {
    guard belfry_pg_columns(pointer) == 0 else { return 0 }
    return belfry_pg_changes(pointer).flatMap { Int(String(cString: $0)) } ?? 0
  }
}

/// A row of a result.
struct SQLRow {
  fileprivate let result: SQLResult
  fileprivate let row: Int32

  /// The value of a column.
  func at<Value: SQLColumn>(_ index: Int) throws -> Value {
    guard 0..<count ~= index else { throw StoredValueFault("no such column", index) }
    return try withExtendedLifetime(result) {
      var length: Int32 = 0
      let value = belfry_pg_value(result.pointer, row, Int32(index), &length)
      let bytes = value.map { UnsafeRawBufferPointer(start: $0, count: Int(length)).bindMemory(to: UInt8.self) }
      return try Value(text: bytes, column: index)
    }
  }

  /// The number of columns.
  var count: Int { Int(belfry_pg_columns(result.pointer)) }

  /// The name of a column.
  func name(_ column: Int) -> String? { belfry_pg_column(result.pointer, Int32(column)).map { String(cString: $0) } }

  /// The number of a column's table; 0 for an expression.
  func table(_ column: Int) -> UInt32 { belfry_pg_table(result.pointer, Int32(column)) }
}
