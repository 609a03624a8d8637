import BelfryTestKit
import Foundation

/// The reading end of a named pipe, small enough to block a writer soon: nothing is written faster than it is read,
/// however fast the machine.
final class SlowReader {
  /// The bytes that the pipe holds, at least; the kernel rounds up to whole pages.
  private static let capacity: Int32 = 4_096
  /// `F_SETPIPE_SZ` of fcntl(2), which Swift does not know.
  private static let setCapacity: Int32 = 1_031

  private let descriptor: Int32
  private var data = Data()

  /// Makes a pipe at a path.
  init(path: String) throws {
    try Check.that(mkfifo(path, 0o600) == 0, "mkfifo \(path): errno \(errno)")
    // Open for both, so that it neither waits for a writer nor ends with one.
    descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    try Check.that(descriptor >= 0, "open \(path): errno \(errno)")
    try Check.that(fcntl(descriptor, Self.setCapacity, Self.capacity) > 0, "F_SETPIPE_SZ: errno \(errno)")
  }

  deinit { close(descriptor) }

  /// Reads until a number of lines is there or the pipe is empty.
  ///
  /// - Returns: the whole lines since the last ``takeAll()``.
  func lines(upTo count: Int = .max) -> [String] {
    var buffer = [UInt8](repeating: 0, count: 1_024)
    while wholeLines.count < count {
      let size = read(descriptor, &buffer, buffer.count)
      guard size > 0 else { break }
      data.append(contentsOf: buffer.prefix(size))
    }
    return wholeLines
  }

  /// Reads the rest once the writer has ended, and drops it. A line that was cut short does not count.
  func takeAll() -> [String] {
    defer { data = Data() }
    return lines()
  }

  private var wholeLines: [String] {
    String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map(String.init)
  }
}
