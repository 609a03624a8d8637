import BelfryEngine
import BelfryModel
import ConfigKeys

/// A store for configs of which only the sinks matter: its section may name a path, and nothing opens it.
public struct UnopenedStore: StorePlugin {
  /// The kind that a config has by default.
  public static let type = "sqlite"
  /// The description in the help.
  public static let summary = "a database"
  /// The path that the section names.
  public private(set) var path: String?

  /// Reads the one key, `path`.
  public init(_ section: inout ConfigSection) { section.read("path", &path, .path, "The file.") }

  /// Fails: nothing may open it.
  public func makeStore() throws -> any ItemStore {
    throw BelfryError(.internalError, "no store stands behind this section")
  }
}
