import BelfryModel
import FoundationEssentials

extension Belfry {
  /// Closes as dead the pending deliveries whose sink is not in `sinks`, or is on another machine whose daemon has been
  /// away for too long. Their `on_failure` sinks get notices.
  ///
  /// - Parameter part: the role of this daemon, which knows the sinks of the others.
  /// - Returns: events for the log; empty if nothing was closed.
  func closeDeliveries(exceptOf sinks: [ActiveSink], by part: DaemonPart = DaemonPart()) throws -> [Event] {
    let waiting = sinks.filter { $0.isHere || !part.abandoned.contains($0.name) }.map(\.name)
    let gone = try store.read { try $0.sinksWithPendingDeliveries() }.subtracting(waiting).subtracting(part.elsewhere)
    guard !gone.isEmpty else { return [] }
    let known = Set(sinks.map(\.name))
    func reason(_ sink: String) -> String {
      known.contains(sink)
        ? "for \(part.patienceInWords), no running belfryd has had the sink '\(sink)'"
        : "the sink '\(sink)' is switched off or not in the config"
    }
    return try change { change in
      var notices: [Event] = []
      var pending: [Int64] = []
      var counts: [String: Int] = [:]
      for sink in gone.sorted() {
        try change.transaction.visitDeliveries(DeliveryQuery(state: .pending, sink: sink)) { delivery, _ in
          pending.append(delivery.id)
          return .next
        }
      }
      for id in pending {
        // Its outcome may have been recorded since it was read.
        guard var delivery = try change.transaction.delivery(id: id), delivery.state == .pending else { continue }
        counts[delivery.sink, default: 0] += 1
        delivery.state = .dead
        delivery.nextAttemptAt = nil
        delivery.closedAt = change.stamp
        delivery.lastError = reason(delivery.sink)
        try change.transaction.update(delivery)
        let target = sinks.first { $0.name == settings.failureTargets[delivery.sink] }
        let notice = target.map { FailureNotice(delivery: delivery, isFinal: true, target: $0) }
        notices += try [notice?.send(in: change.transaction, at: change.now, zone: change.planner.floatingZone)]
          .compactMap(\.self)
        notices += try HandOver(transaction: change.transaction, now: change.now).run(after: delivery)
      }
      let givenUp = counts.sorted { $0.key < $1.key }
      return givenUp.map { Event(.error, "\(counted($1, "delivery")) given up: \(reason($0))") } + notices
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

extension DaemonPart {
  fileprivate var patienceInWords: String {
    let day = 86_400.0
    return patience < day ? counted(Int(patience / 60), "minute") : counted(Int(patience / day), "day")
  }
}
