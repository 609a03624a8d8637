import BelfryCore
import Foundation

/// The fields of records, written to a file of any format; those without a value, or with the usual one, are left out.
struct FieldWriter {
  /// The file.
  var file: any RecordWriter

  init(_ file: any RecordWriter) { self.file = file }

  mutating func write(_ list: Checklist, extra: (any RecordExtra)?, reminderExtra: (any RecordExtra)?) throws {
    file.subject = .list(list.id)
    file.openRecord(nil)
    write(ListField.id, list.id)
    write(ListField.uuid, list.uuid)
    try write(ListField.name, list.name)
    if let reminder = list.reminder {
      try writeFields(reminder, reminderExtra)
    }
    try write(ListField.createdAt, list.createdAt)
    try write(ListField.updatedAt, list.updatedAt)
    file.closeRecord(extra)
  }

  private mutating func writeFields(_ reminder: ListReminder, _ extra: (any RecordExtra)?) throws {
    file.openRecord(ListField.reminder.key)
    try write(ListReminderField.dueDate, reminder.due.instant.date)
    write(ListReminderField.dueLocal, reminder.due.local)
    try write(ListReminderField.timeZone, reminder.zone.description)
    try write(ListReminderField.message, reminder.message)
    try write(ListReminderField.rule, reminder.recurrence?.rule.description)
    write(ListReminderField.repeatStart, reminder.recurrence?.start)
    try write(ListReminderField.repeatFrom, reminder.recurrence?.origin.rawValue)
    try write(ListReminderField.category, reminder.category)
    file.closeRecord(extra)
  }

  mutating func write(_ item: Item, on list: Checklist?, extra: (any RecordExtra)?) throws {
    guard let list else {
      throw BelfryError(.internalError, "item \(item.id) was to be kept on a list that is not there")
    }
    file.subject = .item(item.id)
    file.openRecord(nil)
    write(ItemField.id, item.id)
    write(ItemField.uuid, item.uuid)
    try write(ItemField.list, list.name)
    write(ItemField.position, item.position)
    try write(ItemField.text, item.text)
    try write(ItemField.notes, item.notes)
    write(ItemField.isChecked, item.isChecked)
    try write(ItemField.dueDate, item.due?.instant.date)
    write(ItemField.dueLocal, item.due?.local)
    try write(ItemField.timeZone, item.zone == .floating ? nil : item.zone.description)
    write(ItemField.shouldRemind, item.shouldRemind)
    if item.alerts != [.zero] { try write(ItemField.alerts, item.alerts.map(\.iso8601)) }
    try write(ItemField.rule, item.recurrence?.rule.description)
    write(ItemField.repeatStart, item.recurrence?.start)
    try write(ItemField.repeatFrom, item.recurrence?.origin.rawValue)
    write(ItemField.lastCheckedDue, item.lastChecked?.due)
    write(ItemField.lastCheckedStart, item.lastChecked?.start)
    try write(ItemField.nag, item.nag?.iso8601)
    try write(ItemField.category, item.category)
    if !item.properties.isEmpty { try write(ItemField.properties, item.properties) }
    try write(ItemField.createdAt, item.createdAt)
    try write(ItemField.updatedAt, item.updatedAt)
    try write(ItemField.checkedAt, item.checkedAt)
    file.closeRecord(extra)
  }

  mutating func write(_ reminder: Reminder, extra: (any RecordExtra)?) throws {
    file.subject = .reminder(reminder.id)
    let occurrence = reminder.occurrence
    let (kind, serial) = occurrence.kind.parts
    file.openRecord(nil)
    write(ReminderField.id, reminder.id)
    write(ReminderField.itemID, occurrence.owner.itemID)
    write(ReminderField.listID, occurrence.owner.listID)
    write(ReminderField.dueLocal, occurrence.wallTime)
    try write(ReminderField.lead, occurrence.lead == .zero ? nil : occurrence.lead.iso8601)
    try write(ReminderField.kindName, occurrence.kind == .planned ? nil : Occurrence.Kind.words[kind].0)
    write(ReminderField.serial, serial)
    try write(ReminderField.fireDate, reminder.fireDate.date)
    try write(ReminderField.state, reminder.state.word)
    try write(ReminderField.changedAt, reminder.changedAt)
    file.closeRecord(extra)
  }

  mutating func write(_ message: Message, extra: (any RecordExtra)?) throws {
    file.subject = .message(message.id)
    file.openRecord(nil)
    write(MessageField.id, message.id)
    try write(MessageField.sink, message.sink)
    try write(MessageField.createdAt, message.createdAt)
    try write(MessageField.domain, message.domain)
    try write(MessageField.contents, message.contents)
    file.closeRecord(extra)
  }

  mutating func write(_ delivery: Delivery, _ history: [AttemptRecord], extra: (any RecordExtra)?) throws {
    file.subject = .delivery(delivery.id)
    file.openRecord(nil)
    write(DeliveryField.id, delivery.id)
    write(DeliveryField.messageID, delivery.messageID)
    try write(DeliveryField.sink, delivery.sink)
    try write(DeliveryField.recipient, delivery.recipient)
    try write(DeliveryField.state, delivery.state.name)
    try write(DeliveryField.fireDate, delivery.fireDate.date)
    write(DeliveryField.attempts, Int64(delivery.attempts))
    try write(DeliveryField.permittedFrom, delivery.permittedFrom)
    try write(DeliveryField.nextAttemptAt, delivery.nextAttemptAt)
    try write(DeliveryField.lastAttemptAt, delivery.lastAttemptAt)
    try write(DeliveryField.closedAt, delivery.closedAt)
    try write(DeliveryField.lastError, delivery.lastError)
    if !history.isEmpty { try write(DeliveryField.history, history.map { try $0.text() }) }
    file.closeRecord(extra)
  }

  private mutating func write(_ field: some RecordField, _ text: String?) throws {
    if let text { try file.write(field.key, text) }
  }

  private mutating func write(_ field: some RecordField, _ number: Int64?) {
    if let number { file.write(field.key, number) }
  }

  private mutating func write(_ field: some RecordField, _ isTrue: Bool) { file.write(field.key, isTrue) }

  private mutating func write(_ field: some RecordField, _ instant: Date?) throws {
    if let instant { try file.write(field.key, instant) }
  }

  private mutating func write(_ field: some RecordField, _ time: WallTime?) {
    if let time { file.write(field.key, time) }
  }

  private mutating func write(_ field: some RecordField, _ identity: UUID) { file.write(field.key, identity) }

  private mutating func write(_ field: some RecordField, _ texts: [String]) throws { try file.write(field.key, texts) }

  private mutating func write(_ field: some RecordField, _ contents: [ReminderContent]) throws {
    try file.write(field.key, contents)
  }
}
