import BelfryModel
import FoundationEssentials

/// A log of the items and lists that a change touches, from which it can be undone.
final class UndoNotes {
  /// One item or list that the change touches.
  struct Touched<Value> {
    let id: Int64
    /// The record before the change; `nil` if there was none.
    let before: Value?
    /// The snoozes, nags and steps that were scheduled before.
    var extraRinging: [UUID] = []
    /// The snoozes, nags and steps that are scheduled after the change, if it did not add the record; `nil` until the
    /// change ends.
    var ringingAfter: [UUID]?
    /// The record after the change; `nil` if it was deleted.
    var after: Value?
  }

  /// The most items and lists in the log; undoing more needs a backup.
  static let limit = 10_000

  private(set) var items: [Touched<Item>] = []
  private(set) var lists: [Touched<Checklist>] = []
  /// The deliveries that the change discarded.
  private(set) var discarded: [Int64] = []
  /// True if every touched item and list is in the log.
  private(set) var isComplete = true
  /// True if nothing was touched.
  var isEmpty: Bool { isComplete && items.isEmpty && lists.isEmpty }

  private var itemPlaces: [Int64: Int] = [:]
  private var listPlaces: [Int64: Int] = [:]

  /// Records an item's state before its first change.
  func itemWas(_ item: Item, extraRinging: () throws -> [UUID]) rethrows {
    guard itemPlaces[item.id] == nil, hasRoom() else { return }
    itemPlaces[item.id] = items.count
    items.append(Touched(id: item.id, before: item, extraRinging: try extraRinging(), after: item))
  }

  /// Records an item's state after a change. If it is not in the log yet, the change has added it.
  func itemBecame(_ item: Item?, id: Int64) {
    if let place = itemPlaces[id] {
      items[place].after = item
    } else if hasRoom() {
      itemPlaces[id] = items.count
      items.append(Touched(id: id, before: nil, after: item))
    }
  }

  /// Records a list's state before its first change.
  func listWas(_ list: Checklist, extraRinging: () throws -> [UUID]) rethrows {
    guard listPlaces[list.id] == nil, hasRoom() else { return }
    listPlaces[list.id] = lists.count
    lists.append(Touched(id: list.id, before: list, extraRinging: try extraRinging(), after: list))
  }

  /// Records a list's state after a change. If it is not in the log yet, the change has added it.
  func listBecame(_ list: Checklist?, id: Int64) {
    if let place = listPlaces[id] {
      lists[place].after = list
    } else if hasRoom() {
      listPlaces[id] = lists.count
      lists.append(Touched(id: id, before: nil, after: list))
    }
  }

  /// Records the snoozes, nags and steps that are scheduled at the end of the change.
  func end(_ extraRinging: (ReminderOwner) throws -> [UUID]) rethrows {
    // What the change has added and removed again is not touched.
    items.removeAll { $0.before == nil && $0.after == nil }
    lists.removeAll { $0.before == nil && $0.after == nil }
    for place in items.indices where items[place].before != nil {
      items[place].ringingAfter = try items[place].after == nil ? [] : extraRinging(.item(items[place].id))
    }
    for place in lists.indices where lists[place].before != nil {
      lists[place].ringingAfter = try lists[place].after == nil ? [] : extraRinging(.list(lists[place].id))
    }
  }

  // Drops the log if it grows too large, since an incomplete log is useless: an import may add a million items.
  private func hasRoom() -> Bool {
    if isComplete, items.count + lists.count >= Self.limit {
      isComplete = false
      (items, lists, discarded) = ([], [], [])
      (itemPlaces, listPlaces) = ([:], [:])
    }
    return isComplete
  }

  /// Records that a delivery was discarded.
  func discarded(_ delivery: Int64) {
    if isComplete, discarded.count < Self.limit { discarded.append(delivery) }
  }
}

// Every change of an item or list goes through these methods, so that none is missing in the log.
extension Change {
  func addList(name: String, uuid: UUID, at created: Date) throws -> Checklist {
    let list = try transaction.addList(name: name, uuid: uuid, at: created)
    notes?.listBecame(list, id: list.id)
    return list
  }

  func update(_ list: Checklist, from old: Checklist) throws {
    try note(old)
    try transaction.update(list)
    notes?.listBecame(list, id: list.id)
  }

  func remove(_ list: Checklist) throws {
    try note(list)
    try transaction.deleteList(id: list.id)
    notes?.listBecame(nil, id: list.id)
  }

  func addItem(
    listID: Int64, preferredID: Int64?, _ make: (_ id: Int64, _ position: Int64) throws -> Item
  ) throws -> Item {
    let item = try transaction.addItem(listID: listID, preferredID: preferredID, make)
    notes?.itemBecame(item, id: item.id)
    return item
  }

  func update(_ item: Item, from old: Item) throws {
    try note(old)
    try transaction.update(item)
    notes?.itemBecame(item, id: item.id)
  }

  func remove(_ item: Item) throws {
    try note(item)
    try transaction.deleteItem(id: item.id)
    notes?.itemBecame(nil, id: item.id)
  }

  /// Records an item with its snoozes, nags and steps; called before either changes.
  func note(_ item: Item) throws {
    try notes?.itemWas(item) { try scheduledExtraRinging(of: .item(item.id)).map(\.id) }
  }

  /// Records a list with its snoozes, nags and steps; called before either changes.
  func note(_ list: Checklist) throws {
    try notes?.listWas(list) { try scheduledExtraRinging(of: .list(list.id)).map(\.id) }
  }

  /// Records the snoozes, nags and steps that the change leaves scheduled; called at its end.
  func endNotes() throws { try notes?.end { try scheduledExtraRinging(of: $0).map(\.id) } }

  /// The scheduled snoozes, nags and steps of an owner.
  func scheduledExtraRinging(of owner: ReminderOwner) throws -> [Reminder] {
    try transaction.reminders(of: owner, at: nil, state: .scheduled).filter { $0.occurrence.kind != .planned }
  }
}
