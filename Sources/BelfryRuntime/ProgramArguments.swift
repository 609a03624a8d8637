import BelfryModel
import FoundationEssentials
import Glibc
import SystemFiles

/// The words of this process's command line.
package enum ProgramArguments {
  /// The words after the program's name.
  ///
  /// They are read from the kernel: Swift's own `CommandLine` repairs invalid UTF-8, and is empty if a preloaded
  /// library has moved the environment.
  ///
  /// - Throws: ``BelfryError`` `.usage` for a word that is not UTF-8.
  package static func read() throws -> [String] {
    guard let bytes = FileManager.default.contents(atPath: "/proc/self/cmdline") else {
      return Array(CommandLine.arguments.dropFirst())
    }
    return try bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().dropFirst().map { word in
      guard let text = String(validating: word, as: UTF8.self) else {
        throw BelfryError(
          .usage, "an argument is not UTF-8: '\(String(decoding: word, as: UTF8.self))'",
          hint: "check the terminal's character set")
      }
      return text
    }
  }
}

/// Standard error; failures to write to it are ignored.
package enum StandardError {
  package static func write(_ line: String) { put(line + "\n") }

  /// Writes a text without a line end.
  package static func put(_ text: String) { try? OpenFile.write(Array(text.utf8), to: STDERR_FILENO) }
}
