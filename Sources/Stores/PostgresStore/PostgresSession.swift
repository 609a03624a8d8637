import BelfryModel
import CPostgres
import ConfigKeys
import Glibc
import SQLRecords

/// The longest waits of a store, in seconds.
package struct PostgresLimits: Sendable {
  /// For all hosts together at the connection; libpq gives each at least 2.
  package var connect = 8
  /// For writers of other connections to release their locks.
  package var lock: Double = 10
  /// For the server to carry out one statement.
  package var statement: Double = 60
  /// Between two statements of a change: a client that hangs would keep others from writing.
  package var idle: Double = 10
  /// For which a daemon lives after each renewal of its lease.
  package var lease: Double = 7
  /// Between two renewals.
  package var renewal: Double = 2
  /// Between two looks of a daemon for what others have left to do.
  package var poll: Double = 5
  /// By which an answer may be later than the server's own limit.
  package var travel: Double = 5
  /// Between two calls to other daemons.
  package var callInterval = 0.05

  package init() {}

  /// The longest wait for an answer of the server, which ends a statement before.
  fileprivate var patience: Double { max(statement, lock) + travel }
}

/// A connection whose settings are Belfry's, to a schema that may not be there yet.
final class PostgresSession {
  let connection: PostgresConnection
  private let schema: String
  private let failures: PostgresFailures
  /// Distinguishes this server's data from those of any other, also of a copy.
  let system: String
  /// The number of the schema; `nil` while there is none.
  private(set) var namespace: Int64?
  /// True once the store's tables are there.
  private(set) var isMade = false

  /// Connects.
  ///
  /// - Throws: ``BelfryError``.
  init(url: SecretSource, schema: String, limits: PostgresLimits, failures: PostgresFailures) throws {
    (self.schema, self.failures) = (schema, failures)
    if let reason = belfry_pg_load() {
      throw BelfryError(
        .badConfig, "PostgreSQL's library cannot be used: \(String(cString: reason))", hint: "install libpq5")
    }
    let secret = try url.read()
    let hosts = Int(belfry_pg_hosts(secret.revealed))
    guard hosts > 0 else {
      throw BelfryError(
        .badConfig, "\(url) is not a connection string of PostgreSQL",
        hint: "it looks like postgresql://USER@HOST/DATABASE?sslmode=verify-full")
    }
    let connection: PostgresConnection
    do {
      connection = try PostgresConnection(
        secret, connectTimeout: max(2, limits.connect / hosts), patience: limits.patience)
    } catch let error as PostgresError {
      throw failures.cannotConnect(error)
    }
    guard connection.serverVersion >= 130_000 else {
      throw BelfryError(
        .badConfig, "the server has PostgreSQL \(connection.serverVersion / 10_000)",
        hint: "Belfry needs PostgreSQL 13 or newer")
    }
    self.connection = connection
    system = try failures.translated { try Self.setUp(connection, schema, limits) }
    try findTables()
  }

  /// Sets the longest waits.
  ///
  /// - Throws: ``PostgresError``.
  func setLimits(_ limits: PostgresLimits) throws {
    try connection.script(Self.settings(limits))
    connection.setPatience(limits.patience)
  }

  private static func settings(_ limits: PostgresLimits) -> String {
    func milliseconds(_ seconds: Double) -> Int { Int(min(seconds, 1_000_000) * 1_000) }
    return """
      SET statement_timeout TO \(milliseconds(limits.statement));
      SET lock_timeout TO \(milliseconds(limits.lock));
      SET idle_in_transaction_session_timeout TO \(milliseconds(limits.idle));
      """
  }

  // No setting of the server, the database or the user changes what is read and written.
  private static func setUp(
    _ connection: PostgresConnection, _ schema: String, _ limits: PostgresLimits
  ) throws -> String {
    // This is first and alone: by the default of a role, a standby may refuse any transaction, even one that sets
    // another default.
    try connection.script("SET default_transaction_isolation TO 'read committed'")
    try connection.script(
      """
      SET search_path TO \(schema.inSQL);
      SET TimeZone TO 'UTC';
      SET DateStyle TO 'ISO, YMD';
      SET IntervalStyle TO 'iso_8601';
      SET extra_float_digits TO 3;
      SET client_min_messages TO warning;
      SET cursor_tuple_fraction TO 1;
      \(settings(limits))
      SET tcp_keepalives_idle TO 10;
      SET tcp_keepalives_interval TO 5;
      SET tcp_keepalives_count TO 3;
      SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'
      """)
    let sql = """
      SELECT current_setting('server_encoding'), current_database()::text,
        (SELECT system_identifier::text FROM pg_control_system()),
        (SELECT oid::bigint FROM pg_database WHERE datname = current_database())
      """
    let system = try connection.statement(sql).first { row in
      let encoding: String = try row.at(0)
      guard encoding == "UTF8" else {
        throw BelfryError(
          .badConfig, "the database '\(try row.at(1) as String)' has the encoding \(encoding)",
          hint: "Belfry needs UTF8: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0")
      }
      return "\(try row.at(2) as String) \(try row.at(3) as Int64)"
    }
    guard let system else { throw StoredValueFault("the server does not know its own database") }
    return system
  }

  /// Looks whether the tables are there.
  func findTables() throws {
    guard !isMade else { return }
    try failures.translated {
      let sql = """
        SELECT oid::bigint, has_schema_privilege(oid, 'USAGE'), to_regclass('store') IS NOT NULL
        FROM pg_namespace WHERE nspname = ?
        """
      (namespace, isMade) = (nil, false)
      try connection.statement(sql).run(schema) { row in
        guard try row.at(1) else {
          throw PostgresError(state: "42501", message: "permission denied for schema \(schema)")
        }
        (namespace, isMade) = try (row.at(0), row.at(2))
      }
    }
  }

  /// Makes the schema and its tables, unless another process just has, or adds what a newer version has.
  func migrate() throws {
    try failures.translated {
      try connection.script("BEGIN; SET LOCAL statement_timeout TO 0", limit: 3_600)
      do {
        try connection.statement("SELECT pg_advisory_xact_lock(hashtextextended('belfry ' || ?, 0))").execute(schema)
        try findTables()
        let version = isMade ? try self.version() : 0
        guard version < Schema.version else {
          try connection.script("ROLLBACK")
          return
        }
        if namespace == nil { try connection.script("CREATE SCHEMA \(schema.inSQL)") }
        for migration in Schema.migrations.dropFirst(version) { try connection.script(migration, limit: 3_600) }
        if version > 0 { try SQLTransaction(connection, PostgresDialect()).takeFields() }
        let note =
          version == 0
          ? "INSERT INTO store (version, identity) VALUES (\(Schema.version), gen_random_uuid())"
          : "UPDATE store SET version = \(Schema.version)"
        try connection.script("\(note); COMMIT")
        try findTables()
      } catch {
        _ = try? connection.script("ROLLBACK")
        isMade = false
        throw error
      }
    }
  }

  private func version() throws -> Int {
    if let version: Int = try connection.value(of: "SELECT version FROM store") { return version }
    throw StoredValueFault("table store: its row is missing")
  }
}

extension String {
  /// The name quoted for a statement.
  var inSQL: String { "\"" + split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\"" }
}
