import BelfryModel

/// One thing that is wrong or doubtful in a config file.
public struct ConfigDiagnostic: Hashable, Sendable {
  /// Whether the file can be used all the same.
  public enum Severity: String, Hashable, Sendable {
    /// The file is refused.
    case error
    /// The file is used, but probably does not say what was meant.
    case warning
  }

  /// Whether the file can be used all the same.
  public let severity: Severity
  /// The key or value at fault.
  public let position: SourcePosition
  /// What is wrong, on one line, in lower case and without a full stop.
  public let message: String

  /// A diagnostic with all its fields.
  public init(_ severity: Severity, at position: SourcePosition, _ message: String) {
    self.severity = severity
    self.position = position
    self.message = message
  }

  /// The line for the user, `FILE:LINE:COLUMN: error: …`, which editors can jump to.
  public func line(file: String) -> String {
    "\(file):\(position.line):\(position.column): \(severity.rawValue): \(message)"
  }

  /// The line for a log, which says by itself how grave it is: `FILE:LINE:COLUMN: …`.
  public func logLine(file: String) -> String { "\(file):\(position.line):\(position.column): \(message)" }
}

/// Why there is no config.
public enum ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file that was named is not there, or is no file.
  case noSuchFile(path: String, reason: String)
  /// The file may not be read.
  case permissionDenied(path: String)
  /// The file cannot be read for another reason.
  case unreadable(path: String, reason: String)
  /// Something in the file is wrong; every error and warning, in the order of the file.
  case invalid(file: String, diagnostics: [ConfigDiagnostic])

  /// Who has to act, which also decides the exit status.
  public var kind: BelfryError.Kind {
    switch self {
    case .noSuchFile: .notFound
    case .permissionDenied: .noPermission
    case .unreadable: .storeFailed
    case .invalid: .badConfig
    }
  }

  /// What is wrong: one line, or one for each diagnostic.
  public var description: String {
    switch self {
    case .noSuchFile(let path, let reason), .unreadable(let path, let reason):
      "the config file \(path) cannot be read: \(reason)"
    case .permissionDenied(let path): "the config file \(path) cannot be read: permission denied"
    case .invalid(let file, let diagnostics): diagnostics.map { $0.line(file: file) }.joined(separator: "\n")
    }
  }
}
