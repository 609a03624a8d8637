import CSQLite
import Foundation
import GRDB

/// Whole copies of a database beside it, made while others read and write (SQLite's online backup).
struct SQLiteBackup {
  /// How much later than the copy the database must have been written before the next copy is due, in seconds.
  private static let interval = 86_400

  let database: String
  let failures: SQLiteFailures

  /// The copy that the daemon makes once a day.
  var daily: String { database + ".bak" }

  /// The copy from before the database was brought up to a newer version.
  func beforeMigration(from version: Int) -> String { "\(database).v\(version).bak" }

  /// Makes the day's copy if the database was written since, a day after the last one or later.
  func makeDaily(from queue: DatabaseQueue) throws {
    guard let written = Self.modified(database) else { return }
    if let copied = Self.modified(daily), written < copied + Self.interval { return }
    try make(from: queue, at: daily)
  }

  /// Makes a copy, all or nothing; what stood there before stays until the new one is whole.
  func make(from queue: DatabaseQueue, at path: String) throws {
    let draft = "\(path).new"
    defer { for suffix in ["", "-wal", "-shm", "-journal"] { unlink(draft + suffix) } }
    unlink(draft)
    let descriptor = open(draft, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failures.cannotCreate("cannot make \(draft)", errno) }
    close(descriptor)
    try failures.translated {
      try queue.writeWithoutTransaction { database in
        let copy = try PlainConnection(path: draft)
        try copy.takeAll(of: database)
        // A single file, so that one rename puts it in place.
        _ = try copy.firstText(of: "PRAGMA journal_mode = DELETE")
        guard try copy.firstText(of: "PRAGMA quick_check(1)") == "ok" else {
          throw failures.damaged("a copy of it is not whole")
        }
      }
    }
    try SQLiteFile.sync(draft, failures)
    guard rename(draft, path) == 0 else { throw failures.cannotCreate("cannot make \(path)", errno) }
    try SQLiteFile.sync(URL(fileURLWithPath: path).deletingLastPathComponent().path, failures)
  }

  /// The newest copy there is, with its date, in words for a person.
  var newest: String? {
    let copies = ([daily] + (0...Schema.version).map { beforeMigration(from: $0) })
      .compactMap { path in Self.modified(path).map { (path: path, modified: $0) } }
    return copies.max { $0.modified < $1.modified }?.path
  }

  static func modified(_ path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mtim.tv_sec : nil
  }
}

/// A connection without a queue: what becomes of GRDB's queues wakes libdispatch, which then wakes once a second for ever.
private final class PlainConnection {
  private var connection: OpaquePointer?

  init(path: String) throws {
    let code = sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE, nil)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  deinit { sqlite3_close_v2(connection) }

  /// Takes everything that a database holds (SQLite's online backup).
  func takeAll(of database: Database) throws {
    guard let backup = sqlite3_backup_init(connection, "main", database.sqliteConnection, "main") else {
      throw failure(sqlite3_extended_errcode(connection))
    }
    let code = sqlite3_backup_step(backup, -1)
    let end = sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE, end == SQLITE_OK else { throw failure(end == SQLITE_OK ? code : end) }
  }

  /// The first text that a statement gives.
  func firstText(of sql: String) throws -> String? {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    let prepared = sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
    guard prepared == SQLITE_OK else { throw failure(prepared) }
    let code = sqlite3_step(statement)
    guard code == SQLITE_ROW || code == SQLITE_DONE else { throw failure(code) }
    return sqlite3_column_text(statement, 0).map { String(cString: $0) }
  }

  private func failure(_ code: Int32) -> DatabaseError {
    DatabaseError(
      resultCode: ResultCode(rawValue: code), message: connection.map { String(cString: sqlite3_errmsg($0)) })
  }
}
