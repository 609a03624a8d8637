import CSQLite

/// A failure that SQLite reported.
struct SQLiteError: Error {
  /// SQLite's extended result code.
  let code: Int32
  /// SQLite's words for it.
  let message: String

  /// The last failure of a connection; without one, what the code says by itself.
  init(_ code: Int32, of connection: OpaquePointer? = nil) {
    self.code = connection.map(sqlite3_extended_errcode) ?? code
    let words = connection.flatMap(sqlite3_errmsg) ?? sqlite3_errstr(code)
    message = words.map { String(cString: $0) } ?? "error \(code)"
  }

  /// The result code without its details.
  var primaryCode: Int32 { code & 0xff }
}

/// A connection to a database, used by one thread at a time, with the statements that were prepared for it.
final class Database {
  private var connection: OpaquePointer?
  // Each once, by their texts.
  private var prepared: [(sql: String, statement: SQLStatement)] = []

  // SQLite counts the memory that it uses, under a lock, for whoever asks: nobody here does. It takes settings only
  // before it is first used, and goes on without them where a program around this one was faster.
  private static let isLibraryReady = belfry_sqlite_configure() == SQLITE_OK

  /// Opens a file that is there.
  ///
  /// - Parameter flags: SQLite's, `SQLITE_OPEN_READWRITE` for one.
  init(path: String, _ flags: Int32) throws {
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

  /// Closes the file at once, and not when nobody knows the connection any more. Nothing can be done with it after that.
  func close() {
    // SQLite keeps a file open for as long as there is a statement.
    prepared = []
    sqlite3_close_v2(connection)
    connection = nil
  }

  /// How a store is opened: it waits for other writers, in seconds, and leaves the log as it is when it commits and
  /// closes, since a short command would otherwise move the whole log into the file each time.
  func setUp(lockTimeout: Double) throws {
    try check(sqlite3_busy_timeout(connection, Int32(lockTimeout * 1_000)))
    checkpoint(afterPages: 0)
    try check(belfry_sqlite_set_up(connection))
  }

  /// Reads what tables there are, which finds a damaged list of them.
  func readSchema() throws {
    try check(sqlite3_table_column_metadata(connection, nil, "sqlite_schema", nil, nil, nil, nil, nil, nil))
  }

  // MARK: Statements

  /// The statement for a text; another one where the same text is being run further up.
  func statement(_ sql: String) throws -> SQLStatement {
    // There are a few dozen texts, most of them constants: their lengths tell them apart sooner than a hash of each.
    let length = sql.utf8.count
    let known = prepared.first { $0.sql.utf8.count == length && $0.sql == sql }?.statement
    if let known, !known.isBusy { return known }
    var pointer: OpaquePointer?
    try check(sqlite3_prepare_v2(connection, sql, -1, &pointer, nil))
    guard let pointer else { throw SQLiteError(SQLITE_MISUSE) }
    let statement = SQLStatement(pointer)
    if known == nil { prepared.append((sql, statement)) }
    return statement
  }

  /// Runs statements that give no rows, or whose rows nobody wants, one after the other.
  func execute(_ script: String) throws { try check(sqlite3_exec(connection, script, nil, nil, nil)) }

  /// The first value of a statement's first row.
  func value<Value: SQLColumn>(of sql: String) throws -> Value? {
    try statement(sql).first { try $0.at(0) }
  }

  /// The number of the row that was inserted last.
  var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(connection) }

  /// How many rows the last statement inserted, changed or deleted.
  var changesCount: Int { Int(sqlite3_changes(connection)) }

  // MARK: Transactions

  /// Begins a transaction, and commits it unless `body` throws.
  func transaction<Result>(_ beginning: String, _ body: () throws -> Result) throws -> Result {
    try statement(beginning).run { _ in }
    do {
      let result = try body()
      // A full disk may have ended it already: what came after that would be kept by itself.
      guard isInTransaction else { throw SQLiteError(SQLITE_ABORT) }
      try statement("COMMIT").run { _ in }
      return result
    } catch {
      if isInTransaction { try? execute("ROLLBACK") }
      throw error
    }
  }

  private var isInTransaction: Bool { sqlite3_get_autocommit(connection) == 0 }

  // MARK: The whole file

  /// Moves the log into the file with each commit after which it has so many pages; with none where there are 0.
  func checkpoint(afterPages pages: Int32) { sqlite3_wal_autocheckpoint(connection, pages) }

  /// Moves the log into the file and empties it.
  func emptyLog() throws {
    try check(sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil))
  }

  /// Takes everything that another database holds (SQLite's online backup).
  func takeAll(of other: Database) throws {
    guard let backup = sqlite3_backup_init(connection, "main", other.connection, "main") else {
      throw SQLiteError(SQLITE_ERROR, of: connection)
    }
    let code = sqlite3_backup_step(backup, -1)
    try check(sqlite3_backup_finish(backup))
    guard code == SQLITE_DONE else { throw SQLiteError(code) }
  }

  /// Lets go of the pages in memory.
  func releaseMemory() { sqlite3_db_release_memory(connection) }

  private func check(_ code: Int32) throws {
    guard code == SQLITE_OK else { throw SQLiteError(code, of: connection) }
  }
}
