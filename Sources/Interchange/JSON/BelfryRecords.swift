import BelfryCore
import Foundation
import RecurrenceRules

/// What one list or item in Belfry's own JSON stands for.
struct BelfryRecords {
  let context: ImportContext

  func list(_ fields: JSONFields) throws(EntryFault) -> ImportEntry {
    .list(
      ImportedList(
        name: try fields.requiredText("name"), uuid: try fields.uuid("uuid"), reminder: try listReminder(fields),
        createdAt: try fields.instant("created_at"), updatedAt: try fields.instant("updated_at")))
  }

  private func listReminder(_ list: JSONFields) throws(EntryFault) -> ImportedListReminder? {
    guard let value = list.value("reminder") else { return nil }
    let fields = try JSONFields(value)
    let zone = try zone(fields)
    guard let at = try wallTime(fields, in: zone) else {
      throw EntryFault(reason: "its reminder has no \"due_local\"")
    }
    return ImportedListReminder(
      ListReminderDraft(
        at: at, zone: zone, rule: try fields.rule("repeat"), message: try fields.text("message"),
        category: try fields.text("category")),
      repeatStart: try fields.wallTime("repeat_start"), snoozedUntil: try fields.instant("snoozed_until"))
  }

  func item(_ fields: JSONFields, line: Int) throws(EntryFault) -> ImportEntry {
    let zone = try zone(fields)
    let due = try wallTime(fields, in: zone)
    var item = ImportedItem(
      itemID: try fields.number("id"), uuid: try fields.uuid("uuid"), text: try fields.requiredText("text"),
      notes: try fields.text("notes") ?? "", isChecked: try fields.flag("is_checked") ?? false,
      due: due.map { .local($0, zone) }, shouldRemind: try fields.flag("should_remind") ?? (due != nil),
      place: "line \(line)")
    item.alerts = try alerts(fields)
    item.rule = try fields.rule("repeat")
    item.repeatStart = try fields.wallTime("repeat_start")
    item.repeatOrigin =
      try fields.converted("repeat_from", wanted: "due or done") { Recurrence.Origin(rawValue: $0) } ?? .due
    item.lastChecked = try lastChecked(fields)
    item.nag = try fields.duration("nag")
    item.snoozedUntil = try fields.instant("snoozed_until")
    item.category = try fields.text("category")
    item.properties = try fields.texts("properties")
    item.createdAt = try fields.instant("created_at")
    item.updatedAt = try fields.instant("updated_at")
    item.checkedAt = try fields.instant("checked_at")
    return .item(item, list: try fields.text("list") ?? context.defaultListName)
  }

  private func zone(_ fields: JSONFields) throws(EntryFault) -> ItemZone {
    try fields.text("time_zone").map(ItemZone.init) ?? .floating
  }

  // The wall-clock time rules; where a hand has written only the instant, it is the time that the clocks show then.
  private func wallTime(_ fields: JSONFields, in zone: ItemZone) throws(EntryFault) -> WallTime? {
    if let local = try fields.wallTime("due_local") { return local }
    guard let instant = try fields.instant("due_date") else { return nil }
    do {
      return try context.planner.zone(zone).wallTime(at: instant)
    } catch {
      throw EntryFault(reason: (error as? BelfryError)?.message ?? "\(error)")
    }
  }

  private func alerts(_ fields: JSONFields) throws(EntryFault) -> [CalendarDuration] {
    var alerts: [CalendarDuration] = []
    for text in try fields.texts("alerts") {
      guard let alert = CalendarDuration(iso8601: text) else {
        throw EntryFault(reason: "its \"alerts\" hold \(Place.quoted(text)), not a duration like PT10M")
      }
      alerts.append(alert)
    }
    return alerts
  }

  private func lastChecked(_ fields: JSONFields) throws(EntryFault) -> CheckedOccurrence? {
    guard let due = try fields.wallTime("last_checked_due"), let start = try fields.wallTime("last_checked_start")
    else { return nil }
    return CheckedOccurrence(due: due, start: start)
  }
}
