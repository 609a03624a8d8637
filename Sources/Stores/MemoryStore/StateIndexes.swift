import BelfryModel
import FoundationEssentials

/// Indexes of a ``StoreState``. Each is built when it is first needed and then kept up to date; dropping one is always
/// safe.
package struct StateIndexes: Sendable {
  package var itemsByUUID: [UUID: Int64]?
  /// Item numbers by the UTF-8 bytes of their keys.
  package var itemsByKey: [[UInt8]: Int64]?
  /// The position for the next item of a list, for lists where it is known.
  package var endPositions: [Int64: Int64] = [:]
  var remindersByOwner: [ReminderOwner: [UUID]]?
  var deliveriesByOwner: [ReminderOwner: [Int64]]?
  var answersByOwner: [ReminderOwner: [Int64]]?

  package init() {}
}

extension StateTransaction {
  func itemID(uuid: UUID) -> Int64? {
    if let index = indexes.itemsByUUID { return index[uuid] }
    let index = Dictionary(state.items.values.map { ($0.uuid, $0.id) }) { first, _ in first }
    indexes.itemsByUUID = index
    return index[uuid]
  }

  func itemID(key: String) -> Int64? {
    if let index = indexes.itemsByKey { return index[Array(key.utf8)] }
    let keys = state.items.values.lazy.compactMap { item in item.key.map { (Array($0.utf8), item.id) } }
    let index = Dictionary(keys) { first, _ in first }
    indexes.itemsByKey = index
    return index[Array(key.utf8)]
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
