import BelfryCore
import CSQLite
import Foundation
import GRDB

/// Making and opening the database file.
enum SQLiteFile {
  // SQLite counts the memory that it uses, under a lock, for whoever asks: nobody here does. It takes settings only
  // before it is first used, and goes on without them where a program around this one was faster.
  private static let isLibraryReady = belfry_sqlite_configure() == SQLITE_OK

  /// An empty store in memory, for reading where no file exists.
  static func emptyInMemory() throws -> DatabaseQueue {
    _ = isLibraryReady
    let queue = try DatabaseQueue()
    try queue.writeWithoutTransaction(migrate)
    return queue
  }

  /// Makes a complete, empty store under another name and links it to its path, so that no other process and no crash
  /// ever sees half of one.
  static func create(at place: SQLitePlace) throws {
    _ = isLibraryReady
    let failures = place.failures
    SQLiteDraft.removeLitter(at: place)
    let draft = try SQLiteDraft(of: place)
    defer { draft.remove() }
    try failures.translated {
      let queue = try DatabaseQueue(path: draft.path)
      try queue.writeWithoutTransaction { database in
        try database.execute(sql: "PRAGMA journal_mode = WAL")
        try migrate(database)
      }
      try queue.close()
    }
    try sync(draft.path, failures)
    // Another process may have been faster: its store is as good.
    guard link(draft.path, place.file) == 0 || errno == EEXIST else {
      throw failures.cannotCreate("cannot make \(place.named)", errno)
    }
    try sync(place.folder, failures)
  }

  /// Opens an existing database, brings an older one up to date, and refuses what it cannot read.
  static func open(_ place: SQLitePlace, lockTimeout: Double) throws -> DatabaseQueue {
    _ = isLibraryReady
    let failures = place.failures
    try refuseForeign(place)
    let isLogDoubtful = place.isLogDoubtful
    var configuration = Configuration()
    configuration.busyMode = .timeout(lockTimeout)
    // More than this is root's alone to ask for on Linux, and libdispatch complains to the journal where it is refused.
    configuration.qos = .default
    // Set up below, without statements that GRDB would take apart first: every command pays for it.
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { database in
      // GRDB asks of each statement what it touches, for observers: there are none, and preparing takes half as long.
      sqlite3_set_authorizer(database.sqliteConnection, nil, nil)
      // A short command would otherwise move the whole log into the database each time.
      sqlite3_wal_autocheckpoint(database.sqliteConnection, 0)
      let code = belfry_sqlite_set_up(database.sqliteConnection)
      guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
    return try failures.translated {
      let queue = try DatabaseQueue(path: place.file, configuration: configuration)
      let version = try queue.writeWithoutTransaction { try known(Self.version(of: $0), place) }
      if version < Schema.version {
        let backup = place.backup
        try backup.make(from: queue, at: backup.beforeMigration(from: version))
        do {
          try queue.writeWithoutTransaction(migrate)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
          // Its tables are not those of its version: a copy of that is no good one.
          unlink(backup.beforeMigration(from: version))
          throw error
        }
      }
      if isLogDoubtful { try requireOwnLog(of: queue, place) }
      return queue
    }
  }

  // SQLite takes any log that stands beside a file for that file's: two that do not fit are not to be read, nor written
  // to. A file that is whole without the log was put beside one that is not its own.
  private static func requireOwnLog(of queue: DatabaseQueue, _ place: SQLitePlace) throws {
    var fault: String?
    do {
      fault = try queue.writeWithoutTransaction { database in
        try SQLStatement(database.makeStatement(sql: "PRAGMA integrity_check(1)")).first { try $0.at(0) }
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      fault = error.message
    }
    guard let fault, fault != "ok" else { return place.noteLog(isOwn: true) }
    try queue.close()
    place.noteLog(isOwn: false)
    guard SQLiteBackup.isWhole(place.file) else { throw place.failures.damaged(fault) }
    throw place.failures.foreignLog()
  }

  /// Opens an existing database to read the file alone, without locks and without a log.
  ///
  /// Only sound while nobody writes it, which the caller has to find out.
  static func openUnlocked(_ place: SQLitePlace) throws -> DatabaseQueue {
    _ = isLibraryReady
    try refuseForeign(place)
    var configuration = Configuration()
    configuration.readonly = true
    return try place.failures.translated {
      let queue = try DatabaseQueue(path: unlockedName(place.file), configuration: configuration)
      let version = try queue.writeWithoutTransaction { try known(Self.version(of: $0), place) }
      guard version == Schema.version else {
        throw BelfryError(
          .noPermission, "\(place.named) is of version \(version) and has to be brought up to date to be read",
          hint: "use it once as its owner")
      }
      return queue
    }
  }

  /// What SQLite calls a file that it is to read alone, without locks and without a log.
  static func unlockedName(_ path: String) -> String {
    "file:\(path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path)?immutable=1"
  }

  // The version of a database, if this program knows it.
  private static func known(_ version: Int, _ place: SQLitePlace) throws -> Int {
    guard version <= Schema.version else {
      throw BelfryError(
        .storeFailed,
        "\(place.named) was written by a newer Belfry (version \(version), this one knows \(Schema.version))",
        hint: "update Belfry; the file was left as it is")
    }
    return version
  }

  // SQLite takes an empty file for a new database and would write over a stranger's: the header tells them apart.
  private static func refuseForeign(_ place: SQLitePlace) throws {
    let failures = place.failures
    let descriptor = Foundation.open(place.file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failures.cannotOpen(errno) }
    defer { close(descriptor) }
    var header = [UInt8](repeating: 0, count: 100)
    let count = pread(descriptor, &header, header.count, 0)
    guard count >= 0 else { throw failures.cannotOpen(errno) }
    guard count > 0 else { throw failures.damaged("it is empty") }
    guard count == header.count, header.starts(with: Array("SQLite format 3\0".utf8)) else {
      throw failures.damaged("its first 100 bytes are not the header of an SQLite database")
    }
    let identifier = header[68..<72].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    guard identifier == UInt32(bitPattern: Schema.applicationID) else {
      throw BelfryError(
        .storeFailed, "\(place.named) is an SQLite database, but not one of Belfry's",
        hint: "name another path in the config; the file was left as it is")
    }
  }

  private static func migrate(_ database: Database) throws {
    try database.inTransaction(.immediate) {
      // Another process may have done it while this one waited.
      let version = try Self.version(of: database)
      for (index, migration) in Schema.migrations.enumerated().dropFirst(version) {
        try database.execute(sql: migration)
        try database.execute(sql: "PRAGMA user_version = \(index + 1)")
      }
      try database.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
      return .commit
    }
  }

  /// The version that a database says it is of.
  static func version(of database: Database) throws -> Int {
    let statement = try SQLStatement(database.makeStatement(sql: "PRAGMA user_version"))
    let version = Int(try statement.first { try $0.at(0) as Int64 } ?? 0)
    guard version >= 0 else { throw StoredValueFault("its version is \(version)") }
    return version
  }

  static func sync(_ path: String, _ failures: SQLiteFailures) throws {
    let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failures.cannotOpen(errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failures.cannotCreate("cannot sync \(path)", errno) }
  }
}
