import BelfryEngine
import ConfigKeys
import SQLiteStore

/// `type: sqlite`: a store in one SQLite database.
package struct SQLiteStorePlugin: StorePlugin {
  package static let type = "sqlite"
  /// A summary on one line.
  package static let summary = "one SQLite database, readable with the sqlite3 shell"
  private let path: String

  /// Reads its keys; see ``StorePlugin``.
  package init?(_ section: inout ConfigSection) {
    let path = section.dataFile("path", in: "belfry.sqlite", "The database file, created at the first write.")
    guard let path else { return nil }
    self.path = path
  }

  /// Makes the store; see ``StorePlugin``.
  package func makeStore() -> any ItemStore { SQLiteStore(path: path) }
}
