import BelfryModel
import FoundationEssentials

extension Belfry {
  /// Records attempts that a crash may have cut off, with an unknown outcome.
  ///
  /// If only one daemon uses the store, nothing is written when an attempt begins. After a crash each delivery that was
  /// due may therefore have been in flight, and `explain` says so of one that arrives twice. If several daemons share
  /// the store, only deliveries count that another daemon began for sinks that are now this daemon's. If the sink can
  /// update a copy that may have arrived, deliveries answered since the crash count too.
  ///
  /// - Returns: the number of these deliveries.
  func recordLostAttempts() throws -> Int {
    try change { change in
      let transaction = change.transaction
      let begun = try transaction.begunDeliveries()
      guard begun?.isEmpty != true else { return 0 }
      let validFor = Double(settings.answers.validFor)
      var due: [(delivery: Delivery, since: Date)] = []
      for state in [Delivery.State.pending, .discarded] {
        try transaction.forEachDelivery(state: state, limit: nil) { delivery, message in
          let isTold = message.hasCopies || message.update != nil
          guard isTold ? message.createdAt + validFor >= change.stamp : state == .pending else { return }
          if let since = delivery.due(at: change.now) { due.append((delivery, since)) }
        }
      }
      let lost = try due.filter { delivery, _ in
        guard begun?.contains(delivery.id) ?? true else { return false }
        let attempts = try transaction.attempts(of: delivery.id)
        return attempts.count <= delivery.attempts && !attempts.contains(where: \.outcome.mayHaveArrived)
      }
      let updates = CopyUpdates(
        transaction: transaction, now: change.stamp, zone: change.planner.floatingZone, settings: settings)
      for (delivery, since) in lost {
        try transaction.add(
          AttemptRecord(
            deliveryID: delivery.id, startedAt: since.wholeSeconds, outcome: .unknown,
            words: "belfryd was killed, perhaps while it was under way"))
        try updates.run(afterAttemptOf: delivery)
      }
      return lost.count
    }
  }
}

extension Delivery {
  /// The time of its next attempt, if that was before now or before it was discarded.
  fileprivate func due(at now: Date) -> Date? {
    guard state != .pending else { return nextAttemptAt.flatMap { $0 <= now ? $0 : nil } }
    // A discarded delivery has no next attempt any more; the receiver may have asked for a later one.
    let due = lastAttemptAt.map { $0 + RetryPolicy.delay(afterAttempts: attempts) } ?? permittedFrom
    return closedAt.flatMap { due <= $0 ? due : nil }
  }
}
