import BelfryEngine
import BelfryModel

/// A type that can be read from a column.
package protocol SQLColumn {
  /// - Throws: ``StoredValueFault`` for a value of another type.
  init(_ cell: SQLCell, column: Int) throws
}

/// The current row of a statement; valid until its next step.
package struct SQLRow {
  fileprivate let statement: any PreparedStatement

  package func at<Value: SQLColumn>(_ column: Int) throws -> Value {
    try Value(statement.cell(column), column: column)
  }
}

/// A prepared statement of any database.
///
/// A value of an unexpected type throws, so that no content of a database ends the process.
package struct SQLStatement {
  private let prepared: any PreparedStatement

  package init(prepared: any PreparedStatement) { self.prepared = prepared }

  /// Visits every row, with values for the placeholders.
  package func run<each Value: SQLBindable>(_ values: repeat each Value, body: (SQLRow) throws -> Void) throws {
    try visit(repeat each values, leavingOut: nil) {
      try body($0)
      return .next
    }
  }

  /// Visits rows, with values for the placeholders, until `body` says to stop.
  ///
  /// - Parameter leaveOut: called for a row with values that Belfry never writes; if it is `nil`, the fault is thrown.
  func visit<each Value: SQLBindable>(
    _ values: repeat each Value, leavingOut leaveOut: ((any RecordFault) -> Void)?,
    body: (SQLRow) throws -> VisitResult
  ) throws {
    defer { prepared.reset() }
    bind(repeat each values)
    while try prepared.step() {
      do {
        if try read(body) == .stop { return }
      } catch let fault as StoredValueFault {
        guard let leaveOut else { throw fault }
        leaveOut(fault)
      }
    }
  }

  /// Changes rows, with values for the placeholders. Returns how many.
  @discardableResult
  package func execute<each Value: SQLBindable>(_ values: repeat each Value) throws -> Int {
    defer { prepared.reset() }
    bind(repeat each values)
    while try prepared.step() {}
    return prepared.changes
  }

  /// Reads the first row, if there is one.
  package func first<Element, each Value: SQLBindable>(
    _ values: repeat each Value, make: (SQLRow) throws -> Element
  ) throws -> Element? {
    defer { prepared.reset() }
    bind(repeat each values)
    return try prepared.step() ? read(make) : nil
  }

  private func bind<each Value: SQLBindable>(_ values: repeat each Value) {
    var binder = SQLBinder(prepared)
    repeat (each values).bind(with: &binder)
  }

  private func read<Result>(_ body: (SQLRow) throws -> Result) throws -> Result {
    do {
      return try body(SQLRow(statement: prepared))
    } catch let fault as StoredValueFault {
      throw fault.placed(in: prepared)
    }
  }
}
