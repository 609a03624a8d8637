import BelfryModel
import ConfigKeys
import Dispatch
import Synchronization

/// Opens the connections to the database of one store.
final class PostgresConnector: Sendable {
  let limits: PostgresLimits
  let failures: PostgresFailures
  /// Tells others of changes; `nil` where they look for themselves.
  let news: PostgresNews?
  let url: SecretSource
  let schema: String
  /// Whether a pooler may give each transaction another session of the server: nothing is set, prepared or heard that
  /// outlives a transaction.
  let isPooled: Bool
  /// The last failure to connect, and the time until which it is not retried: as long as it took, so that the uses of
  /// one command wait only once for a server that is gone.
  private let failure = Mutex<(error: BelfryError, end: UInt64)?>(nil)
  private let sessions = Mutex(false)

  init(url: SecretSource, schema: String, isPooled: Bool, limits: PostgresLimits, failures: PostgresFailures) {
    (self.url, self.schema, self.isPooled, self.limits, self.failures) = (url, schema, isPooled, limits, failures)
    news = isPooled ? nil : PostgresNews(schema: schema)
  }

  /// True once it has shown that a connection keeps its session.
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

  /// Tells of a change that was committed on a connection.
  ///
  /// - Returns: false where the connection cannot be used any more.
  func tell(on connection: PostgresConnection) -> Bool { news?.tell(on: connection) ?? true }
}
