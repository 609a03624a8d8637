import BelfryCore
import FoundationEssentials

/// The end of a program that did not do what it was asked.
public enum Failure {
  /// Tells a person what went wrong, on standard error, and returns the exit status.
  ///
  /// - Parameter other: ends the program for errors that are not Belfry's own.
  public static func report(_ error: any Error, program: String = "belfry", other: (any Error) -> Int32) -> Int32 {
    switch error {
    case let error as BelfryError:
      tell("\(program): \(error.message)")
      if let hint = error.hint { tell(String(repeating: " ", count: program.count + 2) + hint) }
      return error.kind.rawValue
    case let error as ConfigurationError:
      if case .invalid = error { tell(error.description) } else { tell("\(program): \(error)") }
      return error.kind.rawValue
    default:
      return other(error)
    }
  }

  private static func tell(_ line: String) { StandardError.write(line.visibleLines) }
}

/// The version of the programs.
public enum Version {
  /// As `--version` prints it.
  public static let current = BelfryVersion.current
}
