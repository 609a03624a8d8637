import BelfryModel
import CivilTime
import FoundationEssentials

extension Belfry {
  /// Adds items at the end of a list, all or none, and schedules their reminders.
  ///
  /// - Throws: ``BelfryError`` `.badInput` for an invalid text or date, `.notFound` for an unknown list, and errors of
  ///   the store.
  public func add(_ drafts: [ItemDraft], to choice: ListChoice) throws -> [ItemChange] {
    try change(as: "add") { change in
      let list = try change.findOrAdd(choice)
      let changes = try drafts.map { try change.add($0, to: list) }
      try change.itemsChanged(on: list)
      return changes
    }
  }

  /// Edits an item, cancels reminders that no longer apply and schedules new ones.
  ///
  /// - Throws: as ``add(_:to:)``.
  public func edit(_ id: Int64, _ edit: ItemEdit) throws -> ItemChange {
    try change(as: "edit") { try $0.edit(id, edit) }
  }

  /// Edits items, all or none, as one change.
  ///
  /// - Throws: as ``add(_:to:)``.
  package func edit(_ edits: [(id: Int64, edit: ItemEdit)]) throws -> [ItemChange] {
    try change(as: "edit") { change in try edits.map { try change.edit($0.id, $0.edit) } }
  }

  /// Checks or unchecks items, all or none. Checking cancels an item's reminders and discards its pending deliveries;
  /// unchecking plans its reminders, and continues its nags if it had any.
  ///
  /// - Throws: ``BelfryError`` `.notFound` for an unknown item, and errors of the store.
  package func setChecked(_ isChecked: Bool, _ ids: [Int64]) throws -> [ItemChange] {
    try change(as: isChecked ? "check" : "uncheck") { try $0.setChecked(isChecked, ids) }
  }

  /// Deletes items, all or none, cancels their reminders and discards their pending deliveries.
  ///
  /// - Throws: as ``setChecked(_:_:)``.
  public func delete(_ ids: [Int64]) throws -> [ItemListing] {
    try change(as: "delete") { try $0.delete(ids) }
  }
}

extension Change {
  fileprivate func edit(_ id: Int64, _ edit: ItemEdit) throws -> ItemChange {
    let old = try item(id).item
    return try replace(old, with: applying(edit, to: old))
  }

  func setChecked(_ isChecked: Bool, _ ids: [Int64]) throws -> [ItemChange] {
    var lists: Set<Int64> = []
    let changes = try ids.uniqued().map { id in
      let old = try item(id).item
      guard old.isChecked != isChecked || (!isChecked && old.lastChecked != nil) else {
        return try unchanged(id)
      }
      let new = try isChecked ? checked(old) : unchecked(old)
      try update(new, from: old)
      if isChecked {
        try discardEndedDeliveries(of: .item(id))
        try cancelExtraRinging(of: .item(id))
      } else {
        outdated.add(.item(id))
      }
      lists.insert(new.listID)
      let reconciliation = try reschedule(new, from: old)
      return ItemChange(listing: try item(id), schedule: reconciliation)
    }
    try itemsChanged(on: lists)
    return changes
  }

  /// The result for an item that stays as it is.
  func unchanged(_ id: Int64) throws -> ItemChange {
    ItemChange(listing: try item(id), schedule: Reconciliation(planned: [], existing: [], now: now))
  }

  /// Replaces an item by its edited version, and updates its reminders.
  func replace(_ old: Item, with new: Item) throws -> ItemChange {
    try update(new, from: old)
    if old.due?.local != new.due?.local { try cancelExtraRinging(of: .item(new.id)) }
    let reconciliation = try reschedule(new, from: old)
    try itemsChanged(on: [old.listID, new.listID])
    return ItemChange(listing: try item(new.id), schedule: reconciliation)
  }

  func delete(_ ids: [Int64]) throws -> [ItemListing] {
    let listings = try ids.uniqued().map { try delete(item($0)) }
    try itemsChanged(on: Set(listings.map(\.item.listID)))
    return listings
  }

  func findOrAdd(_ choice: ListChoice) throws -> Checklist {
    switch choice {
    case .id(let id): return try transaction.knownList(id)
    case .named(let name, let createsMissing):
      let name = try TextRules.listName(name)
      guard createsMissing else { return try transaction.knownList(named: name) }
      return try transaction.list(named: name) ?? addList(name: name, uuid: UUID(), at: stamp)
    }
  }

  func add(
    _ draft: ItemDraft, to list: Checklist, preferredID: Int64? = nil, uuid: UUID? = nil, isChecked: Bool = false
  ) throws -> ItemChange {
    let due = try draft.due.map { try planner.due(at: $0, in: draft.zone) }
    let recurrence = try draft.rule.map { try Recurrence($0, from: due, origin: draft.repeatOrigin) }
    let item = try addItem(listID: list.id, preferredID: preferredID) { id, position in
      try Item(
        id: id, uuid: uuid ?? UUID(), listID: list.id, position: position, content: draft.content.normalized(),
        isChecked: isChecked, due: due, zone: draft.zone, recurrence: recurrence, lastChecked: nil, createdAt: stamp,
        updatedAt: stamp, checkedAt: isChecked ? stamp : nil)
    }
    let reconciliation = try reschedule(item, isNew: true)
    let listing = ItemListing(
      item: item, listName: list.name, nextFireDate: reconciliation.scheduled.first)
    return ItemChange(listing: listing, schedule: reconciliation)
  }

  func applying(_ edit: ItemEdit, to old: Item) throws -> Item {
    var item = try planner.applying(edit, to: old)
    if let choice = edit.list {
      let list = try findOrAdd(choice)
      if list.id != item.listID {
        item.listID = list.id
        item.position = try transaction.endPosition(listID: list.id)
      }
    }
    item.updatedAt = stamp
    return item
  }

  func delete(_ listing: ItemListing) throws -> ItemListing {
    try note(listing.item)
    _ = try cancelReminders(of: .item(listing.item.id))
    try remove(listing.item)
    try discardEndedDeliveries(of: .item(listing.item.id))
    return listing
  }
}
