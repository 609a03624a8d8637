import BelfryModel
import CSQLite

/// A type that can be read from a column.
package protocol SQLColumn {
  /// - Throws: ``StoredValueFault`` for a value of another type.
  init(value: OpaquePointer, column: Int32) throws
}

/// The current row of a statement; valid until its next step.
package struct SQLRow {
  fileprivate let statement: OpaquePointer

  package func at<Value: SQLColumn>(_ index: Int) throws -> Value {
    let column = Int32(index)
    // Looked up once for its type and content. SQLite allows to read it, since one thread uses the connection.
    guard let value = sqlite3_column_value(statement, column) else { throw StoredValueFault("no such column", column) }
    return try Value(value: value, column: column)
  }
}

/// A prepared statement, for any number of runs, one at a time.
///
/// A value of an unexpected type throws: no content of a file ends the process.
package final class SQLStatement {
  private let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) { self.pointer = pointer }

  deinit { sqlite3_finalize(pointer) }

  /// True if a run has begun and not ended.
  var isBusy: Bool { sqlite3_stmt_busy(pointer) != 0 }

  /// Visits every row, with values for the placeholders.
  package func run<each Value: SQLBindable>(_ values: repeat each Value, body: (SQLRow) throws -> Void) throws {
    try run(repeat each values, leavingOut: nil, body: body)
  }

  /// Visits every row, with values for the placeholders.
  ///
  /// - Parameter leaveOut: called for a row with values that Belfry never writes; where it is `nil`, the fault is
  ///   thrown.
  func run<each Value: SQLBindable>(
    _ values: repeat each Value, leavingOut leaveOut: ((any RecordFault) -> Void)?,
    body: (SQLRow) throws -> Void
  ) throws {
    defer { reset() }
    try bind(repeat each values)
    while try step() {
      do {
        try read(body)
      } catch let fault as StoredValueFault {
        guard let leaveOut else { throw fault }
        leaveOut(fault)
      }
    }
  }

  /// Reads the first row, if there is one.
  package func first<Element, each Value: SQLBindable>(
    _ values: repeat each Value, make: (SQLRow) throws -> Element
  ) throws -> Element? {
    defer { reset() }
    try bind(repeat each values)
    return try step() ? read(make) : nil
  }

  private func bind<each Value: SQLBindable>(_ values: repeat each Value) throws {
    var binder = SQLBinder(statement: pointer)
    repeat (each values).bind(with: &binder)
    guard binder.code == SQLITE_OK else { throw failure() }
  }

  private func step() throws -> Bool {
    switch sqlite3_step(pointer) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw failure()
    }
  }

  private func read<Result>(_ body: (SQLRow) throws -> Result) throws -> Result {
    do {
      return try body(SQLRow(statement: pointer))
    } catch let fault as StoredValueFault {
      throw fault.placed(in: pointer)
    }
  }

  // Resets the statement for its next run.
  private func reset() {
    sqlite3_reset(pointer)
    sqlite3_clear_bindings(pointer)
  }

  private func failure() -> SQLiteError { SQLiteError(SQLITE_MISUSE, of: sqlite3_db_handle(pointer)) }
}
