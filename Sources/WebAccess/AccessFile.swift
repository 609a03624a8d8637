import BelfryEngine
import BelfryModel
import Glibc
import SQLRecords
import SQLiteStore

/// The access tables in a SQLite database next to the store, so that copies and exports of the store do not contain
/// them.
package struct AccessFile: AccessDatabase {
  private let database: PrivateDatabase
  /// The same file, for changes within a transaction of the store. Such a transaction keeps the daemon from writing, so
  /// these changes wait only briefly for other programs, and never for threads of this program that wait longer.
  private let joined: PrivateDatabase
  private let owner: String

  /// The file next to a store.
  ///
  /// - Parameters:
  ///   - path: the beginning of its path.
  ///   - owner: the store's path, if it is another: users who may write to it may change access.
  ///   - keepsOpen: true for a server, whose copies of this value share a connection.
  package init(store path: String, owner: String? = nil, keepsOpen: Bool = false) {
    let schema = PrivateDatabase.Schema(
      version: Self.version, migrate: Self.migrate, loss: "all tokens and sessions end")
    database = PrivateDatabase(path: path + ".access", schema, keepsOpen: keepsOpen)
    joined = PrivateDatabase(path: path + ".access", schema, keepsOpen: keepsOpen, lockTimeout: 0.5)
    self.owner = owner ?? path
  }

  package var path: String { database.path }

  package var watchedFile: String? { path }

  /// False, since the file belongs to one machine, on which one server runs.
  package var isShared: Bool { false }

  package func checkOwner() throws {
    guard access(owner, F_OK) != 0 || access(owner, W_OK) == 0 else {
      throw BelfryError(
        .noPermission, "only a user who may write to \(owner) may change the access to it",
        hint: "run it as the owner of the store")
    }
  }

  package func read<Result>(_ body: (any SQLConnection) throws -> Result) throws -> Result? {
    try database.read { try body($0) }
  }

  // The transaction belongs to another database, so it commits apart.
  package func write<Result>(
    in transaction: (any StoreTransaction)?, _ body: (any SQLConnection) throws -> Result
  ) throws -> Result { try (transaction == nil ? database : joined).write { try body($0) } }

  @Sendable private static func migrate(_ database: Database, from old: Int) throws {
    if (1..<4).contains(old) { try database.execute("ALTER TABLE access ADD COLUMN maker INTEGER") }
    try database.execute(schema)
  }

  private static let version = 8

  // Instants are seconds since 1970. `name` is shown to people; that of a session or passkey is made from its number.
  // `maker` is the access that made a session or sign-in link, which ends with it. `spent` has used one-time values.
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
    CREATE INDEX IF NOT EXISTS kept_reply_began ON kept_reply (began_at);
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
    CREATE TABLE IF NOT EXISTS spent (
      digest TEXT PRIMARY KEY,
      ends_at INTEGER NOT NULL
    ) WITHOUT ROWID;
    PRAGMA user_version = \(version);
    """
}
