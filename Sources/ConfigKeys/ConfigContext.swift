import CivilTime

/// The environment of a program, on which the meaning of a config depends.
public struct ConfigEnvironment: Sendable {
  /// The environment that paths and secrets are looked up in.
  public let variables: [String: String]
  /// The user's home folder as an absolute path; `nil` if unknown.
  public let home: String?
  /// The working directory as an absolute path.
  public let workingDirectory: String

  /// An environment.
  ///
  /// - Parameter home: the home folder if `$HOME` does not name one.
  package init(variables: [String: String], home: String? = nil, workingDirectory: String) {
    self.variables = variables
    self.home = ConfigEnvironment.absolute(variables["HOME"]) ?? home
    self.workingDirectory = workingDirectory
  }

  /// A folder of the XDG Base Directory Specification: the variable if it holds an absolute path, as the specification
  /// requires, otherwise a folder in the home folder; `nil` if both are unknown.
  public func folder(_ variable: String, orInHome fallback: String) -> String? {
    ConfigEnvironment.absolute(variables[variable]) ?? home.map { "\($0)/\(fallback)" }
  }

  private static func absolute(_ path: String?) -> String? {
    path.flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}

/// The context in which the values of one config file are read.
public struct ConfigContext: Sendable {
  /// The folder of the config file as an absolute path, to which relative paths refer.
  public let directory: String
  /// The home folder and the environment variables.
  public let environment: ConfigEnvironment
  /// Where the names of `time_zone` are looked up.
  public let zones: ZoneDatabase
  /// The language of templates; `nil` in a program that renders none.
  public let templates: (any TemplateLanguage)?

  /// A context for a file in a folder.
  package init(
    directory: String, environment: ConfigEnvironment, zones: ZoneDatabase, templates: (any TemplateLanguage)? = nil
  ) {
    self.directory = directory
    self.environment = environment
    self.zones = zones
    self.templates = templates
  }

  /// A context for code that runs only to list the keys.
  static let empty = ConfigContext(
    directory: "/", environment: ConfigEnvironment(variables: [:], workingDirectory: "/"),
    zones: ZoneDatabase(environment: [:]))

  /// The path of a file in the user's data folder, `$XDG_DATA_HOME/belfry` or `~/.local/share/belfry`; `nil` if the
  /// home folder is unknown. Nothing is created.
  public func dataFile(_ name: String) -> String? {
    environment.folder("XDG_DATA_HOME", orInHome: ".local/share").map { "\($0)/belfry/\(name)" }
  }

  /// The path of a file that Belfry creates, in `$XDG_STATE_HOME/belfry` or `~/.local/state/belfry`; `nil` if the home
  /// folder is unknown. Nothing is created.
  public func stateFile(_ name: String) -> String? {
    environment.folder("XDG_STATE_HOME", orInHome: ".local/state").map { "\($0)/belfry/\(name)" }
  }
}

/// The diagnostics found so far while values are read.
public struct ConfigReport: Sendable {
  /// The context in which the values are read.
  public let context: ConfigContext
  /// Errors and warnings, in the order found.
  public private(set) var diagnostics: [ConfigDiagnostic]
  /// True if an error was found.
  public private(set) var hasErrors: Bool

  /// A report on a file, starting with the diagnostics of its reader.
  package init(context: ConfigContext, diagnostics: [ConfigDiagnostic] = []) {
    self.context = context
    self.diagnostics = []
    hasErrors = false
    append(diagnostics)
  }

  /// Reports an error, which makes the config invalid.
  public mutating func error(_ message: String, at position: SourcePosition) {
    append([ConfigDiagnostic(.error, at: position, message)])
  }

  package mutating func warning(_ message: String, at position: SourcePosition, isForDaemons: Bool = false) {
    append([ConfigDiagnostic(.warning, at: position, message, isForDaemons: isForDaemons)])
  }

  /// Adds the diagnostics of another report.
  public mutating func append(_ others: [ConfigDiagnostic]) {
    diagnostics += others
    hasErrors = hasErrors || others.contains { $0.severity == .error }
  }

  /// Returns the diagnostics and removes them.
  mutating func drain() -> [ConfigDiagnostic] {
    defer {
      diagnostics = []
      hasErrors = false
    }
    return diagnostics
  }
}
