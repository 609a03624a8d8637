import BelfryEngine
import ConfigKeys
import FileStore

/// `type: json`: a store in one JSON file.
package struct JSONStorePlugin: StorePlugin {
  package static let type = "json"
  /// A summary on one line.
  package static let summary = "one JSON file, one record a line, to read, edit and keep under version control"
  private let path: String

  /// Reads its keys; see ``StorePlugin``.
  package init?(_ section: inout ConfigSection) {
    guard let path = section.require("path", .path, "The JSON file, created at the first write.") else { return nil }
    self.path = path
  }

  /// Makes the store; see ``StorePlugin``.
  package func makeStore() -> any ItemStore { Self.store(path: path) }

  /// A store in the JSON file at a path. Opens nothing yet.
  ///
  /// - Parameter lockTimeout: the longest wait for the write lock, in seconds.
  package static func store(path: String, lockTimeout: Double = 10) -> any ItemStore {
    FileStore(path: path, format: JSONFormat(), lockTimeout: lockTimeout)
  }
}
