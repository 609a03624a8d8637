import BelfryModel
import CSQLite

/// A value that a column can hold.
protocol SQLColumn {
  /// - Throws: ``StoredValueFault`` where the column holds something else.
  init(statement: OpaquePointer, column: Int32) throws
}

/// The row that a statement stands on; valid until its next step.
struct SQLRow {
  fileprivate let statement: OpaquePointer

  func at<Value: SQLColumn>(_ index: Int) throws -> Value {
    try Value(statement: statement, column: Int32(index))
  }
}

/// A statement that SQLite has taken apart, for any number of runs, one at a time.
///
/// A value of another type than the table has throws: whatever is in a file, nothing ends the process.
final class SQLStatement {
  private let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) { self.pointer = pointer }

  deinit { sqlite3_finalize(pointer) }

  /// Whether a run has begun and not ended.
  var isBusy: Bool { sqlite3_stmt_busy(pointer) != 0 }

  /// Steps through every row, with values in place of the question marks.
  func run<each Value: SQLBindable>(_ values: repeat each Value, body: (SQLRow) throws -> Void) throws {
    try run(repeat each values, leavingOut: nil, body: body)
  }

  /// Steps through every row, with values in place of the question marks.
  ///
  /// - Parameter leaveOut: called for a row that holds what Belfry never writes; where it is `nil`, that is thrown.
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
  func first<Element, each Value: SQLBindable>(
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

  // Ready for the next run.
  private func reset() {
    sqlite3_reset(pointer)
    sqlite3_clear_bindings(pointer)
  }

  private func failure() -> SQLiteError { SQLiteError(SQLITE_MISUSE, of: sqlite3_db_handle(pointer)) }
}
