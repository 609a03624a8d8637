import BelfryEngine
import BelfryModel
import BelfryTestKit
import ConfigKeys
import PostgresStore
import TestSupport
import Testing

/// A server of one test, with a store in it.
struct TestDatabase {
  let server: PostgresServer

  init() throws { server = try PostgresServer() }

  /// A new connection to the store, or to the one at another URL or in another schema.
  func store(
    _ url: String? = nil, schema: String = "belfry", pollsOnly: Bool = false,
    lockTimeout: Double = PostgresLimits().lock, lease: Double = PostgresLimits().lease
  ) -> PostgresStore {
    var limits = PostgresLimits()
    (limits.lock, limits.lease, limits.renewal) = (lockTimeout, lease, lease / 3.5)
    return PostgresStore(
      url: SecretSource(Secret(url ?? server.url())), schema: schema, pollsOnly: pollsOnly, limits: limits)
  }

  /// Ends every other connection, as an operator may.
  func endConnections() throws {
    try server.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'belfry%'")
  }
}

extension ItemStore {
  var listNames: [String] { get throws { try read { try $0.lists().map(\.name) } } }

  func addList(_ name: String) throws { try write { _ = try $0.addSampleList(name) } }
}
