import CPostgres
import FoundationEssentials
import SQLRecords

/// A prepared statement of a connection, with the values and the rows of one run.
final class PostgresStatement: PreparedStatement {
  /// The rows of a large result that are fetched at once.
  private static let portion = 500

  private let connection: PostgresConnection
  private let statement: PostgresConnection.Statement
  /// The name of the cursor that the statement declares; `nil` for one that returns its rows itself.
  private let cursor: String?
  private var values: PostgresValues
  private var rows: PostgresResult?
  private var row: Int32 = -1
  private(set) var changes = 0

  init(_ connection: PostgresConnection, _ statement: PostgresConnection.Statement, cursor: String?) {
    (self.connection, self.statement, self.cursor) = (connection, statement, cursor)
    values = PostgresValues(count: statement.text.count)
  }

  func bind(_ value: SQLValue, at index: Int) { values.set(index, value) }

  func bind(_ number: Int64, at index: Int) { values.set(index, number.description) }

  func step() throws -> Bool {
    row += 1
    if let rows {
      if row < rows.count { return true }
      guard let cursor, rows.count == Self.portion else { return false }
      return try fetch(from: cursor)
    }
    if let placeholder = values.unstorable { throw statement.text.refusal(ofNULAt: placeholder) }
    let result = try connection.run(statement, values)
    changes = result.changes
    guard let cursor else {
      rows = result
      return result.count > 0
    }
    connection.openCursors += 1
    return try fetch(from: cursor)
  }

  private func fetch(from cursor: String) throws -> Bool {
    let fetched = try connection.run("FETCH \(Self.portion) FROM \(cursor)")
    (rows, row) = (fetched, 0)
    return fetched.count > 0
  }

  func cell(_ column: Int) -> SQLCell {
    var length: Int32 = 0
    guard let rows, let start = belfry_pg_value(rows.pointer, row, Int32(column), &length) else { return .null }
    let bytes = UnsafeRawBufferPointer(start: start, count: Int(length)).bindMemory(to: UInt8.self)
    // The type ids that never change in the server's catalogue.
    switch belfry_pg_type(rows.pointer, Int32(column)) {
    case 16: return .integer(bytes.first == UInt8(ascii: "t") ? 1 : 0)
    case 20, 21, 23: return Int64(String(decoding: bytes, as: UTF8.self)).map(SQLCell.integer) ?? .text(bytes)
    case 700, 701: return Double(String(decoding: bytes, as: UTF8.self)).map(SQLCell.real) ?? .text(bytes)
    case 2_950: return UUID(uuidString: String(decoding: bytes, as: UTF8.self)).map(SQLCell.identity) ?? .text(bytes)
    default: return .text(bytes)
    }
  }

  func reset() {
    if let cursor, rows != nil {
      // After an error of the server, the transaction can only be ended.
      _ = try? connection.run("CLOSE \(cursor)")
      connection.openCursors -= 1
    }
    (rows, row) = (nil, -1)
    values = PostgresValues(count: statement.text.count)
  }

  var columnCount: Int { rows.map { Int(belfry_pg_columns($0.pointer)) } ?? 0 }

  func columnName(_ column: Int) -> String? {
    rows.flatMap { belfry_pg_column($0.pointer, Int32(column)) }.map { String(cString: $0) }
  }

  func tableName(_ column: Int) -> String? {
    rows.flatMap { connection.tableName(belfry_pg_table($0.pointer, Int32(column))) }
  }
}

/// The values for a statement's placeholders, as texts that end with a zero byte.
struct PostgresValues {
  private var bytes: [CChar] = []
  /// The start of each value; `nil` for NULL.
  private var starts: [Int?]
  /// The first placeholder of a text with a NUL, which the server cannot store.
  private(set) var unstorable: Int?

  init(count: Int) { starts = Array(repeating: nil, count: count) }

  mutating func set(_ index: Int, _ value: SQLValue) {
    switch value {
    case .real(let number): set(index, number.description)
    case .text(let text): set(index, text)
    case .identity(let uuid): set(index, uuid.uuidString)
    case .bytes(let bytes): set(index, "\\x" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
    }
  }

  mutating func set(_ index: Int, _ text: String) {
    if text.utf8.contains(0) { unstorable = unstorable ?? index }
    starts[index] = bytes.count
    var text = text
    text.withUTF8 { bytes.append(contentsOf: UnsafeRawBufferPointer($0).bindMemory(to: CChar.self)) }
    bytes.append(0)
  }

  /// Passes the number of values and their addresses to `body`.
  func withAddresses<Result>(
    _ body: (Int32, UnsafePointer<UnsafePointer<CChar>?>?) throws -> Result
  ) rethrows -> Result {
    try bytes.withUnsafeBufferPointer { bytes in
      let values = starts.map { start in start.flatMap { bytes.baseAddress?.advanced(by: $0) } }
      return try values.withUnsafeBufferPointer { try body(Int32(starts.count), $0.baseAddress) }
    }
  }
}

/// The rows that a statement returned.
final class PostgresResult {
  let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) { self.pointer = pointer }

  deinit { belfry_pg_free(pointer) }

  var count: Int { Int(belfry_pg_rows(pointer)) }

  /// The first value; `nil` for none or NULL.
  var text: String? {
    var length: Int32 = 0
    guard count > 0 else { return nil }
    return belfry_pg_value(pointer, 0, 0, &length).map { String(cString: $0) }
  }

  /// The number of rows inserted, changed or deleted; of a result with columns, 0.
  var changes: Int {
    guard belfry_pg_columns(pointer) == 0 else { return 0 }
    return belfry_pg_changes(pointer).flatMap { Int(String(cString: $0)) } ?? 0
  }
}
