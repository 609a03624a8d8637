import BelfryModel
import CivilTime
import FoundationEssentials

/// The follow-up of a recorded outcome: a notice of the failure, the next step of an escalation, an update of a copy
/// that may have arrived.
///
/// The row of a delivery says that its follow-up is still pending (``Delivery/awaitsFollowUp``), whichever daemon
/// recorded the outcome. The transaction that follows up clears this mark, so that a crash in between repeats and loses
/// nothing.
struct FollowUp {
  let transaction: any StoreTransaction
  let now: Date
  /// The zone of quiet hours and of times in messages.
  let zone: Zone?
  let settings: Settings
  /// The sinks of the current config, which get notices.
  let sinks: [ActiveSink]
  private(set) var result = FollowUpResult()

  init(_ transaction: any StoreTransaction, at now: Date, in zone: Zone?, _ settings: Settings, sinks: [ActiveSink]) {
    (self.transaction, self.now, self.zone, self.settings, self.sinks) = (transaction, now, zone, settings, sinks)
  }

  /// Follows up on every delivery that waits for it.
  mutating func run() throws {
    for id in try transaction.deliveriesToFollowUp().map(\.id) {
      // The follow-up of an earlier one may have discarded it.
      guard var delivery = try transaction.delivery(id: id), delivery.awaitsFollowUp else { continue }
      delivery.awaitsFollowUp = false
      try transaction.update(delivery)
      switch delivery.state {
      case .pending: try notify(of: delivery)
      case .dead:
        try notify(of: delivery)
        try handOver(after: delivery)
      case .discarded: try updateCopy(of: delivery)
      case .delivered: break
      }
    }
  }

  private mutating func notify(of delivery: Delivery) throws {
    let name = sinks.first { $0.name == delivery.sink }?.onFailure
    guard let target = sinks.first(where: { $0.name == name }) else { return }
    let notice = FailureNotice(delivery: delivery, isFinal: delivery.state == .dead, target: target)
    guard let event = try notice.send(in: transaction, at: now, zone: zone) else { return }
    result.sinks.insert(target.name)
    result.events.append(event)
  }

  private mutating func handOver(after delivery: Delivery) throws {
    let found = try HandOver(transaction: transaction, now: now).run(after: delivery)
    guard !found.isEmpty else { return }
    result.events += found
    result.nextStep = now
  }

  // The reminder was answered during the attempt, so the copy that may have arrived still offers its actions.
  private mutating func updateCopy(of delivery: Delivery) throws {
    result.mayDiscard = true
    let updates = CopyUpdates(transaction: transaction, now: now.wholeSeconds, zone: zone ?? .utc, settings: settings)
    if let sink = try updates.run(afterAttemptOf: delivery) { result.sinks.insert(sink) }
  }
}

/// The result of a follow-up: its log entries, and where there may be more to send or to claim.
struct FollowUpResult {
  var events: [Event] = []
  /// The sinks that may have something to send.
  var sinks: Set<String> = []
  /// The time of an escalation's step that it has moved up; `nil` for none.
  var nextStep: Date?
  /// True if pending updates of copies may have been discarded.
  var mayDiscard = false
}
