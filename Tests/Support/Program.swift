import BelfryTestKit
import Foundation

/// Runs programs to their end.
package enum Program {
  /// A program that failed, with its standard error.
  package struct Failure: Error, CustomStringConvertible {
    /// The program and its failure.
    package let description: String
  }

  /// The output of a program, which is found in `PATH` and runs in an empty folder.
  ///
  /// It goes through files, since two full pipes would block both sides.
  ///
  /// - Parameters:
  ///   - words: its name and arguments.
  ///   - input: its standard input.
  ///   - environment: variables in addition to those of the test's process.
  /// - Throws: ``Failure`` if its exit status is not 0.
  package static func output(
    _ words: [String], input: Data = Data(), environment: [String: String] = [:]
  ) throws -> Data {
    let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    let (given, printed) = (URL(filePath: folder.file("input")), URL(filePath: folder.file("output")))
    try input.write(to: given)
    try Data().write(to: printed)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.currentDirectoryURL = URL(filePath: folder.path)
    process.standardInput = try FileHandle(forReadingFrom: given)
    process.standardOutput = try FileHandle(forWritingTo: printed)
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: "\(words) ended with status \(process.terminationStatus)")
    }
    return try Data(contentsOf: printed)
  }
}
