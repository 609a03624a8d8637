import CivilTime
import FoundationEssentials

/// An item in files and in `--json`.
package struct ItemRecord: Record {
  /// The fields. A new field of an item is one line here.
  package static let form = RecordForm<ItemRecord>(2, "item") { fields in
    fields.add("id", \.id, .number, .expected)
    fields.add("uuid", \.uuid, .identity, .expected)
    fields.add("list", \.list, .sharedText, .expected)
    fields.add("position", \.position, .integer, .expected, in: .kept)
    fields.add("text", \.item.content.text, .text)
    fields.add("notes", \.item.content.notes, .text)
    fields.add("is_checked", \.item.isChecked, .flag, .expected)
    fields.add("due_date", \.due.instant, .instant)
    fields.add("due_local", \.due.local, .wallTime)
    fields.add("time_zone", \.item.zone, .zone, unless: .floating)
    fields.add("should_remind", \.shouldRemind, .flag, .expected)
    fields.add("alerts", \.item.content.alerts, .durations, unless: [.zero])
    fields.add("repeat", \.recurrence.rule, .rule)
    fields.add("repeat_start", \.recurrence.start, .wallTime)
    fields.add("repeat_from", \.recurrence.origin, WordCodec(Recurrence.Origin.self, \.rawValue))
    fields.add("last_checked_due", \.lastCheckedDue, .wallTime, in: .kept)
    fields.add("last_checked_start", \.lastCheckedStart, .wallTime, in: .kept)
    fields.add("nag", \.item.content.nag, .span)
    fields.add("snoozed_until", \.snoozedUntil, .instant, in: .kept)
    fields.add("category", \.item.content.category, .sharedText)
    fields.add("key", \.item.content.key, .text)
    fields.add("tags", \.item.content.tags, .tags, unless: .empty)
    fields.add("priority", \.item.content.priority, .priority)
    fields.add("properties", \.item.content.properties, .texts, unless: [])
    fields.add("is_overdue", \.isOverdue, .flag, in: .shown)
    fields.add("next_fire_date", \.nextFireDate, .instant, in: .shown)
    fields.add("created_at", \.createdAt, .instant, .expected)
    fields.add("updated_at", \.updatedAt, .instant, .expected)
    fields.add("checked_at", \.item.checkedAt, .instant)
  }

  /// The item without the fields below, which need completing.
  package private(set) var item: Item
  package private(set) var id: Int64?
  package private(set) var uuid: UUID?
  /// The name of the list.
  package var list: String?
  package var position: Int64?
  package private(set) var shouldRemind: Bool?
  package var due = DueParts()
  package private(set) var recurrence = RecurrenceParts()
  private(set) var lastCheckedDue: WallTime?
  private(set) var lastCheckedStart: WallTime?
  package private(set) var createdAt: Date?
  package var updatedAt: Date?
  /// The end of its snooze, in an export.
  package private(set) var snoozedUntil: Date?
  /// True if it is overdue; shown only.
  private(set) var isOverdue = false
  /// The fire date of its next reminder; shown only.
  private(set) var nextFireDate: Date?

  // Made once: each record that is read begins as a copy.
  private static let blank = ItemRecord(
    Item(id: 0, uuid: .belfry, listID: 0, position: 0, content: .blank, createdAt: .distantPast))

  package init() { self = Self.blank }

  private init(_ item: Item) { self.item = item }

  /// The record of an item.
  package init(_ item: Item, list: String, snoozedUntil: Date? = nil) {
    self.item = item
    (id, uuid, self.list, position) = (item.id, item.uuid, list, item.position)
    (due, shouldRemind, recurrence) = (DueParts(item.due), item.shouldRemind, RecurrenceParts(item.recurrence))
    (lastCheckedDue, lastCheckedStart) = (item.lastChecked?.due, item.lastChecked?.start)
    (createdAt, updatedAt, self.snoozedUntil) = (item.createdAt, item.updatedAt, snoozedUntil)
  }

  /// The record of an item to be shown at an instant.
  package init(_ item: Item, list: String, nextFireDate: FireDate?, now: Date) {
    self.init(item, list: list)
    isOverdue = item.isOverdue(at: now)
    self.nextFireDate = nextFireDate?.date
  }

  package var unknown: UnknownFields? {
    get { item.unknown }
    set { item.unknown = newValue }
  }

  package func check(_ raw: RawRecord, _ reader: RecordReader) throws(FormFault) {
    if list == nil { throw reader.missing("list", raw) }
    if id == nil { throw reader.missing("id", raw) }
    try due.check(raw, reader)
    try recurrence.check(raw, reader)
    try reader.requireBothOrNone(
      ("last_checked_due", lastCheckedDue != nil), ("last_checked_start", lastCheckedStart != nil), raw)
  }

  /// The item, with defaults for missing fields: an item written by hand needs only its id, list and text.
  ///
  /// - Parameters:
  ///   - listID: the id of the list.
  ///   - end: the position after the list's last item.
  ///   - writtenAt: the time at which the file was written.
  package func completed(on listID: Int64, end: @autoclosure () -> Int64, writtenAt: Date) -> Item {
    var item = item
    item.content.takeFields()
    item.id = id ?? 0
    item.uuid = uuid ?? UUID(namespace: .belfry, name: "item \(list ?? "") \(item.id)")
    item.listID = listID
    item.position = position ?? end()
    item.due = due.date
    item.shouldRemind = shouldRemind ?? (item.due != nil)
    item.recurrence = recurrence.recurrence
    item.lastChecked = lastChecked
    item.createdAt = createdAt ?? writtenAt
    item.updatedAt = updatedAt ?? writtenAt
    return item
  }

  /// The occurrence that was checked last.
  package var lastChecked: CheckedOccurrence? {
    guard let lastCheckedDue, let lastCheckedStart else { return nil }
    return CheckedOccurrence(due: lastCheckedDue, start: lastCheckedStart)
  }
}
