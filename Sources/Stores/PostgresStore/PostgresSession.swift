import BelfryModel
import CPostgres
import ConfigKeys
import Glibc
import SQLRecords

/// The time limits and the intervals of a store, in seconds.
package struct PostgresLimits: Sendable {
  /// The longest time to connect, all hosts together, whatever the connection string says; libpq gives each at least 2.
  package var connect = 8
  /// The longest wait for writers of other connections to release their locks.
  package var lock: Double = 10
  /// The longest time that the server may take for one statement.
  package var statement: Double = 60
  /// The longest pause between two statements of a change, since a client that hangs would keep others from writing.
  package var idle: Double = 10
  /// The length of a daemon's lease after each renewal.
  package var lease: Double = 7
  /// The interval between two renewals.
  package var renewal: Double = 2
  /// The interval at which a daemon polls for work that others have left.
  package var poll: Double = 5
  /// The time by which a response may be later than the server's own limit.
  package var travel: Double = 5
  /// The shortest interval between two calls to other daemons.
  package var callInterval = 0.05

  package init() {}

  /// The longest wait for a response of the server, which ends a statement earlier.
  var patience: Double { max(statement, lock) + travel }
}

/// A connection with Belfry's settings, to a schema that may not exist yet.
final class PostgresSession {
  let connection: PostgresConnection
  private let schema: String
  private let failures: PostgresFailures
  /// Whether no setting outlives its transaction.
  private let isPooled: Bool
  /// Distinguishes this server's data from those of any other, even one with a restored dump.
  let system: String
  /// The timeline of the server's log, which a promotion changes; `nil` on a standby.
  let timeline: String?
  /// The number of the schema; `nil` while there is none.
  private(set) var namespace: Int64?
  /// True once the store's tables exist.
  private(set) var isMade = false

  /// Connects.
  ///
  /// - Throws: ``BelfryError``.
  init(to place: PostgresConnector, limits: PostgresLimits) throws {
    let (schema, failures) = (place.schema, place.failures)
    (self.schema, self.failures, isPooled) = (schema, failures, place.isPooled)
    if let reason = belfry_pg_load() {
      throw BelfryError(
        .badConfig, "PostgreSQL's library cannot be used: \(String(cString: reason))", hint: "install libpq5")
    }
    let secret = try place.url.read()
    let hosts = Int(belfry_pg_hosts(secret.revealed))
    guard hosts > 0 else {
      throw BelfryError(
        .badConfig, "\(place.url) is not a connection string of PostgreSQL",
        hint: "it looks like postgresql://USER@HOST/DATABASE?sslmode=verify-full")
    }
    func connect() throws -> PostgresConnection {
      do {
        return try PostgresConnection(secret, connectTimeout: max(2, limits.connect / hosts), limits: limits)
      } catch let error as PostgresError {
        throw failures.cannotConnect(error)
      }
    }
    let connection = try connect()
    guard connection.serverVersion >= 130_000 else {
      throw BelfryError(
        .badConfig, "the server has PostgreSQL \(connection.serverVersion / 10_000)",
        hint: "Belfry needs PostgreSQL 13 or newer")
    }
    self.connection = connection
    (system, timeline) = try failures.translated {
      if place.isPooled {
        connection.transactionSettings = Self.settings(schema, limits, "SET LOCAL")
      } else {
        try Self.makeSettings(connection, schema, limits, isKnown: place.keepsSessions, connect)
        place.keepsSessions = true
      }
      return try Self.system(connection)
    }
    try findTables()
  }

  /// Sets the longest waits.
  ///
  /// - Throws: ``PostgresError``.
  func setLimits(_ limits: PostgresLimits) throws {
    if isPooled {
      connection.transactionSettings = Self.settings(schema, limits, "SET LOCAL")
    } else {
      try connection.script(Self.settings(limits, "SET"))
    }
    connection.setPatience(limits)
  }

  private static func settings(_ limits: PostgresLimits, _ set: String) -> String {
    func milliseconds(_ seconds: Double) -> Int { Int(min(seconds, 1_000_000) * 1_000) }
    return """
      \(set) statement_timeout TO \(milliseconds(limits.statement));
      \(set) lock_timeout TO \(milliseconds(limits.lock));
      \(set) idle_in_transaction_session_timeout TO \(milliseconds(limits.idle));
      """
  }

  // Makes reads and writes independent of the settings of the server, the database and the user.
  private static func settings(_ schema: String, _ limits: PostgresLimits, _ set: String) -> String {
    """
    \(set) search_path TO \(schema.inSQL);
    \(set) TimeZone TO 'UTC';
    \(set) DateStyle TO 'ISO, YMD';
    \(set) IntervalStyle TO 'iso_8601';
    \(set) extra_float_digits TO 3;
    \(set) client_min_messages TO warning;
    \(set) cursor_tuple_fraction TO 1;
    \(settings(limits, set))
    SELECT set_config('synchronous_commit', 'on', \(set == "SET LOCAL")) WHERE current_setting('synchronous_commit') = 'off';
    SELECT set_config('transaction_timeout', '0', \(set == "SET LOCAL"))
      WHERE current_setting('transaction_timeout', true) <> '0';
    """
  }

  // BEGIN sets the isolation level, since a standby refuses the one that may be the role's default.
  private static func makeSettings(
    _ connection: PostgresConnection, _ schema: String, _ limits: PostgresLimits, isKnown: Bool,
    _ connect: () throws -> PostgresConnection
  ) throws {
    let process = try connection.beginTellingProcess()
    if process != connection.announcedProcess, !isKnown {
      try connection.script("COMMIT")
      if try isShared(connection, with: connect()) { throw TransactionPooler() }
      try connection.begin()
    }
    try connection.script(
      """
      SET default_transaction_isolation TO 'read committed';
      \(settings(schema, limits, "SET"))
      SET tcp_keepalives_idle TO 10;
      SET tcp_keepalives_interval TO 5;
      SET tcp_keepalives_count TO 3;
      SELECT set_config('idle_session_timeout', '0', false) WHERE current_setting('idle_session_timeout', true) <> '0';
      COMMIT
      """)
  }

  // True if another connection gets the server process of this one between two transactions. Other clients of the
  // pooler may get it first, hence several tries.
  private static func isShared(_ connection: PostgresConnection, with other: PostgresConnection) throws -> Bool {
    func process(_ connection: PostgresConnection) throws -> Int32? {
      defer { _ = try? connection.script("COMMIT") }
      return try connection.beginTellingProcess()
    }
    for _ in 1...3 {
      let own = try process(connection)
      // There is no response if a pooler that keeps sessions has none left.
      guard let others = try? other.beginTellingProcess() else { return false }
      if try others == own || process(connection) != own { return true }
      try other.script("COMMIT")
    }
    return false
  }

  private static func system(_ connection: PostgresConnection) throws -> (String, timeline: String?) {
    let sql = """
      SELECT current_setting('server_encoding'), current_database()::text,
        (SELECT system_identifier::text FROM pg_control_system()),
        (SELECT oid::bigint FROM pg_database WHERE datname = current_database()),
        CASE WHEN pg_is_in_recovery() THEN NULL ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END
      """
    let system = try connection.statement(sql).first { row in
      let encoding: String = try row.at(0)
      guard encoding == "UTF8" else {
        throw BelfryError(
          .badConfig, "the database '\(try row.at(1) as String)' has the encoding \(encoding)",
          hint: "Belfry needs UTF8: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0")
      }
      return ("\(try row.at(2) as String) \(try row.at(3) as Int64)", timeline: try row.at(4) as String?)
    }
    guard let system else { throw StoredValueFault("the server does not know its own database") }
    return system
  }

  /// Checks whether the tables exist.
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

  /// Creates the schema and its tables, or migrates older ones, unless another process just has.
  func migrate() throws {
    try failures.translated {
      try connection.begin("ISOLATION LEVEL READ COMMITTED", "SET LOCAL statement_timeout TO 0")
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

/// The error of a pooler that gives a connection's session to others between transactions.
struct TransactionPooler: Error {}

extension String {
  /// The name quoted for a statement.
  var inSQL: String { "\"" + split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\"" }
}
