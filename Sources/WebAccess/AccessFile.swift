import Digests
import SQLRecords
import SQLiteStore

/// The file of tokens, sessions and sign-in links, of which it keeps digests alone, of passkeys, of links that are
/// paused, and of replies that repeated requests get again.
///
/// It is a SQLite database of its own beside the store, so that nothing which copies or exports the store takes it along.
package struct AccessFile: Sendable {
  private let database: PrivateDatabase

  /// The file beside a store.
  ///
  /// - Parameter keepsOpen: true for a server, whose copies of this value share a connection.
  package init(store: String, keepsOpen: Bool = false) {
    let schema = PrivateDatabase.Schema(
      version: Self.version, migrate: Self.migrate, loss: "all tokens and sessions have ended")
    database = PrivateDatabase(path: store + ".access", schema, keepsOpen: keepsOpen)
  }

  package var path: String { database.path }

  /// Reads; `nil` if there is no file yet.
  func read<Result>(_ body: (Database) throws -> Result) throws -> Result? { try database.read(body) }

  /// Makes changes that are committed together or not at all.
  func write<Result>(_ body: (Database) throws -> Result) throws -> Result { try database.write(body) }

  @Sendable private static func migrate(_ database: Database, from old: Int) throws {
    if (1..<4).contains(old) { try database.execute("ALTER TABLE access ADD COLUMN maker INTEGER") }
    try database.execute(schema)
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

extension AccessFile {
  /// The key by which a server knows again what it handed out, such as the places of pages; made at its first use.
  ///
  /// - Returns: 32 random bytes, the same until the file is made anew.
  package func sealingKey() throws -> [UInt8] {
    let secret = try write { database in
      let insert = "INSERT INTO secret VALUES ('seal', ?) ON CONFLICT DO NOTHING"
      try database.statement(insert).run(AccessSecret.make()) { _ in }
      return try database.statement("SELECT value FROM secret WHERE name = 'seal'").first { row -> String in
        try row.at(0)
      }
    }
    return HKDFSHA256.key(from: Array((secret ?? "").utf8), info: "belfry seal")
  }
}
