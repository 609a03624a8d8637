import BelfryEngine
import BelfryModel
import CivilTime
import Foundation
import RecurrenceRules

// A test names the fields that it is about; code outside of tests names all fields of an item.

extension Item {
  /// An item; fields that are not named are empty.
  package init(
    id: Int64, uuid: UUID, listID: Int64, position: Int64, text: String, notes: String? = nil,
    isChecked: Bool = false, due: DueDate? = nil, zone: ItemZone = .floating, shouldRemind: Bool = false,
    alerts: [CalendarDuration] = [.zero], recurrence: Recurrence? = nil, lastChecked: CheckedOccurrence? = nil,
    nag: CalendarDuration? = nil, category: String? = nil, key: String? = nil, tags: ItemTags = .empty,
    priority: ItemPriority? = nil, properties: [String] = [], createdAt: Date, updatedAt: Date, checkedAt: Date? = nil
  ) {
    let content = ItemContent(
      text: text, notes: notes, shouldRemind: shouldRemind, alerts: alerts, nag: nag, category: category, key: key,
      tags: tags, priority: priority, properties: properties)
    self.init(
      id: id, uuid: uuid, listID: listID, position: position, content: content, isChecked: isChecked, due: due,
      zone: zone, recurrence: recurrence, lastChecked: lastChecked, createdAt: createdAt, updatedAt: updatedAt,
      checkedAt: checkedAt)
  }
}

extension ItemDraft {
  /// A draft; fields that are not named are empty.
  package init(
    text: String, notes: String? = nil, due: WallTime? = nil, zone: ItemZone = .floating, shouldRemind: Bool = false,
    alerts: [CalendarDuration] = [], rule: RecurrenceRule? = nil, repeatOrigin: Recurrence.Origin = .due,
    nag: CalendarDuration? = nil, category: String? = nil, tags: ItemTags = .empty, priority: ItemPriority? = nil
  ) {
    let content = ItemContent(
      text: text, notes: notes, shouldRemind: shouldRemind, alerts: alerts, nag: nag, category: category, key: nil,
      tags: tags, priority: priority, properties: [])
    self.init(content, due: due, zone: zone, rule: rule, repeatOrigin: repeatOrigin)
  }
}

extension ImportedItem {
  /// An imported item; fields that are not named are empty.
  package init(
    itemID: Int64? = nil, uuid: UUID? = nil, text: String, notes: String = "", isChecked: Bool = false,
    due: ImportedDue? = nil, shouldRemind: Bool = false, place: String
  ) {
    let content = ItemContent(
      text: text, notes: notes, shouldRemind: shouldRemind, alerts: [], nag: nil, category: nil, key: nil,
      tags: .empty, priority: nil, properties: [])
    self.init(content, itemID: itemID, uuid: uuid, isChecked: isChecked, due: due, place: place)
  }
}
