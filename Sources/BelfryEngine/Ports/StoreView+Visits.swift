import BelfryModel

/// Visits that do not stop.
extension StoreView {
  /// Visits each matching item, in the query's order.
  public func forEachItem(_ query: ItemQuery, _ body: (ItemListing) throws -> Void) throws {
    try visitItems(query) {
      try body($0)
      return .next
    }
  }

  /// The matching items, in the query's order.
  package func listings(_ query: ItemQuery) throws -> [ItemListing] {
    var listings: [ItemListing] = []
    try forEachItem(query) { listings.append($0) }
    return listings
  }

  /// Visits the scheduled reminders, soonest first, at most `limit`.
  public func forEachPending(limit: Int?, _ body: (PendingReminder) throws -> Void) throws {
    try visitPending(limit: limit) {
      try body($0)
      return .next
    }
  }

  /// Visits the deliveries in a state, or all of them, newest first, with their messages; at most `limit`.
  public func forEachDelivery(
    state: Delivery.State?, limit: Int?, _ body: (Delivery, Message) throws -> Void
  ) throws {
    try visitDeliveries(DeliveryQuery(state: state, limit: limit)) {
      try body($0, $1)
      return .next
    }
  }

  /// Visits answers, newest first, at most `limit`.
  public func forEachAnswer(limit: Int?, _ body: (Answer) throws -> Void) throws {
    try visitAnswers(limit: limit) {
      try body($0)
      return .next
    }
  }
}
