import FoundationEssentials

/// The records added, changed or deleted by a transaction.
package struct StateChanges: Sendable {
  /// True if the zone, a sink's problem or inbox, a person, a request, or a counter changed.
  var head = false
  /// The numbers of the lists.
  package var lists: Set<Int64> = []
  /// The numbers of the items.
  package var items: Set<Int64> = []
  /// The identifiers of the reminders.
  package var reminders: Set<UUID> = []
  /// The identifiers of the messages.
  package var messages: Set<UUID> = []
  /// The numbers of the deliveries, including those with a new attempt.
  package var deliveries: Set<Int64> = []

  /// Answers by number.
  package var answers: Set<Int64> = []

  package init() {}

  package var isEmpty: Bool {
    !head && lists.isEmpty && items.isEmpty && reminders.isEmpty && messages.isEmpty && deliveries.isEmpty
      && answers.isEmpty
  }
}
