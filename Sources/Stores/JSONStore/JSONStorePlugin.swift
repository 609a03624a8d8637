import BelfryEngine
import BelfryModel
import ConfigKeys
import FileStore

/// `type: json`: a store in one JSON file.
package enum JSONStorePlugin: StorePlugin {
  private static let path = RequiredConfigKey("path", .path, "The JSON file; made at the first write.")

  /// The type `json` and its keys.
  package static let description = PluginDescription(
    type: "json", summary: "one JSON file, one record a line, to read, edit and keep under version control",
    keys: [path])

  /// Makes the store; see ``StorePlugin``.
  package static func makeStore(_ section: ConfigSection) throws -> any ItemStore {
    guard let path = section.value(path) else { throw BelfryError(.badConfig, "store: missing key 'path'") }
    return store(path: path)
  }

  /// A store in the JSON file at a path. Opens nothing yet.
  ///
  /// - Parameter lockTimeout: the longest wait for the write lock, in seconds.
  package static func store(path: String, lockTimeout: Double = 10) -> any ItemStore {
    FileStore(path: path, format: JSONFormat(), lockTimeout: lockTimeout)
  }
}
