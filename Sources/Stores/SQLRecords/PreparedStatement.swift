import FoundationEssentials

/// A value for a placeholder, apart from whole numbers.
package enum SQLValue {
  case real(Double)
  case text(String)
  case identity(UUID)
  case bytes([UInt8])
}

/// A value in a column of the current row. Its addresses are valid until the statement's next step.
package enum SQLCell {
  case null
  case integer(Int64)
  case real(Double)
  case text(UnsafeBufferPointer<UInt8>)
  case identity(UUID)
  case bytes(UnsafeRawBufferPointer)
}

/// A statement that a database has prepared, for any number of runs, one at a time.
///
/// Columns and placeholders are counted from 0.
package protocol PreparedStatement: AnyObject {
  /// Sets a placeholder. One that is not set is NULL. A failure is thrown by the next step.
  func bind(_ value: SQLValue, at index: Int)
  /// Sets a placeholder to a whole number, as most values are.
  func bind(_ number: Int64, at index: Int)
  /// Goes to the first or the next row. Returns false after the last one, when the run has ended.
  func step() throws -> Bool
  /// A value of the current row.
  func cell(_ column: Int) -> SQLCell
  /// Ends the run, and sets every placeholder to NULL.
  func reset()
  /// The rows that the last run inserted, changed or deleted.
  var changes: Int { get }

  var columnCount: Int { get }
  func columnName(_ column: Int) -> String?
  /// The table of a column; `nil` for an expression, or if the database does not know it.
  func tableName(_ column: Int) -> String?
}

/// A connection to a database, used by one thread at a time.
package protocol SQLConnection: AnyObject {
  /// Prepares a statement, in which `?` stands for its values in order, or `?1` for one that occurs more than once.
  ///
  /// - Parameter isLong: true for a query whose rows should not all be in memory at once.
  func prepare(_ sql: String, isLong: Bool) throws -> any PreparedStatement
}

extension SQLConnection {
  /// The statement for a text.
  package func statement(_ sql: String) throws -> SQLStatement {
    SQLStatement(prepared: try prepare(sql, isLong: false))
  }

  /// The first value of a statement's first row.
  package func value<Value: SQLColumn>(of sql: String) throws -> Value? {
    try statement(sql).first { try $0.at(0) }
  }
}
