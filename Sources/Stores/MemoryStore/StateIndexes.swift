import BelfryModel
import FoundationEssentials

/// What finds things in a ``StoreState`` quickly. Each index is made when it is first needed and kept up to date from
/// then on; one that is absent can always be made anew.
package struct StateIndexes: Sendable {
  /// Items by identity.
  package var itemsByUUID: [UUID: Int64]?
  /// The place behind the last item, for lists where it is known.
  package var endPositions: [Int64: Int64] = [:]
  var remindersByOwner: [ReminderOwner: [UUID]]?
  var deliveriesByOwner: [ReminderOwner: [Int64]]?

  /// No index yet.
  package init() {}
}

extension StateTransaction {
  func itemID(uuid: UUID) -> Int64? {
    if let index = indexes.itemsByUUID { return index[uuid] }
    let index = Dictionary(state.items.values.map { ($0.uuid, $0.id) }) { first, _ in first }
    indexes.itemsByUUID = index
    return index[uuid]
  }

  func reminderIDs(of owner: ReminderOwner) -> [UUID] {
    if indexes.remindersByOwner == nil {
      indexes.remindersByOwner = Dictionary(grouping: state.reminders.values, by: \.occurrence.owner)
        .mapValues { $0.map(\.id) }
    }
    return indexes.remindersByOwner?[owner] ?? []
  }

  func deliveryIDs(of owner: ReminderOwner) -> [Int64] {
    if indexes.deliveriesByOwner == nil {
      let owners = state.messages.mapValues(Self.owners)
      var index: [ReminderOwner: [Int64]] = [:]
      for delivery in state.deliveries.values {
        for owner in owners[delivery.messageID] ?? [] { index[owner, default: []].append(delivery.id) }
      }
      indexes.deliveriesByOwner = index
    }
    return indexes.deliveriesByOwner?[owner]?.sorted() ?? []
  }

  static func owners(of message: Message) -> Set<ReminderOwner> { Set(message.contents.map(\.owner)) }
}
