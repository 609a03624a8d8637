import BelfryModel
import CSQLite
import FoundationEssentials
import Glibc
import SQLRecords
import SystemFiles

/// Creates and opens database files.
enum SQLiteFile {
  /// An empty store in memory, to read if no file exists.
  static func emptyInMemory() throws -> Database {
    let database = try Database(path: ":memory:", SQLITE_OPEN_READWRITE)
    try migrate(database)
    return database
  }

  /// Creates an empty store under another name and links it to its path, so that no other process, and no crash, sees
  /// an incomplete one.
  static func create(at place: SQLitePlace) throws {
    let failures = place.failures
    SQLiteDraft.removeLitter(at: place)
    let draft = try SQLiteDraft(of: place)
    defer { draft.remove() }
    try failures.translated {
      let database = try Database(path: draft.path, SQLITE_OPEN_READWRITE)
      try database.execute("PRAGMA journal_mode = WAL")
      try migrate(database)
      // Closing moves the log into the file as well, and hides that the disk is full.
      try database.emptyLog()
      database.close()
    }
    try failures.making(draft.path) { () throws(SystemCallFailure) in try OpenFile.sync(file: draft.path) }
    // Another process may have created one in between, which is just as good.
    guard link(draft.path, place.file) == 0 || errno == EEXIST else {
      throw failures.cannotCreate("cannot make \(place.named)", errno)
    }
    try failures.making(place.named) { () throws(SystemCallFailure) in try OpenFile.sync(folder: place.folder) }
  }

  /// Opens an existing database, migrates an older one, and refuses an invalid one.
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
        // With another file's log, even the schema may be unreadable.
        try requireOwnLog(of: database, place)
        throw error
      }
      if version < Schema.version {
        let backup = place.backup
        try backup.make(from: database, at: backup.beforeMigration(from: version))
        do {
          try migrate(database)
        } catch let error as SQLiteError where error.primaryCode == SQLITE_ERROR {
          // The tables do not match their version, so the copy made before is worthless.
          unlink(backup.beforeMigration(from: version))
          throw error
        }
      }
      if isLogDoubtful { try requireOwnLog(of: database, place) }
      return database
    }
  }

  // SQLite applies any log beside a file to that file. If the two do not belong together, neither may be read or
  // written. If the file is intact without the log, the log belongs to another file.
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

  /// Opens an existing database for reading, without locks and without a log.
  ///
  /// The caller must check that no process writes it meanwhile.
  static func openUnlocked(_ place: SQLitePlace) throws -> Database {
    try refuseForeign(place)
    return try place.failures.translated {
      let database = try Database(path: unlockedName(place.file), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
      try database.readSchema()
      let version = try known(Self.version(of: database), place)
      guard version == Schema.version else {
        throw BelfryError(
          .noPermission, "\(place.named) is of version \(version) and must be upgraded before it can be read",
          hint: "run any belfry command once as its owner")
      }
      return database
    }
  }

  /// The URI with which SQLite opens a file without locks and without a log.
  static func unlockedName(_ path: String) -> String {
    "file:\(PercentCoding.encoded(path, reserved: ["?", "#"]))?immutable=1"
  }

  /// A version, if this program knows it.
  ///
  /// - Throws: ``BelfryError`` `.storeFailed` for a newer one.
  @discardableResult
  static func known(_ version: Int, _ place: SQLitePlace) throws -> Int {
    guard version <= Schema.version else {
      throw BelfryError(
        .storeFailed,
        "\(place.named) was written by a newer Belfry (version \(version), this one knows \(Schema.version))",
        hint: "update Belfry; the file was left as it is")
    }
    return version
  }

  // SQLite takes an empty file for a new database, and would overwrite files of other programs, which the header
  // distinguishes.
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

  // SQLite accepts an incomplete last page. Pages are written whole, except when a checkpoint was killed; then the log
  // still has them.
  private static func isCut(_ descriptor: Int32, _ header: [UInt8], _ place: SQLitePlace) -> Bool {
    let stored = Int(header[16]) << 8 | Int(header[17])
    let pageSize = stored == 1 ? 65_536 : max(512, stored)
    func endsInsidePage() -> Bool {
      var status = stat()
      return fstat(descriptor, &status) == 0 && Int(status.st_size) % pageSize != 0
    }
    // Checked again after the log, which another process may just have checkpointed.
    return endsInsidePage() && place.logSize == 0 && endsInsidePage()
  }

  /// Brings the tables up to this program's version.
  static func migrate(_ database: Database) throws {
    try database.transaction("BEGIN IMMEDIATE") {
      // Another process may have migrated it while this one waited.
      let version = try Self.version(of: database)
      for (index, migration) in Schema.migrations.enumerated().dropFirst(version) {
        try database.execute(migration)
        try database.execute("PRAGMA user_version = \(index + 1)")
      }
      if version > 0, version < Schema.version { try SQLiteTransaction.takeFields(in: database) }
      try database.execute("PRAGMA application_id = \(Schema.applicationID)")
    }
  }

  /// The version stored in a database.
  static func version(of database: Database) throws -> Int {
    let version: Int = try database.value(of: "PRAGMA user_version") ?? 0
    guard version >= 0 else { throw StoredValueFault("its version is \(version)") }
    return version
  }
}
