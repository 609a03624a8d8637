import BelfryCore
import Foundation
import MemoryStore

/// Puts together the state that a file holds, record by record, and sees to it that the records fit each other.
package struct StateBuilder {
  var state = StoreState()
  var layout = RecordLayout()
  let decoder: RecordDecoder
  private let writtenAt: Date
  private var endPositions: [Int64: Int64] = [:]
  private var listIDs: [String: Int64] = [:]
  private var listUUIDs: Set<UUID> = []
  private var itemIDs: [UUID: Int64] = [:]
  private var lastList: (name: String, id: Int64)?

  /// Reads a whole file.
  ///
  /// - Parameters:
  ///   - likelyItems: for how many items to make room.
  ///   - writtenAt: when the file was written, which counts for records that do not say when they were.
  /// - Throws: ``StoreFault`` at the first record or value that cannot be.
  package static func read(
    _ scanner: any RecordScanner, likelyItems: Int, writtenAt: Date
  ) throws(StoreFault) -> StoreContent {
    var builder = StateBuilder(scanner, likelyItems: likelyItems, writtenAt: writtenAt)
    try builder.readStore(scanner)
    return builder.content()
  }

  init(_ scanner: any RecordScanner, likelyItems: Int, writtenAt: Date) {
    self.writtenAt = writtenAt
    decoder = RecordDecoder(scanner)
    state.items.reserveCapacity(likelyItems)
    state.reminders.reserveCapacity(likelyItems)
    itemIDs.reserveCapacity(likelyItems)
    layout.items.reserve(likelyItems)
  }

  mutating func add(_ list: Checklist, at place: Int) throws(StoreFault) {
    if state.lists[list.id] != nil { throw repeated("list \(list.id)", place) }
    if !listUUIDs.insert(list.uuid).inserted { throw repeated("list \(list.uuid.text)", place) }
    if listIDs.updateValue(list.id, forKey: Checklist.nameKey(list.name)) != nil {
      throw repeated("list \(shown(list.name))", place)
    }
    state.lists[list.id] = list
    layout.listNames[list.id] = list.name
    state.nextListID = max(state.nextListID, list.id + 1)
  }

  mutating func listID(named name: String, at place: Int) throws(StoreFault) -> Int64 {
    if let lastList, lastList.name == name { return lastList.id }
    guard let id = listIDs[Checklist.nameKey(name)] else {
      throw .damaged(offset: place, message: "there is no list \(shown(name))")
    }
    lastList = (name, id)
    return id
  }

  mutating func add(_ item: Item, at place: Int) throws(StoreFault) {
    if state.items.updateValue(item, forKey: item.id) != nil { throw repeated("item \(item.id)", place) }
    if itemIDs.updateValue(item.id, forKey: item.uuid) != nil { throw repeated("item \(item.uuid.text)", place) }
    state.nextItemID = max(state.nextItemID, item.id + 1)
    let end = StateTransaction.position(after: item.position)
    endPositions[item.listID] = max(endPositions[item.listID] ?? end, end)
  }

  mutating func add(_ reminder: Reminder, at place: Int) throws(StoreFault) {
    if state.reminders.updateValue(reminder, forKey: reminder.id) != nil {
      throw repeated("reminder \(reminder.id.text)", place)
    }
  }

  mutating func add(_ message: Message, at place: Int) throws(StoreFault) {
    if state.messages.updateValue(message, forKey: message.id) != nil {
      throw repeated("message \(message.id.text)", place)
    }
  }

  mutating func add(_ delivery: Delivery, at place: Int) throws(StoreFault) {
    if state.deliveries.updateValue(delivery, forKey: delivery.id) != nil {
      throw repeated("delivery \(delivery.id)", place)
    }
    guard state.messages[delivery.messageID] != nil else {
      throw .damaged(offset: place, message: "there is no message \(delivery.messageID.text)")
    }
    state.nextDeliveryID = max(state.nextDeliveryID, delivery.id + 1)
  }

  /// Whether a record says a field, so that no default is needed.
  func said(_ record: RawRecord, _ field: some RecordField) -> Bool { decoder.isSaid(record, field) }

  /// When something happened; where the record does not say, when the file was written.
  func instant(_ record: RawRecord, _ field: some RecordField) throws(StoreFault) -> Date {
    try decoder.optionalInstant(record, field) ?? writtenAt
  }

  /// The bytes of a record to copy; none where it does not say everything, so that it is written whole.
  func source<Field: RecordField>(_ record: RawRecord, required: [Field]) -> Range<Int> {
    for field in required where !decoder.isSaid(record, field) { return 0..<0 }
    return record.source
  }

  /// The place behind the last item of a list, among those that were read.
  func endPosition(listID: Int64) -> Int64 { endPositions[listID] ?? 1 }

  private func repeated(_ what: String, _ place: Int) -> StoreFault {
    .damaged(offset: place, message: "\(what) stands here for the second time")
  }

  private consuming func content() -> StoreContent {
    var indexes = StateIndexes()
    indexes.itemsByUUID = itemIDs
    indexes.endPositions = endPositions
    let state = state
    layout.lists.sort { state.lists[$0].map(RecordPlace.init) }
    layout.items.sort { state.items[$0].map(RecordPlace.init) }
    layout.reminders.sort { state.reminders[$0].map(RecordPlace.init) }
    layout.messages.sort { state.messages[$0].map(RecordPlace.init) }
    layout.deliveries.sort { state.deliveries[$0].map(RecordPlace.init) }
    return StoreContent(state: state, indexes: indexes, layout: layout)
  }
}
