import Glibc

/// A wait for a lock, with growing pauses.
///
/// Counts its pauses instead of reading a clock, which may stand still in a test.
package struct LockWait {
  private var left: Double
  private var pause = 1.0

  /// - Parameter seconds: the longest wait.
  package init(seconds: Double) { left = seconds * 1_000 }

  /// Waits a moment; false once the time is over.
  package mutating func goOn() -> Bool {
    guard left > 0 else { return false }
    poll(nil, 0, Int32(pause))
    left -= pause
    pause = min(pause * 1.5, 25)
    return true
  }

  /// Acquires the exclusive lock (`flock`) of an open file, which the kernel releases when the process ends.
  ///
  /// - Returns: false if another process has it.
  package static func take(_ descriptor: Int32) throws(SystemCallFailure) -> Bool {
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
    guard errno == EWOULDBLOCK || errno == EINTR else { throw SystemCallFailure(code: errno) }
    return false
  }
}
