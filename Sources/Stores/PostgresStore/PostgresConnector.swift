import BelfryModel
import ConfigKeys
import Dispatch
import Synchronization

/// Opens the connections to the database of one store.
final class PostgresConnector: Sendable {
  let limits: PostgresLimits
  let failures: PostgresFailures
  let news: PostgresNews
  let url: SecretSource
  let schema: String
  /// The last failure to connect, and the time until which it is not retried: as long as it took, so that the uses of
  /// one command wait only once for a server that is gone.
  private let failure = Mutex<(error: BelfryError, end: UInt64)?>(nil)

  init(url: SecretSource, schema: String, limits: PostgresLimits, failures: PostgresFailures) {
    (self.url, self.schema, self.limits, self.failures) = (url, schema, limits, failures)
    news = PostgresNews(schema: schema)
  }

  /// A new connection.
  ///
  /// - Throws: ``BelfryError``.
  func connect() throws -> PostgresSession {
    let begin = DispatchTime.now().uptimeNanoseconds
    if let failure = failure.withLock({ $0 }), begin < failure.end { throw failure.error }
    do {
      return try PostgresSession(url: url, schema: schema, limits: limits, failures: failures)
    } catch let error as BelfryError {
      let end = DispatchTime.now().uptimeNanoseconds
      failure.withLock { $0 = (error, end + (end - begin)) }
      throw error
    }
  }
}
