import BelfryEngine
import BelfryModel
import ConfigKeys

/// `type: sqlite`: a store in one SQLite database.
package enum SQLiteStorePlugin: StorePlugin {
  private static let path = DataFileKey("path", in: "belfry.sqlite", "The database file; made at the first write.")

  /// The type `sqlite` and its keys.
  package static let description = PluginDescription(
    type: "sqlite", summary: "one SQLite database, readable with the sqlite3 shell", keys: [path])

  /// Makes the store; see ``StorePlugin``.
  package static func makeStore(_ section: ConfigSection) throws -> any ItemStore {
    guard let path = section.value(of: path, as: String.self) else {
      throw BelfryError(.badConfig, "store: missing key 'path'")
    }
    return SQLiteStore(path: path)
  }
}
