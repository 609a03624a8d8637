import BelfryEngine
import BelfryModel
import FoundationEssentials

/// A transaction on the database.
///
/// One that writes locks the store's row until its end, so that changes come one after another, each on top of the one
/// before.
final class PostgresTransaction: StoreTransaction {
  /// The rows of a large result that are fetched at once.
  private static let portion = 500

  let connection: PostgresConnection
  /// The counters, which are read once and written once.
  var numbers: Numbers
  private var leaveOut: ((any RecordFault) -> Void)?
  private var openCursors = 0
  private var tables: [UInt32: String] = [:]

  init(connection: PostgresConnection, numbers: Numbers) {
    self.connection = connection
    self.numbers = numbers
  }

  @discardableResult
  func execute<each Value: SQLBindable>(_ sql: String, _ values: repeat each Value) throws -> Int {
    try connection.run(sql, repeat each values).changes
  }

  /// Visits every row of a result, which may be a large one.
  func forEachRow<each Value: SQLBindable>(
    _ sql: String, _ values: repeat each Value, body: (SQLRow) throws -> Void
  ) throws {
    let cursor = "belfry_cursor_\(openCursors)"
    openCursors += 1
    defer { openCursors -= 1 }
    _ = try connection.run("DECLARE \(cursor) NO SCROLL CURSOR FOR \(sql)", repeat each values)
    do {
      var result: SQLResult
      repeat {
        result = try connection.run("FETCH \(Self.portion) FROM \(cursor)")
        for row in result.rows { try visit(row, body) }
      } while result.count == Self.portion
    } catch {
      // After an error of the server, the transaction can only be ended.
      if !(error is PostgresError) { _ = try connection.run("CLOSE \(cursor)") }
      throw error
    }
    _ = try connection.run("CLOSE \(cursor)")
  }

  private func visit(_ row: SQLRow, _ body: (SQLRow) throws -> Void) throws {
    do {
      try read(row, body)
    } catch let fault as StoredValueFault {
      guard let leaveOut else { throw fault }
      leaveOut(fault)
    }
  }

  private func read<Result>(_ row: SQLRow, _ body: (SQLRow) throws -> Result) throws -> Result {
    do {
      return try body(row)
    } catch let fault as StoredValueFault {
      throw fault.placed(in: row, table: tableName)
    }
  }

  private func tableName(_ number: UInt32) -> String? {
    if let known = tables[number] { return known }
    let found = try? connection.run("SELECT relname::text FROM pg_class WHERE oid = ?::bigint::oid", Int64(number))
    let name = found?.first.flatMap { try? $0.at(0) as String }
    tables[number] = name
    return name
  }

  func readingPastFaults<Result>(
    _ leaveOut: @escaping (any RecordFault) -> Void, _ body: () throws -> Result
  ) throws -> Result {
    let outer = self.leaveOut
    self.leaveOut = leaveOut
    defer { self.leaveOut = outer }
    return try body()
  }

  /// The rows of a small result.
  func rows<Element, each Value: SQLBindable>(
    _ sql: String, _ values: repeat each Value, make: (SQLRow) throws -> Element
  ) throws -> [Element] {
    var elements: [Element] = []
    for row in try connection.run(sql, repeat each values).rows {
      try visit(row) { elements.append(try make($0)) }
    }
    return elements
  }

  func firstRow<Element, each Value: SQLBindable>(
    _ sql: String, _ values: repeat each Value, make: (SQLRow) throws -> Element
  ) throws -> Element? {
    try connection.run(sql, repeat each values).first.map { try read($0, make) }
  }

  func integer<each Value: SQLBindable>(_ sql: String, _ values: repeat each Value) throws -> Int64 {
    try firstRow(sql, repeat each values) { try $0.at(0) as Int64 } ?? 0
  }
}
