import BelfryEngine
import BelfryModel
import CSQLite
import Dispatch
import FoundationEssentials
import Glibc
import SQLRecords
import SystemFiles

/// A store in one SQLite database, in WAL mode, with each commit synced to disk.
///
/// The database is opened at the first use and created at the first write. A file that replaces it, such as a restored
/// copy, is the store from the next use on. Tables and views are documented in ``Schema``.
package final class SQLiteStore: RestorableStore {
  /// The longest wait for other writers, in seconds.
  package static let lockTimeout: Double = 10

  /// The size of the write-ahead log, in bytes, at which a commit moves it into the database and truncates it.
  ///
  /// SQLite's automatic checkpoint does not truncate the log, and while no other process has the database open, each that
  /// opens it reads all of the log: 2 ms for one of 4 MB, a third of a short command.
  private static let logLimit = 1_000_000
  /// The size of a log that is overwritten from its start, in bytes, at which a commit truncates it.
  private static let reusedLogLimit = 8_000_000

  private let path: String
  private let lockTimeout: Double
  /// Held during each use, so that a connection is never closed while in use. Closing one of two connections to the
  /// same path would also drop the other's locks.
  private let turn = DispatchSemaphore(value: 1)
  private nonisolated(unsafe) var connection: SQLiteConnection?
  /// True if there was a database at the path; from then on its absence is an error.
  private nonisolated(unsafe) var isMade = false
  private nonisolated(unsafe) var changes: Int64 = 0

  /// A store at this path. Opens nothing yet.
  package init(path: String, lockTimeout: Double = SQLiteStore.lockTimeout) {
    self.path = path
    self.lockTimeout = lockTimeout
  }

  /// The path of the database.
  package var location: String { path }

  /// The identity of the file at the path; see ``ItemStore``.
  package var identity: String? { FileIdentity(at: path)?.text }

  /// Reads one consistent state; see ``ItemStore``.
  package func read<Result>(_ body: (any StoreView) throws -> Result) throws -> Result {
    try reading { try transaction("BEGIN", on: $0, body) }
  }

  /// Makes one change; see ``ItemStore``.
  package func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    try writing { connection in
      let result = try transaction("BEGIN IMMEDIATE", on: connection, body)
      changes += 1
      keepLogShort(connection)
      return result
    }
  }

  /// Reads one consistent state. With a `delay`, the state does not follow changed files, for that reason.
  package func read<Result>(behindFilesBecause delay: String?, _ body: (any StoreView) throws -> Result) throws
    -> Result
  {
    try reading { connection in
      try transaction("BEGIN", on: connection) { transaction in
        transaction.delay = delay
        return try body(transaction)
      }
    }
  }

  /// Reads one consistent state, with the database for tables that a store on top of this one adds.
  package func read<Result>(_ body: (any StoreView, Database) throws -> Result) throws -> Result {
    try reading { connection in
      try transaction("BEGIN", on: connection) { try body($0, connection.database) }
    }
  }

  /// Makes one change, with the database for tables that a store on top of this one adds.
  package func write<Result>(_ body: (any StoreTransaction, Database) throws -> Result) throws -> Result {
    try writing { connection in
      let result = try transaction("BEGIN IMMEDIATE", on: connection) { try body($0, connection.database) }
      changes += 1
      keepLogShort(connection)
      return result
    }
  }

  /// Makes the caller the store's only daemon; see ``ItemStore``.
  package func lockForDaemon() throws -> any DaemonLock {
    let place = try writing(\.place)
    return try FileLock(path: place.daemonLock, purpose: path, sharedLike: place.file)
  }

  /// Removes files left by killed commands, checkpoints the write-ahead log, makes the daily copy, and frees cached
  /// pages.
  package func tidy() throws {
    try writing { connection in
      SQLiteDraft.removeLitter(at: connection.place)
      emptyLog(connection)
      try connection.place.backup.makeDaily(from: connection.database)
      connection.database.releaseMemory()
    }
  }

  /// The version, size and last write; see ``ItemStore``.
  package func info() throws -> StoreInfo {
    try reading { try $0.isUnmade ? StoreInfo() : $0.info() }
  }

  /// The findings of SQLite's integrity check and foreign key check; see ``ItemStore``.
  package func damage() throws -> [String] {
    // Opened again, since a connection caches pages.
    inTurn { close() }
    return try reading { try $0.damage() }
  }

  /// Puts a copy in the place of the database; see ``RestorableStore``.
  package func restore(
    from copy: String?, continuing: (any StoreTransaction, StoreRemains) throws -> Void
  ) throws -> Restoration {
    try inTurn {
      close()
      let place = try SQLitePlace(path)
      try place.makeFolder()
      return try place.failures.translated {
        try SQLiteRestoration(place: place).run(from: copy, continuing: continuing)
      }
    }
  }

  /// The database, with symbolic links resolved, since its log is next to it; see ``ItemStore``.
  package var watchedFile: String? { try? SQLitePlace(path).file }

  /// True if another connection has committed since the last call; see ``ItemStore``.
  package func wasChangedElsewhere() throws -> Bool { try reading { try $0.wasChangedElsewhere() } }

  /// The number of changes by this store, and by others as far as SQLite reports them; see ``ItemStore``.
  package func changeCount() throws -> Int64? {
    try reading { connection in
      if try connection.foundChanges() { changes += 1 }
      return changes
    }
  }

  private func reading<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    try inTurn {
      let connection = try openForReading()
      let result = try closingOnFailure { try body(connection) }
      try connection.requireUnchanged()
      return result
    }
  }

  private func writing<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    try inTurn {
      let connection = try openForWriting()
      return try closingOnFailure { try body(connection) }
    }
  }

  // Not a `Mutex`, whose results must be sendable.
  private func inTurn<Result>(_ body: () throws -> Result) rethrows -> Result {
    turn.wait()
    defer { turn.signal() }
    return try body()
  }

  // Closed, since the user may repair or replace the file before the next use.
  private func closingOnFailure<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as BelfryError {
      if error.kind == .storeFailed || error.kind == .noPermission { close() }
      throw error
    }
  }

  private func transaction<Result>(
    _ beginning: String, on connection: SQLiteConnection, _ body: (SQLTransaction) throws -> Result
  ) throws -> Result {
    try connection.place.failures.translated {
      do {
        return try SQLiteTransaction.run(beginning, in: connection.database) { transaction in
          // A newer Belfry may have migrated the file since it was opened.
          try SQLiteFile.known(SQLiteFile.version(of: connection.database), connection.place)
          return try body(transaction)
        }
      } catch let error as SQLiteError {
        if error.isFailedSync { voidLastCommit(connection.database) }
        throw error
      }
    }
  }

  // A commit whose sync failed is in the log nevertheless, and would count for the next process that opens the store.
  // Overwriting its place in the log needs no sync.
  private func voidLastCommit(_ database: Database) {
    try? database.execute(
      "PRAGMA synchronous = OFF; PRAGMA user_version = \(Schema.version); PRAGMA synchronous = FULL")
  }

  // MARK: The connection

  // A store that does not exist yet reads as empty; reading does not create it.
  private func openForReading() throws -> SQLiteConnection {
    if let open = openConnection() { return open }
    let place = try SQLitePlace(path)
    guard let stamp = try present(place) else { return SQLiteConnection(try SQLiteFile.emptyInMemory(), place) }
    do {
      return keep(SQLiteConnection(try SQLiteFile.open(place, lockTimeout: lockTimeout), place, stamp.identity))
    } catch let error as BelfryError where error.kind == .noPermission && place.isSealed {
      // A user who cannot create files beside the database cannot use SQLite's locking, nor needs it without a log.
      // Then only the file is read, and checked for changes afterwards.
      guard place.logSize == 0 else { throw place.failures.sealed() }
      return SQLiteConnection(try SQLiteFile.openUnlocked(place), place, unlocked: stamp)
    }
  }

  private func openForWriting() throws -> SQLiteConnection {
    if let open = openConnection() { return open }
    let place = try SQLitePlace(path)
    try place.makeFolder()
    if try present(place) == nil { try SQLiteFile.create(at: place) }
    guard let stamp = try place.present() else { throw place.failures.gone(copy: nil) }
    return keep(SQLiteConnection(try SQLiteFile.open(place, lockTimeout: lockTimeout), place, stamp.identity))
  }

  // The open connection, if its file is still at the path.
  private func openConnection() -> SQLiteConnection? {
    guard let open = connection else { return nil }
    if FileIdentity(at: path) == open.identity { return open }
    close()
    return nil
  }

  private func present(_ place: SQLitePlace) throws -> FileStamp? {
    let stamp = try place.present()
    if stamp == nil, isMade { throw place.failures.gone(copy: nil) }
    return stamp
  }

  private func keep(_ new: SQLiteConnection) -> SQLiteConnection {
    connection = new
    isMade = true
    return new
  }

  private func close() {
    connection?.database.close()
    connection = nil
  }

  // MARK: The log

  // A process that has filled the log once probably does so again: from then on SQLite overwrites it from its start,
  // since a sync is slower for a growing file. A single commit may be far larger than the limit.
  private func keepLogShort(_ connection: SQLiteConnection) {
    let isReused = connection.hasFilledLog
    // SQLite may have checkpointed part of the log itself.
    if isReused, connection.place.isLogDoubtful { connection.place.noteLog(isOwn: true) }
    guard connection.place.logSize > (isReused ? Self.reusedLogLimit : Self.logLimit) else { return }
    emptyLog(connection)
    guard !isReused else { return }
    connection.database.checkpoint(afterPages: 1_000)
    connection.hasFilledLog = true
  }

  // Everything is committed already, so if a reader prevents it, the next commit tries again.
  private func emptyLog(_ connection: SQLiteConnection) {
    try? connection.database.emptyLog()
    // A reader may have prevented the truncation after the checkpoint.
    if connection.place.isLogDoubtful { connection.place.noteLog(isOwn: true) }
  }
}

extension SQLiteError {
  // SQLITE_IOERR_FSYNC and SQLITE_IOERR_DIR_FSYNC, which Swift cannot import.
  fileprivate var isFailedSync: Bool { primaryCode == SQLITE_IOERR && [4, 5].contains(code >> 8) }
}
