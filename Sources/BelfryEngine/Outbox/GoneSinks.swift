import BelfryModel
import FoundationEssentials

extension Belfry {
  /// Closes pending deliveries whose sink is not in `sinks` as dead. The `on_failure` sinks of disabled sinks get
  /// notices.
  ///
  /// - Parameter elsewhere: the sinks that other daemons have.
  /// - Returns: events for the log; empty if nothing was closed.
  func closeDeliveries(exceptOf sinks: [ActiveSink], and elsewhere: Set<String>) throws -> [Event] {
    let gone = try store.read { try $0.sinksWithPendingDeliveries() }.subtracting(sinks.map(\.name))
      .subtracting(elsewhere)
    guard !gone.isEmpty else { return [] }
    return try change { change in
      var notices: [Event] = []
      var pending: [Int64] = []
      var count = 0
      try change.transaction.forEachDelivery(state: .pending, limit: nil) { delivery, _ in
        if gone.contains(delivery.sink) { pending.append(delivery.id) }
      }
      for id in pending {
        // Its outcome may have been recorded since it was read.
        guard var delivery = try change.transaction.delivery(id: id), delivery.state == .pending else { continue }
        count += 1
        delivery.state = .dead
        delivery.nextAttemptAt = nil
        delivery.closedAt = change.stamp
        delivery.lastError = "the sink '\(delivery.sink)' is switched off or not in the config"
        try change.transaction.update(delivery)
        let target = sinks.first { $0.name == settings.failureTargets[delivery.sink] }
        let notice = target.map { FailureNotice(delivery: delivery, isFinal: true, target: $0) }
        notices += try [notice?.send(in: change.transaction, at: change.now, zone: change.planner.floatingZone)]
          .compactMap(\.self)
        notices += try HandOver(transaction: change.transaction, now: change.now).run(after: delivery)
      }
      guard count > 0 else { return [] }
      let words = "\(counted(count, "delivery")) given up: their sink is switched off or not in the config"
      return [Event(.error, words)] + notices
    }
  }
}

extension Belfry {
  /// Removes inboxes that have not changed since a cut-off, except the inboxes of sinks that receive answers.
  ///
  /// The inbox of a sink that was switched off is kept until then: if the sink is switched on again, it continues
  /// there.
  func removeInboxes(
    exceptOf sinks: [ActiveSink], and elsewhere: Set<String>, changedBefore cutoff: Date
  ) throws {
    let names = elsewhere.union(sinks.filter { $0.sink.replySource != nil }.map(\.name))
    let over = try store.read { try $0.inboxes() }.filter { $0.changedAt < cutoff && !names.contains($0.sink) }
    guard !over.isEmpty else { return }
    try write { transaction in for inbox in over { try transaction.removeInbox(ofSink: inbox.sink) } }
  }
}
