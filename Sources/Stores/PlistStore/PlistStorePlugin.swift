import BelfryEngine
import ConfigKeys
import FileStore

/// `type: plist`: a store in one property list.
package struct PlistStorePlugin: StorePlugin {
  package static let type = "plist"
  /// A summary on one line.
  package static let summary = "one property list with the keys that checklist apps on iOS use"
  private let path: String
  private var encoding = PlistFormat.Encoding.xml

  /// Reads its keys; see ``StorePlugin``.
  package init?(_ section: inout ConfigSection) {
    let path = section.require("path", .path, "The property list, created at the first write.")
    section.read(
      "format", &encoding, .choice,
      "The format of the file: xml to read, edit and compare, or the smaller binary. Both are read.")
    guard let path else { return nil }
    self.path = path
  }

  /// Makes the store; see ``StorePlugin``.
  package func makeStore() -> any ItemStore { FileStore(path: path, format: PlistFormat(encoding: encoding)) }

  /// A store in the property list at a path. Opens nothing yet.
  ///
  /// - Parameters:
  ///   - isBinary: whether to write the binary format instead of XML.
  ///   - lockTimeout: the longest wait for the write lock, in seconds.
  package static func store(path: String, isBinary: Bool = false, lockTimeout: Double = 10) -> any ItemStore {
    FileStore(path: path, format: PlistFormat(encoding: isBinary ? .binary : .xml), lockTimeout: lockTimeout)
  }
}
