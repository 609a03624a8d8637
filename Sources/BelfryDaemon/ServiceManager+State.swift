import BelfryEngine
import BelfryRuntime

extension ServiceManager {
  /// Sets the status to the numbers of scheduled reminders and pending deliveries.
  func sendState(of belfry: Belfry) throws {
    status(try belfry.read { try Self.words($0) })
  }

  private static func words(_ reading: Reading) throws -> String {
    let counts = try reading.view.counts()
    var words = "\(counts.scheduled) scheduled"
    try reading.view.forEachPending(limit: 1) { next in
      words += ", the next \(reading.planner.floatingZone.readable(next.reminder.fireDate.date))"
    }
    words += "; \(counts.deliveries[.pending] ?? 0) waiting to be delivered"
    if let dead = counts.deliveries[.dead], dead > 0 { words += ", \(dead) given up" }
    return words
  }
}
