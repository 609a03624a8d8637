import BelfryModel
import FoundationEssentials

extension Change {
  /// True if quiet hours already hold an unsent message about this owner, so that a nag or step to this recipient
  /// would only repeat it.
  func holdsMessage(of owner: ReminderOwner, to recipient: Recipient) throws -> Bool {
    guard recipient.permitted(from: now, in: planner.floatingZone) > now else { return false }
    return try transaction.deliveries(of: owner, state: .pending).contains { delivery, message in
      delivery.sink == recipient.sink.name && message.person == recipient.number && message.kind == .fired
        && delivery.attempts == 0 && delivery.permittedFrom > now
    }
  }
}
