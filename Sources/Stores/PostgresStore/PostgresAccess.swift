import BelfryEngine
import Dispatch
import SQLRecords

/// The access tables of the web face, in the schema of a store, on a separate connection that is made at the first
/// use and again after a loss.
///
/// A change within a transaction of the store uses the connection of that transaction.
final class PostgresAccess: AccessDatabase {
  /// The most tries of a step that has not changed anything yet.
  private static let tries = 2

  private let connector: PostgresConnector
  /// Held during each use, since only one thread at a time may use a connection.
  private let turn = DispatchSemaphore(value: 1)
  private nonisolated(unsafe) var session: PostgresSession?

  init(_ connector: PostgresConnector) { self.connector = connector }

  /// `nil`, since the tables are in the store, which reports their changes.
  var watchedFile: String? { nil }

  /// True, since several servers behind one address may be on different machines.
  var isShared: Bool { true }

  /// Does nothing, since the database server checks what a role may do.
  func checkOwner() {}

  func read<Result>(_ body: (any SQLConnection) throws -> Result) throws -> Result? {
    try inTurn {
      try again { session in try session.isMade ? body(session.connection) : nil }
    }
  }

  func write<Result>(
    in transaction: (any StoreTransaction)?, _ body: (any SQLConnection) throws -> Result
  ) throws -> Result {
    if let transaction = transaction as? SQLTransaction { return try body(transaction.connection) }
    return try inTurn {
      // Excludes other writers, but no readers.
      let (session, number) = try again { session in
        if !session.isMade { try session.migrate() }
        return (session, try begin(session.connection))
      }
      let connection = session.connection
      do {
        let changes = connection.changes
        let result = try body(connection)
        try commit(number, on: session)
        if connection.changes != changes, !connector.tell(on: connection) { self.session = nil }
        return result
      } catch {
        // If ROLLBACK fails, the connection is lost, and the server rolls back by itself.
        if (try? connection.script("ROLLBACK")) == nil { self.session = nil }
        throw error
      }
    }
  }

  // Returns the number of the transaction.
  private func begin(_ connection: PostgresConnection) throws -> String {
    do {
      try connection.begin()
      let sql = "LOCK TABLE access IN SHARE ROW EXCLUSIVE MODE; SELECT pg_current_xact_id()::text"
      return try connection.script(sql).text ?? ""
    } catch {
      // Without ROLLBACK, the failed transaction would stay open and refuse all later statements.
      _ = try? connection.script("ROLLBACK")
      throw error
    }
  }

  private func commit(_ number: String, on session: PostgresSession) throws {
    if let refusal = session.connection.refusal { throw refusal }
    do {
      try session.connection.script("COMMIT")
    } catch let error as PostgresError where error.isConnectionLost {
      self.session = nil
      try connector.settle(number, of: session, limits: connector.limits, after: error)
    }
  }

  // After a lost connection, repeats a step that has changed nothing on a new one.
  private func again<Result>(_ body: (PostgresSession) throws -> Result) throws -> Result {
    for _ in 1..<Self.tries {
      do {
        return try body(openSession())
      } catch let error as PostgresError where error.isConnectionLost {
        session = nil
      }
    }
    return try body(openSession())
  }

  private func openSession() throws -> PostgresSession {
    if let session, session.connection.isConnected {
      try session.findTables()
      if session.isMade { return session }
    } else {
      session = nil
    }
    let open = try session ?? connector.connect()
    if open.isMade { try check(open) }
    session = open
    return open
  }

  // Migrates tables of an earlier version, even for a read.
  private func check(_ session: PostgresSession) throws {
    let version: Int? = try session.connection.value(of: "SELECT version FROM store")
    guard let version else { throw StoredValueFault("table store: its row is missing") }
    guard version <= Schema.version else { throw connector.failures.newer(version) }
    if version < Schema.version { try session.migrate() }
  }

  private func inTurn<Result>(_ body: () throws -> Result) throws -> Result {
    turn.wait()
    defer { turn.signal() }
    do {
      return try connector.failures.translated(body)
    } catch {
      if let connection = session?.connection, !connection.isConnected { session = nil }
      throw error
    }
  }
}

extension PostgresStore: AccessHolder {
  /// The tables in the schema of the store; see ``AccessHolder``.
  package func accessDatabase() -> any AccessDatabase { PostgresAccess(connector) }
}
