import BelfryModel
import ConfigKeys
import FoundationEssentials

/// Reports a program's final error.
package enum Failure {
  /// Prints an error to standard error and returns the exit status.
  ///
  /// - Parameter other: ends the program for errors that are not Belfry's own.
  package static func report(_ error: any Error, program: String = "belfry", other: (any Error) -> Int32) -> Int32 {
    switch error {
    case let error as BelfryError:
      print("\(program): \(error.message)")
      if let hint = error.hint { print(String(repeating: " ", count: program.count + 2) + hint) }
      return error.kind.rawValue
    case let error as ConfigurationError:
      if case .invalid = error { print(error.description) } else { print("\(program): \(error)") }
      return error.kind.rawValue
    default:
      return other(error)
    }
  }

  private static func print(_ line: String) { StandardError.write(line.visibleLines) }
}
