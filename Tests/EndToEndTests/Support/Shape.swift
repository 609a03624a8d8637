import Foundation

/// The type of a member of a JSON object in the contract.
enum Kind: Sendable {
  case integer, text, bool, array, object, uuid
  /// RFC 3339 with offset, ending in `:00`.
  case fireDate
  /// RFC 3339 with offset, in whole seconds.
  case instant
  /// A wall-clock time without offset, to the minute.
  case wallTime
  /// An array of ISO 8601 durations.
  case durations
  case texts
  indirect case optional(Kind)

  func admits(_ json: JSON) -> Bool {
    switch (self, json) {
    case (.optional, .null): true
    case (.optional(let kind), _): kind.admits(json)
    case (.integer, .integer), (.text, .text), (.bool, .bool), (.array, .array), (.object, .object): true
    case (.uuid, .text(let text)): UUID(uuidString: text) != nil
    case (.fireDate, .text(let text)):
      text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:00([+-]\d\d:\d\d|Z)/) != nil
    case (.instant, .text(let text)):
      text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d([+-]\d\d:\d\d|Z)/) != nil
    case (.wallTime, .text(let text)): text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d/) != nil
    case (.durations, .array(let elements)):
      elements.allSatisfy { $0.text?.wholeMatch(of: /P(\d+W|(\d+D)?(T(\d+H)?(\d+M)?(\d+S)?)?)/) != nil }
    case (.texts, .array(let elements)): elements.allSatisfy { $0.text != nil }
    default: false
    }
  }
}

/// The members of a JSON object in the contract.
struct Shape: Sendable {
  let name: String
  let members: [String: Kind]

  /// The faults of an object.
  func faults(in json: JSON) -> [String] {
    guard case .object(let object) = json else { return ["\(name): not an object: \(json)"] }
    return members.sorted { $0.key < $1.key }.compactMap { key, kind in
      guard let value = object[key] else { return "\(name): \(key) is left out" }
      return kind.admits(value) ? nil : "\(name): \(key) should be \(kind), is \(value)"
    }
  }

  /// The faults of an array of objects.
  func faults(in elements: [JSON]) -> [String] { elements.flatMap { faults(in: $0) } }

  static let item = Shape(
    name: "item",
    members: [
      "id": .integer, "uuid": .uuid, "list": .text, "text": .text, "notes": .optional(.text), "is_checked": .bool,
      "due_date": .optional(.fireDate), "due_local": .optional(.wallTime), "time_zone": .text, "should_remind": .bool,
      "alerts": .durations, "repeat": .optional(.text), "repeat_start": .optional(.wallTime),
      "repeat_from": .optional(.text), "nag": .optional(.text), "category": .optional(.text),
      "key": .optional(.text), "tags": .array, "priority": .optional(.text), "properties": .array, "is_overdue": .bool,
      "next_fire_date": .optional(.fireDate), "created_at": .instant, "updated_at": .instant,
      "checked_at": .optional(.instant),
    ])

  static let list = Shape(
    name: "list",
    members: [
      "id": .integer, "uuid": .uuid, "name": .text, "items": .integer, "remaining": .integer, "overdue": .integer,
      "next_fire_date": .optional(.fireDate), "reminder": .optional(.object),
    ])

  static let pending = Shape(
    name: "pending",
    members: [
      "reminder_id": .uuid, "item_id": .optional(.integer), "list": .text, "text": .text, "fire_date": .fireDate,
      "sinks": .texts, "people": .texts, "kind": .text, "escalation": .optional(.text), "step": .optional(.integer),
      "ring": .optional(.integer),
    ])

  static let planned = Shape(
    name: "planned",
    members: pending.members.filter { $0.key != "reminder_id" }.merging(["steps": .array]) { $1 })

  static let comingStep = Shape(
    name: "step",
    members: ["step": .integer, "at": .fireDate, "to": .texts, "every": .optional(.text), "times": .integer])

  static let delivery = Shape(
    name: "delivery",
    members: [
      "id": .integer, "message_id": .uuid, "reminder_id": .uuid, "item_id": .optional(.integer), "list": .text,
      "text": .text, "sink": .text, "recipient": .optional(.text), "state": .text, "fire_date": .fireDate,
      "attempts": .integer, "next_attempt_at": .optional(.instant), "delivered_at": .optional(.instant),
      "late_seconds": .optional(.integer), "last_error": .optional(.text),
    ])

  static let answer = Shape(
    name: "answer",
    members: [
      "id": .integer, "reminder_id": .uuid, "item_id": .optional(.integer), "list": .text, "text": .text,
      "action": .text, "do": .text, "person": .optional(.text), "channel": .text, "at": .instant, "effect": .text,
      "taken_back_at": .optional(.instant),
    ])

  static let body = Shape(name: "body", members: ["type": .text, "timestamp": .instant, "data": .object])

  static let bodyData = Shape(
    name: "data",
    members: [
      "version": .integer, "reminder_id": .uuid, "fire_date": .fireDate, "late_seconds": .integer, "alert": .object,
      "list": .optional(.object), "item": .optional(.object), "category": .optional(.text), "actions": .array,
    ])

  static let alert = Shape(
    name: "alert",
    members: ["title": .text, "body": .text, "action": .text, "sound": .text, "badge": .integer, "urgency": .text])

  static let action = Shape(
    name: "action",
    members: [
      "identifier": .text, "title": .text, "destructive": .bool, "authentication_required": .bool,
      "activation": .text, "do": .text,
    ])

  /// The faults of a webhook's body.
  static func bodyFaults(in json: JSON) -> [String] {
    var faults = body.faults(in: json)
    guard let data = json["data"] else { return faults }
    faults += bodyData.faults(in: data) + alert.faults(in: data["alert"] ?? .null)
    faults += action.faults(in: data["actions"]?.elements ?? [])
    if let item = data["item"], item != .null { faults += Shape.item.faults(in: item) }
    if let list = data["list"], list != .null {
      faults += Shape(name: "data.list", members: ["id": .integer, "name": .text, "unchecked": .array]).faults(in: list)
      faults += Shape.item.faults(in: list["unchecked"]?.elements ?? [])
    }
    return faults
  }
}
