import BelfryModel
import CivilTime
import FoundationEssentials

/// A notice to one sink that a delivery to another failed.
struct FailureNotice {
  let delivery: Delivery
  /// True if the delivery is dead; if not, it waits until the user repairs its sink.
  let isFinal: Bool
  /// The sink that gets the notice.
  let target: ActiveSink

  private var failure: DeliveryFailure {
    DeliveryFailure(
      sink: delivery.sink, recipient: delivery.recipient, reason: delivery.lastError ?? "no reason given",
      isFinal: isFinal)
  }

  /// The notice's id, so that each is sent once: one per delivery that needs attention, one per final failure. A dead
  /// delivery that is retried may die again, so the number of attempts is part of the id.
  private var id: UUID {
    let what = isFinal ? "failed \(delivery.attempts)" : "needs attention"
    return UUID(
      namespace: .belfry,
      name: "\(what) \(delivery.messageID.text) \(delivery.recipient ?? "") to \(target.name)")
  }

  /// Writes the notice's message.
  ///
  /// A failure notice never causes another: two dead sinks would notify each other forever.
  ///
  /// - Parameter zone: the zone of the target's quiet hours.
  /// - Returns: an event for the log; `nil` if the notice was written before, or the delivery carries a notice itself.
  func send(in transaction: any StoreTransaction, at now: Date, zone: Zone?) throws -> Event? {
    guard let message = try transaction.message(id: delivery.messageID), message.isReported(isFinal: isFinal),
      try transaction.message(id: id) == nil
    else { return nil }
    let notice = Message(
      id: id, sink: target.name, contents: message.contents.map { ReminderContent($0, failure: failure) },
      createdAt: now.wholeSeconds, domain: target.sink.messageDomain)
    try transaction.add(notice, to: Recipient(sink: target), fireDate: delivery.fireDate, in: zone)
    return Event(.info, "notice queued for '\(target.name)': \(failure.words)")
  }
}

extension Message {
  /// True if a notice reports its failure. The end of an update is only logged, since the reminder itself was
  /// delivered.
  fileprivate func isReported(isFinal: Bool) -> Bool { kind == .fired || !isFinal && update != nil }
}
