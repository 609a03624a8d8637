import BelfryEngine
import CivilTime
import ConfigKeys

/// Reads configs: finds the file, reads its YAML, checks all of it.
package struct ConfigLoader: Sendable {
  private let schema: ConfigSchema
  private let environment: ConfigEnvironment
  private let zones: ZoneDatabase
  private let templates: (any TemplateLanguage)?

  /// A loader for configs of this schema.
  ///
  /// - Parameter templates: the language that parses templates; without one, templates are only text.
  package init(
    schema: ConfigSchema, environment: ConfigEnvironment, zones: ZoneDatabase, templates: (any TemplateLanguage)? = nil
  ) {
    self.schema = schema
    self.environment = environment
    self.zones = zones
    self.templates = templates
  }

  /// The path of the config file in use; `nil` for the default config.
  ///
  /// - Parameter option: the value of `--config`.
  func locate(option: String?) -> String? {
    ConfigLocator(environment: environment, exists: ConfigFile.exists).locate(option: option)
  }

  /// Loads the config in use, from its file or the default.
  ///
  /// - Parameter option: the value of `--config`.
  /// - Throws: ``ConfigurationError``, as ``load(file:)``.
  package func load(option: String?) throws(ConfigurationError) -> Configuration {
    guard let path = locate(option: option) else { return try loadDefault() }
    return try load(file: path)
  }

  /// Loads a file.
  ///
  /// - Parameter path: its path, relative to the working directory, and its name in messages.
  /// - Throws: ``ConfigurationError`` `.noSuchFile`, `.permissionDenied` or `.unreadable` if it cannot be read,
  ///   `.invalid` with all errors in it.
  package func load(file path: String) throws(ConfigurationError) -> Configuration {
    let bytes = try ConfigFile.read(path, limit: YAMLReader.maximumBytes)
    let absolute = path.hasPrefix("/") ? path : "\(environment.workingDirectory)/\(path)"
    let folder = absolute.lastIndex(of: "/").map { String(absolute[..<$0]) } ?? ""
    return try load(bytes: bytes, name: path, directory: folder.isEmpty ? "/" : folder)
  }

  /// Loads standard input, called `-` in messages.
  ///
  /// - Throws: ``ConfigurationError``, as ``load(file:)``.
  package func loadStandardInput() throws(ConfigurationError) -> Configuration {
    try load(
      bytes: ConfigFile.read(descriptor: 0, name: "standard input", limit: YAMLReader.maximumBytes), name: "-")
  }

  /// Loads a text.
  ///
  /// - Parameters:
  ///   - bytes: the text in UTF-8; anything else is refused.
  ///   - name: its name in messages.
  ///   - directory: the base of relative paths; `nil` for the working directory.
  /// - Throws: ``ConfigurationError`` `.invalid` with all errors in it.
  package func load(
    bytes: [UInt8], name: String, directory: String? = nil
  ) throws(ConfigurationError) -> Configuration {
    let (root, problems) = YAMLReader.read(bytes)
    return try Configuration(
      root: root, source: name, schema: schema, context: context(directory), problems: problems)
  }

  /// Loads the default config.
  ///
  /// - Throws: ``ConfigurationError`` `.invalid` if the home folder is unknown.
  package func loadDefault() throws(ConfigurationError) -> Configuration {
    try Configuration(root: nil, source: nil, schema: schema, context: context(nil))
  }

  private func context(_ directory: String?) -> ConfigContext {
    ConfigContext(
      directory: directory ?? environment.workingDirectory, environment: environment, zones: zones,
      templates: templates)
  }
}
