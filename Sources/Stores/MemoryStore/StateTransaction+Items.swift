import BelfryEngine
import BelfryModel
import FoundationEssentials

extension StateTransaction {
  package func item(id: Int64) throws -> ItemListing? {
    return try state.items[id].map(listing)
  }

  package func item(uuid: UUID) throws -> ItemListing? {
    return try itemID(uuid: uuid).flatMap(item)
  }

  package func item(key: String) throws -> ItemListing? { try itemID(key: key).flatMap(item) }

  package func visitItems(_ query: ItemQuery, _ body: (ItemListing) throws -> VisitResult) throws {
    let lists = query.order == .place ? state.lists.mapValues(\.position) : [:]
    var places = state.items.values.lazy.filter(query.matches).map { ItemPlace($0, query.order, lists) }.sorted()
    if let limit = query.limit { places = Array(places.prefix(max(0, limit))) }
    for place in places {
      if let item = state.items[place.id], try body(listing(item)) == .stop { return }
    }
  }

  package func uncheckedCount(listID: Int64?, dueBefore: Date?) throws -> Int {
    let query = ItemQuery(listID: listID, dueBefore: dueBefore)
    return state.items.values.count(where: query.matches)
  }

  package func endPosition(listID: Int64) throws -> Int64 {
    if let known = indexes.endPositions[listID] { return known }
    let last = state.items.values.lazy.filter { $0.listID == listID }.map(\.position).max()
    let end = last.map(Self.position(after:)) ?? 1
    indexes.endPositions[listID] = end
    return end
  }

  package func addItem(
    listID: Int64, preferredID: Int64?, _ make: (_ id: Int64, _ position: Int64) throws -> Item
  ) throws -> Item {
    let id = preferredID ?? max(1, state.nextItemID)
    guard id < .max else { throw BelfryError(.badInput, "\(id) is too large for an item's number") }
    let item = try make(id, endPosition(listID: listID))
    try Self.refuseDuplicate(state.items[id] != nil, "an item \(id)")
    try Self.refuseDuplicate(itemID(uuid: item.uuid) != nil, "an item \(item.uuid)")
    try refuseTakenKey(of: item)
    if id >= state.nextItemID {
      state.nextItemID = id + 1
      changes.head = true
    }
    keep(item)
    return item
  }

  package func update(_ item: Item) throws {
    guard let old = state.items[item.id], old != item || !old.content.texts.haveSameBytes(as: item.content.texts) else {
      return
    }
    try refuseTakenKey(of: item)
    forgetKey(of: old)
    forgetPlace(of: old)
    keep(item)
  }

  package func deleteItem(id: Int64) throws {
    guard let item = state.items.removeValue(forKey: id) else { return }
    indexes.itemsByUUID?[item.uuid] = nil
    forgetKey(of: item)
    forgetPlace(of: item)
    changes.items.insert(id)
  }

  private func keep(_ item: Item) {
    state.items[item.id] = item
    indexes.itemsByUUID?[item.uuid] = item.id
    if let key = item.key { indexes.itemsByKey?[Array(key.utf8)] = item.id }
    if let end = indexes.endPositions[item.listID] {
      indexes.endPositions[item.listID] = max(end, Self.position(after: item.position))
    }
    changes.items.insert(item.id)
  }

  private func refuseTakenKey(of item: Item) throws {
    guard let key = item.key, let taken = itemID(key: key) else { return }
    try Self.refuseDuplicate(taken != item.id, "an item with the key '\(key)'")
  }

  private func forgetKey(of item: Item) {
    if let key = item.key { indexes.itemsByKey?[Array(key.utf8)] = nil }
  }

  // Removing the last item makes its list's end position unknown.
  private func forgetPlace(of item: Item) {
    if indexes.endPositions[item.listID] == Self.position(after: item.position) {
      indexes.endPositions[item.listID] = nil
    }
  }

  package static func position(after position: Int64) -> Int64 { position == .max ? .max : position + 1 }

  private func listing(_ item: Item) throws -> ItemListing {
    try ItemListing(
      item: item, listName: state.lists[item.listID]?.name ?? "",
      nextFireDate: reminders(of: .item(item.id), at: nil, state: .scheduled).map(\.fireDate).min())
  }
}

/// The sort key of an item: due date (no date last), or the place of its list; then list, then position.
private struct ItemPlace: Comparable {
  let dueOrPlace: Int64
  let listID: Int64
  let position: Int64
  let id: Int64

  /// - Parameter lists: the place of each list, for the order by place.
  init(_ item: Item, _ order: ItemQuery.Order, _ lists: [Int64: Int64]) {
    dueOrPlace = order == .place ? lists[item.listID] ?? 0 : item.due?.instant.secondsSinceEpoch ?? .max
    (listID, position, id) = (item.listID, item.position, item.id)
  }

  static func < (one: ItemPlace, other: ItemPlace) -> Bool {
    (one.dueOrPlace, one.listID, one.position, one.id) < (other.dueOrPlace, other.listID, other.position, other.id)
  }
}

extension ItemQuery {
  /// True if an item matches the query, apart from its limit.
  fileprivate func matches(_ item: Item) -> Bool {
    if checked != .any, item.isChecked != (checked == .checked) { return false }
    if kind != .any, item.isEvent != (kind == .events) { return false }
    if isRepeating, item.recurrence == nil { return false }
    if let listID, item.listID != listID { return false }
    if !item.tags.isSuperset(of: tags) { return false }
    if let priority, item.priority?.level != priority { return false }
    if let dueFrom, (item.due?.instant.date).map({ $0 < dueFrom }) ?? true { return false }
    guard let dueBefore else { return true }
    return item.due.map { $0.instant.date < dueBefore } ?? false
  }
}
