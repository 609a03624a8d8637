import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import Interchange

/// Makes an item of a to-do in a file.
struct ForeignItem {
  let planner: Planner
  let remind: Remind
  /// The time for dates that the file does not have, in whole seconds.
  let now: Date

  /// The item of an event at its first occurrence that is not over; any other item as it is.
  private func movedOn(_ item: Item, _ imported: ImportedItem) throws -> Item {
    // Another program's snooze may become known only after the event has ended.
    let isSnoozed = item.recurrence == nil && imported.snoozedUntil.map { $0 > now } == true
    return item.isEvent && !isSnoozed ? try EventEnds(planner: planner, now: now).movedOn(item) : item
  }

  /// The item of a to-do, with the number, place and times of a known item if the file has none.
  ///
  /// - Parameter changed: the to-dos that change an occurrence of it.
  /// - Throws: ``BelfryError`` for a value that no item can have.
  func item(_ imported: ImportedItem, _ changed: [ImportedOccurrence], as known: Item) throws -> Item {
    var item = try item(imported, as: known)
    let dates = try RepeatDates(imported, changed, item: item, reader: self)
    guard !dates.isEmpty else { return try movedOn(item, imported) }
    dates.apply(to: &item)
    if let first = planner.firstOccurrence(of: item) {
      item.due = try planner.resolve(first, in: planner.zone(item.zone))
    } else {
      (item.isChecked, item.checkedAt) = (true, item.checkedAt ?? dates.checkedAt ?? now)
    }
    return try movedOn(item, imported)
  }

  private func item(_ imported: ImportedItem, as known: Item) throws -> Item {
    let (due, said) = try due(imported.due)
    let zone = isInstant(imported) ? .fixed(planner.floatingZone.identifier) : said
    var item = known
    item.content = try imported.content.normalized()
    if remind == .due, ringsByItself(imported) { item.shouldRemind = true }
    (item.isChecked, item.due, item.zone) = (imported.isChecked, due, zone)
    (item.recurrence, item.lastChecked) = (try recurrence(imported, due), imported.lastChecked)
    item.createdAt = stamp(imported.createdAt) ?? known.createdAt
    item.updatedAt = stamp(imported.updatedAt) ?? known.updatedAt
    item.checkedAt =
      imported.isChecked || imported.checkedAt != nil ? stamp(imported.checkedAt) ?? known.checkedAt ?? now : nil
    item.unknown = nil
    return item
  }

  /// The item of a to-do without a known item.
  ///
  /// - Throws: as ``item(_:_:as:)``.
  func newItem(
    _ imported: ImportedItem, _ changed: [ImportedOccurrence], id: Int64, uuid: UUID, listID: Int64, position: Int64
  ) throws -> Item {
    let blank = Item(
      id: id, uuid: uuid, listID: listID, position: position, content: .blank, createdAt: now)
    return try item(imported, changed, as: blank)
  }

  // An event in UTC takes place at that instant, wherever the machine is then.
  private func isInstant(_ imported: ImportedItem) -> Bool {
    guard imported.isEvent, case .instant? = imported.due else { return false }
    return planner.zone(ifKnown: planner.floatingZone.identifier) != nil
  }

  // True if it is due at a time of day and has no alarm, since programs such as todoman write none.
  private func ringsByItself(_ imported: ImportedItem) -> Bool {
    guard imported.due != nil, imported.alerts.isEmpty, !imported.shouldRemind, !imported.isEvent else { return false }
    return !imported.properties.contains { line in
      line.hasPrefix(Item.dateOnlyProperty) || line.uppercased() == "BEGIN:VALARM"
    }
  }

  /// The due date and the zone of a to-do.
  func due(_ imported: ImportedDue?) throws -> (DueDate?, ItemZone) {
    switch imported {
    case nil: return (nil, .floating)
    case .local(let time, let zone)?: return (try planner.resolve(time, in: planner.zone(zone)), zone)
    case .instant(let instant)?:
      let zone = planner.floatingZone
      return (try planner.resolve(zone.wallTime(at: instant), in: zone), .floating)
    }
  }

  private func recurrence(_ imported: ImportedItem, _ due: DueDate?) throws -> Recurrence? {
    guard let rule = imported.rule else { return nil }
    if let start = imported.repeatStart, due != nil {
      return Recurrence(rule: rule, start: start, origin: imported.repeatOrigin)
    }
    return try Recurrence(rule, from: due, origin: imported.repeatOrigin)
  }

  /// A date as an item keeps it; `nil` for one that no item can have.
  func stamp(_ date: Date?) -> Date? {
    date.flatMap { (0..<253_402_300_800).contains($0.timeIntervalSince1970) ? $0.wholeSeconds : nil }
  }
}

extension Item {
  /// The item with the changes of another program in its file.
  ///
  /// Fields that the file cannot hold stay as they are. So do Belfry's own fields if the other program dropped them.
  ///
  /// - Parameters:
  ///   - old: the item as the file had it before.
  ///   - new: the item as the file has it now.
  func merging(from old: Item, to new: Item) -> Item {
    var item = self
    item.content = content.merging(from: old.content, to: new.content)
    if new.createdAt != old.createdAt { item.createdAt = new.createdAt }
    if new.isChecked != old.isChecked {
      item.isChecked = new.isChecked
      // An item that was opened keeps the time of its check until the edit is planned, as in a file store.
      if new.isChecked || new.isEvent { item.checkedAt = new.checkedAt }
    } else if new.checkedAt != old.checkedAt, new.isChecked == item.isChecked {
      item.checkedAt = new.checkedAt
    }
    if new.due != old.due || new.zone != old.zone { (item.due, item.zone) = (new.due, new.zone) }
    if new.recurrence != old.recurrence { item.recurrence = new.recurrence }
    if let last = new.lastChecked, last != old.lastChecked { item.lastChecked = last }
    if new.updatedAt != old.updatedAt { item.updatedAt = new.updatedAt }
    return item
  }
}

extension ItemContent {
  /// The content with the changes of another program in its file; see ``Item/merging(from:to:)``.
  fileprivate func merging(from old: ItemContent, to new: ItemContent) -> ItemContent {
    func merged<Value: Equatable>(_ field: KeyPath<ItemContent, Value>) -> Value {
      new[keyPath: field] == old[keyPath: field] ? self[keyPath: field] : new[keyPath: field]
    }
    // Belfry's own field, which another program may drop.
    func own<Value: Equatable>(_ field: KeyPath<ItemContent, Value?>) -> Value? {
      new[keyPath: field] == nil ? self[keyPath: field] : merged(field)
    }
    return ItemContent(
      text: merged(\.text), notes: merged(\.notes), shouldRemind: merged(\.shouldRemind), alerts: merged(\.alerts),
      nag: own(\.nag), category: own(\.category), key: own(\.key), tags: merged(\.tags),
      priority: merged(\.priority), properties: merged(\.properties))
  }
}
