import BelfryCore
import CSQLite
import Foundation
import GRDB

/// Making and opening the database file.
enum SQLiteFile {
  // SQLite counts the memory that it uses, under a lock, for whoever asks: nobody here does. It takes the setting only
  // before it is first used, and goes on without it where a program around this one was faster.
  private static let isLibraryReady = belfry_sqlite_keep_no_statistics() == SQLITE_OK

  /// An empty store in memory, for reading where no file exists.
  static func emptyInMemory() throws -> DatabaseQueue {
    _ = isLibraryReady
    let queue = try DatabaseQueue()
    try queue.writeWithoutTransaction(migrate)
    return queue
  }

  /// Makes a complete, empty store under another name and links it to its path, so that no other process and no crash
  /// ever sees half of one.
  static func create(at path: String) throws {
    _ = isLibraryReady
    let failures = SQLiteFailures(path: path)
    let url = URL(fileURLWithPath: path)
    let folder = url.deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw failures.cannotCreate("cannot make the folder \(folder.path)", errno)
    }
    let draft = path + ".new-\(getpid())"
    unlink(draft)
    defer { for suffix in ["", "-wal", "-shm", "-journal"] { unlink(draft + suffix) } }
    let descriptor = Foundation.open(draft, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failures.cannotCreate("cannot make \(path)", errno) }
    close(descriptor)
    try failures.translated {
      let queue = try DatabaseQueue(path: draft)
      try queue.writeWithoutTransaction { database in
        try database.execute(sql: "PRAGMA journal_mode = WAL")
        try migrate(database)
      }
      try queue.close()
    }
    try sync(draft, failures)
    // Another process may have been faster: its store is as good.
    guard link(draft, path) == 0 || errno == EEXIST else { throw failures.cannotCreate("cannot make \(path)", errno) }
    try sync(folder.path, failures)
  }

  /// Opens an existing database, brings an older one up to date, and refuses what it cannot read.
  static func open(_ path: String, lockTimeout: Double) throws -> DatabaseQueue {
    _ = isLibraryReady
    let failures = SQLiteFailures(path: path)
    try refuseForeign(path, failures)
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
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      let version = try queue.writeWithoutTransaction { database in
        let version = try Self.version(of: database)
        guard version <= Schema.version else {
          throw BelfryError(
            .storeFailed,
            "\(path) was written by a newer Belfry (version \(version), this one knows \(Schema.version))",
            hint: "update Belfry; the file was left as it is")
        }
        return version
      }
      if version < Schema.version {
        let backup = SQLiteBackup(database: path, failures: failures)
        try backup.make(from: queue, at: backup.beforeMigration(from: version))
        try queue.writeWithoutTransaction(migrate)
      }
      return queue
    }
  }

  // SQLite takes an empty file for a new database and would write over a stranger's: the header tells them apart.
  private static func refuseForeign(_ path: String, _ failures: SQLiteFailures) throws {
    let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
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
        .storeFailed, "\(path) is an SQLite database, but not one of Belfry's",
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

  private static func version(of database: Database) throws -> Int {
    let statement = try SQLStatement(database.makeStatement(sql: "PRAGMA user_version"))
    return Int(try statement.first { try $0.at(0) as Int64 } ?? 0)
  }

  static func sync(_ path: String, _ failures: SQLiteFailures) throws {
    let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failures.cannotOpen(errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failures.cannotCreate("cannot sync \(path)", errno) }
  }
}
