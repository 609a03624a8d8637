import BelfryModel
import BelfryRuntime
import CLinuxEvents
import CivilTime
import FoundationEssentials
import Glibc
import Synchronization
import SystemThreads

/// The reasons for the end of a wait.
struct WakeReason: OptionSet, Sendable {
  let rawValue: Int

  init(rawValue: Int) { self.rawValue = rawValue }

  /// The instant was reached.
  static let time = WakeReason(rawValue: 1)
  /// ``Waker/wake()`` was called.
  static let event = WakeReason(rawValue: 2)
  /// SIGTERM or SIGINT.
  static let stop = WakeReason(rawValue: 4)
  /// SIGHUP.
  static let reload = WakeReason(rawValue: 8)
  /// The watchdog must be pinged.
  static let ping = WakeReason(rawValue: 16)
  /// A file of the store changed.
  static let store = WakeReason(rawValue: 32)
  /// A reminder was answered in this program, or other daemons left work for this one.
  static let answer = WakeReason(rawValue: 64)
}

/// Puts one thread to sleep until an absolute instant, an event, or a signal.
///
/// The timer is CLOCK_REALTIME's, absolute and cancelled when the clock is set, so the thread also wakes on a stepped
/// clock and after suspend. It also waits for tasks, see ``PolledWaits``.
package final class Waker: Sendable {
  private let timer: Int32
  private let event: Int32
  private let signals: SignalWatch?
  private let ticker: Int32?
  private let hasAnswer = Atomic(false)

  /// The waits of tasks that it serves.
  let tasks: PolledWaits

  /// A waker for the daemon's signals and other events.
  ///
  /// - Parameters:
  ///   - signals: the watch over signals; `nil` for a program that signals end.
  ///   - time: the wall clock.
  ///   - pingInterval: the interval of ``WakeReason/ping`` in microseconds; `nil` for none.
  /// - Throws: ``BelfryError`` `.storeFailed` when the system has no descriptors left.
  package init(signals: SignalWatch? = nil, time: any TimeSource, pingInterval: Int64? = nil) throws {
    self.signals = signals
    timer = belfry_timer_create()
    event = belfry_event_create()
    ticker = pingInterval.map { belfry_ticker_create($0) }
    tasks = PolledWaits(time: time) { [event] in _ = belfry_event_signal(event) }
    guard timer >= 0, event >= 0, ticker ?? 0 >= 0 else {
      throw BelfryError(
        .storeFailed, "cannot create a timer: \(String(cString: strerror(errno)))",
        hint: "close other programs or raise the limit of open files")
    }
  }

  deinit {
    close(timer)
    close(event)
    if let ticker { close(ticker) }
  }

  /// Ends the current or the next wait. Safe from any thread.
  func wake() { _ = belfry_event_signal(event) }

  /// Ends the current or the next wait, since a reminder was answered. Safe from any thread.
  func wakeForAnswer() {
    hasAnswer.store(true, ordering: .releasing)
    wake()
  }

  /// The seconds since the first SIGTERM or SIGINT; `nil` if none has arrived.
  var stopAge: Double? { signals?.stopAge }

  /// The stop request that SIGTERM or SIGINT makes. Safe from any thread, and cheap.
  var stop: StopRequest { StopRequest { [signals] in signals?.isStopping ?? false } }

  /// Waits until an instant on the wall clock, or until an earlier event.
  func wait(until instant: Date, watching watch: StoreWatch? = nil) -> WakeReason {
    let waiting = tasks.waiting
    let instant = min(instant, waiting.earliest ?? instant)
    // Rounded up, since the timer must not fire before the instant.
    let seconds = instant.timeIntervalSince1970.rounded(.down)
    let nanoseconds = ((instant.timeIntervalSince1970 - seconds) * 1e9).rounded(.up)
    _ = belfry_timer_arm(timer, Int64(seconds), Int64(min(nanoseconds, 999_999_999)))
    // The kernel ignores negative descriptors.
    var descriptors = [timer, event, signals?.descriptor ?? -1, ticker ?? -1, watch?.awaited ?? -1].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    let fixed = descriptors.count
    descriptors += waiting.descriptors.map(\.awaited)
    defer {
      tasks.resume(zip(waiting.descriptors, descriptors[fixed...]).compactMap { $1.revents == 0 ? nil : $0.id })
    }
    guard poll(&descriptors, nfds_t(descriptors.count), -1) > 0 else { return [] }
    var reason: WakeReason = []
    if descriptors[0].revents != 0 {
      _ = belfry_drain(timer)
      reason.insert(.time)
    }
    if descriptors[1].revents != 0 {
      _ = belfry_drain(event)
      reason.insert(.event)
      if hasAnswer.exchange(false, ordering: .acquiring) { reason.insert(.answer) }
    }
    if let signals, descriptors[2].revents != 0 {
      _ = belfry_drain(signals.descriptor)
      if signals.isStopping { reason.insert(.stop) }
      if signals.consumeReload() { reason.insert(.reload) }
    }
    if let ticker, descriptors[3].revents != 0 {
      _ = belfry_drain(ticker)
      reason.insert(.ping)
    }
    if descriptors[4].revents != 0 { reason.insert(.store) }
    return reason
  }
}
