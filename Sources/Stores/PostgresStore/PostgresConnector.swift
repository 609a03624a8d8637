import BelfryModel
import ConfigKeys
import Dispatch
import Glibc
import SQLRecords
import Synchronization

/// Opens the connections to the database of one store.
final class PostgresConnector: Sendable {
  let limits: PostgresLimits
  let failures: PostgresFailures
  /// Notifies other processes of changes; `nil` if they poll.
  let news: PostgresNews?
  let url: SecretSource
  let schema: String
  /// Whether a pooler may give each transaction another session of the server. Then no setting, prepared statement or
  /// LISTEN may outlive a transaction.
  let isPooled: Bool
  /// The last failure to connect, and the time until which it is not retried: as long as it took, so that the uses of
  /// one command wait only once for a server that is gone.
  private let failure = Mutex<(error: BelfryError, end: UInt64)?>(nil)
  private let sessions = Mutex(false)

  init(url: SecretSource, schema: String, isPooled: Bool, limits: PostgresLimits, failures: PostgresFailures) {
    (self.url, self.schema, self.isPooled, self.limits, self.failures) = (url, schema, isPooled, limits, failures)
    news = isPooled ? nil : PostgresNews(schema: schema)
  }

  /// True once a connection has been seen to keep its session.
  var keepsSessions: Bool {
    get { sessions.withLock(\.self) }
    set { sessions.withLock { $0 = newValue } }
  }

  /// A new connection.
  ///
  /// - Throws: ``BelfryError``.
  func connect() throws -> PostgresSession {
    let begin = DispatchTime.now().uptimeNanoseconds
    if let failure = failure.withLock({ $0 }), begin < failure.end { throw failure.error }
    do {
      return try PostgresSession(to: self, limits: limits)
    } catch let error as BelfryError {
      let end = DispatchTime.now().uptimeNanoseconds
      failure.withLock { $0 = (error, end + (end - begin)) }
      throw error
    }
  }

  /// Asks another connection for the outcome of a transaction whose connection was lost at its commit.
  ///
  /// - Parameters:
  ///   - number: the id of the transaction.
  ///   - lost: the session in which it was made.
  /// - Throws: ``BelfryError`` `.tryAgain` unless it was committed.
  func settle(
    _ number: String, of lost: PostgresSession, limits: PostgresLimits, after error: PostgresError
  ) throws {
    let end = DispatchTime.now() + limits.lock
    var (detail, outcome): (String, String?) = (error.message, "in progress")
    var session: PostgresSession?
    repeat {
      do {
        let open = try session ?? connect()
        session = open
        try open.setLimits(limits)
        outcome = try self.outcome(of: number, in: open, after: lost)
      } catch let error as PostgresError {
        (session, detail) = (nil, error.message)
      } catch let error as BelfryError where error.kind == .tryAgain {
        detail = error.message
      }
      if outcome == "committed" { return }
      if outcome == "aborted" { throw failures.undone(detail) }
      if outcome == nil { break }
      poll(nil, 0, 100)
    } while DispatchTime.now() < end
    throw failures.unknownOutcome(detail)
  }

  // `nil` if the server no longer knows the transaction, or is not the one that ran it: a standby that was promoted may
  // have given the number to another transaction.
  private func outcome(of number: String, in session: PostgresSession, after lost: PostgresSession) throws -> String? {
    guard session.system == lost.system, session.timeline == lost.timeline else { return nil }
    return try session.connection.statement("SELECT pg_xact_status(?::text::xid8)").first(number) {
      try $0.at(0) as String?
    } ?? nil
  }

  /// Notifies other processes of a change that was committed on a connection.
  ///
  /// - Returns: false if the connection cannot be used any more.
  func tell(on connection: PostgresConnection) -> Bool { news?.tell(on: connection) ?? true }
}
