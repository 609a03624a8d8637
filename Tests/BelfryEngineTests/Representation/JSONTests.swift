import BelfryTestKit
import Foundation
import OrderedJSON
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import RecurrenceRules

/// The exact JSON that scripts and webhooks rely on. It is 09:00 in Zurich.
@Suite struct JSONTests {
  private let fixture = EngineFixture()

  private func json(of id: Int64) throws -> JSONValue {
    try fixture.belfry.read { reading in reading.json(try #require(try reading.view.item(id: id))) }
  }

  private func keys(_ value: JSONValue?) -> [String] { value?.objectValue?.keys ?? [] }

  private static let itemKeys = [
    "id", "uuid", "list", "text", "notes", "is_checked", "due_date", "due_local", "time_zone", "should_remind",
    "alerts", "repeat", "repeat_start", "repeat_from", "nag", "category", "key", "tags", "priority",
    "properties", "is_overdue", "next_fire_date", "created_at", "updated_at", "checked_at",
  ]

  @Test("an item has every key, absent values being null")
  func plainItem() throws {
    try fixture.add()
    let uuid = try fixture.item().uuid.uuidString.lowercased()
    let expected = """
      {"id":1,"uuid":"\(uuid)","list":"Groceries","text":"Buy milk","notes":null,"is_checked":false,"due_date":null,\
      "due_local":null,"time_zone":"floating","should_remind":false,"alerts":["PT0S"],"repeat":null,\
      "repeat_start":null,"repeat_from":null,"nag":null,"category":null,"key":null,"tags":[],"priority":null,\
      "properties":[],\
      "is_overdue":false,"next_fire_date":null,\
      "created_at":"2026-11-21T09:00:00+01:00","updated_at":"2026-11-21T09:00:00+01:00","checked_at":null}
      """
    #expect(try json(of: 1).serialized() == expected)
    #expect(keys(try json(of: 1)) == Self.itemKeys)
  }

  @Test("an item shows its times with the offset of its own zone")
  func fullItem() throws {
    let draft = ItemDraft(
      text: "Pay rent", notes: "one\ntwo", due: try wall("2026-11-21T09:00"), zone: .fixed("America/New_York"),
      shouldRemind: true, alerts: [try lead("1d"), try lead("10m"), try lead("24h"), .zero],
      rule: try RecurrenceRule("FREQ=MONTHLY"), repeatOrigin: .done, nag: try lead("1h30m"), category: "bills",
      tags: try ItemTags(["home", "Flat"]),
      priority: ItemPriority(number: 3))
    _ = try fixture.belfry.add([draft], to: ListChoice("Home", createsMissing: true))
    let item = try json(of: 1)
    #expect(keys(item) == Self.itemKeys)
    let shown: [String: JSONValue] = [
      "list": "Home", "notes": "one\ntwo", "due_date": "2026-11-21T09:00:00-05:00", "due_local": "2026-11-21T09:00",
      "time_zone": "America/New_York", "should_remind": true, "alerts": ["P1D", "PT24H", "PT10M", "PT0S"],
      "repeat": "FREQ=MONTHLY", "repeat_start": "2026-11-21T09:00", "repeat_from": "done", "nag": "PT1H30M",
      "category": "bills", "tags": ["home", "Flat"], "priority": "high", "properties": [], "is_overdue": false,
      "next_fire_date": "2026-11-21T08:50:00-05:00",
      "created_at": "2026-11-21T03:00:00-05:00",
    ]
    for (key, value) in shown { #expect(item[key] == value, "\(key)") }
  }

  @Test("an item shows the key that a program gave it")
  func key() throws {
    try fixture.add()
    try fixture.store.write { transaction in
      var item = try #require(try transaction.item(id: 1)).item
      item.key = "disk-full"
      try transaction.update(item)
    }
    #expect(try json(of: 1)["key"] == "disk-full")
  }

  @Test("a checked item says when, and an overdue one that it is")
  func checkedAndOverdue() throws {
    try fixture.add(due: "2026-11-21T10:00")
    fixture.time.now = try instant("2026-11-21T10:00:00+01:00")
    #expect(try json(of: 1)["is_overdue"] == false)
    fixture.time.advance(by: 0.5)
    #expect(try json(of: 1)["is_overdue"] == true)
    fixture.time.advance(by: 61)
    _ = try fixture.belfry.setChecked(true, [1])
    let item = try json(of: 1)
    #expect(item["is_overdue"] == false)
    #expect(item["is_checked"] == true)
    #expect(item["checked_at"] == "2026-11-21T10:01:01+01:00")
    #expect(item["due_date"] == "2026-11-21T10:00:00+01:00")
  }

  @Test("a list has its counts, its next fire date and its own reminder")
  func list() throws {
    try fixture.add(due: "2026-11-21T10:00")
    try fixture.add(due: "2026-11-21T08:00")
    _ = try fixture.belfry.setChecked(true, [try fixture.add().listing.item.id])
    func shown() throws -> JSONValue {
      try fixture.belfry.read { reading in
        reading.json(try only(reading.view.listSummaries(now: reading.now)))
      }
    }
    let plain = try shown()
    #expect(
      keys(plain) == [
        "id", "uuid", "name", "color", "icon", "items", "remaining", "overdue", "next_fire_date", "reminder",
      ])
    #expect(plain["id"] == 1 && plain["name"] == "Groceries" && plain["reminder"] == .null)
    #expect(plain["items"] == 3 && plain["remaining"] == 2 && plain["overdue"] == 1)
    #expect(plain["next_fire_date"] == "2026-11-21T10:00:00+01:00")
    _ = try fixture.belfry.remindList(
      "Groceries", ListReminderDraft(at: wall("2026-11-21T18:00"), zone: .fixed("Asia/Tokyo"), message: "Shop"))
    let own = try shown()["reminder"]
    #expect(own?["due_date"] == "2026-11-21T18:00:00+09:00")
    #expect(own?["due_local"] == "2026-11-21T18:00")
    #expect(own?["time_zone"] == "Asia/Tokyo")
    #expect(own?["message"] == "Shop")
    #expect(own?["category"] == .null)
    #expect(own?["repeat"] == .null)
  }

  @Test("a pending reminder names its item, or none and the message or name of its list")
  func pending() throws {
    try fixture.add("Milk", due: "2026-11-21T10:00", zone: .fixed("America/New_York"))
    _ = try fixture.belfry.remindList("Groceries", ListReminderDraft(at: wall("2026-11-21T11:00"), message: "Shop"))
    try fixture.add(to: "Work")
    _ = try fixture.belfry.remindList("Work", ListReminderDraft(at: wall("2026-11-21T12:00")))
    let sinks = ["mail", "chat"].map { ActiveSink(name: $0, sink: RecordingSink()) }
    let shown = try fixture.belfry.read { reading in
      var forecast = Forecast(reading, settings: fixture.settings, sinks: sinks)
      return try reading.view.pending().map { reading.json($0, forecast.reach(of: $0)) }
    }
    let expected = [
      "reminder_id", "item_id", "list", "text", "fire_date", "sinks", "people", "kind", "escalation", "step", "ring",
    ]
    #expect(shown.allSatisfy { keys($0) == expected })
    #expect(shown.allSatisfy { $0["kind"] == "planned" && $0["people"] == [] && $0["step"] == .null })
    #expect(shown.map { $0["item_id"] } == [.null, .null, 1])
    #expect(shown.map { $0["text"] } == ["Shop", "Work", "Milk"])
    #expect(shown.map { $0["list"] } == ["Groceries", "Work", "Groceries"])
    #expect(
      shown.map { $0["fire_date"] } == [
        "2026-11-21T11:00:00+01:00", "2026-11-21T12:00:00+01:00", "2026-11-21T10:00:00-05:00",
      ])
    #expect(shown.first?["sinks"] == ["mail", "chat"])
    let reminder = try only(fixture.store.read { try $0.reminders(of: .item(1)) })
    #expect(shown.last?["reminder_id"] == .string(reminder.id.uuidString.lowercased()))
  }

  @Test("a delivery has every key in each state, absent values being null")
  func delivery() throws {
    try fixture.add("Milk", due: "2026-11-21T10:00")
    fixture.time.now = try instant("2026-11-21T10:00:30+01:00")
    try fixture.claim(["mail"])
    func shown() throws -> JSONValue {
      try fixture.belfry.read { reading in
        let (delivery, message) = try only(reading.view.deliveries(of: .item(1), state: nil))
        return reading.json(delivery, of: message)
      }
    }
    let reminder = try only(fixture.store.read { try $0.reminders(of: .item(1)) }).id.uuidString.lowercased()
    let message = try only(fixture.deliveries()).messageID.uuidString.lowercased()
    #expect(
      try shown().serialized() == """
        {"id":1,"message_id":"\(message)","reminder_id":"\(reminder)","item_id":1,"list":"Groceries","text":"Milk",\
        "sink":"mail","recipient":null,"state":"pending","fire_date":"2026-11-21T10:00:00+01:00","attempts":0,\
        "next_attempt_at":"2026-11-21T10:00:30+01:00","delivered_at":null,"late_seconds":null,"last_error":null,\
        "type":"reminder.fired","reminder_count":1}
        """)
    try fixture.store.write { transaction in
      var delivery = try #require(try transaction.delivery(id: 1))
      delivery.state = .delivered
      delivery.attempts = 2
      delivery.lastAttemptAt = fixture.time.now
      delivery.closedAt = fixture.time.now + 1
      delivery.nextAttemptAt = nil
      try transaction.update(delivery)
    }
    let closed = try shown()
    #expect(closed["delivered_at"] == "2026-11-21T10:00:31+01:00")
    #expect(closed["late_seconds"] == 30 && closed["attempts"] == 2 && closed["next_attempt_at"] == .null)
    try fixture.store.write { transaction in
      var delivery = try #require(try transaction.delivery(id: 1))
      delivery.state = .dead
      delivery.lastError = "550 no"
      try transaction.update(delivery)
    }
    let dead = try shown()
    #expect(dead["state"] == "dead" && dead["delivered_at"] == .null && dead["last_error"] == "550 no")
  }
}
