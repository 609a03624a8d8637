import BelfryModel
import FoundationEssentials

extension Change {
  /// True if quiet hours already hold an unsent message about this owner, so that a nag to this sink would only repeat
  /// it.
  func holdsMessage(of owner: ReminderOwner, to sink: ActiveSink) throws -> Bool {
    guard sink.permitted(from: now, in: planner.floatingZone) > now else { return false }
    return try transaction.deliveries(of: owner, state: .pending).contains { delivery, _ in
      delivery.sink == sink.name && delivery.attempts == 0 && delivery.permittedFrom > now
    }
  }
}
