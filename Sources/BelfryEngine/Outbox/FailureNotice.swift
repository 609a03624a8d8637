import BelfryModel
import CivilTime
import FoundationEssentials

/// The notice to one sink that a delivery of another failed.
struct FailureNotice {
  let delivery: Delivery
  /// Whether the delivery is given up, or waits for somebody to mend its sink.
  let isFinal: Bool
  /// The sink that is told.
  let target: ActiveSink

  private var failure: DeliveryFailure {
    DeliveryFailure(
      sink: delivery.sink, recipient: delivery.recipient, reason: delivery.lastError ?? "no reason given",
      isFinal: isFinal)
  }

  /// Told once for each delivery that needs attention, and for each death: what was tried again may die again.
  private var id: UUID {
    let what = isFinal ? "failed \(delivery.attempts)" : "needs attention"
    return UUID(
      namespace: .belfry,
      name: "\(what) \(delivery.messageID.text) \(delivery.recipient ?? "") to \(target.name)")
  }

  /// Writes the message that tells of it.
  ///
  /// A failure notice never causes another: two dead sinks would tell each other for ever.
  ///
  /// - Parameter zone: the zone in which the target's quiet hours are counted.
  /// - Returns: what the log is told; `nil` where there was nothing to tell, or it was told before.
  func send(in transaction: any StoreTransaction, at now: Date, zone: Zone?) throws -> Event? {
    guard let message = try transaction.message(id: delivery.messageID), message.kind == .fired,
      try transaction.message(id: id) == nil
    else { return nil }
    let notice = Message(
      id: id, sink: target.name, contents: message.contents.map { ReminderContent($0, failure: failure) },
      createdAt: now.wholeSeconds, domain: target.sink.messageDomain)
    try transaction.add(notice, to: target, fireDate: delivery.fireDate, in: zone)
    return Event(.info, "'\(target.name)' is told: \(failure.words)")
  }
}
