import BelfryEngine
import BelfryModel
import FoundationEssentials
import Glibc
import SQLRecords

/// The hold of this process on the store as its only daemon: an advisory lock of the connection, and a row that says
/// who has it.
final class PostgresDaemon {
  // "Blfy" in ASCII, before the number of the schema.
  private let key: Int64
  private var term: Int64 = 0
  /// How often another daemon has had the store while this one's connection was lost.
  private(set) var generation = 0

  /// Tells this lock from earlier ones of the same store.
  let number: Int

  init(namespace: Int64, number: Int) {
    key = 0x426c_6679 << 32 | namespace
    self.number = number
  }

  /// Takes the lock. Returns whether the daemon before did not release it.
  ///
  /// - Throws: ``BelfryError`` `.tryAgain` naming who has it.
  func begin(on connection: PostgresConnection, _ failures: PostgresFailures) throws -> Bool {
    let before = try owner(connection)
    guard try lock(connection) else { throw heldElsewhere(failures, owner: try owner(connection)) }
    term = try note(connection)
    return before?.isRunning ?? false
  }

  /// Takes the lock again on a new connection.
  ///
  /// - Throws: ``BelfryError`` `.tryAgain` while another daemon has it.
  func resume(on connection: PostgresConnection, _ failures: PostgresFailures) throws {
    guard try lock(connection) else {
      let owner = try owner(connection)
      let isOwn = owner?.term == term
      throw BelfryError(
        .tryAgain,
        isOwn
          ? "\(failures.place): the lost connection still has the lock of this belfryd"
          : "\(failures.place): the connection was lost, and another belfryd has taken over\(Self.name(owner))",
        hint: isOwn
          ? "nothing rings until the server has ended that connection"
          : "this belfryd rings nothing until the other ends; stop one of them")
    }
    guard try owner(connection)?.term != term else { return }
    generation += 1
    term = try note(connection)
  }

  func end(on connection: PostgresConnection, isOrderly: Bool) throws {
    if isOrderly { try connection.statement("UPDATE daemon SET is_running = false WHERE term = ?").execute(term) }
    try connection.statement("SELECT pg_advisory_unlock(?)").execute(key)
  }

  /// The error of a lock that is held.
  func heldElsewhere(_ failures: PostgresFailures) -> BelfryError { heldElsewhere(failures, owner: nil) }

  private typealias Owner = (term: Int64, host: String, process: Int64, isRunning: Bool)

  private func heldElsewhere(_ failures: PostgresFailures, owner: Owner?) -> BelfryError {
    BelfryError(
      .tryAgain, "\(failures.place): another belfryd has it already\(Self.name(owner))", hint: "stop that one first")
  }

  private static func name(_ owner: Owner?) -> String {
    owner.map { " (process \($0.process) on \($0.host))" } ?? ""
  }

  private func lock(_ connection: PostgresConnection) throws -> Bool {
    try connection.statement("SELECT pg_try_advisory_lock(?)").first(key) { try $0.at(0) } ?? false
  }

  private func owner(_ connection: PostgresConnection) throws -> Owner? {
    try connection.statement("SELECT term, host, process, is_running FROM daemon").first {
      (try $0.at(0), try $0.at(1), try $0.at(2), try $0.at(3))
    }
  }

  private func note(_ connection: PostgresConnection) throws -> Int64 {
    let sql = """
      INSERT INTO daemon (term, host, process, is_running) VALUES (1, ?, ?, true)
      ON CONFLICT (only_row) DO UPDATE SET term = daemon.term + 1, host = excluded.host, process = excluded.process,
        is_running = true
      RETURNING term
      """
    let term: Int64? = try connection.statement(sql).first(ProcessInfo.processInfo.hostName, Int(getpid())) {
      try $0.at(0)
    }
    if let term { return term }
    throw StoredValueFault("table daemon: its row is missing")
  }
}

/// The lock of a store's only daemon.
struct PostgresDaemonLock: DaemonLock {
  let wasAbandoned: Bool
  let end: @Sendable (_ isOrderly: Bool) -> Void

  func release() { end(true) }

  func abandon() { end(false) }
}
