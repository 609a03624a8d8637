import CSQLite
import Foundation
import GRDB

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

/// One run of a prepared statement.
///
/// Bound and read here, directly: a damaged table then throws where GRDB's rows would trap, and a row costs a fraction.
struct SQLStatement {
  private let owner: Statement
  private let pointer: OpaquePointer

  /// A run of a statement that is not running, with values in place of its question marks.
  init<each Value: SQLBindable>(_ owner: Statement, _ values: repeat each Value) throws {
    self.owner = owner
    pointer = owner.sqliteStatement
    var binder = SQLBinder(statement: pointer)
    repeat (each values).bind(with: &binder)
    guard binder.code == SQLITE_OK else { throw failure() }
  }

  /// Steps through every row, then makes the statement ready for its next run.
  func run(_ body: (SQLRow) throws -> Void) throws {
    defer { reset() }
    while try step() {
      do {
        try body(SQLRow(statement: pointer))
      } catch let fault as StoredValueFault {
        throw fault.placed(in: pointer)
      }
    }
  }

  /// Reads the first row, if there is one.
  func first<Element>(_ make: (SQLRow) throws -> Element) throws -> Element? {
    defer { reset() }
    guard try step() else { return nil }
    do {
      return try make(SQLRow(statement: pointer))
    } catch let fault as StoredValueFault {
      throw fault.placed(in: pointer)
    }
  }

  private func step() throws -> Bool {
    switch sqlite3_step(pointer) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw failure()
    }
  }

  private func reset() {
    sqlite3_reset(pointer)
    sqlite3_clear_bindings(pointer)
  }

  private func failure() -> DatabaseError {
    guard let connection = sqlite3_db_handle(pointer) else { return DatabaseError(resultCode: .SQLITE_MISUSE) }
    return DatabaseError(
      resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
      message: String(cString: sqlite3_errmsg(connection)))
  }
}
