import BelfryModel
import CivilTime
import FoundationEssentials
import OrderedJSON

extension Reading {
  private static let pieceLength = 65_536

  /// Writes items as one array, as in `--json`, piece by piece: that of a large import is large.
  package func writeJSON(ofItems ids: [Int64], to write: (String) throws -> Void) throws {
    var text = "["
    var isFirst = true
    for id in ids {
      guard let listing = try view.item(id: id) else { continue }
      if !isFirst { text += "," }
      isFirst = false
      text += json(listing).serialized()
      guard text.utf8.count > Self.pieceLength else { continue }
      try write(text)
      text = ""
    }
    try write(text + "]\n")
  }
}

extension Viewpoint {
  /// An item as in `--json` and webhooks.
  public func json(_ listing: ItemListing) -> JSONValue {
    let record = ItemRecord(
      listing.item, list: listing.listName, nextFireDate: listing.nextFireDate, now: now)
    return ShownRecord.json(record, in: displayZone(listing.item.zone))
  }

  /// A list as in `--json`.
  public func json(_ summary: ListSummary) -> JSONValue {
    let list = summary.list
    return [
      "id": .integer(list.id),
      "uuid": .uuid(list.uuid),
      "name": .string(list.name),
      "items": .integer(Int64(summary.items)),
      "remaining": .integer(Int64(summary.remaining)),
      "overdue": .integer(Int64(summary.overdue)),
      "next_fire_date": .instant(summary.nextFireDate?.date, planner.floatingZone),
      "reminder": list.reminder.map(json) ?? .null,
    ]
  }

  /// A list's own reminder as in `--json`.
  public func json(_ reminder: ListReminder) -> JSONValue {
    ShownRecord.json(ListReminderRecord(reminder), in: displayZone(reminder.zone))
  }

  /// A delivery as in `--json`.
  public func json(_ delivery: Delivery, of message: Message) -> JSONValue {
    let content = message.contents.first
    let zone = planner.floatingZone
    return [
      "id": .integer(delivery.id),
      "message_id": .uuid(delivery.messageID),
      "reminder_id": content.map { .uuid($0.reminderID) } ?? .null,
      "item_id": content?.item.map { .integer($0.id) } ?? .null,
      "list": .optional(content?.listName),
      "text": .optional(content?.text),
      "sink": .string(delivery.sink),
      "recipient": .optional(delivery.recipient),
      "state": .string(delivery.state.name),
      "fire_date": .optional(content?.fireDate.description),
      "attempts": .integer(Int64(delivery.attempts)),
      "next_attempt_at": .instant(delivery.nextAttemptAt, zone),
      "delivered_at": .instant(delivery.state == .delivered ? delivery.closedAt : nil, zone),
      "late_seconds": delivery.lateSeconds.map { .integer(Int64($0)) } ?? .null,
      "last_error": .optional(delivery.lastError),
      "type": .string(message.kind.rawValue),
      "reminder_count": .integer(Int64(message.contents.count)),
    ]
  }
}

extension JSONValue {
  static func uuid(_ uuid: UUID) -> JSONValue { .string(uuid.text) }

  static func optional(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  /// An instant in RFC 3339 with a zone's offset.
  static func instant(_ date: Date?, _ zone: Zone) -> JSONValue {
    date.map { .string(zone.rfc3339($0)) } ?? .null
  }
}
