import BelfryModel
import CivilTime
import Foundation
import OrderedJSON
import RecurrenceRules

extension Sample {
  /// Records that cover every kind, with every field set and unset, every state, several Unicode spellings, and
  /// counters far ahead of the records. They are in the order in which stores export them.
  ///
  /// - Throws: `DateError` or a rule's error, if this file is wrong.
  public static func everything() throws -> [StoreRecord] {
    try everythingOfVersion11().map { awaitingFollowUp(try colored($0)) }
  }

  private static func colored(_ record: StoreRecord) throws -> StoreRecord {
    guard case .list(var list) = record, list.id != 1 else { return record }
    (list.color, list.position) = (try ListColor(parsing: list.id == 7 ? "teal" : "#012abc"), list.id == 7 ? 12 : 7)
    if list.id == 7 { list.icon = try ListIcon(parsing: "\u{1F469}\u{200D}\u{1F4BB}") }
    return .list(list)
  }

  private static func awaitingFollowUp(_ record: StoreRecord) -> StoreRecord {
    guard case .delivery(var delivery) = record, delivery.state == .dead, delivery.recipient != nil else {
      return record
    }
    delivery.awaitsFollowUp = true
    return .delivery(delivery)
  }

  /// The same records as a store of version 11 could hold them: with lists in the order of their ids, without colours and
  /// icons, every outcome followed up.
  ///
  /// - Throws: as ``everything()``.
  public static func everythingOfVersion11() throws -> [StoreRecord] {
    try everythingOfVersion10().map(Self.weighed)
  }

  private static func weighed(_ record: StoreRecord) -> StoreRecord {
    guard case .item(var item) = record, item.id == 40 || item.id == 5 else { return record }
    item.priority = item.id == 40 ? ItemPriority(number: 3) : ItemPriority(.low)
    return .item(item)
  }

  /// The same records as a store of version 10 could hold them: without priorities.
  ///
  /// - Throws: as ``everything()``.
  public static func everythingOfVersion10() throws -> [StoreRecord] {
    try everythingOfVersion9().map(Self.tagged)
  }

  private static func tagged(_ record: StoreRecord) throws -> StoreRecord {
    guard case .item(var item) = record, item.id == 40 else { return record }
    item.tags = try ItemTags(["caf\u{e9}", "Two-words", "<&>", "\u{301}\u{1F6D2}"])
    return .item(item)
  }

  /// The same records as a store of version 9 could hold them: without tags.
  ///
  /// - Throws: as ``everything()``.
  public static func everythingOfVersion9() throws -> [StoreRecord] {
    try everythingOfVersion7().flatMap(Self.escalating) + everyPerson.map(StoreRecord.person)
  }

  /// The same records as a store of version 7 could hold them: without people, escalations and keys of items.
  ///
  /// - Throws: as ``everything()``.
  public static func everythingOfVersion7() throws -> [StoreRecord] {
    try everythingOfVersion6() + everyInbox.map(StoreRecord.inbox)
  }

  /// The same records as a store of version 6 could hold them: without inboxes of sinks.
  ///
  /// - Throws: as ``everything()``.
  public static func everythingOfVersion6() throws -> [StoreRecord] {
    try everythingOfVersion5().map(Self.answerable)
  }

  // One message has tokens, the other can be withdrawn.
  private static func answerable(_ record: StoreRecord) -> StoreRecord {
    guard case .message(let message) = record else { return record }
    let tokens = message.sink == "mail" ? MessageTokens(key: 31, expiry: 0xff_ffff) : nil
    return .message(
      Message(
        id: message.id, sink: message.sink, contents: message.contents, createdAt: message.createdAt,
        domain: message.domain, tokens: tokens, isWithdrawable: tokens == nil))
  }

  /// The same records as a store of version 5 could hold them: without tokens, and with nothing to withdraw.
  ///
  /// - Throws: as ``everything()``.
  public static func everythingOfVersion5() throws -> [StoreRecord] {
    try everythingOfVersion4().map(Self.withAnswerNumber) + everyAnswer().map(StoreRecord.answer)
  }

  private static func withAnswerNumber(_ record: StoreRecord) -> StoreRecord {
    guard case .counters(var counters) = record else { return record }
    counters.nextAnswerID = 9_007
    return .counters(counters)
  }

  /// The same records as a store of version 3 or 4 could hold them: without answers.
  ///
  /// - Throws: as ``everything()``.
  public static func everythingOfVersion4() throws -> [StoreRecord] {
    try everythingOfVersion2().map(Self.withDomain) + everyAttempt.map(StoreRecord.attempt)
      + everyProblem.map(StoreRecord.problem)
  }

  private static func withDomain(_ record: StoreRecord) -> StoreRecord {
    guard case .message(let message) = record, message.sink == "mail" else { return record }
    return .message(
      Message(
        id: message.id, sink: message.sink, contents: message.contents, createdAt: message.createdAt,
        domain: "example.org"))
  }

  /// The same records as a store of version 2 could hold them: without attempts, sink problems and message domains.
  ///
  /// - Throws: as ``everything()``.
  public static func everythingOfVersion2() throws -> [StoreRecord] {
    let lists = try everyList()
    let items = try everyItem()
    let reminders = try everyReminder(of: lists, and: items)
    let messages = try everyMessage(about: items, and: lists)
    return [.counters(counters)] + lists.map(StoreRecord.list) + items.map(StoreRecord.item)
      + reminders.map(StoreRecord.reminder) + messages.map(StoreRecord.message)
      + (try everyDelivery(of: messages)).map(StoreRecord.delivery)
  }

  /// The same records as a store of version 1 could hold them: also without item properties.
  ///
  /// - Throws: as ``everything()``.
  public static func everythingOfVersion1() throws -> [StoreRecord] {
    try everythingOfVersion2().map { record in
      guard case .item(var item) = record else { return record }
      item.properties = []
      return .item(item)
    }
  }

  private static let counters = StoreCounters(
    plannedZone: "Europe/Zurich", nextItemID: 9_007_199_254_740_993, nextListID: 70_000, nextDeliveryID: 5_000_000_000)

  private static func everyList() throws -> [Checklist] {
    var work = list(id: 7, name: "Work <&> \"quoted\" \u{1F6D2}")
    work.reminder = ListReminder(
      due: try due(90), zone: .fixed("Asia/Kathmandu"),
      recurrence: Recurrence(
        rule: try RecurrenceRule("FREQ=WEEKLY;BYDAY=MO,FR"), start: try due(90).local),
      message: "Still to do:\nall of it", category: "shopping")
    var plain = list(id: 12, name: "cafe\u{301}")
    plain.reminder = ListReminder(due: try due(60), zone: .floating)
    plain.updatedAt = now + 86_400
    return [list(id: 1), work, plain]
  }

  private static func everyItem() throws -> [Item] {
    var full = item(id: 40, listID: 7, position: -3, text: " caf\u{e9}\tund\r\nmehr ", due: try due(30))
    full.notes = "line 1\nline 2 \u{2028} ]]> <b>&amp;</b>"
    full.zone = .fixed("America/Argentina/Buenos_Aires")
    full.alerts = [.zero, CalendarDuration(days: 0, minutes: 10), CalendarDuration(days: 2, minutes: 5)]
    full.recurrence = Recurrence(
      rule: try RecurrenceRule("FREQ=MONTHLY;BYDAY=-1SU;COUNT=12"), start: try due(-600_000).local, origin: .done)
    full.lastChecked = CheckedOccurrence(due: try due(-40).local, start: try due(-50).local)
    full.nag = CalendarDuration(days: 0, minutes: 15)
    full.category = "shopping"
    full.properties = ["PRIORITY:1", "X-CAF\u{c9};X-P=\"a:b\":<&> \\n ]]>"]
    var checked = item(id: 41, listID: 7, position: 1 << 40, text: "", shouldRemind: false)
    checked.isChecked = true
    checked.checkedAt = now + 5
    var last = item(id: 5, listID: 12, position: 1, text: "the year 9999", alerts: [])
    last.due = DueDate(
      local: WallTime(minutesSinceEpoch: 253_402_300_740 / 60),
      instant: try FireDate(Date(timeIntervalSince1970: 253_402_300_740)))
    let first = item(
      id: 0, position: 2, text: "1970",
      due: DueDate(local: WallTime(minutesSinceEpoch: 0), instant: try FireDate(Date(timeIntervalSince1970: 0))))
    return [first, item(id: 3), last, full, checked]
  }

  private static func everyReminder(of lists: [Checklist], and items: [Item]) throws -> [Reminder] {
    let kinds: [Occurrence.Kind] = [.planned, .snooze(29_920_810), .nag(3)]
    var reminders: [Reminder] = []
    for (index, state) in Reminder.State.allCases.enumerated() {
      for (number, kind) in kinds.enumerated() {
        for (owner, uuid) in try owners(lists, items) {
          let minutes = 30 + 100 * index + number
          let occurrence = Occurrence(
            owner: owner, wallTime: try due(minutes).local, lead: CalendarDuration(days: index, minutes: number),
            kind: kind)
          reminders.append(
            Reminder(
              id: occurrence.reminderID(ownerUUID: uuid), occurrence: occurrence, fireDate: try fireDate(minutes),
              state: state, changedAt: now + Double(index)))
        }
      }
    }
    // The reminder of an occurrence that no longer exists is kept.
    let gone = Occurrence(owner: .item(2), wallTime: try due(-9).local, lead: .zero)
    reminders.append(
      Reminder(
        id: gone.reminderID(ownerUUID: uuid("gone")), occurrence: gone, fireDate: try fireDate(-9), state: .fired,
        changedAt: now))
    return reminders
  }

  private static func owners(_ lists: [Checklist], _ items: [Item]) throws -> [(ReminderOwner, UUID)] {
    let list = try Check.present(lists.first { $0.reminder != nil })
    let item = try Check.present(items.first { $0.recurrence != nil })
    return [(.item(item.id), item.uuid), (.list(list.id), list.uuid)]
  }

  private static func everyMessage(about items: [Item], and lists: [Checklist]) throws -> [Message] {
    let contents = try items.filter { $0.due != nil }.enumerated().map { index, item in
      try asOfVersion1(
        content(
          try reminder(of: .item(item.id), at: index),
          about: .item(ItemListing(item: item, listName: "Work <&>", nextFireDate: try fireDate(index)))))
    }
    let unchecked = items.map { ItemListing(item: $0, listName: "Groceries", nextFireDate: nil) }
    let (work, third) = (try Check.present(lists.first { $0.id == 7 }), try reminder(of: .list(7), at: 3))
    let ofList = try asOfVersion1(content(third, about: .list(work, unchecked: unchecked)))
    // A later version may write members that this one does not know.
    let odd = try asOfVersion1(
      content(third, about: .list(work, unchecked: [])),
      and: ["text": "caf\u{e9} cafe\u{301} \u{1D11E}", "null": .null, "deep": [[["a": [1, -2, true]]]], "": ""])
    return [
      Message(id: uuid("message 1"), sink: "mail", contents: contents, createdAt: now),
      Message(id: uuid("message 2"), sink: "chat ✉", contents: [ofList, odd], createdAt: now + 60),
    ]
  }

  // Message contents gain members over time; old fixtures only have those of their version.
  private static func asOfVersion1(_ content: ReminderContent, and more: JSONObject = [:]) throws -> ReminderContent {
    let known = ["version", "reminder_id", "fire_date", "alert", "list", "item", "category", "actions"]
    var data = JSONObject()
    for member in try JSONValue(parsing: content.json).objectValue?.members ?? [] where known.contains(member.key) {
      data.append(member.key, member.key == "actions" ? [] : withoutLaterFields(member.value))
    }
    for member in more.members { data.append(member.key, member.value) }
    return try ReminderContent(json: JSONValue.object(data).serialized())
  }

  private static func withoutLaterFields(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(let elements): return .array(elements.map(withoutLaterFields))
    case .object(let object):
      var kept = JSONObject()
      for member in object.members where !["tags", "priority", "properties"].contains(member.key) {
        kept.append(member.key, withoutLaterFields(member.value))
      }
      return .object(kept)
    default: return value
    }
  }

  private static let everyAttempt = AttemptRecord.Outcome.allCases.map { outcome in
    AttemptRecord(
      deliveryID: 14, startedAt: now + Double(outcome.rawValue), outcome: outcome,
      words: outcome == .unknown ? nil : "550 5.1.1 \(outcome.name) <person> «caf\u{e9} cafe\u{301}» ]]>")
  }

  private static let everyProblem = [
    SinkProblem(sink: "chat ✉", kind: .paused, since: now, reason: "HTTP 410, nothing more is wanted there"),
    SinkProblem(sink: "mail", kind: .needsAttention, since: now + 60, reason: "535 5.7.8 <me> & co."),
  ]

  private static func everyDelivery(of messages: [Message]) throws -> [Delivery] {
    var deliveries: [Delivery] = []
    for message in messages {
      for (index, state) in Delivery.State.allCases.enumerated() {
        deliveries.append(
          Delivery(
            id: Int64(10 * deliveries.count + 4), messageID: message.id, sink: message.sink,
            recipient: index == 0 ? nil : "person\(index)@example.org", fireDate: try fireDate(index), state: state,
            attempts: index * 1_000, permittedFrom: now + 1, nextAttemptAt: state == .pending ? now + 30 : nil,
            lastAttemptAt: index == 0 ? nil : now + Double(index), closedAt: state == .pending ? nil : now + 9,
            lastError: index == 2 ? "550 5.1.1 <person> unknown\r\n«gone»" : nil))
      }
    }
    return deliveries
  }
}
