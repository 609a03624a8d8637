import BelfryModel
import CLinuxEvents
import FoundationEssentials
import Glibc
import Synchronization
import SystemThreads

/// The thread that receives the daemon's signals.
///
/// SIGTERM and SIGINT ask the daemon to end, SIGHUP to reload its config. A daemon that has not ended in time, because
/// a system call does not return, is ended here: uncommitted work is rolled back as after a crash.
package final class SignalWatch: Sendable {
  /// The longest time from the first SIGTERM or SIGINT to the end of the process.
  private static let deadlineMilliseconds: Int32 = 4_900

  /// A descriptor that becomes readable when a signal has arrived.
  let descriptor: Int32
  private let stoppedAt = Atomic<Int64>(0)
  private let wantsReload = Atomic<Bool>(false)

  /// Starts to watch signals, which must be blocked, until the process ends.
  ///
  /// - Parameter status: the exit status at the deadline.
  /// - Throws: ``BelfryError`` `.storeFailed` when the system has no descriptor or no thread left.
  package init(statusAtDeadline status: Int32) throws {
    descriptor = belfry_event_create()
    guard descriptor >= 0 else {
      throw BelfryError(
        .storeFailed, "cannot create an event: \(String(cString: strerror(errno)))",
        hint: "close other programs or raise the limit of open files")
    }
    belfry_ignore_broken_pipes()
    guard SystemThread.start({ [self] in watch(status) }) else {
      throw BelfryError(
        .storeFailed, "the system has no thread left", hint: "close other programs or raise the limit of processes")
    }
  }

  /// True if SIGTERM or SIGINT has arrived.
  var isStopping: Bool { stoppedAt.load(ordering: .relaxed) != 0 }

  /// The seconds since the first SIGTERM or SIGINT; `nil` if none has arrived.
  var stopAge: Double? {
    let start = stoppedAt.load(ordering: .relaxed)
    return start == 0 ? nil : Double(belfry_monotonic_microseconds() - start) / 1e6
  }

  /// Returns whether SIGHUP has arrived since the last call.
  func consumeReload() -> Bool { wantsReload.exchange(false, ordering: .relaxed) }

  private func watch(_ status: Int32) {
    while !isStopping {
      switch belfry_signals_wait() {
      case SIGTERM, SIGINT: stoppedAt.store(max(1, belfry_monotonic_microseconds()), ordering: .relaxed)
      case SIGHUP: wantsReload.store(true, ordering: .relaxed)
      default: continue
      }
      _ = belfry_event_signal(descriptor)
    }
    // Nothing is logged, since the daemon may hang in a write to standard error.
    poll(nil, 0, Self.deadlineMilliseconds)
    _exit(status)
  }
}
