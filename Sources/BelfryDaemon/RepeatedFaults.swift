import BelfryEngine
import FoundationEssentials

/// Logs a fault once, again each hour while it stays the same, and when it ends.
struct RepeatedFaults {
  private static let interval: Double = 3_600

  private let log: EventLog
  private var last: (event: Event, loggedAt: Date)?

  init(log: @escaping EventLog) { self.log = log }

  /// Logs a fault, unless it was logged within the hour.
  mutating func report(_ event: Event, at now: Date) {
    // After the clock was set back, the fault must not stay unlogged for longer.
    if let last, last.event == event, (0..<Self.interval).contains(now.timeIntervalSince(last.loggedAt)) { return }
    last = (event, now)
    log(event)
  }

  /// Ends the fault and logs that. The next fault is logged at once.
  mutating func end() {
    guard last != nil else { return }
    last = nil
    log(Event(.info, "the fault is over: the store can be used again"))
  }
}
