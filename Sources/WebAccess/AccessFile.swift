import BelfryModel
import CSQLite
import FoundationEssentials
import Glibc
import SQLRecords
import SQLiteStore
import SystemFiles

/// The file of tokens, sessions and sign-in links, of which it keeps digests alone, of passkeys, of links that are
/// paused, and of replies that repeated requests get again.
///
/// It is a SQLite database of its own beside the store, so that nothing which copies or exports the store takes it along.
/// Each call of a command opens it anew. A server keeps it open, and a file that was put away is gone for it at once too.
package struct AccessFile: Sendable {
  /// Its path.
  package let path: String
  private let kept: KeptDatabase?

  private static let lockTimeout = 5.0

  /// The file beside a store.
  ///
  /// - Parameter keepsOpen: true for a server, whose copies of this value share a connection.
  package init(store: String, keepsOpen: Bool = false) {
    path = store + ".access"
    kept = keepsOpen ? KeptDatabase() : nil
  }

  /// Reads; `nil` where there is no file yet.
  func read<Result>(_ body: (Database) throws -> Result) throws -> Result? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    return try use(body)
  }

  /// Changes, in one transaction.
  func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
    if let code = PrivateFolder.make(at: SymbolicLinks.folder(of: path)) {
      throw BelfryError(
        .cannotCreate, "cannot make the folder of \(path): \(String(cString: strerror(code)))",
        hint: "check the store's path in the config")
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

  // SQLite itself would make it readable for others. Not for a file that is in use: closing it ends this process's locks.
  private func makePrivately() throws {
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw BelfryError(
        errno == EACCES || errno == EROFS ? .noPermission : .cannotCreate,
        "\(path) cannot be made: \(String(cString: strerror(errno)))", hint: "check who owns the store's folder")
    }
    close(descriptor)
  }

  private func open() throws -> Database {
    let database = try Database(path: path, SQLITE_OPEN_READWRITE)
    try database.setUp(lockTimeout: Self.lockTimeout)
    return database
  }

  // Another program may have made it anew, or a newer one have written it, since it was opened.
  private func ready(_ database: Database) throws -> Database {
    let version = try version(of: database)
    guard version <= Self.version else {
      throw BelfryError(.storeFailed, "\(path) was written by a newer version of Belfry", hint: "update this one")
    }
    if version < Self.version { try migrate(database) }
    return database
  }

  private func version(of database: Database) throws -> Int { try database.value(of: "PRAGMA user_version") ?? 0 }

  private func migrate(_ database: Database) throws {
    try database.transaction("BEGIN IMMEDIATE") {
      // Another program may have been faster.
      if (1..<4).contains(try version(of: database)) {
        try database.execute("ALTER TABLE access ADD COLUMN maker INTEGER")
      }
      try database.execute(Self.schema)
    }
  }

  private func translated<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw error.primaryCode == SQLITE_BUSY
        ? BelfryError(.tryAgain, "\(path) is locked by another program", hint: "try again in a moment")
        : BelfryError(
          .storeFailed, "\(path): \(error.message)",
          hint: "check the disk; moved away, it is made anew, and all tokens and sessions have ended")
    } catch let fault as StoredValueFault {
      throw BelfryError(.storeFailed, "\(path) is damaged: \(fault.message)", hint: "move it away to begin anew")
    }
  }

  private static let version = 6

  // Instants are seconds since 1970. `name` is what people call it; a session's and a passkey's is made from its number.
  // `maker` is the access by which a session or a sign-in link was made, with which it ends.
  private static let schema = """
    CREATE TABLE IF NOT EXISTS access (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      digest TEXT NOT NULL UNIQUE,
      kind TEXT NOT NULL,
      name TEXT,
      person TEXT,
      scope TEXT NOT NULL,
      lists TEXT NOT NULL,
      made_at INTEGER NOT NULL,
      last_used_at INTEGER,
      expires_at INTEGER,
      maker INTEGER
    );
    CREATE UNIQUE INDEX IF NOT EXISTS access_name ON access (name) WHERE kind = 'token';
    -- Those of the version before lack the person; none lasts longer than a quarter of an hour.
    DROP TABLE IF EXISTS destination;
    CREATE TABLE destination (
      id INTEGER PRIMARY KEY,
      digest TEXT NOT NULL UNIQUE,
      reminder TEXT NOT NULL,
      action INTEGER,
      person TEXT,
      expires_at INTEGER NOT NULL
    );
    CREATE TABLE IF NOT EXISTS paused_link (
      digest TEXT PRIMARY KEY,
      ends_at INTEGER NOT NULL
    ) WITHOUT ROWID;
    -- Those of the version before were kept without a word of the store, for a day.
    DROP TABLE IF EXISTS reply;
    CREATE TABLE IF NOT EXISTS kept_reply (
      digest TEXT PRIMARY KEY,
      request TEXT NOT NULL,
      began_at INTEGER NOT NULL,
      status INTEGER,
      fields TEXT,
      body TEXT
    );
    CREATE TABLE IF NOT EXISTS passkey (
      id INTEGER PRIMARY KEY,
      credential TEXT NOT NULL,
      key TEXT NOT NULL,
      counter INTEGER NOT NULL
    );
    CREATE TABLE IF NOT EXISTS secret (
      name TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) WITHOUT ROWID;
    PRAGMA user_version = \(version);
    """
}
