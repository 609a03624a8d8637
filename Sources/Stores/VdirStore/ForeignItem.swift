import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import Interchange

/// Makes an item of a to-do in a file.
struct ForeignItem {
  let planner: Planner
  let remind: Remind
  /// The time for dates that the file does not tell, in whole seconds.
  let now: Date

  /// The item of a to-do, with the number, place and times of another one where the file has none.
  ///
  /// - Parameter changed: the to-dos that change an occurrence of it.
  /// - Throws: ``BelfryError`` for a value that no item can have.
  func item(_ imported: ImportedItem, _ changed: [ImportedOccurrence], as known: Item) throws -> Item {
    var item = try item(imported, as: known)
    let dates = try RepeatDates(imported, changed, item: item, reader: self)
    guard !dates.isEmpty else { return item }
    item.properties += dates.properties
    if let first = planner.firstOccurrence(of: item) {
      item.due = try planner.resolve(first, in: planner.zone(item.zone))
    } else {
      (item.isChecked, item.checkedAt) = (true, item.checkedAt ?? dates.checkedAt ?? now)
    }
    return item
  }

  private func item(_ imported: ImportedItem, as known: Item) throws -> Item {
    let (due, zone) = try due(imported.due)
    let ringsWhenDue = remind == .due && ringsByItself(imported)
    return Item(
      id: known.id, uuid: known.uuid, listID: known.listID, position: known.position,
      text: try TextRules.line(imported.text, what: "the text"),
      notes: try TextRules.lines(imported.notes, what: "the notes"), isChecked: imported.isChecked, due: due,
      zone: zone, shouldRemind: imported.shouldRemind || ringsWhenDue, alerts: imported.alerts.normalizedAlerts,
      recurrence: try recurrence(imported, due), lastChecked: imported.lastChecked, nag: imported.nag,
      category: imported.category, key: try imported.key.map(TextRules.key), properties: imported.properties,
      createdAt: stamp(imported.createdAt) ?? known.createdAt, updatedAt: stamp(imported.updatedAt) ?? known.updatedAt,
      checkedAt: imported.isChecked || imported.checkedAt != nil
        ? stamp(imported.checkedAt) ?? known.checkedAt ?? now : nil)
  }

  /// The item of a to-do that no item is known of.
  ///
  /// - Throws: as ``item(_:_:as:)``.
  func newItem(
    _ imported: ImportedItem, _ changed: [ImportedOccurrence], id: Int64, uuid: UUID, listID: Int64, position: Int64
  ) throws -> Item {
    let blank = Item(
      id: id, uuid: uuid, listID: listID, position: position, text: "", createdAt: now, updatedAt: now)
    return try item(imported, changed, as: blank)
  }

  // Due at a time of day, and without an alarm: programs such as todoman write none.
  private func ringsByItself(_ imported: ImportedItem) -> Bool {
    guard imported.due != nil, imported.alerts.isEmpty, !imported.shouldRemind else { return false }
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
  /// The item with what another program changed in its file.
  ///
  /// Fields that the file cannot say stay as they are. So do Belfry's own fields where the other program dropped them.
  ///
  /// - Parameters:
  ///   - old: what the file said before.
  ///   - new: what it says now.
  func merging(from old: Item, to new: Item) -> Item {
    var item = Item(
      id: id, uuid: uuid, listID: listID, position: position, text: text, notes: notes, isChecked: isChecked, due: due,
      zone: zone, shouldRemind: shouldRemind, alerts: alerts, recurrence: recurrence, lastChecked: lastChecked,
      nag: nag, category: category, key: key, properties: properties,
      createdAt: new.createdAt == old.createdAt ? createdAt : new.createdAt, updatedAt: updatedAt, checkedAt: checkedAt)
    item.unknown = unknown
    if new.text != old.text { item.text = new.text }
    if new.notes != old.notes { item.notes = new.notes }
    if new.isChecked != old.isChecked { (item.isChecked, item.checkedAt) = (new.isChecked, new.checkedAt) }
    if new.checkedAt != old.checkedAt, new.isChecked == item.isChecked { item.checkedAt = new.checkedAt }
    if new.due != old.due || new.zone != old.zone { (item.due, item.zone) = (new.due, new.zone) }
    if new.shouldRemind != old.shouldRemind { item.shouldRemind = new.shouldRemind }
    if new.alerts != old.alerts { item.alerts = new.alerts }
    if new.recurrence != old.recurrence { item.recurrence = new.recurrence }
    if new.properties != old.properties { item.properties = new.properties }
    if let nag = new.nag, nag != old.nag { item.nag = nag }
    if let category = new.category, category != old.category { item.category = category }
    if let key = new.key, key != old.key { item.key = key }
    if let last = new.lastChecked, last != old.lastChecked { item.lastChecked = last }
    if new.updatedAt != old.updatedAt { item.updatedAt = new.updatedAt }
    return item
  }
}
