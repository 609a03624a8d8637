import BelfryTestKit
import Foundation
import OrderedJSON
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

/// The exact body of a webhook. It is 09:00 in Zurich.
@Suite struct ReminderContentTests {
  private var fixture = EngineFixture()

  private func body(of owner: ReminderOwner, lateSeconds: Int = 0) throws -> JSONValue {
    let (delivery, message) = try only(fixture.store.read { try $0.deliveries(of: owner, state: nil) })
    let attempt = DeliveryAttempt(
      deliveryID: delivery.id, message: message, recipient: nil, startedAt: fixture.time.now, lateSeconds: lateSeconds)
    return try attempt.body()
  }

  @Test("the body of a content that was read back is the same to the byte")
  func readBack() throws {
    let made = try only(Sample.message(text: "caf\u{e9} \"quoted\" \u{7}").contents)
    let failure = DeliveryFailure(sink: "mail", recipient: nil, reason: "550", isFinal: true)
    for content in [made, ReminderContent(made, failure: failure), ReminderContent(test: made)] {
      let bodies = try [[content], [ReminderContent](json: [content].json)].map { contents in
        var bytes: [UInt8] = []
        let message = Message(id: Sample.uuid("m"), sink: "sink", contents: contents, createdAt: Sample.now)
        Sample.attempt(message, lateSeconds: 70).writeBody(into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
      }
      #expect(bodies[0] == bodies[1])
      #expect(bodies[0].contains("\"fire_date\":\"2026-11-21T08:00:00Z\",\"late_seconds\":70,\"alert\":"))
    }
  }

  @Test("links stand beside the lateness and in the actions that a token carries out, and in no body that is not asked")
  func links() throws {
    let (one, other) = (try Sample.message(text: "one"), try Sample.message(text: "other", itemID: 2))
    let message = Message(
      id: one.id, sink: "sink", contents: one.contents + other.contents, createdAt: Sample.now,
      tokens: MessageTokens(key: 1, expiry: 60_000))
    let attempt = Sample.attempt(message)
    let bodies = [(attempt, true), (attempt.linked, false), (attempt.linked, true)].map { attempt, withLinks in
      var bytes: [UInt8] = []
      attempt.writeBody(into: &bytes, withLinks: withLinks)
      return String(decoding: bytes, as: UTF8.self)
    }
    #expect(bodies[0] == bodies[1] && !bodies[0].contains("answer") && !bodies[0].contains("token"))
    let body = try JSONValue(parsing: Array(bodies[2].utf8))
    let reminders = try #require(body["reminders"]?.arrayValue)
    #expect(body["data"] == reminders.first)
    for (reminder, links) in zip(reminders, attempt.linked.links) {
      #expect(reminder["answer_url"]?.stringValue == links.answerURL)
      let actions = try #require(reminder["actions"]?.arrayValue)
      #expect(actions.map { $0["identifier"] } == ["done", "later"])
      #expect(actions.map { $0["token"]?.stringValue } == links.actions.map(\.token))
      #expect(actions.first?.objectValue?.keys.last == "token")
    }
    #expect(reminders[0]["answer_url"] != reminders[1]["answer_url"])
    var plain = bodies[2]
    for match in plain.matches(of: #/,"(answer_url|token)":"[^"]*"/#).reversed() { plain.removeSubrange(match.range) }
    #expect(plain == bodies[0])
  }

  @Test(
    "of several reminders the first is the data, and all of them are there; the time is the claim's at each attempt")
  func severalReminders() throws {
    let (one, other) = (try Sample.message(text: "one"), try Sample.message(text: "other"))
    let message = Message(
      id: one.id, sink: "sink", contents: one.contents + other.contents, createdAt: Sample.now)
    let attempt = DeliveryAttempt(
      deliveryID: 1, message: message, recipient: nil, startedAt: Sample.now + 3_600, lateSeconds: 3_600)
    let body = try attempt.body()
    #expect(body.objectValue?.keys == ["type", "timestamp", "data", "reminders"])
    #expect(body["timestamp"]?.stringValue.flatMap(parseRFC3339) == Sample.now)
    #expect(body["data"]?["alert"]?["body"] == "one")
    #expect(body["reminders"]?.arrayValue?.map { $0["alert"]?["body"] } == ["one", "other"])
    #expect(body["reminders"]?.arrayValue?.map { $0["late_seconds"] } == [3_600, 3_600])
  }

  @Test("the body of an item's reminder is that of the contract")
  mutating func item() throws {
    fixture.settings.categories = [
      Category(
        identifier: "shopping",
        actions: [
          CategoryAction(identifier: "done", title: "OK, got it"),
          CategoryAction(
            identifier: "trash", title: "Delete list", operation: .clearList, activation: .foreground,
            isDestructive: true, requiresAuthentication: true),
        ], alert: AlertOverride(sound: "bell", urgency: .high))
    ]
    try fixture.add(due: "2026-11-21T10:00", category: "shopping")
    fixture.time.now = try instant("2026-11-21T10:01:30+01:00") + 0.4
    try fixture.claim()
    let reminder = try only(fixture.store.read { try $0.reminders(of: .item(1)) }).id.uuidString.lowercased()
    let uuid = try fixture.item().uuid.uuidString.lowercased()
    #expect(
      try body(of: .item(1), lateSeconds: 90).serialized() == """
        {"type":"reminder.fired","timestamp":"2026-11-21T09:01:30Z","data":{"version":1,"reminder_id":"\(reminder)",\
        "fire_date":"2026-11-21T10:00:00+01:00","late_seconds":90,"alert":{"title":"Groceries","body":"Buy milk",\
        "action":"View list","sound":"bell","badge":1,"urgency":"high"},"list":null,"item":{"id":1,"uuid":"\(uuid)",\
        "list":"Groceries","text":"Buy milk","notes":null,"is_checked":false,"due_date":"2026-11-21T10:00:00+01:00",\
        "due_local":"2026-11-21T10:00","time_zone":"floating","should_remind":true,"alerts":["PT0S"],"repeat":null,\
        "repeat_start":null,"repeat_from":null,"nag":null,"category":"shopping","key":null,"tags":[],"priority":null,"properties":[],\
        "is_overdue":true,\
        "next_fire_date":null,"created_at":"2026-11-21T09:00:00+01:00","updated_at":"2026-11-21T09:00:00+01:00",\
        "checked_at":null},"category":"shopping","actions":[{"identifier":"done","title":"OK, got it",\
        "destructive":false,"authentication_required":false,"activation":"background","do":"none"},\
        {"identifier":"trash",\
        "title":"Delete list","destructive":true,"authentication_required":true,"activation":"foreground",\
        "do":"clear_list"}],\
        "time_zone":"Europe/Zurich"}}
        """)
  }

  @Test("the body of a list's own reminder has no item, but the list with its unchecked items")
  func list() throws {
    for text in ["Milk", "Oats"] { try fixture.add(text) }
    _ = try fixture.belfry.setChecked(true, [1])
    _ = try fixture.belfry.remindList("Groceries", ListReminderDraft(at: wall("2026-11-21T10:00"), message: "Shop"))
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    try fixture.claim()
    let data = try #require(try body(of: .list(1))["data"])
    #expect(try body(of: .list(1))["type"] == "reminder.fired")
    #expect(
      data.objectValue?.keys == [
        "version", "reminder_id", "fire_date", "late_seconds", "alert", "list", "item", "category", "actions",
        "time_zone",
      ])
    #expect(data["item"] == .null)
    #expect(data["category"] == .null)
    #expect(data["actions"]?.arrayValue?.map { $0["do"] } == ["acknowledge", "snooze"])
    #expect(data["actions"]?.arrayValue?.map { $0["for"] } == [nil, "PT10M"])
    #expect(data["list"]?.objectValue?.keys == ["id", "name", "unchecked"])
    #expect(data["list"]?["unchecked"]?.arrayValue?.map { $0["text"] } == ["Oats"])
    #expect(data["alert"]?["title"] == "Groceries")
    #expect(data["alert"]?["body"] == "Shop")
    #expect(data["alert"]?["badge"] == 0)
  }

  @Test("the body of a list's own reminder without a message says what is open, as other messages do")
  func listWithoutMessage() throws {
    for number in 1...102 { try fixture.add("Item \(number)") }
    _ = try fixture.belfry.setChecked(true, [2])
    _ = try fixture.belfry.remindList("Groceries", ListReminderDraft(at: wall("2026-11-21T10:00")))
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    try fixture.claim()
    let long = try #require(try body(of: .list(1))["data"]?["alert"]?["body"]?.stringValue)
    #expect(long.hasPrefix("101 open • Item 1 • Item 3 • ") && long.hasSuffix(" • Item 101 … and 1 more"), "\(long)")
    let (_, message) = try only(fixture.store.read { try $0.deliveries(of: .list(1), state: nil) })
    #expect(message.contents.first?.text == "Groceries")
  }

  @Test(
    "the actions for small displays are marked where they are not the first ones anyway",
    arguments: [
      (nil, ["a", "b", "c"]), (["a", "b"], ["a", "b", "c"]), ([], ["a", "b", "c"]), (["c"], ["c", "a", "b"]),
      (["c", "b"], ["b", "c", "a"]),
    ] as [([String]?, [String])])
  mutating func minimal(named: [String]?, shown: [String]) throws {
    let actions = ["a", "b", "c"].map { CategoryAction(identifier: $0, title: $0) }
    fixture.settings.categories = [Category(identifier: "small", actions: actions, minimal: named)]
    try fixture.add(due: "2026-11-21T10:00", category: "small")
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    try fixture.claim()
    let (_, message) = try only(fixture.store.read { try $0.deliveries(of: .item(1), state: nil) })
    let offered = try only(message.contents).actions
    #expect(offered.map(\.identifier) == ["a", "b", "c"])
    #expect(offered.placesForSmallDisplays.map { offered[$0].identifier } == shown)
    let marked = try #require(try body(of: .item(1))["data"]?["actions"]?.arrayValue).filter { $0["minimal"] == true }
    #expect(marked.isEmpty == (shown == ["a", "b", "c"]))
  }

  @Test("fire dates and times are shown in the item's own zone, the timestamp in UTC")
  func zone() throws {
    try fixture.add(due: "2026-11-21T18:00", zone: .fixed("Asia/Tokyo"))
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    try fixture.claim()
    let body = try body(of: .item(1))
    #expect(body["timestamp"] == "2026-11-21T09:00:00Z")
    #expect(body["data"]?["fire_date"] == "2026-11-21T18:00:00+09:00")
    #expect(body["data"]?["item"]?["created_at"] == "2026-11-21T17:00:00+09:00")
  }

  @Test("a content says what it was made of")
  func accessors() throws {
    try fixture.add("caf\u{e9} \"quoted\"", due: "2026-11-21T10:00")
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    try fixture.claim()
    let (_, message) = try only(fixture.store.read { try $0.deliveries(of: .item(1), state: nil) })
    let content = try only(message.contents)
    #expect(content.text == "caf\u{e9} \"quoted\"")
    #expect(content.listName == "Groceries")
    #expect(content.fireDate.description == "2026-11-21T10:00:00+01:00")
    #expect(content.item?.id == 1)
    #expect(content.item?.due == content.fireDate)
    #expect(content.owner == .item(1))
    #expect(try content.reminderID == only(fixture.store.read { try $0.reminders(of: .item(1)) }).id)
    #expect(content.timeZone == "Europe/Zurich")
    #expect(content.list == nil && content.failure == nil && !content.isTest)
    #expect(content.uncheckedTexts == [])
  }
}
