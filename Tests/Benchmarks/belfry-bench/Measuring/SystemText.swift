import Foundation

/// The system's words for its numbers.
enum SystemText {
  /// The text of an `errno`.
  static func error(_ code: Int32) -> String { String(cString: strerror(code)) }

  /// How a process ended, from the status of `wait4`.
  static func ending(_ status: Int32) -> String {
    let signal = status & 0x7f
    return signal == 0 ? "exited with status \((status >> 8) & 0xff)" : "was ended by signal \(signal)"
  }
}
