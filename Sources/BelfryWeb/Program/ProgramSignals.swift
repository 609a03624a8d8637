import BelfryModel
import CLinuxEvents
import Glibc
import SystemThreads

/// SIGHUP, which asks the program to reload its config, and SIGTERM and SIGINT, which ask it to end.
enum ProgramSignals {
  /// The longest time from the first request to stop to the end of the process.
  private static let deadlineMilliseconds: Int32 = 4_900

  /// A stream with a value for SIGHUP (one for several at once), which ends with the first SIGTERM or SIGINT. The
  /// signals must be blocked.
  ///
  /// - Throws: ``BelfryError`` `.storeFailed` if the system has no thread left.
  static func watch() throws(BelfryError) -> AsyncStream<Void> {
    belfry_ignore_broken_pipes()
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let isWatched = SystemThread.start {
      while true {
        let signal = belfry_signals_wait()
        if signal == SIGHUP { continuation.yield() }
        if signal == SIGTERM || signal == SIGINT { break }
      }
      continuation.finish()
      poll(nil, 0, deadlineMilliseconds)
      _exit(EXIT_SUCCESS)
    }
    guard isWatched else {
      throw BelfryError(
        .storeFailed, "the system has no thread left", hint: "close other programs or raise the limit of processes")
    }
    return stream
  }
}
