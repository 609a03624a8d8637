import BelfryCore
import Foundation

/// One state of a store, to read and to change.
final class MemoryTransaction: StoreTransaction {
  var state: StoreState

  init(state: StoreState) { self.state = state }

  func plannedZone() -> String? { state.plannedZone }

  func setPlannedZone(_ identifier: String) { state.plannedZone = identifier }

  // MARK: Lists

  func lists() -> [Checklist] { state.lists.values.sorted { $0.id < $1.id } }

  func list(id: Int64) -> Checklist? { state.lists[id] }

  func list(named name: String) -> Checklist? {
    state.lists.values.first { Checklist.nameKey($0.name) == Checklist.nameKey(name) }
  }

  func list(uuid: UUID) -> Checklist? { state.lists.values.first { $0.uuid == uuid } }

  func listSummaries(now: Date) -> [ListSummary] {
    lists().map { list in
      let items = state.items.values.filter { $0.listID == list.id }
      let owners = Set(items.map { ReminderOwner.item($0.id) }).union([.list(list.id)])
      let scheduled = state.reminders.values.filter { $0.state == .scheduled && owners.contains($0.occurrence.owner) }
      return ListSummary(
        list: list, items: items.count, remaining: items.count { !$0.isChecked },
        overdue: items.count { $0.isOverdue(at: now) }, nextFireDate: scheduled.map(\.fireDate).min())
    }
  }

  func addList(name: String, uuid: UUID, at now: Date) throws -> Checklist {
    let list = Checklist(id: state.nextListID, uuid: uuid, name: name, createdAt: now, updatedAt: now)
    state.nextListID += 1
    state.lists[list.id] = list
    return list
  }

  func update(_ list: Checklist) { state.lists[list.id] = list }

  func deleteList(id: Int64) { state.lists[id] = nil }

  // MARK: Items

  func item(id: Int64) -> ItemListing? { state.items[id].map(listing) }

  func item(uuid: UUID) -> ItemListing? { state.items.values.first { $0.uuid == uuid }.map(listing) }

  func visitItems(_ query: ItemQuery, _ body: (ItemListing) throws -> Void) throws {
    let matching = state.items.values.filter { item in
      switch query.checked {
      case .unchecked where item.isChecked, .checked where !item.isChecked: return false
      default: break
      }
      if query.isRepeating, item.recurrence == nil { return false }
      if let listID = query.listID, item.listID != listID { return false }
      guard let dueBefore = query.dueBefore else { return true }
      return item.due.map { $0.instant.date < dueBefore } ?? false
    }
    let sorted = matching.sorted { Self.place($0) < Self.place($1) }
    for item in sorted.prefix(query.limit ?? .max) { try body(listing(item)) }
  }

  func uncheckedCount(listID: Int64?, dueBefore: Date?) -> Int {
    state.items.values.count { item in
      guard !item.isChecked, listID == nil || item.listID == listID else { return false }
      guard let dueBefore else { return true }
      return item.due.map { $0.instant.date < dueBefore } ?? false
    }
  }

  func nextItemID() -> Int64 { state.nextItemID }

  func endPosition(listID: Int64) -> Int64 {
    (state.items.values.filter { $0.listID == listID }.map(\.position).max() ?? 0) + 1
  }

  func addItem(
    listID: Int64, preferredID: Int64?, _ make: (_ id: Int64, _ position: Int64) throws -> Item
  ) throws -> Item {
    let id = preferredID ?? max(1, state.nextItemID)
    let item = try make(id, endPosition(listID: listID))
    state.nextItemID = max(state.nextItemID, id + 1)
    state.items[id] = item
    return item
  }

  func update(_ item: Item) { state.items[item.id] = item }

  func deleteItem(id: Int64) { state.items[id] = nil }

  private func listing(_ item: Item) -> ItemListing {
    let scheduled = state.reminders.values.filter {
      $0.state == .scheduled && $0.occurrence.owner == .item(item.id)
    }
    return ItemListing(
      item: item, listName: state.lists[item.listID]?.name ?? "", nextFireDate: scheduled.map(\.fireDate).min())
  }

  // By due date, none last, then list, then place on the list.
  private static func place(_ item: Item) -> (Int64, Int64, Int64) {
    (item.due?.instant.secondsSinceEpoch ?? .max, item.listID, item.position)
  }
}
