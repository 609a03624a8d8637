import Foundation

/// A clock that is ahead of the machine's or behind it, given to single programs by libfaketime.
enum ShiftedClock {
  /// The variables that give it to a program, so many seconds ahead.
  static func variables(ahead seconds: Double) throws -> [String: String] {
    [
      "LD_PRELOAD": try library(), "FAKETIME": String(format: "%+.3f", seconds), "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    ]
  }

  private static func library() throws -> String {
    for folder in try FileManager.default.contentsOfDirectory(atPath: "/usr/lib") {
      let path = "/usr/lib/\(folder)/faketime/libfaketimeMT.so.1"
      if access(path, R_OK) == 0 { return path }
    }
    throw BenchmarkError("there is no libfaketime here; install it: apt-get install faketime")
  }
}
