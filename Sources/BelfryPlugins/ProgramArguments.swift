import BelfryCore
import FoundationEssentials
import Glibc

/// The words of this process's command line.
public enum ProgramArguments {
  /// The words behind the program's name, as they were given.
  ///
  /// Read from the kernel: Swift's own `CommandLine` repairs what is not UTF-8, and finds nothing where a preloaded
  /// library has moved the environment.
  ///
  /// - Throws: ``BelfryError`` `.usage` for a word that is not UTF-8.
  public static func read() throws -> [String] {
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

/// Standard error, for messages that may go unread.
public enum StandardError {
  /// Writes one line. One that cannot be shown, because standard error is closed or full, changes nothing.
  public static func write(_ line: String) { put(line + "\n") }

  /// Writes a text as it is.
  public static func put(_ text: String) {
    let bytes = Array(text.utf8)
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
      if count > 0 {
        written += count
      } else if errno != EINTR {
        return
      }
    }
  }
}
