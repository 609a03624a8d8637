import BelfryModel
import FoundationEssentials

extension Belfry {
  /// Makes pending deliveries due now after the clock was set back: those whose last attempt is in the future, and
  /// those without an attempt whose claim is. Deliveries that quiet hours hold stay held.
  ///
  /// - Returns: the number of these deliveries.
  func resumeDeliveries(aheadOf now: Date) throws -> Int {
    guard try !store.read({ try $0.deliveries(aheadOf: now).isEmpty }) else { return 0 }
    return try change { change in
      let ahead = try change.transaction.deliveries(aheadOf: now)
      for id in ahead {
        guard var delivery = try change.transaction.delivery(id: id), delivery.state == .pending else { continue }
        delivery.nextAttemptAt = change.stamp
        delivery.permittedFrom = min(delivery.permittedFrom, change.stamp)
        try change.transaction.update(delivery)
      }
      return ahead.count
    }
  }

  /// Makes the deliveries of a sink that wait for a retry due now, since the sink works again. Quiet hours still hold
  /// them.
  func resumeDeliveries(of sink: ActiveSink) throws {
    let now = time.now
    var waiting: [(id: Int64, message: Message)] = []
    try store.read { view in
      try view.visitDeliveries(DeliveryQuery(state: .pending, sink: sink.name)) { delivery, message in
        if delivery.attempts > 0, delivery.nextAttemptAt ?? now > now { waiting.append((delivery.id, message)) }
        return .next
      }
    }
    guard !waiting.isEmpty else { return }
    try change { change in
      for (id, message) in waiting {
        guard var delivery = try change.transaction.delivery(id: id), delivery.state == .pending else { continue }
        let person = try change.transaction.personName(message.person).flatMap(settings.person)
        let quiet = sink.isSilent(message) ? [] : [sink.quietHours, person?.quietHours]
        delivery.nextAttemptAt = quiet.permitted(
          message.urgency, from: change.stamp, in: change.planner.floatingZone)
        try change.transaction.update(delivery)
      }
    }
  }

  /// True if a delivery is pending.
  package func hasDeferredDeliveries() throws -> Bool {
    try !store.read { try $0.sinksWithPendingDeliveries() }.isEmpty
  }

  /// Makes dead deliveries pending again under the same id, due at once.
  ///
  /// - Parameter ids: the deliveries; `nil` for every dead one, except those whose reminders were answered, done or
  ///   deleted since.
  /// - Throws: ``BelfryError`` `.notFound`, or `.badInput` for a delivery that is not dead.
  package func retryDeliveries(_ ids: [Int64]?) throws -> [(Delivery, Message)] {
    try change { change in
      var dead = try change.deliveries(ids, in: [.dead], verb: "retried")
      if ids == nil { dead = try dead.filter { try !change.isEnded($1) } }
      return try dead.map { delivery, message in
        var delivery = delivery
        delivery.state = .pending
        delivery.awaitsFollowUp = false
        delivery.closedAt = nil
        delivery.nextAttemptAt = change.stamp
        delivery.permittedFrom = change.stamp
        try change.transaction.update(delivery)
        return (delivery, message)
      }
    }
  }
}

extension Change {
  // True if all its reminders have ended; it need not ring then.
  fileprivate func isEnded(_ message: Message) throws -> Bool {
    try message.kind == .fired && message.contents.allSatisfy { try transaction.isEnded($0) }
  }

  /// The deliveries with these ids, or all, in some states, each with its message.
  ///
  /// - Throws: ``BelfryError`` `.notFound`, or `.badInput` for a delivery in another state.
  func deliveries(
    _ ids: [Int64]?, in states: [Delivery.State], verb: String
  ) throws -> [(Delivery, Message)] {
    guard let ids else {
      var all: [(Delivery, Message)] = []
      for state in states { try transaction.forEachDelivery(state: state, limit: nil) { all.append(($0, $1)) } }
      return all
    }
    return try ids.uniqued().map { id in
      guard let delivery = try transaction.delivery(id: id),
        let message = try transaction.message(id: delivery.messageID)
      else {
        throw BelfryError.noDelivery(id)
      }
      guard states.contains(delivery.state) else {
        let needed = states.map(\.name).joined(separator: " or ")
        throw BelfryError(.badInput, "delivery \(id) is \(delivery.state.name): only what is \(needed) can be \(verb)")
      }
      return (delivery, message)
    }
  }
}

extension BelfryError {
  /// The error for an unknown delivery.
  package static func noDelivery(_ id: Int64) -> BelfryError {
    BelfryError(.notFound, "there is no delivery \(id)", hint: "'belfry deliveries' lists them")
  }
}
