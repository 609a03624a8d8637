import CivilTime

/// A key for the path of a file that is in the user's data folder where the key is absent.
public struct DataFileKey: ConfigKeyDescription {
  /// The key.
  public let name: String
  /// The meaning of the key, on one line.
  public let summary: String
  private let file: String

  /// A key whose default is this file in ``ConfigContext/dataFile(_:)``'s folder.
  public init(_ name: String, in file: String, _ summary: String) {
    self.name = name
    self.file = file
    self.summary = summary
  }

  /// The key itself.
  public var names: [String] { [name] }
  /// A path.
  public var shape: ConfigShape { .path }
  /// Never.
  public var isRequired: Bool { false }
  /// The file, by the variable that names the data folder.
  public var defaultText: String? { "$XDG_DATA_HOME/belfry/\(file)" }
  /// The file, by its absolute path.
  public func defaultText(in context: ConfigContext) -> String? { context.dataFile(file).map(ConfigText.write) }

  /// Reads the path, or takes the default, and reports where no folder is known for that.
  public func read(from section: inout ConfigSection) -> (any Sendable)? {
    if section.contains(name) { return section.decode(name, as: ConfigType<String>.path) }
    guard let path = section.context.dataFile(file) else {
      section.error("the home folder is unknown: set HOME, or write a \(inQuotes(name))", at: section.position)
      return nil
    }
    return path
  }
}
