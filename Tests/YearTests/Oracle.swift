import Foundation
import Testing

/// The programs beside this file that are written in Python.
enum Oracle {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
    "Oracle")

  /// Runs one of them with its standard output in a file, and requires that it succeeds.
  static func run(_ name: String, _ arguments: [String], output: String) throws {
    try #require(FileManager.default.createFile(atPath: output, contents: nil))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", folder.appendingPathComponent(name).path] + arguments
    process.standardOutput = FileHandle(forWritingAtPath: output)
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(name) failed; python3 needs the module dateutil")
  }
}
