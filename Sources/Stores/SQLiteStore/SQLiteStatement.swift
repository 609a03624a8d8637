import CSQLite
import FoundationEssentials
import SQLRecords

// SQLITE_TRANSIENT, which Swift cannot import: SQLite copies texts and blobs.
private nonisolated(unsafe) let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

final class SQLiteStatement: PreparedStatement {
  private let pointer: OpaquePointer
  /// The first failure to bind a value of this run.
  private var unbound: SQLiteError?

  init(_ pointer: OpaquePointer) { self.pointer = pointer }

  deinit { sqlite3_finalize(pointer) }

  /// True if a run has begun and not ended.
  var isBusy: Bool { sqlite3_stmt_busy(pointer) != 0 }

  func bind(_ value: SQLValue, at index: Int) {
    let place = Int32(index) + 1
    let code =
      switch value {
      case .real(let value): sqlite3_bind_double(pointer, place, value)
      case .text(let text): bind(text, at: place)
      case .identity(let uuid):
        withUnsafeBytes(of: uuid.uuid) {
          sqlite3_bind_blob(pointer, place, $0.baseAddress, Int32($0.count), copied)
        }
      // An empty array may have no address, and a null address would mean NULL.
      case .bytes(let bytes) where bytes.isEmpty: sqlite3_bind_zeroblob(pointer, place, 0)
      case .bytes(let bytes):
        bytes.withUnsafeBytes { sqlite3_bind_blob64(pointer, place, $0.baseAddress, UInt64($0.count), copied) }
      }
    note(code)
  }

  func bind(_ number: Int64, at index: Int) { note(sqlite3_bind_int64(pointer, Int32(index) + 1, number)) }

  private func note(_ code: Int32) {
    if code != SQLITE_OK, unbound == nil { unbound = failure() }
  }

  private func bind(_ text: String, at place: Int32) -> Int32 {
    var copy = text
    return copy.withUTF8 { bytes in
      // An empty text may have no address, and a null address would mean NULL.
      guard let start = bytes.baseAddress else { return sqlite3_bind_text(pointer, place, "", 0, copied) }
      return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
        sqlite3_bind_text64(pointer, place, $0, UInt64(bytes.count), copied, UInt8(SQLITE_UTF8))
      }
    }
  }

  func step() throws -> Bool {
    if let unbound { throw unbound }
    switch sqlite3_step(pointer) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw failure()
    }
  }

  func cell(_ column: Int) -> SQLCell {
    // Looked up once for its type and content. SQLite allows reading it, since one thread uses the connection.
    guard let value = sqlite3_column_value(pointer, Int32(column)) else { return .null }
    // Compared one by one, since a debug build takes longer for a switch over them.
    let type = sqlite3_value_type(value)
    if type == SQLITE_INTEGER { return .integer(sqlite3_value_int64(value)) }
    if type == SQLITE_NULL { return .null }
    if type == SQLITE_FLOAT { return .real(sqlite3_value_double(value)) }
    if type == SQLITE_BLOB {
      let start = sqlite3_value_blob(value)
      return .bytes(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
    }
    let start = sqlite3_value_text(value)
    return .text(UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value))))
  }

  func reset() {
    sqlite3_reset(pointer)
    sqlite3_clear_bindings(pointer)
    unbound = nil
  }

  var changes: Int { Int(sqlite3_changes(sqlite3_db_handle(pointer))) }

  var columnCount: Int { Int(sqlite3_column_count(pointer)) }

  func columnName(_ column: Int) -> String? { sqlite3_column_name(pointer, Int32(column)).map { String(cString: $0) } }

  func tableName(_ column: Int) -> String? {
    belfry_sqlite_table_of_column(pointer, Int32(column)).map { String(cString: $0) }
  }

  private func failure() -> SQLiteError { SQLiteError(SQLITE_MISUSE, of: sqlite3_db_handle(pointer)) }
}
