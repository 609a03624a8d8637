import BelfryCore
import CLinuxEvents
import FoundationEssentials
import Glibc
import Synchronization

/// The thread that takes the daemon's signals, whatever the daemon is doing.
///
/// SIGTERM and SIGINT ask it to end, SIGHUP to read the config anew. A daemon that has not ended in time, in a system call
/// that does not return for one, is ended here: what it had not committed is as if it had not begun, as after a crash.
final class SignalWatch: Sendable {
  /// How long after the first SIGTERM or SIGINT the process ends at the latest.
  private static let deadlineMilliseconds: Int32 = 4_900

  /// Becomes readable when a signal has come.
  let descriptor: Int32
  private let stoppedAt = Atomic<Int64>(0)
  private let wantsReload = Atomic<Bool>(false)

  /// A watch over signals that are blocked already, for the rest of the process's life.
  ///
  /// - Parameter status: the exit status where the deadline ends the process.
  /// - Throws: ``BelfryError`` `.storeFailed` when the system has no descriptor or no thread left.
  init(statusAtDeadline status: Int32) throws {
    descriptor = belfry_event_create()
    guard descriptor >= 0 else {
      throw BelfryError(
        .storeFailed, "the system gave no event: \(String(cString: strerror(errno)))",
        hint: "close other programs or raise the limit of open files")
    }
    belfry_ignore_broken_pipes()
    guard SystemThread.start({ [self] in watch(status) }) else {
      throw BelfryError(
        .storeFailed, "the system has no thread left", hint: "close other programs or raise the limit of processes")
    }
  }

  /// Whether to end.
  var isStopping: Bool { stoppedAt.load(ordering: .relaxed) != 0 }

  /// For how many seconds the daemon has been asked to end.
  var stopAge: Double? {
    let start = stoppedAt.load(ordering: .relaxed)
    return start == 0 ? nil : Double(belfry_monotonic_microseconds() - start) / 1e6
  }

  /// Whether to read the config anew, once for any number of signals.
  func takeReload() -> Bool { wantsReload.exchange(false, ordering: .relaxed) }

  private func watch(_ status: Int32) {
    while !isStopping {
      switch belfry_signals_wait() {
      case SIGTERM, SIGINT: stoppedAt.store(max(1, belfry_monotonic_microseconds()), ordering: .relaxed)
      case SIGHUP: wantsReload.store(true, ordering: .relaxed)
      default: continue
      }
      _ = belfry_event_signal(descriptor)
    }
    // Nothing is logged: what the daemon hangs on may be its standard error.
    poll(nil, 0, Self.deadlineMilliseconds)
    _exit(status)
  }
}
