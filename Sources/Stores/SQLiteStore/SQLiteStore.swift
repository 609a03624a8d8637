import BelfryEngine
import BelfryModel
import CSQLite
import Dispatch
import FoundationEssentials
import Glibc
import SystemFiles

/// A store in one SQLite database, in write-ahead mode, each commit synced to disk.
///
/// The database is opened at the first use and made at the first write. Another file that is put in its place, a copy
/// brought back for one, is the store from the next use on. Tables and views are documented in ``Schema``.
package final class SQLiteStore: ItemStore {
  /// How long a write waits for others before it says "locked", in seconds.
  package static let lockTimeout: Double = 10

  /// The size of the write-ahead log, in bytes, from which a commit moves it into the database and empties it.
  ///
  /// SQLite's own automatic checkpoint leaves the log as long as it is, and the next process that opens the database
  /// reads all of it: after one large import each short command would pay for it.
  private static let logLimit = 4_000_000

  private let path: String
  private let lockTimeout: Double
  /// Held for the whole of each use, so that nobody has a connection in hand that is closed: two to one path, of which
  /// one is closed, would lose the locks of both.
  private let turn = DispatchSemaphore(value: 1)
  private nonisolated(unsafe) var connection: SQLiteConnection?
  /// Whether there was a database at the path: from then on its absence is a fault.
  private nonisolated(unsafe) var isMade = false

  /// A store at this path. Opens nothing yet.
  package init(path: String, lockTimeout: Double = SQLiteStore.lockTimeout) {
    self.path = path
    self.lockTimeout = lockTimeout
  }

  /// The path of the database.
  package var location: String { path }

  /// Which file stands at the path; see ``ItemStore``.
  package var identity: String? { FileIdentity(at: path)?.text }

  /// Reads one consistent state; see ``ItemStore``.
  package func read<Result>(_ body: (any StoreView) throws -> Result) throws -> Result {
    try reading { try transaction("BEGIN", on: $0, body) }
  }

  /// Makes one change; see ``ItemStore``.
  package func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    try writing { connection in
      let result = try transaction("BEGIN IMMEDIATE", on: connection, body)
      keepLogShort(connection)
      return result
    }
  }

  /// Makes the caller the only daemon of this database; see ``ItemStore``.
  package func lockForDaemon() throws -> any DaemonLock {
    let place = try writing(\.place)
    return try FileLock(path: place.daemonLock, purpose: path, sharedLike: place.file)
  }

  /// Removes what killed commands left, moves the write-ahead log into the database, makes the day's copy, and lets go
  /// of the pages in memory.
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

  /// What SQLite's own checks of the whole file and of its foreign keys find; see ``ItemStore``.
  package func damage() throws -> [String] {
    // Opened anew, since a connection remembers pages as they were.
    inTurn { close() }
    return try reading { try $0.damage() }
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

  // Not a `Mutex`, whose results have to be sendable.
  private func inTurn<Result>(_ body: () throws -> Result) rethrows -> Result {
    turn.wait()
    defer { turn.signal() }
    return try body()
  }

  // What is wrong with a file may be mended in it: the next use looks at it anew.
  private func closingOnFailure<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as BelfryError {
      if error.kind == .storeFailed || error.kind == .noPermission { close() }
      throw error
    }
  }

  private func transaction<Result>(
    _ beginning: String, on connection: SQLiteConnection, _ body: (SQLiteTransaction) throws -> Result
  ) throws -> Result {
    try connection.place.failures.translated {
      do {
        return try SQLiteTransaction.run(beginning, in: connection.database, body)
      } catch let error as SQLiteError {
        if error.isFailedSync { voidLastCommit(connection.database) }
        throw error
      }
    }
  }

  // A commit whose sync failed is in the log all the same, and would count for whoever opens the store next: the same
  // place of the log is written over, which needs no sync.
  private func voidLastCommit(_ database: Database) {
    try? database.execute(
      "PRAGMA synchronous = OFF; PRAGMA user_version = \(Schema.version); PRAGMA synchronous = FULL")
  }

  // MARK: The connection

  // A store that is not there yet reads as empty and is not made by looking at it.
  private func openForReading() throws -> SQLiteConnection {
    if let open = openConnection() { return open }
    let place = try SQLitePlace(path)
    guard let stamp = try present(place) else { return SQLiteConnection(try SQLiteFile.emptyInMemory(), place) }
    do {
      return keep(SQLiteConnection(try SQLiteFile.open(place, lockTimeout: lockTimeout), place, stamp.identity))
    } catch let error as BelfryError where error.kind == .noPermission && place.isSealed {
      // Who can make no files beside the database cannot take part in SQLite's locking, and needs not while there is no
      // log: then only what is in the file counts, and whether that was written meanwhile is looked at afterwards.
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

  // What is open, if that file still stands at the path.
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

  // Who fills the log once fills it again: from then on SQLite writes over it from its start, since a sync is slower
  // where the file grows. A single commit may be far larger than that.
  private func keepLogShort(_ connection: SQLiteConnection) {
    let isReused = connection.hasFilledLog
    // SQLite may just have moved part of the log into the file by itself.
    if isReused, connection.place.isLogDoubtful { connection.place.noteLog(isOwn: true) }
    guard connection.place.logSize > (isReused ? 2 * Self.logLimit : Self.logLimit) else { return }
    emptyLog(connection)
    guard !isReused else { return }
    connection.database.checkpoint(afterPages: 1_000)
    connection.hasFilledLog = true
  }

  // Everything is committed already: where a reader is in the way, the next commit tries again.
  private func emptyLog(_ connection: SQLiteConnection) {
    try? connection.database.emptyLog()
    // A reader may have kept the log from being emptied after it was moved into the file.
    if connection.place.isLogDoubtful { connection.place.noteLog(isOwn: true) }
  }
}

extension SQLiteError {
  // SQLITE_IOERR_FSYNC and SQLITE_IOERR_DIR_FSYNC, which are no constants to Swift.
  fileprivate var isFailedSync: Bool { primaryCode == SQLITE_IOERR && [4, 5].contains(code >> 8) }
}
