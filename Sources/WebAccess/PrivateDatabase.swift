import BelfryModel
import CSQLite
import FoundationEssentials
import Glibc
import SQLRecords
import SQLiteStore
import SystemFiles

/// A SQLite database that only one user may read, created at the first change.
///
/// Commands open it for each call. A server keeps it open, and notices at once if the file was moved away.
struct PrivateDatabase: Sendable {
  /// The version of a schema, and the migration to it.
  struct Schema: Sendable {
    let version: Int
    /// Brings a database of an older version, 0 for a new one, to this one.
    let migrate: @Sendable (Database, _ old: Int) throws -> Void
    /// The loss if the file is moved away, in words for people.
    let loss: String
  }

  let path: String
  private let schema: Schema
  private let kept: KeptDatabase?
  private let lockTimeout: Double

  /// - Parameters:
  ///   - keepsOpen: true for a server, whose copies of this value share a connection.
  ///   - lockTimeout: the longest wait for other writers, in seconds.
  init(path: String, _ schema: Schema, keepsOpen: Bool, lockTimeout: Double = 5) {
    (self.path, self.schema, self.lockTimeout) = (path, schema, lockTimeout)
    kept = keepsOpen ? KeptDatabase() : nil
  }

  /// Reads; `nil` if there is no file yet.
  func read<Result>(_ body: (Database) throws -> Result) throws -> Result? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    return try use(body)
  }

  /// Makes changes that are committed together or not at all.
  func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
    if let code = PrivateFolder.make(at: SymbolicLinks.folder(of: path)) {
      throw BelfryError(
        .cannotCreate, "cannot make the folder of \(path): \(String(cString: strerror(code)))",
        hint: "check the path in the config")
    }
    if !isUsable { try makePrivately() }
    return try use { database in
      try database.transaction("BEGIN IMMEDIATE") { try body(database) }
    }
  }

  private func use<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try translated {
      guard let kept else { return try body(ready(open())) }
      return try kept.use(path, open: open) { try body(ready($0)) }
    }
  }

  private var isUsable: Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFLNK && access(path, R_OK | W_OK) == 0
  }

  // SQLite itself would create a file that others can read. Not for a file in use, since closing it releases this
  // process's locks.
  private func makePrivately() throws {
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw BelfryError(
        errno == EACCES || errno == EROFS ? .noPermission : .cannotCreate,
        "\(path) cannot be made: \(String(cString: strerror(errno)))", hint: "check who owns its folder")
    }
    close(descriptor)
  }

  private func open() throws -> Database {
    let database = try Database(path: path, SQLITE_OPEN_READWRITE)
    try database.setUp(lockTimeout: lockTimeout)
    return database
  }

  // Since it was opened, another program may have created its tables again, or a newer version may have migrated them.
  private func ready(_ database: Database) throws -> Database {
    let version = try version(of: database)
    guard version <= schema.version else {
      throw BelfryError(.storeFailed, "\(path) was written by a newer version of Belfry", hint: "update this one")
    }
    if version < schema.version {
      // Another program may have migrated it meanwhile.
      try database.transaction("BEGIN IMMEDIATE") { try schema.migrate(database, self.version(of: database)) }
    }
    return database
  }

  private func version(of database: Database) throws -> Int { try database.value(of: "PRAGMA user_version") ?? 0 }

  private func translated<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw error.primaryCode == SQLITE_BUSY
        ? BelfryError(.tryAgain, "\(path) is locked by another program", hint: "try again in a moment")
        : BelfryError(
          .storeFailed, "\(path): \(error.message)",
          hint: "check the disk; if you move it away, a new one is made, and \(schema.loss)")
    } catch let fault as StoredValueFault {
      throw BelfryError(.storeFailed, "\(path) is damaged: \(fault.message)", hint: "move it away to begin anew")
    }
  }
}
