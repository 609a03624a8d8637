import BelfryModel
import FoundationEssentials

extension Change {
  /// Whether a nag may be left out: the quiet hours of the sink hold a message about its owner that says the same.
  func holdsMessage(of owner: ReminderOwner, to sink: ActiveSink) throws -> Bool {
    guard sink.permitted(from: now, in: planner.floatingZone) > now else { return false }
    return try transaction.deliveries(of: owner, state: .pending).contains { delivery, _ in
      delivery.sink == sink.name && delivery.attempts == 0 && delivery.permittedFrom > now
    }
  }
}
