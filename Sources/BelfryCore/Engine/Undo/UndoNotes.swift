import Foundation

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
  var isEmpty: Bool { items.isEmpty && lists.isEmpty }

  private var itemPlaces: [Int64: Int] = [:]
  private var listPlaces: [Int64: Int] = [:]

  /// Notes what an item was, at its first touch.
  func itemWas(_ item: Item, extraRinging: () throws -> [UUID]) rethrows {
    guard itemPlaces[item.id] == nil else { return }
    let isNoted = takePlace(&itemPlaces, of: item.id, behind: items.count)
    if isNoted { items.append(Touched(id: item.id, before: item, extraRinging: try extraRinging(), after: item)) }
  }

  /// Notes what an item is now; one that was not there before if it was not noted.
  func itemBecame(_ item: Item?, id: Int64) {
    if itemPlaces[id] == nil, takePlace(&itemPlaces, of: id, behind: items.count) {
      items.append(Touched(id: id, before: nil, after: item))
    } else if let place = itemPlaces[id], items.indices.contains(place) {
      items[place].after = item
    }
  }

  /// Notes what a list was, at its first touch.
  func listWas(_ list: Checklist) {
    guard listPlaces[list.id] == nil else { return }
    let isNoted = takePlace(&listPlaces, of: list.id, behind: lists.count)
    if isNoted { lists.append(Touched(id: list.id, before: list, after: list)) }
  }

  /// Notes what a list is now; one that was not there before if it was not noted.
  func listBecame(_ list: Checklist?, id: Int64) {
    if listPlaces[id] == nil, takePlace(&listPlaces, of: id, behind: lists.count) {
      lists.append(Touched(id: id, before: nil, after: list))
    } else if let place = listPlaces[id], lists.indices.contains(place) {
      lists[place].after = list
    }
  }

  private func takePlace(_ places: inout [Int64: Int], of id: Int64, behind count: Int) -> Bool {
    isComplete = isComplete && items.count + lists.count < Self.limit
    if isComplete { places[id] = count }
    return isComplete
  }

  /// Notes that a delivery was called off.
  func discarded(_ delivery: Int64) {
    if discarded.count < Self.limit { discarded.append(delivery) }
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
    notes?.listWas(old)
    try transaction.update(list)
    notes?.listBecame(list, id: list.id)
  }

  func remove(_ list: Checklist) throws {
    notes?.listWas(list)
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

  /// Snoozes and nags that are to come.
  func scheduledExtraRinging(of owner: ReminderOwner) throws -> [Reminder] {
    try transaction.reminders(of: owner, at: nil, state: .scheduled).filter { $0.occurrence.kind != .planned }
  }
}
