import BelfryTestKit
import Foundation

/// A program that a test runs to its end.
package enum Program {
  /// A program that did not succeed; its own words are on standard error.
  package struct Failure: Error, CustomStringConvertible {
    /// What failed, and how.
    package let description: String
  }

  /// What a program prints, which is looked for in `PATH` and runs in an empty folder.
  ///
  /// Through files: a pipe that both sides fill would stop both.
  ///
  /// - Parameters:
  ///   - words: its name and its arguments.
  ///   - input: its standard input.
  ///   - environment: variables beside those of the test's process.
  /// - Throws: ``Failure`` where its exit status is not 0.
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
