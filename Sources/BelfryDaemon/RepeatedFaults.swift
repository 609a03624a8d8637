import BelfryCore
import FoundationEssentials

/// Tells the log of a fault once, and again each hour for as long as it stays the same.
struct RepeatedFaults {
  private static let interval: Double = 3_600

  private let log: EventLog
  private var last: (event: Event, toldAt: Date)?

  init(log: @escaping EventLog) { self.log = log }

  /// Takes note of a fault at an instant.
  mutating func tell(_ event: Event, at now: Date) {
    // A clock that was set back must not keep it silent for longer.
    if let last, last.event == event, (0..<Self.interval).contains(now.timeIntervalSince(last.toldAt)) { return }
    last = (event, now)
    log(event)
  }

  /// Takes note that all is well: what comes next is new.
  mutating func end() { last = nil }
}
