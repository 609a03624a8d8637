import BelfryEngine
import CLinuxEvents
import CivilTime
import FoundationEssentials
import Glibc
import Synchronization
import SystemThreads

/// Logs when a use of the store keeps the daemon waiting, and when it goes on.
///
/// Each use arms a timer and disarms it again; only a use that takes too long wakes the thread that logs.
final class StoreWait: Sendable {
  private enum State {
    case idle
    case begun(Date)
    case logged(Date)
  }

  private let location: String
  private let patience: Double
  private let time: any TimeSource
  private let log: EventLog
  private let timer = belfry_timer_create()
  private let state = Mutex(State.idle)

  /// A wait for the store at a place.
  ///
  /// - Parameter patience: the seconds after which a use is logged.
  init(for location: String, time: any TimeSource, patience: Double = 5, log: @escaping EventLog) {
    (self.location, self.time, self.patience, self.log) = (location, time, patience, log)
    // Without a timer or a thread, long waits are not logged.
    if timer >= 0 { _ = SystemThread.start { [self] in watch() } }
  }

  /// Makes one use of the store.
  func during<Result>(_ use: () throws -> Result) rethrows -> Result {
    state.withLock { state in
      state = .begun(time.now)
      arm(at: time.now)
    }
    do {
      let result = try use()
      if let seconds = end() { log(Event(.info, "\(location) can be used again after \(seconds) s")) }
      return result
    } catch {
      // The caller reports the error.
      _ = end()
      throw error
    }
  }

  private func arm(at now: Date) {
    let instant = now.timeIntervalSince1970 + patience
    let seconds = instant.rounded(.down)
    _ = belfry_timer_arm(timer, Int64(seconds), Int64((instant - seconds) * 1e9))
  }

  // Returns the seconds of the wait if it was logged.
  private func end() -> Int? {
    state.withLock { state in
      defer { state = .idle }
      _ = belfry_timer_arm(timer, 0, 0)
      guard case .logged(let begin) = state else { return nil }
      return Int(time.now.timeIntervalSince(begin).rounded())
    }
  }

  private func watch() -> Never {
    while true {
      var descriptor = pollfd(fd: timer, events: Int16(POLLIN), revents: 0)
      guard poll(&descriptor, 1, -1) > 0 else { continue }
      let wasClockSet = belfry_drain(timer) == 1
      // The log is written within the lock, and thus before the use continues.
      state.withLock { state in
        guard case .begun(let begin) = state else { return }
        guard !wasClockSet else {
          // The interval restarts after the clock was set.
          state = .begun(time.now)
          return arm(at: time.now)
        }
        state = .logged(begin)
        log(Event(.warning, "\(location) has kept the daemon waiting for \(Int(patience)) s; nothing rings meanwhile"))
      }
    }
  }
}
