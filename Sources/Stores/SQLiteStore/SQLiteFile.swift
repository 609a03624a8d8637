import BelfryModel
import CSQLite
import FoundationEssentials
import Glibc
import SystemFiles

/// Making and opening the database file.
enum SQLiteFile {
  /// An empty store in memory, for reading where no file exists.
  static func emptyInMemory() throws -> Database {
    let database = try Database(path: ":memory:", SQLITE_OPEN_READWRITE)
    try migrate(database)
    return database
  }

  /// Makes a complete, empty store under another name and links it to its path, so that no other process and no crash
  /// ever sees half of one.
  static func create(at place: SQLitePlace) throws {
    let failures = place.failures
    SQLiteDraft.removeLitter(at: place)
    let draft = try SQLiteDraft(of: place)
    defer { draft.remove() }
    try failures.translated {
      let database = try Database(path: draft.path, SQLITE_OPEN_READWRITE)
      try database.execute("PRAGMA journal_mode = WAL")
      try migrate(database)
      database.close()
    }
    try sync(draft.path, failures)
    // Another process may have been faster: its store is as good.
    guard link(draft.path, place.file) == 0 || errno == EEXIST else {
      throw failures.cannotCreate("cannot make \(place.named)", errno)
    }
    try sync(place.folder, failures)
  }

  /// Opens an existing database, brings an older one up to date, and refuses what it cannot read.
  static func open(_ place: SQLitePlace, lockTimeout: Double) throws -> Database {
    let failures = place.failures
    try refuseForeign(place)
    let isLogDoubtful = place.isLogDoubtful
    return try failures.translated {
      let database = try Database(path: place.file, SQLITE_OPEN_READWRITE)
      let version: Int
      do {
        try database.setUp(lockTimeout: lockTimeout)
        version = try known(Self.version(of: database), place)
      } catch let error as SQLiteError where isLogDoubtful && error.primaryCode == SQLITE_CORRUPT {
        // Not even the list of tables can be read with a log that is another file's.
        try requireOwnLog(of: database, place)
        throw error
      }
      if version < Schema.version {
        let backup = place.backup
        try backup.make(from: database, at: backup.beforeMigration(from: version))
        do {
          try migrate(database)
        } catch let error as SQLiteError where error.primaryCode == SQLITE_ERROR {
          // Its tables are not those of its version: a copy of that is no good one.
          unlink(backup.beforeMigration(from: version))
          throw error
        }
      }
      if isLogDoubtful { try requireOwnLog(of: database, place) }
      return database
    }
  }

  // SQLite takes any log that stands beside a file for that file's: two that do not fit are not to be read, nor written
  // to. A file that is whole without the log was put beside one that is not its own.
  private static func requireOwnLog(of database: Database, _ place: SQLitePlace) throws {
    var fault: String?
    do {
      fault = try database.value(of: "PRAGMA integrity_check(1)")
    } catch let error as SQLiteError where error.primaryCode == SQLITE_CORRUPT {
      fault = error.message
    }
    guard let fault, fault != "ok" else { return place.noteLog(isOwn: true) }
    database.close()
    place.noteLog(isOwn: false)
    guard SQLiteBackup.isWhole(place.file) else { throw place.failures.damaged(fault) }
    throw place.failures.foreignLog()
  }

  /// Opens an existing database to read the file alone, without locks and without a log.
  ///
  /// Only sound while nobody writes it, which the caller has to find out.
  static func openUnlocked(_ place: SQLitePlace) throws -> Database {
    try refuseForeign(place)
    return try place.failures.translated {
      let database = try Database(path: unlockedName(place.file), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
      try database.readSchema()
      let version = try known(Self.version(of: database), place)
      guard version == Schema.version else {
        throw BelfryError(
          .noPermission, "\(place.named) is of version \(version) and has to be brought up to date to be read",
          hint: "use it once as its owner")
      }
      return database
    }
  }

  /// What SQLite calls a file that it is to read alone, without locks and without a log.
  static func unlockedName(_ path: String) -> String {
    "file:\(PercentCoding.encoded(path, reserved: ["?", "#"]))?immutable=1"
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
    let descriptor = Glibc.open(place.file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
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
    if isCut(descriptor, header, place) { throw failures.damaged("it ends inside a page") }
  }

  // SQLite takes what is left of the last page for the whole. Pages are written whole, but while a log is moved into the
  // file, which may have been killed: then the log still has them.
  private static func isCut(_ descriptor: Int32, _ header: [UInt8], _ place: SQLitePlace) -> Bool {
    let stored = Int(header[16]) << 8 | Int(header[17])
    let pageSize = stored == 1 ? 65_536 : max(512, stored)
    func endsInsidePage() -> Bool {
      var status = stat()
      return fstat(descriptor, &status) == 0 && Int(status.st_size) % pageSize != 0
    }
    // Looked at once more behind the log, which another process may just have moved.
    return endsInsidePage() && place.logSize == 0 && endsInsidePage()
  }

  private static func migrate(_ database: Database) throws {
    try database.transaction("BEGIN IMMEDIATE") {
      // Another process may have done it while this one waited.
      let version = try Self.version(of: database)
      for (index, migration) in Schema.migrations.enumerated().dropFirst(version) {
        try database.execute(migration)
        try database.execute("PRAGMA user_version = \(index + 1)")
      }
      try database.execute("PRAGMA application_id = \(Schema.applicationID)")
    }
  }

  /// The version that a database says it is of.
  static func version(of database: Database) throws -> Int {
    let version: Int = try database.value(of: "PRAGMA user_version") ?? 0
    guard version >= 0 else { throw StoredValueFault("its version is \(version)") }
    return version
  }

  static func sync(_ path: String, _ failures: SQLiteFailures) throws {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failures.cannotOpen(errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failures.cannotCreate("cannot sync \(path)", errno) }
  }
}
