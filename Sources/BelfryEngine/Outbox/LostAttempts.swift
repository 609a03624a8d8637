import BelfryModel
import FoundationEssentials

extension Belfry {
  /// Records attempts that a crash may have cut off, with an unknown outcome, so that `explain` says so of a message
  /// that arrives twice. If the sink can update a copy that may have arrived, deliveries answered since the crash count
  /// too.
  ///
  /// - Parameter sinks: the sinks whose deliveries count, in a store that has only one daemon.
  /// - Returns: the number of these deliveries.
  func recordLostAttempts(of sinks: [ActiveSink]) throws -> Int {
    try change { change in
      let transaction = change.transaction
      let cutoff = change.stamp - Double(settings.answers.validFor)
      var lost: [(delivery: Delivery, since: Date)] = []
      try transaction.visitBegun(of: sinks, at: change.now, claimedSince: cutoff) { delivery, message in
        let isTold = message.hasCopies || message.update != nil
        guard delivery.state == .pending || isTold, let since = delivery.due(at: change.now, of: message)
        else { return }
        let attempts = try transaction.attempts(of: delivery.id)
        guard attempts.count <= delivery.attempts, !attempts.contains(where: \.outcome.mayHaveArrived) else { return }
        lost.append((delivery, since))
      }
      let updates = CopyUpdates(
        transaction: transaction, now: change.stamp, zone: change.planner.floatingZone, settings: settings)
      for (delivery, since) in lost {
        try transaction.add(
          AttemptRecord(
            deliveryID: delivery.id, startedAt: since.wholeSeconds, outcome: .unknown,
            words: "belfryd was killed, perhaps during this attempt"))
        try updates.run(afterAttemptOf: delivery)
      }
      return lost.count
    }
  }
}

extension StoreView {
  /// Visits the deliveries that were begun and may have no outcome yet: pending ones, and discarded ones that were
  /// claimed since a cut-off.
  ///
  /// If several daemons share the store, it has noted each begin. If it has only one daemon, beginning writes nothing.
  /// But each sink begins its due deliveries in the order of the store, to whose end new and postponed deliveries go,
  /// and at most twice as many as its concurrency before their outcomes are recorded. So only the first pending
  /// deliveries of each sink may have begun. A discarded delivery may or may not have begun.
  fileprivate func visitBegun(
    of sinks: [ActiveSink], at now: Date, claimedSince cutoff: Date, _ body: (Delivery, Message) throws -> Void
  ) throws {
    if let begun = try begunDeliveries() {
      for id in begun.sorted() {
        guard let delivery = try delivery(id: id), let message = try message(id: delivery.messageID) else { continue }
        if delivery.state == .pending || message.createdAt >= cutoff { try body(delivery, message) }
      }
      return
    }
    for sink in sinks {
      let limit = 2 * sink.sink.concurrency
      try attemptableDeliveries(sink: sink.name, at: now, besides: [], limit: limit).forEach(body)
    }
    try visitDeliveries(DeliveryQuery(state: .discarded)) { delivery, message in
      guard message.createdAt >= cutoff else { return .stop }
      try body(delivery, message)
      return .next
    }
  }
}

extension Delivery {
  /// The time of its next attempt, if that was before now or before it was discarded.
  fileprivate func due(at now: Date, of message: Message) -> Date? {
    guard state != .pending else { return nextAttemptAt.flatMap { $0 <= now ? $0 : nil } }
    // Given up without an attempt, and then discarded.
    if lastAttemptAt == nil, lastError != nil { return nil }
    // A first attempt that was permitted at the claim was due, even if the clock that dated the answer was behind.
    if lastAttemptAt == nil, permittedFrom <= message.createdAt { return permittedFrom }
    // A discarded delivery has no next attempt any more; the receiver may have asked for a later one.
    let due = lastAttemptAt.map { $0 + RetryPolicy.delay(afterAttempts: attempts) } ?? permittedFrom
    return closedAt.flatMap { due <= $0 ? due : nil }
  }
}
