import BelfryCore
import CSQLite
import Foundation
import GRDB
import Synchronization

/// A store in one SQLite database, in write-ahead mode, each commit synced to disk.
///
/// The database is opened at the first use and made at the first write. Tables and views are documented in ``Schema``.
public final class SQLiteStore: ItemStore {
  /// How long a write waits for others before it says "locked", in seconds.
  public static let lockTimeout: Double = 10

  /// The size of the write-ahead log, in bytes, from which a commit moves it into the database and empties it.
  ///
  /// SQLite's own automatic checkpoint leaves the log as long as it is, and the next process that opens the database
  /// reads all of it: after one large import each short command would pay for it.
  private static let logLimit = 4_000_000

  let path: String
  private let lockTimeout: Double
  private let connection = Mutex<Connection?>(nil)

  struct Connection {
    let queue: DatabaseQueue
    let statements = SQLStatements()
    /// Whether the log was emptied after a commit of this connection.
    var hasFilledLog = false
  }

  /// A store at this path. Opens nothing yet.
  public init(path: String, lockTimeout: Double = SQLiteStore.lockTimeout) {
    self.path = path
    self.lockTimeout = lockTimeout
  }

  /// The path of the database.
  public var location: String { path }

  /// Reads one consistent state; see ``ItemStore``.
  public func read<Result>(_ body: (any StoreView) throws -> Result) throws -> Result {
    try transaction("BEGIN", on: openForReading(), body)
  }

  /// Makes one change; see ``ItemStore``.
  public func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    let connection = try openForWriting()
    let result = try transaction("BEGIN IMMEDIATE", on: connection, body)
    keepLogShort(connection.queue)
    return result
  }

  /// Makes the caller the only daemon of this database; see ``ItemStore``.
  public func lockForDaemon() throws -> any DaemonLock {
    _ = try openForWriting()
    let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    return try FileLock(path: resolved + ".lock", purpose: path)
  }

  // Who fills the log once fills it again: from then on SQLite writes over it from its start, since a sync is slower
  // where the file grows. A single commit may be far larger than that.
  private func keepLogShort(_ queue: DatabaseQueue) {
    let isReused = connection.withLock { $0?.hasFilledLog ?? false }
    guard logSize > (isReused ? 2 * Self.logLimit : Self.logLimit) else { return }
    emptyLog(queue)
    guard !isReused else { return }
    queue.writeWithoutTransaction { _ = sqlite3_wal_autocheckpoint($0.sqliteConnection, 1_000) }
    connection.withLock { $0?.hasFilledLog = true }
  }

  private var logSize: Int {
    var status = stat()
    return stat(path + "-wal", &status) == 0 ? Int(status.st_size) : 0
  }

  // Everything is committed already: where a reader is in the way, the next commit tries again.
  func emptyLog(_ queue: DatabaseQueue) {
    _ = try? queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
  }

  var failures: SQLiteFailures { SQLiteFailures(path: path) }

  private func transaction<Result>(
    _ beginning: String, on connection: Connection, _ body: (SQLiteTransaction) throws -> Result
  ) throws -> Result {
    try failures.translated {
      try connection.queue.writeWithoutTransaction { database in
        do {
          return try SQLiteTransaction.run(beginning, in: database, with: connection.statements, body)
        } catch let error as DatabaseError {
          if error.isFailedSync { voidLastCommit(database) }
          throw error
        }
      }
    }
  }

  // A commit whose sync failed is in the log all the same, and would count for whoever opens the store next: the same
  // place of the log is written over, which needs no sync.
  private func voidLastCommit(_ database: Database) {
    try? database.execute(
      sql: "PRAGMA synchronous = OFF; PRAGMA user_version = \(Schema.version); PRAGMA synchronous = FULL")
  }

  // A store that is not there yet reads as empty and is not made by looking at it.
  func openForReading() throws -> Connection {
    try connection.withLock { open in
      if let open { return open }
      if !FileManager.default.fileExists(atPath: path) { return Connection(queue: try SQLiteFile.emptyInMemory()) }
      let new = Connection(queue: try openFile())
      open = new
      return new
    }
  }

  func openForWriting() throws -> Connection {
    try connection.withLock { open in
      if let open { return open }
      if !FileManager.default.fileExists(atPath: path) { try SQLiteFile.create(at: path) }
      let new = Connection(queue: try openFile())
      open = new
      return new
    }
  }

  func openFile() throws -> DatabaseQueue {
    try SQLiteFile.open(path, lockTimeout: lockTimeout)
  }
}

extension DatabaseError {
  fileprivate var isFailedSync: Bool {
    extendedResultCode == .SQLITE_IOERR_FSYNC || extendedResultCode == .SQLITE_IOERR_DIR_FSYNC
  }
}
