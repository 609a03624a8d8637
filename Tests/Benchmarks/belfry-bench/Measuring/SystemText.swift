import Foundation

/// Texts for the system's error and status codes.
enum SystemText {
  /// The text of an `errno`.
  static func error(_ code: Int32) -> String { String(cString: strerror(code)) }

  /// A description of a process's end, from the status of `wait4`.
  static func ending(_ status: Int32) -> String {
    let signal = status & 0x7f
    return signal == 0 ? "exited with status \((status >> 8) & 0xff)" : "was ended by signal \(signal)"
  }
}
