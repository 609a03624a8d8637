import BelfryEngine
import ConfigKeys

/// `type: postgres`: a store in a schema of a PostgreSQL database.
package struct PostgresStorePlugin: StorePlugin {
  package static let type = "postgres"
  /// A summary on one line.
  package static let summary = "a schema of a PostgreSQL database, for a server that others look after"
  package static let isOnServer = true
  private let url: SecretSource
  private let schema: String
  private let pollsOnly: Bool

  /// Reads its keys; see ``StorePlugin``.
  package init?(_ section: inout ConfigSection) {
    var url: SecretSource?
    section.secret(
      "url", &url, "The connection string, such as postgresql://user@host/database?sslmode=verify-full.",
      isRequired: true
    ) { secret throws(ConfigProblem) in
      let text = secret.revealed
      guard text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") || text.contains("=") else {
        throw ConfigProblem("it does not begin with postgresql://")
      }
    }
    var schema = "belfry"
    section.read("schema", &schema, .line, "The schema of the tables, created at the first write.")
    var pollsOnly = false
    section.read(
      "poll_only", &pollsOnly, .boolean,
      "Whether the server is behind a pooler that gives each transaction another session. Belfry then looks for changes every five seconds."
    )
    guard let url else { return nil }
    (self.url, self.schema, self.pollsOnly) = (url, schema, pollsOnly)
  }

  /// Makes the store; see ``StorePlugin``.
  package func makeStore() -> any ItemStore { PostgresStore(url: url, schema: schema, pollsOnly: pollsOnly) }
}
