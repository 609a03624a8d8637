import BelfryEngine
import BelfryModel
import FoundationEssentials

/// A transaction on a database.
///
/// The statements are the same for every database, as far as its dialect does not say otherwise.
package final class SQLTransaction: StoreTransaction {
  package let dialect: any SQLDialect
  /// The counters, so that a thousand new records do not query them each time. The store writes them before its commit.
  package var numbers: SQLNumbers
  /// The reason why the rows do not follow files that have changed, as the first of ``editFaults()``; `nil` for none.
  package var delay: String?
  package let connection: any SQLConnection
  private var leaveOut: ((any RecordFault) -> Void)?

  package init(_ connection: any SQLConnection, _ dialect: any SQLDialect, _ numbers: SQLNumbers = SQLNumbers()) {
    (self.connection, self.dialect, self.numbers) = (connection, dialect, numbers)
  }

  /// Changes rows. Returns how many.
  @discardableResult
  package func execute<each Value: SQLBindable>(_ sql: String, _ values: repeat each Value) throws -> Int {
    try connection.statement(sql).execute(repeat each values)
  }

  /// Visits the rows of a result, which may be a large one, until `body` says to stop.
  func visitRows<each Value: SQLBindable>(
    _ sql: String, _ values: repeat each Value, body: (SQLRow) throws -> VisitResult
  ) throws {
    try SQLStatement(prepared: connection.prepare(sql, isLong: true)).visit(
      repeat each values, leavingOut: leaveOut, body: body)
  }

  /// Visits every row of a table.
  func forEachRow(_ sql: String, body: (SQLRow) throws -> Void) throws {
    try visitRows(sql) {
      try body($0)
      return .next
    }
  }

  package func readingPastFaults<Result>(
    _ leaveOut: @escaping (any RecordFault) -> Void, _ body: () throws -> Result
  ) throws -> Result {
    let outer = self.leaveOut
    self.leaveOut = leaveOut
    defer { self.leaveOut = outer }
    return try body()
  }

  /// The rows of a small result.
  package func rows<Element, each Value: SQLBindable>(
    _ sql: String, _ values: repeat each Value, make: (SQLRow) throws -> Element
  ) throws -> [Element] {
    var elements: [Element] = []
    try connection.statement(sql).visit(repeat each values, leavingOut: leaveOut) {
      elements.append(try make($0))
      return .next
    }
    return elements
  }

  func firstRow<Element, each Value: SQLBindable>(
    _ sql: String, _ values: repeat each Value, make: (SQLRow) throws -> Element
  ) throws -> Element? {
    try connection.statement(sql).first(repeat each values, make: make)
  }

  package func savepoint<Output>(_ body: () throws -> Output) throws -> Result<Output, any Error> {
    let numbers = numbers
    try execute("SAVEPOINT part")
    do {
      let output = try body()
      try execute("RELEASE SAVEPOINT part")
      return .success(output)
    } catch let fault as any DatabaseFault {
      throw fault
    } catch {
      try execute("ROLLBACK TO SAVEPOINT part")
      try execute("RELEASE SAVEPOINT part")
      self.numbers = numbers
      return .failure(error)
    }
  }

  package func integer<each Value: SQLBindable>(_ sql: String, _ values: repeat each Value) throws -> Int64 {
    try firstRow(sql, repeat each values) { try $0.at(0) as Int64 } ?? 0
  }
}
