import FoundationEssentials
import OrderedJSON

/// A content as it is written when its reminder is claimed: the text, and what is asked of it without reading it again.
struct FrozenContent: Sendable {
  /// One JSON object in UTF-8.
  let bytes: [UInt8]
  /// Where in it `late_seconds` goes: behind the fire date.
  let latenessPlace: Int
  let fireDate: String
  let listName: String
  let text: String
  let uncheckedTexts: [String]
  let owner: ReminderOwner
  let itemUUID: UUID?
  let reminderID: UUID

  init(
    _ reminder: Reminder, _ subject: ReminderSubject, _ settings: Settings, badge: Int, zone: Zone, now: Date
  ) {
    (listName, text, owner) = (subject.listName, subject.text, reminder.occurrence.owner)
    (fireDate, reminderID) = (zone.rfc3339(reminder.fireDate.date), reminder.id)
    let represent = ItemRepresentation(zone: zone, now: now)
    var json = JSONText()
    json.reserveCapacity(1_536)
    json.add("version", 1)
    json.add("reminder_id", reminderID)
    json.add("fire_date", fireDate)
    latenessPlace = json.count
    json.add("alert") { [listName, text] json in
      let alert = settings.alert(forCategory: subject.category)
      json.add("title", listName)
      json.add("body", text)
      json.add("action", alert.action)
      json.add("sound", alert.sound)
      json.add("badge", Int64(badge))
    }
    switch subject {
    case .item(let listing):
      (itemUUID, uncheckedTexts) = (listing.item.uuid, [])
      json.addNull("list")
      json.add("item") { represent.write(listing, &$0) }
    case .list(let list, let unchecked):
      (itemUUID, uncheckedTexts) = (nil, unchecked.map(\.item.text))
      json.add("list") { json in
        json.add("id", list.id)
        json.add("name", list.name)
        json.add("unchecked", objects: unchecked.count) { represent.write(unchecked[$0], &$1) }
      }
      json.addNull("item")
    }
    json.add("category", subject.category)
    let actions = subject.category.flatMap(settings.category)?.actions ?? []
    json.add("actions", objects: actions.count) { actions[$0].write(&$1) }
    json.add("time_zone", zone.identifier)
    bytes = json.bytes
  }

  /// The members; none can be missing, since the text was written here.
  var members: JSONObject { (try? JSONValue(parsing: bytes))?.objectValue ?? [:] }
}

extension ReminderSubject {
  /// The item's text, or what the list's own reminder says.
  fileprivate var text: String {
    switch self {
    case .item(let listing): listing.item.text
    case .list(let list, _): list.reminder?.message ?? list.name
    }
  }
}

extension CategoryAction {
  /// The action as a message shows it.
  fileprivate func write(_ members: inout some JSONMembers) {
    members.add("identifier", identifier)
    members.add("title", title)
    members.add("destructive", isDestructive)
    members.add("authentication_required", requiresAuthentication)
    members.add("activation", activation.rawValue)
  }
}
