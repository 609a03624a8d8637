import BelfryCore
import Foundation

extension StateBuilder {
  /// Reads a list.
  mutating func readList(_ record: RawRecord) throws(StoreFault) {
    let id = try decoder.number(record, ListField.id)
    let list = Checklist(
      id: id, uuid: try uuid(record, of: id), name: try decoder.text(record, ListField.name),
      reminder: try listReminder(record, of: id), createdAt: try instant(record, ListField.createdAt),
      updatedAt: try instant(record, ListField.updatedAt))
    try add(list, at: record.range.lowerBound)
    layout.lists.append(id, source(record, required: [ListField.uuid, .createdAt, .updatedAt]), at: RecordPlace(list))
    if let extra = record.extra { layout.extras[.list(id)] = extra }
  }

  private func uuid(_ record: RawRecord, of id: Int64) throws(StoreFault) -> UUID {
    guard said(record, ListField.uuid) else {
      return UUID(namespace: .belfry, name: "list \(try decoder.text(record, ListField.name)) \(id)")
    }
    return try decoder.uuid(record, ListField.uuid)
  }

  private mutating func listReminder(_ outer: RawRecord, of id: Int64) throws(StoreFault) -> ListReminder? {
    var record = RawRecord(ListReminderField.kind)
    guard try decoder.record(in: outer, ListField.reminder, &record) else { return nil }
    if let extra = record.extra { layout.extras[.listReminder(id)] = extra }
    let recurrence = try decoder.recurrence(
      record, ListReminderField.rule, start: ListReminderField.repeatStart, from: ListReminderField.repeatFrom)
    guard recurrence?.origin != .done else {
      throw decoder.fault(
        record, ListReminderField.repeatFrom, "a list is never done: its reminder repeats from \"due\"")
    }
    try decoder.require(record, ListReminderField.dueLocal)
    guard let due = try due(record, local: ListReminderField.dueLocal, instant: ListReminderField.dueDate) else {
      return nil
    }
    return ListReminder(
      due: due,
      zone: try said(record, ListReminderField.timeZone)
        ? ItemZone(decoder.symbol(record, ListReminderField.timeZone)) : .floating,
      recurrence: recurrence,
      message: try decoder.optionalText(record, ListReminderField.message),
      category: try decoder.optionalText(record, ListReminderField.category))
  }
}
