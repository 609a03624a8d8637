import CivilTime

/// A key for the path of a file, by default in the user's data folder.
public struct DataFileKey: ConfigKeyDescription {
  /// The key.
  public let name: String
  /// The meaning of the key, on one line.
  public let summary: String
  private let file: String

  /// A key whose default is a file in the folder of ``ConfigContext/dataFile(_:)``.
  public init(_ name: String, in file: String, _ summary: String) {
    self.name = name
    self.file = file
    self.summary = summary
  }

  /// The one name.
  public var names: [String] { [name] }
  /// `.path`.
  public var shape: ConfigShape { .path }
  /// `false`.
  public var isRequired: Bool { false }
  /// The default path, starting with the variable for the data folder.
  public var defaultText: String? { "$XDG_DATA_HOME/belfry/\(file)" }
  /// The default path, absolute.
  public func defaultText(in context: ConfigContext) -> String? { context.dataFile(file).map(ConfigText.write) }

  /// Reads the path or its default. Reports an error if the data folder is unknown and the key absent.
  public func read(from section: inout ConfigSection) -> (any Sendable)? {
    if section.contains(name) { return section.decode(name, as: ConfigType<String>.path) }
    guard let path = section.context.dataFile(file) else {
      section.error("the home folder is unknown: set HOME, or write a \(inQuotes(name))", at: section.position)
      return nil
    }
    return path
  }
}
