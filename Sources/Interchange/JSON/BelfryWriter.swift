import BelfryCore
import Foundation
import OrderedJSON

/// A writer of Belfry's own JSON: the file of a JSON store with nothing scheduled and nothing sent, so that a store may
/// also be opened on it; an item that is put off says until when. One record a line; keys without a value are left out.
struct BelfryWriter: ExportWriter {
  private let context: ExportContext
  private let snoozes: Snoozes
  private var isFirst = true
  private var isInItems = false

  /// A writer.
  ///
  /// - Parameter snoozes: those that are scheduled.
  init(context: ExportContext, snoozes: [Reminder]) {
    self.context = context
    self.snoozes = Snoozes(snoozes)
  }

  func start(into output: inout [UInt8]) {
    let counters = context.counters
    output.append(
      text: """
        {"format":"belfry-store","version":\(BelfrySource.version),
        "next_id":\(counters.nextItemID),"next_list_id":\(counters.nextListID),"next_delivery_id":\(counters.nextDeliveryID),
        "zone":
        """)
    JSONValue.string(counters.plannedZone ?? context.planner.floatingZone.identifier).write(into: &output)
    output.append(text: ",\n\"lists\":[")
  }

  mutating func write(_ list: Checklist, into output: inout [UInt8]) {
    var record = JSONObject()
    record.append("id", .integer(list.id))
    record.append("uuid", .string(list.uuid.text))
    record.append("name", .string(list.name))
    if let reminder = list.reminder { record.append("reminder", .object(self.record(reminder, of: list))) }
    record.append("created_at", .utc(list.createdAt))
    record.append("updated_at", .utc(list.updatedAt))
    append(record, into: &output)
  }

  private func record(_ reminder: ListReminder, of list: Checklist) -> JSONObject {
    var record = JSONObject()
    record.append("due_date", .utc(reminder.due.instant.date))
    record.append("due_local", .string(reminder.due.local.description))
    record.append("time_zone", .string(reminder.zone.description))
    record.append("message", text: reminder.message)
    record.append("repeat", text: reminder.recurrence?.rule.description)
    record.append("repeat_start", text: reminder.recurrence?.start.description)
    record.append("repeat_from", text: reminder.recurrence?.origin.rawValue)
    if let snooze = snoozes[.list(list.id)] { record.append("snoozed_until", .utc(snooze.fireDate.date)) }
    record.append("category", text: reminder.category)
    return record
  }

  mutating func write(_ listing: ItemListing, into output: inout [UInt8]) {
    startItems(into: &output)
    let item = listing.item
    var record = JSONObject()
    record.append("id", .integer(item.id))
    record.append("uuid", .string(item.uuid.text))
    record.append("list", .string(listing.listName))
    record.append("position", .integer(item.position))
    record.append("text", .string(item.text))
    record.append("notes", text: item.notes)
    record.append("is_checked", .bool(item.isChecked))
    if let due = item.due { record.append("due_date", .utc(due.instant.date)) }
    record.append("due_local", text: item.due?.local.description)
    if item.zone != .floating { record.append("time_zone", .string(item.zone.description)) }
    record.append("should_remind", .bool(item.shouldRemind))
    if item.alerts != [.zero] { record.append("alerts", .array(item.alerts.map { .string($0.iso8601) })) }
    record.append("repeat", text: item.recurrence?.rule.description)
    record.append("repeat_start", text: item.recurrence?.start.description)
    record.append("repeat_from", text: item.recurrence?.origin.rawValue)
    record.append("last_checked_due", text: item.lastChecked?.due.description)
    record.append("last_checked_start", text: item.lastChecked?.start.description)
    record.append("nag", text: item.nag?.iso8601)
    if let snooze = snoozes[.item(item.id)] { record.append("snoozed_until", .utc(snooze.fireDate.date)) }
    record.append("category", text: item.category)
    if !item.properties.isEmpty { record.append("properties", .array(item.properties.map { .string($0) })) }
    record.append("created_at", .utc(item.createdAt))
    record.append("updated_at", .utc(item.updatedAt))
    if let checkedAt = item.checkedAt { record.append("checked_at", .utc(checkedAt)) }
    append(record, into: &output)
  }

  mutating func finish(into output: inout [UInt8]) {
    startItems(into: &output)
    output.append(text: isFirst ? "],\n" : "\n],\n")
    output.append(text: "\"reminders\":[],\n\"messages\":[],\n\"deliveries\":[]\n}\n")
  }

  private mutating func startItems(into output: inout [UInt8]) {
    guard !isInItems else { return }
    output.append(text: isFirst ? "],\n\"items\":[" : "\n],\n\"items\":[")
    isInItems = true
    isFirst = true
  }

  private mutating func append(_ record: JSONObject, into output: inout [UInt8]) {
    output.append(text: isFirst ? "\n" : ",\n")
    isFirst = false
    JSONValue.object(record).write(into: &output)
  }
}

extension JSONObject {
  fileprivate mutating func append(_ key: String, text: String?) {
    if let text { append(key, .string(text)) }
  }
}

extension JSONValue {
  fileprivate static func utc(_ date: Date) -> JSONValue { .string(Zone.utc.rfc3339(date)) }
}

extension [UInt8] {
  /// Appends a text in UTF-8.
  mutating func append(text: some StringProtocol) { append(contentsOf: text.utf8) }
}
