import BelfryModel

extension Belfry {
  /// Discards deliveries: cancels pending ones, and puts dead ones away.
  ///
  /// - Parameter ids: the deliveries; `nil` for every dead one.
  /// - Throws: ``BelfryError`` `.notFound`, or `.badInput` for a delivery that is neither pending nor dead.
  package func discardDeliveries(_ ids: [Int64]?) throws -> [(Delivery, Message)] {
    try change { change in
      let states: [Delivery.State] = ids == nil ? [.dead] : [.pending, .dead]
      return try change.deliveries(ids, in: states, verb: "discarded").map { delivery, message in
        var delivery = delivery
        if delivery.state == .dead, delivery.awaitsFollowUp {
          // The person knows of the failure, so nobody is notified; but an escalation goes on.
          _ = try HandOver(transaction: change.transaction, now: change.now).run(after: delivery)
          delivery.awaitsFollowUp = false
        }
        // A dead delivery was closed when it was given up.
        delivery.discard(at: delivery.closedAt ?? change.stamp)
        try change.transaction.update(delivery)
        return (delivery, message)
      }
    }
  }
}
