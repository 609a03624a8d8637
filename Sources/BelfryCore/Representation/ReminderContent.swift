import Foundation
import OrderedJSON

/// What a reminder is about, read at the moment of its claim.
public enum ReminderSubject: Hashable, Sendable {
  /// One item.
  case item(ItemListing)
  /// A whole list with what is unchecked on it.
  case list(Checklist, unchecked: [ItemListing])

  /// The name of the list.
  public var listName: String {
    switch self {
    case .item(let listing): listing.listName
    case .list(let list, _): list.name
    }
  }

  /// The category that names the actions.
  public var category: String? {
    switch self {
    case .item(let listing): listing.item.category
    case .list(let list, _): list.reminder?.category
    }
  }

  /// Whose clock counts.
  public var zone: ItemZone {
    switch self {
    case .item(let listing): listing.item.zone
    case .list(let list, _): list.reminder?.zone ?? .floating
    }
  }
}

/// What a message says about one reminder: the `data` of a webhook's body, all but `late_seconds`, which is counted
/// at each attempt.
///
/// It is frozen when the reminder is claimed; what happens to the item later does not change it.
public struct ReminderContent: Hashable, Sendable {
  /// The members, in the contract's order.
  public let data: JSONObject

  /// Content read back from a store.
  public init(data: JSONObject) { self.data = data }

  /// The content of a reminder at the moment of its claim.
  ///
  /// - Parameter badge: how many unchecked items are overdue.
  public init(
    reminder: Reminder, subject: ReminderSubject, settings: Settings, badge: Int, planner: Planner, now: Date
  ) {
    let zone = (try? planner.zone(subject.zone)) ?? planner.floatingZone
    let represent = ItemRepresentation(zone: zone, now: now)
    let category = subject.category.flatMap(settings.category)
    let alert = settings.alert(forCategory: subject.category)
    var item = JSONValue.null
    var list = JSONValue.null
    let body: String
    switch subject {
    case .item(let listing):
      item = represent.json(listing)
      body = listing.item.text
    case .list(let checklist, let unchecked):
      list = [
        "id": .integer(checklist.id), "name": .string(checklist.name),
        "unchecked": .array(unchecked.map(represent.json)),
      ]
      body = checklist.reminder?.message ?? checklist.name
    }
    data = [
      "version": 1,
      "reminder_id": .uuid(reminder.id),
      "fire_date": .instant(reminder.fireDate.date, zone),
      "alert": [
        "title": .string(subject.listName),
        "body": .string(body),
        "action": .string(alert.action),
        "sound": .string(alert.sound),
        "badge": .integer(Int64(badge)),
      ],
      "list": list,
      "item": item,
      "category": .optional(subject.category),
      "actions": .array((category?.actions ?? []).map(\.json)),
    ]
  }

  /// The reminder's fire date in RFC 3339, with the offset of its zone.
  public var fireDate: String { data["fire_date"]?.stringValue ?? "" }

  /// The name of the list.
  public var listName: String { data["alert"]?["title"]?.stringValue ?? "" }

  /// The item's text, or what the list's own reminder says.
  public var text: String { data["alert"]?["body"]?.stringValue ?? "" }

  /// The item's number; `nil` for a list's own reminder.
  public var itemID: Int64? { data["item"]?["id"]?.integerValue }

  /// The texts of what is unchecked, for a list's own reminder.
  public var uncheckedTexts: [String] {
    data["list"]?["unchecked"]?.arrayValue?.compactMap { $0["text"]?.stringValue } ?? []
  }

  /// Whom the reminder is about.
  public var owner: ReminderOwner? {
    itemID.map(ReminderOwner.item) ?? data["list"]?["id"]?.integerValue.map(ReminderOwner.list)
  }

  /// The reminder's identity.
  public var reminderID: UUID? { data["reminder_id"]?.stringValue.flatMap { UUID(uuidString: $0) } }
}

extension DeliveryAttempt {
  /// The body that a webhook gets and that the stdout sink prints with `format: json`.
  ///
  /// - Parameter type: `reminder.fired`, `reminder.test` or `reminder.failed`.
  public func body(type: String = "reminder.fired") -> JSONValue {
    let contents = message.contents.map { content -> JSONValue in
      var data = JSONObject()
      for member in content.data.members {
        data.append(member.key, member.value)
        if member.key == "fire_date" { data.append("late_seconds", .integer(Int64(lateSeconds))) }
      }
      return .object(data)
    }
    return [
      "type": .string(type),
      "timestamp": .instant(startedAt, .utc),
      "data": contents.first ?? .null,
    ]
  }
}

extension CategoryAction {
  /// The action as a message shows it.
  var json: JSONValue {
    [
      "identifier": .string(identifier),
      "title": .string(title),
      "destructive": .bool(isDestructive),
      "authentication_required": .bool(requiresAuthentication),
      "activation": .string(activation.rawValue),
    ]
  }
}
