import Foundation
import OrderedJSON
import RecurrenceRules

// What an item or list was, in full: the wall-clock times, since instants follow from them.

extension Item {
  /// Everything that undoing restores.
  var undoImage: JSONValue {
    [
      "id": .integer(id), "uuid": .uuid(uuid), "list": .integer(listID), "text": .string(text),
      "notes": .optional(notes), "is_checked": .bool(isChecked), "due": .optional(due?.local.description),
      "time_zone": .string(zone.description), "should_remind": .bool(shouldRemind),
      "alerts": .array(alerts.map { .string($0.iso8601) }), "recurrence": recurrence?.image ?? .null,
      "last_checked": lastChecked.map { ["due": .string($0.due.description), "start": .string($0.start.description)] }
        ?? .null,
      "nag": .optional(nag?.iso8601), "category": .optional(category),
      "properties": .array(properties.map { .string($0) }), "created_at": .seconds(createdAt),
      "checked_at": checkedAt.map { .seconds($0) } ?? .null, "position": .integer(position),
    ]
  }

  /// The same for items that nobody has changed in between: moving others does not change one.
  var undoMark: String {
    var mark = UndoMark()
    mark.add(uuid)
    mark.add(Int(listID), isChecked ? 1 : 0, due?.local.minutesSinceEpoch, shouldRemind ? 1 : 0)
    mark.add(text)
    mark.add(notes)
    mark.add(zone.description)
    mark.add(alerts.count, properties.count)
    for alert in alerts { mark.add(alert.days, alert.minutes) }
    mark.add(recurrence)
    mark.add(lastChecked?.due.minutesSinceEpoch, lastChecked?.start.minutesSinceEpoch, nag?.days, nag?.minutes)
    mark.add(category)
    for property in properties { mark.add(property) }
    mark.add(createdAt)
    mark.add(checkedAt)
    return mark.text
  }
}

extension Checklist {
  /// Everything that undoing restores.
  var undoImage: JSONValue {
    [
      "id": .integer(id), "uuid": .uuid(uuid), "name": .string(name), "created_at": .seconds(createdAt),
      "reminder": reminder?.image ?? .null,
    ]
  }

  /// The same for lists that nobody has changed in between: a reminder that repeats moves on by itself.
  var undoMark: String {
    var mark = UndoMark()
    mark.add(uuid)
    mark.add(name)
    guard let reminder else { return mark.text }
    mark.add(reminder.recurrence == nil ? reminder.due.local.minutesSinceEpoch : nil)
    mark.add(reminder.zone.description)
    mark.add(reminder.recurrence)
    mark.add(reminder.message)
    mark.add(reminder.category)
    return mark.text
  }
}

extension Change {
  /// The item that an image shows, as changed now.
  ///
  /// - Throws: ``BelfryError`` `.badInput` for a zone that the system no longer knows; `nil` for an image of something
  ///   else.
  func item(_ image: JSONValue) throws -> Item? {
    guard let id = image["id"]?.integerValue, let uuid = image["uuid"]?.uuid, let listID = image["list"]?.integerValue,
      let position = image["position"]?.integerValue, let text = image["text"]?.stringValue,
      let createdAt = image["created_at"]?.date, let zone = image["time_zone"]?.stringValue.map(ItemZone.init)
    else { return nil }
    return Item(
      id: id, uuid: uuid, listID: listID, position: position, text: text, notes: image["notes"]?.stringValue,
      isChecked: image["is_checked"]?.boolValue ?? false,
      due: try image["due"]?.wallTime.map { try planner.resolve($0, in: planner.zone(zone)) }, zone: zone,
      shouldRemind: image["should_remind"]?.boolValue ?? false,
      alerts: image["alerts"]?.arrayValue?.compactMap(\.duration) ?? [.zero],
      recurrence: image["recurrence"].flatMap(Recurrence.init(image:)),
      lastChecked: image["last_checked"].flatMap(CheckedOccurrence.init(image:)), nag: image["nag"]?.duration,
      category: image["category"]?.stringValue,
      properties: image["properties"]?.arrayValue?.compactMap(\.stringValue) ?? [], createdAt: createdAt,
      updatedAt: stamp, checkedAt: image["checked_at"]?.date)
  }

  /// The list that an image shows, as changed now; see ``item(_:)``.
  func list(_ image: JSONValue) throws -> Checklist? {
    guard let id = image["id"]?.integerValue, let uuid = image["uuid"]?.uuid, let name = image["name"]?.stringValue,
      let createdAt = image["created_at"]?.date
    else { return nil }
    return Checklist(
      id: id, uuid: uuid, name: name, reminder: try image["reminder"].flatMap(listReminder), createdAt: createdAt,
      updatedAt: stamp)
  }

  private func listReminder(_ image: JSONValue) throws -> ListReminder? {
    guard let due = image["due"]?.wallTime, let zone = image["time_zone"]?.stringValue.map(ItemZone.init)
    else { return nil }
    return ListReminder(
      due: try planner.resolve(due, in: planner.zone(zone)), zone: zone,
      recurrence: image["recurrence"].flatMap(Recurrence.init(image:)), message: image["message"]?.stringValue,
      category: image["category"]?.stringValue)
  }
}

extension ListReminder {
  fileprivate var image: JSONValue {
    [
      "due": .string(due.local.description), "time_zone": .string(zone.description),
      "recurrence": recurrence?.image ?? .null, "message": .optional(message), "category": .optional(category),
    ]
  }
}

extension Recurrence {
  fileprivate var image: JSONValue {
    ["rule": .string(rule.description), "start": .string(start.description), "from": .string(origin.rawValue)]
  }

  fileprivate init?(image: JSONValue) {
    guard let rule = image["rule"]?.stringValue.flatMap({ try? RecurrenceRule($0) }),
      let start = image["start"]?.wallTime, let origin = image["from"]?.stringValue.flatMap(Origin.init)
    else { return nil }
    self.init(rule: rule, start: start, origin: origin)
  }
}

extension CheckedOccurrence {
  fileprivate init?(image: JSONValue) {
    guard let due = image["due"]?.wallTime, let start = image["start"]?.wallTime else { return nil }
    self.init(due: due, start: start)
  }
}

extension JSONValue {
  fileprivate static func seconds(_ date: Date) -> JSONValue { .integer(Int64(date.timeIntervalSince1970)) }

  fileprivate var date: Date? { integerValue.map { Date(timeIntervalSince1970: Double($0)) } }
  fileprivate var uuid: UUID? { stringValue.flatMap(UUID.init(uuidString:)) }
  fileprivate var wallTime: WallTime? { stringValue.flatMap(WallTime.init(parsing:)) }
  fileprivate var duration: CalendarDuration? { stringValue.flatMap(CalendarDuration.init(iso8601:)) }
}
