import BelfryModel
import CLinuxEvents
import Glibc
import SystemThreads

/// SIGTERM and SIGINT, which ask the program to end.
enum StopSignal {
  /// The time after the first of them at which the process ends at the latest.
  private static let deadlineMilliseconds: Int32 = 4_900

  /// A stream that ends with the first of them; they must be blocked.
  ///
  /// - Throws: ``BelfryError`` `.storeFailed` where the system has no thread left.
  static func watch() throws(BelfryError) -> AsyncStream<Never> {
    belfry_ignore_broken_pipes()
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    let isWatched = SystemThread.start {
      while ![SIGTERM, SIGINT].contains(belfry_signals_wait()) {}
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
