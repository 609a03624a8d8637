import BelfryModel
import FoundationEssentials

/// What a change does to items and lists, noted while it goes on, so that it can be taken back.
final class UndoNotes {
  /// One item or list that the change touches.
  struct Touched<Value> {
    let id: Int64
    /// What there was; `nil` where there was none.
    let before: Value?
    /// The snoozes and nags that were scheduled.
    var extraRinging: [UUID] = []
    /// What there is now; `nil` where there is none.
    var after: Value?
  }

  /// How many items and lists are noted: taking back more is the business of a backup.
  static let limit = 10_000

  private(set) var items: [Touched<Item>] = []
  private(set) var lists: [Touched<Checklist>] = []
  /// Deliveries that were called off.
  private(set) var discarded: [Int64] = []
  /// Whether everything is noted.
  private(set) var isComplete = true
  /// Whether nothing was touched.
  var isEmpty: Bool { isComplete && items.isEmpty && lists.isEmpty }

  private var itemPlaces: [Int64: Int] = [:]
  private var listPlaces: [Int64: Int] = [:]

  /// Notes what an item was, at its first touch.
  func itemWas(_ item: Item, extraRinging: () throws -> [UUID]) rethrows {
    guard itemPlaces[item.id] == nil, hasRoom() else { return }
    itemPlaces[item.id] = items.count
    items.append(Touched(id: item.id, before: item, extraRinging: try extraRinging(), after: item))
  }

  /// Notes what an item is now; one that was not there before if it was not noted.
  func itemBecame(_ item: Item?, id: Int64) {
    if let place = itemPlaces[id] {
      items[place].after = item
    } else if hasRoom() {
      itemPlaces[id] = items.count
      items.append(Touched(id: id, before: nil, after: item))
    }
  }

  /// Notes what a list was, at its first touch.
  func listWas(_ list: Checklist, extraRinging: () throws -> [UUID]) rethrows {
    guard listPlaces[list.id] == nil, hasRoom() else { return }
    listPlaces[list.id] = lists.count
    lists.append(Touched(id: list.id, before: list, extraRinging: try extraRinging(), after: list))
  }

  /// Notes what a list is now; one that was not there before if it was not noted.
  func listBecame(_ list: Checklist?, id: Int64) {
    if let place = listPlaces[id] {
      lists[place].after = list
    } else if hasRoom() {
      listPlaces[id] = lists.count
      lists.append(Touched(id: id, before: nil, after: list))
    }
  }

  // What cannot be taken back whole is not kept in part: an import may go on for a million items.
  private func hasRoom() -> Bool {
    if isComplete, items.count + lists.count >= Self.limit {
      isComplete = false
      (items, lists, discarded) = ([], [], [])
      (itemPlaces, listPlaces) = ([:], [:])
    }
    return isComplete
  }

  /// Notes that a delivery was called off.
  func discarded(_ delivery: Int64) {
    if isComplete, discarded.count < Self.limit { discarded.append(delivery) }
  }
}

// Every change of an item or list goes through these, so that none is forgotten.
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

  /// Notes an item as it is, with its extra ringing: before anything of either changes.
  func note(_ item: Item) throws {
    try notes?.itemWas(item) { try scheduledExtraRinging(of: .item(item.id)).map(\.id) }
  }

  /// Notes a list as it is, with its extra ringing: before anything of either changes.
  func note(_ list: Checklist) throws {
    try notes?.listWas(list) { try scheduledExtraRinging(of: .list(list.id)).map(\.id) }
  }

  /// Snoozes and nags that are to come.
  func scheduledExtraRinging(of owner: ReminderOwner) throws -> [Reminder] {
    try transaction.reminders(of: owner, at: nil, state: .scheduled).filter { $0.occurrence.kind != .planned }
  }
}
