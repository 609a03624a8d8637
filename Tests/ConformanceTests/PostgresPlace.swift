import BelfryEngine
import BelfryTestKit
import ConfigKeys
import PostgresStore
import Synchronization
import TestSupport

/// Schemas of the shared server for the stores of one test. They are removed when the last reference goes.
final class PostgresPlace: Sendable {
  private static let count = Atomic(0)

  private let server: PostgresServer
  private let prefix: String
  private let schemas = Mutex<Set<String>>([])

  init() throws {
    server = try PostgresServer.shared.get()
    prefix = "place_\(Self.count.add(1, ordering: .relaxed).newValue)"
  }

  deinit {
    for schema in schemas.withLock({ $0 }) { _ = try? server.run("DROP SCHEMA IF EXISTS \(schema) CASCADE") }
  }

  /// A new connection to the store of this name.
  func store(_ name: String = "store", lockTimeout: Double = PostgresLimits().lock) -> PostgresStore {
    let schema = "\(prefix)_\(name)"
    schemas.withLock { _ = $0.insert(schema) }
    var limits = PostgresLimits()
    limits.lock = lockTimeout
    limits.statement = max(limits.statement, lockTimeout)
    return PostgresStore(url: SecretSource(Secret(server.url())), schema: schema, limits: limits)
  }

  /// The names of the tables.
  func names() throws -> [String] {
    try server.run("SELECT tablename FROM pg_tables WHERE starts_with(schemaname, '\(prefix)_')")
      .split(separator: "\n").map(String.init)
  }
}

struct PostgresStoreFixture: StoreFixture {
  private let place: PostgresPlace
  private let patience: Double

  /// A fixture whose stores wait this long for others, in seconds.
  init(patience: Double) throws {
    (place, self.patience) = (try PostgresPlace(), patience)
  }

  var isDurable: Bool { true }

  func open() -> any ItemStore { place.store(lockTimeout: patience) }

  func names() throws -> [String] { try place.names() }
}
