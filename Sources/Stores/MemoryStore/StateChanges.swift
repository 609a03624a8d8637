import FoundationEssentials

/// What a transaction has touched: added, changed or deleted.
package struct StateChanges: Sendable {
  /// Whether the zone, a sink's problem or one of the counters changed.
  package var head = false
  /// Lists by number.
  package var lists: Set<Int64> = []
  /// Items by number.
  package var items: Set<Int64> = []
  /// Reminders by identity.
  package var reminders: Set<UUID> = []
  /// Messages by identity.
  package var messages: Set<UUID> = []
  /// Deliveries by number, those with a new attempt included.
  package var deliveries: Set<Int64> = []

  /// Nothing touched.
  package init() {}

  /// Whether nothing was touched.
  package var isEmpty: Bool {
    !head && lists.isEmpty && items.isEmpty && reminders.isEmpty && messages.isEmpty && deliveries.isEmpty
  }
}
