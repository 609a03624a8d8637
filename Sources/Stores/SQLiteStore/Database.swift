import CSQLite
import SQLRecords

/// An error reported by SQLite.
package struct SQLiteError: DatabaseFault {
  /// SQLite's extended result code.
  let code: Int32
  package let message: String

  /// The last error of a connection; without a connection, the message for the code.
  init(_ code: Int32, of connection: OpaquePointer? = nil) {
    self.code = connection.map(sqlite3_extended_errcode) ?? code
    let words = connection.flatMap(sqlite3_errmsg) ?? sqlite3_errstr(code)
    message = words.map { String(cString: $0) } ?? "error \(code)"
  }

  package var primaryCode: Int32 { code & 0xff }
}

/// A connection to a database, used by one thread at a time, with its prepared statements.
package final class Database: SQLConnection {
  private var connection: OpaquePointer?
  private var lockTimeout = 0.0
  // Each statement once, with its text.
  private var prepared: [(sql: String, statement: SQLiteStatement)] = []
  // The place at which the search for the next statement begins, since the same statements follow each other for every
  // record.
  private var place = 0

  // Memory statistics take a lock at each allocation, and nothing here reads them. They can only be turned off before
  // SQLite's first use; if another part of the program has used it already, they stay on.
  private static let isLibraryReady = belfry_sqlite_configure() == SQLITE_OK

  /// Opens an existing file.
  ///
  /// - Parameter flags: SQLite's flags, such as `SQLITE_OPEN_READWRITE`.
  package init(path: String, _ flags: Int32) throws {
    _ = Self.isLibraryReady
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard code == SQLITE_OK else {
      defer { sqlite3_close_v2(opened) }
      throw SQLiteError(code, of: opened)
    }
    connection = opened
  }

  deinit { close() }

  /// Closes the file at once, without waiting for the last reference. The connection cannot be used afterwards.
  func close() {
    // SQLite keeps a file open while a statement exists.
    prepared = []
    sqlite3_close_v2(connection)
    connection = nil
  }

  /// Sets a connection up: the longest wait for other writers, in seconds, and no checkpoint at commit and close, since
  /// a short command would otherwise move the whole log into the file each time.
  package func setUp(lockTimeout: Double) throws {
    self.lockTimeout = lockTimeout
    try waitForLocks(lockTimeout)
    checkpoint(afterPages: 0)
    try check(belfry_sqlite_set_up(connection))
  }

  /// Reads the schema, which detects damage in it.
  func readSchema() throws {
    try check(sqlite3_table_column_metadata(connection, nil, "sqlite_schema", nil, nil, nil, nil, nil, nil))
  }

  // MARK: Statements

  /// The statement for a text; a new one if that statement is already running.
  package func prepare(_ sql: String, isLong: Bool) throws -> any PreparedStatement {
    let known = prepared(sql)
    if let known, !known.isBusy { return known }
    var pointer: OpaquePointer?
    try check(sqlite3_prepare_v2(connection, sql, -1, &pointer, nil))
    guard let pointer else { throw SQLiteError(SQLITE_MISUSE) }
    let statement = SQLiteStatement(pointer)
    if known == nil { prepared.append((sql, statement)) }
    return statement
  }

  private func prepared(_ sql: String) -> SQLiteStatement? {
    // There are a few dozen texts, mostly constants: comparing lengths is faster than hashing.
    let length = sql.utf8.count
    for _ in prepared.indices {
      place = place + 1 < prepared.count ? place + 1 : 0
      if prepared[place].sql.utf8.count == length, prepared[place].sql == sql { return prepared[place].statement }
    }
    return nil
  }

  /// Runs statements, ignoring any rows.
  package func execute(_ script: String) throws { try check(sqlite3_exec(connection, script, nil, nil, nil)) }

  /// The number of rows inserted, changed or deleted by the last statement.
  package var changesCount: Int { Int(sqlite3_changes(connection)) }

  /// The number of rows inserted, changed or deleted since the connection was opened.
  var allChangesCount: Int { Int(sqlite3_total_changes(connection)) }

  // MARK: Transactions

  /// Runs `body` in a transaction, and commits it unless `body` throws.
  package func transaction<Result>(_ beginning: String, _ body: () throws -> Result) throws -> Result {
    try statement(beginning).execute()
    do {
      let result = try body()
      // A full disk may have rolled it back already: statements after that would each have been committed on their own.
      guard isInTransaction else { throw SQLiteError(SQLITE_ABORT) }
      try statement("COMMIT").execute()
      return result
    } catch {
      if isInTransaction { try? execute("ROLLBACK") }
      throw error
    }
  }

  private var isInTransaction: Bool { sqlite3_get_autocommit(connection) == 0 }

  // MARK: The whole file

  /// Makes each commit move the log into the file once it has this many pages; 0 for never.
  func checkpoint(afterPages pages: Int32) { sqlite3_wal_autocheckpoint(connection, pages) }

  /// Moves the log into the file and truncates it, unless others use the log.
  ///
  /// Truncation keeps writers out, so the log is moved before, while they write. Readers are not waited for.
  func emptyLog() throws {
    try check(sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil))
    try waitForLocks(0)
    let code = sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    let failure = code == SQLITE_OK ? nil : SQLiteError(code, of: connection)
    try waitForLocks(lockTimeout)
    if let failure { throw failure }
  }

  private func waitForLocks(_ seconds: Double) throws {
    try check(belfry_sqlite_wait_for_locks(connection, Int32(seconds * 1_000)))
  }

  /// Copies the whole content of another database (SQLite's online backup).
  func takeAll(of other: Database) throws {
    guard let backup = sqlite3_backup_init(connection, "main", other.connection, "main") else {
      throw SQLiteError(SQLITE_ERROR, of: connection)
    }
    let code = sqlite3_backup_step(backup, -1)
    try check(sqlite3_backup_finish(backup))
    guard code == SQLITE_DONE else { throw SQLiteError(code) }
  }

  func releaseMemory() { sqlite3_db_release_memory(connection) }

  private func check(_ code: Int32) throws {
    guard code == SQLITE_OK else { throw SQLiteError(code, of: connection) }
  }
}
