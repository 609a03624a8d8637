import BelfryEngine
import BelfryModel
import ConfigKeys
import Dispatch
import FoundationEssentials
import Glibc
import MemoryStore
import SQLRecords

/// A store in a schema of a PostgreSQL database, on one connection that is made at the first use and again after a
/// loss.
///
/// A change locks the row of the table `store`, so that changes of all processes come one after another. The tables and
/// views are documented in ``Schema``.
package final class PostgresStore: ItemStore {
  /// The most tries of a transaction that has not done anything yet.
  private static let tries = 4

  let connector: PostgresConnector
  let limits: PostgresLimits
  let failures: PostgresFailures
  /// Held during each use, since only one thread at a time may use a connection.
  private let turn = DispatchSemaphore(value: 1)
  nonisolated(unsafe) var session: PostgresSession?
  nonisolated(unsafe) var daemon: PostgresMembership?
  private nonisolated(unsafe) var lastIdentity: String?
  /// True if the tables were there; from then on their absence is an error.
  private nonisolated(unsafe) var wasMade = false

  /// The store's name in messages: its schema, and the source of its URL.
  package let location: String

  /// A store in this schema. Connects to nothing yet.
  ///
  /// - Parameter pollsOnly: whether it keeps nothing in a session of the server and receives no notifications, so that
  ///   a pooler may give each transaction another session.
  package init(
    url: SecretSource, schema: String, pollsOnly: Bool = false, limits: PostgresLimits = PostgresLimits()
  ) {
    self.limits = limits
    location = "PostgreSQL schema '\(schema)' (\(url))"
    failures = PostgresFailures(place: location)
    connector = PostgresConnector(
      url: url, schema: schema, isPooled: pollsOnly, limits: limits, failures: failures)
  }

  /// The identity of server, database, schema and tables, as last seen; see ``ItemStore``.
  package var identity: String? { inTurn { lastIdentity } }

  /// Reads one consistent state; see ``ItemStore``.
  package func read<Result>(_ body: (any StoreView) throws -> Result) throws -> Result {
    try inTurn {
      guard let (session, transaction, _) = try begin(.reading) else { return try MemoryStore().read(body) }
      return try run(on: session) {
        let result = try body(transaction)
        // The result has been read whole, so a connection that fails now changes nothing.
        _ = try? session.connection.script("COMMIT")
        return result
      }
    }
  }

  /// Makes one change; see ``ItemStore``.
  package func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    try inTurn { try change(body) }
  }

  /// Does nothing, since the server maintains its tables itself.
  package func tidy() {}

  /// The version, size and last write; see ``ItemStore``.
  package func info() throws -> StoreInfo {
    try inTurn {
      guard let (session, transaction, _) = try begin(.reading) else { return StoreInfo() }
      return try run(on: session) {
        let size = try transaction.integer(
          """
          SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class
          WHERE relkind = 'r' AND relnamespace = ?::bigint::oid
          """, session.namespace)
        let written: Int64? = try session.connection.value(
          of: "SELECT changed_at FROM store WHERE changed_at IS NOT NULL")
        _ = try session.connection.script("COMMIT")
        return StoreInfo(version: Schema.version, sizeBytes: size, lastWrite: written.map(Date.init(stored:)))
      }
    }
  }

  /// Reads every row, and checks for missing tables and broken indexes; see ``ItemStore``.
  package func damage() throws -> [String] {
    try inTurn {
      guard let (session, transaction, _) = try begin(.reading) else { return [] }
      return try run(on: session) {
        let found = try PostgresDamage(transaction: transaction, namespace: session.namespace).findings()
        _ = try session.connection.script("COMMIT")
        return found
      }
    }
  }

  // MARK: Transactions

  enum Purpose {
    case reading
    case writing
    /// Changes deliveries only.
    case delivering
  }

  func change<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    guard let (session, transaction, number) = try begin(.writing) else { throw failures.gone() }
    return try run(on: session) {
      let connection = session.connection
      let changes = connection.changes
      let result = try body(transaction)
      try transaction.finish(on: connection, changesBefore: changes)
      try commit(number, on: session)
      if connection.changes != changes { tellOthers(on: connection) }
      return result
    }
  }

  func commit(_ number: String, on session: PostgresSession) throws {
    // If a statement failed and the change went on, the server has aborted the whole transaction.
    if let refusal = session.connection.refusal { throw refusal }
    do {
      try session.connection.script("COMMIT")
    } catch let error as PostgresError where error.isConnectionLost {
      self.session = nil
      try connector.settle(number, of: session, limits: daemon == nil ? limits : limits.ofDaemon, after: error)
    }
  }

  // Nothing was done yet, so it is retried after a collision, or on a new connection.
  func begin(_ purpose: Purpose) throws -> (PostgresSession, SQLTransaction, number: String)? {
    for attempt in 1... {
      do {
        guard let session = try openSession(for: purpose) else { return nil }
        return try transaction(purpose, on: session)
      } catch is OlderTables where attempt < Self.tries {
        _ = try? session?.connection.script("ROLLBACK")
        try session?.migrate()
      } catch let error as PostgresError {
        if error.isConnectionLost { session = nil } else { _ = try? session?.connection.script("ROLLBACK") }
        // A server that did not respond within its time is not asked again.
        let mayGoBetter = error.isConnectionLost && !error.isSilent || error.isCollision
        guard mayGoBetter, attempt < Self.tries else { return try failures.translated { throw error } }
        poll(nil, 0, Int32(attempt * 5))
      } catch let fault as StoredValueFault {
        session = nil
        throw failures.damaged(fault.message)
      } catch {
        // An open transaction would keep the row of the table `store` locked.
        _ = try? session?.connection.script("ROLLBACK")
        throw error
      }
    }
    return nil
  }

  private func transaction(
    _ purpose: Purpose, on session: PostgresSession
  ) throws -> (PostgresSession, SQLTransaction, number: String) {
    let connection = session.connection
    switch purpose {
    // No limit between statements, since a slow reader delays no one else.
    case .reading:
      try connection.begin(
        "ISOLATION LEVEL REPEATABLE READ READ ONLY", "SET LOCAL idle_in_transaction_session_timeout TO 0")
    case .writing, .delivering: try connection.begin()
    }
    let ending =
      switch purpose {
      case .reading: "'' FROM store"
      case .writing: "pg_current_xact_id()::text FROM store FOR UPDATE"
      case .delivering: "pg_current_xact_id()::text FROM store"
      }
    let begun = try connection.statement("SELECT version, identity, \(SQLNumbers.columns), \(ending)").first { row in
      let version: Int = try row.at(0)
      guard version <= Schema.version else { throw failures.newer(version) }
      guard version == Schema.version else { throw OlderTables() }
      lastIdentity = "\(session.system) \(session.namespace ?? 0) \(try row.at(1) as UUID)"
      var dialect = PostgresDialect(member: daemon?.id, term: daemon?.part.term)
      // Daemons record outcomes during this change: without a lock, it would overwrite rows that they changed since.
      if case .writing = purpose { dialect.locking = "FOR UPDATE OF delivery" }
      let transaction = SQLTransaction(connection, dialect, try SQLNumbers(row, from: 2))
      return (session, transaction, number: try row.at(8) as String)
    }
    guard let begun else { throw StoredValueFault("table store: its row is missing") }
    return begun
  }

  func run<Result>(on session: PostgresSession, _ body: () throws -> Result) throws -> Result {
    do {
      return try failures.translated(body)
    } catch {
      if error is NoLongerLeads { daemon?.noteOtherLeader() }
      if (try? session.connection.script("ROLLBACK")) == nil { self.session = nil }
      throw error
    }
  }

  // MARK: The connection

  // A store that does not exist yet reads as empty; reading does not create it.
  private func openSession(for purpose: Purpose) throws -> PostgresSession? {
    let open: PostgresSession
    if let session, session.connection.isConnected {
      open = session
    } else {
      session = nil
      open = try connector.connect()
      if daemon != nil { try open.setLimits(limits.ofDaemon) }
      session = open
    }
    try open.findTables()
    if !open.isMade, wasMade { throw failures.gone() }
    if !open.isMade {
      guard purpose == .writing else { return nil }
      try open.migrate()
    }
    wasMade = true
    return open
  }

  // Not a `Mutex`, whose results must be sendable.
  func inTurn<Result>(_ body: () throws -> Result) rethrows -> Result {
    turn.wait()
    defer { turn.signal() }
    return try body()
  }
}

/// The error of tables of an earlier version, which lack parts that this one uses.
private struct OlderTables: Error {}
