import BelfryEngine
import BelfryModel
import ConfigKeys
import FileStore

/// `type: plist`: a store in one property list.
package enum PlistStorePlugin: StorePlugin {
  private static let path = RequiredConfigKey("path", .path, "The property list; made at the first write.")
  private static let format = ConfigKey(
    "format", .choice(PlistFormat.Encoding.self), default: .xml,
    "How the file is written: xml to read, edit and compare, binary to be smaller. Either is read.")

  /// The type `plist` and its keys.
  package static let description = PluginDescription(
    type: "plist", summary: "one property list with the keys that checklist apps on iOS use", keys: [path, format])

  /// Makes the store; see ``StorePlugin``.
  package static func makeStore(_ section: ConfigSection) throws -> any ItemStore {
    guard let path = section.value(path) else { throw BelfryError(.badConfig, "store: missing key 'path'") }
    return FileStore(path: path, format: PlistFormat(encoding: section.value(format)))
  }

  /// A store in the property list at a path. Opens nothing yet.
  ///
  /// - Parameters:
  ///   - isBinary: whether to write the binary format instead of XML.
  ///   - lockTimeout: the longest wait for the write lock, in seconds.
  package static func store(path: String, isBinary: Bool = false, lockTimeout: Double = 10) -> any ItemStore {
    FileStore(path: path, format: PlistFormat(encoding: isBinary ? .binary : .xml), lockTimeout: lockTimeout)
  }
}
