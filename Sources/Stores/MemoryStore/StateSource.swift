import BelfryCore
import Foundation

/// Part of what a store keeps, by what a transaction wants to know.
package enum StatePart: Hashable, Sendable {
  /// One item.
  case item(Int64)
  /// The item with the last place on a list.
  case lastItem(listID: Int64)
  /// The reminders of an item or list.
  case reminders(ReminderOwner)
  /// The messages and deliveries.
  case outbox
}

/// Where a transaction gets what it starts without.
///
/// The transaction starts with the counters, the zone, the sinks' problems and the lists.
package protocol StateSource: AnyObject {
  /// The records of a part, in a state that need not hold anything else; `nil` where it takes everything to know.
  func load(_ part: StatePart) throws -> StoreState?
  /// Everything, as it was before the transaction.
  func loadEverything() throws -> (state: StoreState, indexes: StateIndexes)
}

extension StateTransaction {
  /// Sees to it that a part is there.
  func want(_ part: StatePart) throws {
    // What is new here has nothing elsewhere.
    if case .reminders(.item(let id)) = part, id >= firstNewItemID { return }
    guard let source, wanted.insert(part).inserted else { return }
    guard let found = try source.load(part) else { return try wantEverything() }
    // What was changed meanwhile counts.
    for (id, item) in found.items where state.items[id] == nil && !changes.items.contains(id) { state.items[id] = item }
    for (id, reminder) in found.reminders where state.reminders[id] == nil && !changes.reminders.contains(id) {
      state.reminders[id] = reminder
    }
    state.messages.merge(found.messages) { changed, _ in changed }
    state.deliveries.merge(found.deliveries) { changed, _ in changed }
    state.attempts.merge(found.attempts) { changed, _ in changed }
    if !found.items.isEmpty { indexes.itemsByUUID = nil }
    if !found.reminders.isEmpty { indexes.remindersByOwner = nil }
    if !found.deliveries.isEmpty { indexes.deliveriesByOwner = nil }
  }

  /// Sees to it that everything is there.
  package func wantEverything() throws {
    guard let source else { return }
    self.source = nil
    var (whole, wholeIndexes) = try source.loadEverything()
    if changes.isEmpty {
      (state, indexes) = (whole, wholeIndexes)
      return
    }
    // Lists, counters, problems and the zone were there from the start.
    for id in changes.items { whole.items[id] = state.items[id] }
    for id in changes.reminders { whole.reminders[id] = state.reminders[id] }
    for id in changes.messages { whole.messages[id] = state.messages[id] }
    for id in changes.deliveries {
      (whole.deliveries[id], whole.attempts[id]) = (state.deliveries[id], state.attempts[id])
    }
    (state.items, state.reminders) = (whole.items, whole.reminders)
    (state.messages, state.deliveries, state.attempts) = (whole.messages, whole.deliveries, whole.attempts)
    indexes = StateIndexes()
  }
}
