import BelfryModel

/// An error or warning about a config file.
public struct ConfigDiagnostic: Hashable, Sendable {
  /// The severity of a diagnostic.
  public enum Severity: String, Hashable, Sendable {
    /// The file is refused.
    case error
    /// The file is used, but probably does not mean what its author intended.
    case warning
  }

  /// The severity: an error refuses the config, a warning does not.
  public let severity: Severity
  /// The position of the key or value.
  public let position: SourcePosition
  /// The problem on one line, in lower case and without a full stop.
  public let message: String
  /// True if it matters to daemons alone, so that only they and the checks of the config tell it.
  package let isForDaemons: Bool

  /// A diagnostic with all its fields.
  package init(
    _ severity: Severity, at position: SourcePosition, _ message: String, isForDaemons: Bool = false
  ) {
    self.severity = severity
    self.position = position
    self.message = message
    self.isForDaemons = isForDaemons
  }

  /// The line for the user, `FILE:LINE:COLUMN: error: …`, a format that editors recognise.
  public func line(file: String) -> String {
    "\(file):\(position.line):\(position.column): \(severity.rawValue): \(message)"
  }

  /// The line for a log that has levels of its own: `FILE:LINE:COLUMN: …`.
  package func logLine(file: String) -> String { "\(file):\(position.line):\(position.column): \(message)" }
}

/// The reason why there is no config.
public enum ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The named file does not exist or is not a file.
  case noSuchFile(path: String, reason: String)
  /// No permission to read the file.
  case permissionDenied(path: String)
  /// The file cannot be read for another reason.
  case unreadable(path: String, reason: String)
  /// The file has errors; `diagnostics` holds all errors and warnings, in the file's order.
  case invalid(file: String, diagnostics: [ConfigDiagnostic])

  /// The kind of error, which decides the exit status.
  public var kind: BelfryError.Kind {
    switch self {
    case .noSuchFile: .notFound
    case .permissionDenied: .noPermission
    case .unreadable: .storeFailed
    case .invalid: .badConfig
    }
  }

  /// The problem, one line for each diagnostic.
  public var description: String {
    switch self {
    case .noSuchFile(let path, let reason), .unreadable(let path, let reason):
      "the config file \(path) cannot be read: \(reason)"
    case .permissionDenied(let path): "the config file \(path) cannot be read: permission denied"
    case .invalid(let file, let diagnostics): diagnostics.map { $0.line(file: file) }.joined(separator: "\n")
    }
  }
}
