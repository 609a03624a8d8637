import FoundationEssentials

package struct ListRecord: Record {
  package static let form = RecordForm<ListRecord>(0, "list") { fields in
    fields.add("id", \.id, .number, .expected)
    fields.add("uuid", \.uuid, .identity, .expected)
    fields.add("name", \.name, .text)
    fields.add("reminder", \.reminder, RecordCodec<ListReminderRecord>())
    fields.add("color", \.color, .listColor)
    fields.add("icon", \.icon, .listIcon)
    fields.add("position", \.position, .integer, in: .kept)
    fields.add("created_at", \.createdAt, .instant, .expected)
    fields.add("updated_at", \.updatedAt, .instant, .expected)
  }

  private(set) var id: Int64?
  package private(set) var uuid: UUID?
  package private(set) var name = ""
  package var reminder: ListReminderRecord?
  package private(set) var color: ListColor?
  package private(set) var icon: ListIcon?
  /// The position; `nil` if it is the id.
  package var position: Int64?
  package private(set) var createdAt: Date?
  package var updatedAt: Date?
  package var unknown: UnknownFields?

  package init() {}

  /// The record of a list.
  package init(_ list: Checklist, snoozedUntil: Date? = nil) {
    (id, uuid, name, reminder) = (list.id, list.uuid, list.name, list.reminder.map { ListReminderRecord($0) })
    (color, icon, position) = (list.color, list.icon, list.position == list.id ? nil : list.position)
    (createdAt, updatedAt, unknown) = (list.createdAt, list.updatedAt, list.unknown)
    reminder?.snoozedUntil = snoozedUntil
  }

  package func check(_ raw: RawRecord, _ reader: RecordReader) throws(FormFault) {
    if id == nil { throw reader.missing("id", raw) }
  }

  /// The list, with defaults for missing fields; `writtenAt` is the time at which the file was written.
  package func list(writtenAt: Date) -> Checklist {
    var list = Checklist(
      id: id ?? 0, uuid: uuid ?? UUID(namespace: .belfry, name: "list \(name) \(id ?? 0)"), name: name,
      reminder: reminder?.reminder, color: color, icon: icon, position: position, createdAt: createdAt ?? writtenAt,
      updatedAt: updatedAt ?? writtenAt)
    list.unknown = unknown
    return list
  }
}

/// A list's own reminder in files and in `--json`.
package struct ListReminderRecord: Record {
  package static let form = RecordForm<ListReminderRecord>(1, "list's reminder") { fields in
    fields.add("due_date", \.due.instant, .instant)
    fields.add("due_local", \.due.local, .wallTime)
    fields.add("time_zone", \.zone, .zone, .expected)
    fields.add("message", \.message, .text)
    fields.add("repeat", \.recurrence.rule, .rule)
    fields.add("repeat_start", \.recurrence.start, .wallTime)
    fields.add("repeat_from", \.recurrence.origin, WordCodec(Recurrence.Origin.self, \.rawValue), in: .kept)
    fields.add("snoozed_until", \.snoozedUntil, .instant, in: .kept)
    fields.add("category", \.category, .sharedText)
  }

  package var due = DueParts()
  package private(set) var zone = ItemZone.floating
  package private(set) var message: String?
  package private(set) var recurrence = RecurrenceParts()
  /// The end of its snooze, in an export.
  package fileprivate(set) var snoozedUntil: Date?
  package private(set) var category: String?
  package var unknown: UnknownFields?

  package init() {}

  /// The record of a list's reminder.
  package init(_ reminder: ListReminder) {
    (due, zone, message) = (DueParts(reminder.due), reminder.zone, reminder.message)
    (recurrence, category) = (RecurrenceParts(reminder.recurrence), reminder.category)
    unknown = reminder.unknown
  }

  package func check(_ raw: RawRecord, _ reader: RecordReader) throws(FormFault) {
    try recurrence.check(raw, reader)
    guard recurrence.origin != .done else {
      throw reader.fault("repeat_from", raw, "a list is never done: its reminder repeats from \"due\"")
    }
    if due.local == nil { throw reader.missing("due_local", raw) }
    try due.check(raw, reader)
  }

  /// The reminder of a valid record.
  var reminder: ListReminder? {
    due.date.map { due in
      var reminder = ListReminder(
        due: due, zone: zone, recurrence: recurrence.recurrence, message: message, category: category)
      reminder.unknown = unknown
      return reminder
    }
  }
}
