import BelfryTestKit
import Foundation
import MemoryStore
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import RecurrenceRules

@Suite struct ClaimTests {
  private var fixture = EngineFixture()

  @Test("a reminder is claimed at its fire date, not before")
  func notEarly() throws {
    try fixture.add(due: "2026-11-21T10:00")
    let due = try instant("2026-11-21T10:00:00+01:00")
    for early in [3_600, 60, 1, 0.999, 0.001] {
      fixture.time.now = due - early
      #expect(try fixture.claim() == ClaimResult())
    }
    fixture.time.now = due
    #expect(try fixture.claim().fired == 1)
    #expect(try fixture.claim() == ClaimResult())
  }

  @Test("the actions that reminders of a claim share are those of each, and so are their bodies")
  mutating func sharedActions() throws {
    let trash = CategoryAction(identifier: "trash", title: "\"Delete\"", operation: .delete)
    let read = CategoryAction(identifier: "read", title: "Read", operation: .acknowledge)
    fixture.settings.categories = [Category(identifier: "shopping", actions: [trash, read])]
    let items = [("a", nil), ("b", nil), ("c", "shopping"), ("d", "unknown"), ("e", "shopping")] as [(String, String?)]
    for (text, category) in items {
      try fixture.add(text, due: "2026-11-21T10:00", category: category)
    }
    _ = try fixture.belfry.remindList("Groceries", ListReminderDraft(at: wall("2026-11-21T10:00"), message: "Go"))
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    let messages = try fixture.claim().outgoing.map(\.message)
    let offered = messages.map { $0.contents[0].actions.map(\.identifier) }
    let (usual, own) = (["done", "later"], ["trash", "read"])
    #expect(offered == [usual, usual, own, usual, own, ["ack", "later"]])
    for message in messages {
      var again = message
      again.contents = try [ReminderContent](json: message.contents.json)
      let bodies = [message, again].map { message in
        var bytes: [UInt8] = []
        Sample.attempt(message).linked.writeBody(into: &bytes, withLinks: true)
        return String(decoding: bytes, as: UTF8.self)
      }
      #expect(bodies[0] == bodies[1] && bodies[0].contains("\"token\":"))
    }
  }

  @Test("a reminder scheduled in a zone that has since been removed fires on time, and stops no other")
  func unknownZone() throws {
    try fixture.add("Mars", due: "2026-11-21T10:00")
    try fixture.add("Earth", due: "2026-11-21T10:00")
    try fixture.edit(1) { $0.rule = .set(try RecurrenceRule("FREQ=DAILY")) }
    try fixture.store.write { transaction in
      var item = try Check.present(transaction.item(id: 1)).item
      item.zone = .fixed("Mars/X")
      try transaction.update(item)
    }
    #expect(try fixture.belfry.checkStore().first?.hasPrefix("item 1 cannot be scheduled: 'Mars/X'") == true)
    try fixture.edit(1) { $0.text = "Red" }
    #expect(try fixture.scheduled() == ["2026-11-21T10:00+01:00"])
    try fixture.setClock("2026-11-21T10:00:20+01:00")
    #expect(try fixture.claim().fired == 2)
    #expect(try fixture.scheduled() == [])
    try fixture.edit(1) { $0.zone = .fixed("Europe/Zurich") }
    #expect(try fixture.scheduled() == ["2026-11-22T10:00+01:00"])
  }

  @Test("a nag of no minutes, which only a hand can write, does not ring without end")
  func emptyNag() throws {
    try fixture.add(due: "2026-11-21T10:00")
    try fixture.store.write { transaction in
      var item = try Check.present(transaction.item(id: 1)).item
      item.nag = .zero
      try transaction.update(item)
    }
    #expect(try fixture.belfry.checkStore().count == 1)
    try fixture.setClock("2026-11-21T10:00:20+01:00")
    #expect(try fixture.claim().fired == 1)
    #expect(try fixture.scheduled() == [])
  }

  @Test("a claim writes one message for each sink, with a delivery for each recipient, and marks the reminder fired")
  func writesDeliveries() throws {
    try fixture.add(due: "2026-11-21T10:00")
    try fixture.setClock("2026-11-21T10:00:20+01:00")
    let result = try fixture.belfry.claimDue(
      sinks: [
        ActiveSink(name: "mail", sink: RecordingSink(recipients: ["a", "b"])),
        ActiveSink(name: "chat", sink: RecordingSink()),
      ], limit: 9)
    #expect(result.fired == 1 && result.missed == 0 && result.unreached.isEmpty && !result.hasMore)
    #expect(try fixture.reminders() == ["2026-11-21T10:00+01:00 fired"])
    let deliveries = try fixture.deliveries()
    #expect(deliveries.map(\.sink) == ["mail", "mail", "chat"])
    #expect(deliveries.map(\.recipient) == ["a", "b", nil])
    #expect(deliveries.allSatisfy { $0.state == .pending && $0.attempts == 0 && $0.lateSeconds == nil })
    #expect(deliveries.allSatisfy { $0.permittedFrom == fixture.time.now && $0.nextAttemptAt == fixture.time.now })
    #expect(Set(deliveries.map(\.messageID)).count == 2)
  }

  @Test("a claimed message keeps its text, whatever happens to the item later")
  func frozen() throws {
    try fixture.add("Buy milk", due: "2026-11-21T10:00")
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    try fixture.claim()
    try fixture.edit { $0.text = "Buy oats" }
    _ = try fixture.belfry.renameList("Groceries", to: "Other")
    let (_, message) = try only(fixture.store.read { try $0.deliveries(of: .item(1), state: nil) })
    #expect(message.contents.map(\.text) == ["Buy milk"])
    #expect(message.contents.map(\.listName) == ["Groceries"])
  }

  @Test("a claim that could not be written is made again with the same identity")
  func identityAfterFailure() throws {
    try fixture.add(due: "2026-11-21T10:00")
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    let failing = FailingStore(fixture.store)
    var broken = fixture
    broken.store = failing
    #expect(throws: BelfryError.self) { try broken.claim() }
    #expect(try fixture.scheduled() == ["2026-11-21T10:00+01:00"])
    #expect(try fixture.deliveries() == [])
    try fixture.claim()
    let reminder = try only(fixture.store.read { try $0.reminders(of: .item(1)) })
    #expect(try fixture.deliveries().map(\.messageID) == [Message.id(sink: "sink", reminders: [reminder.id])])
    #expect(failing.lostMessages == [Message.id(sink: "sink", reminders: [reminder.id])])
  }

  @Test("claims come oldest first, so many at a time")
  func batches() throws {
    for minute in [30, 10, 20, 40] { try fixture.add("\(minute)", due: "2026-11-21T09:\(minute)") }
    try fixture.setClock("2026-11-21T09:40:00+01:00")
    let first = try fixture.claim(limit: 3)
    #expect(first.hasMore)
    let second = try fixture.claim(limit: 3)
    #expect(!second.hasMore)
    #expect(first.fired + second.fired + first.missed + second.missed == 4)
    #expect(try fixture.deliveries().map { $0.fireDate.secondsSinceEpoch / 60 % 60 } == [10, 20, 30, 40])
  }

  @Test("the badge is the number of overdue unchecked items")
  func badge() throws {
    try fixture.add(due: "2026-11-21T09:10")
    try fixture.add(due: "2026-11-21T09:20", shouldRemind: false)
    try fixture.add(due: "2026-11-21T09:21", shouldRemind: false)
    try fixture.add(due: "2026-11-21T08:00")
    _ = try fixture.belfry.setChecked(true, [4])
    fixture.time.now = try instant("2026-11-21T09:20:00+01:00") + 0.004
    try fixture.claim()
    let (_, message) = try only(fixture.store.read { try $0.deliveries(of: .item(1), state: nil) })
    #expect(message.contents.first?.alert.badge == 2)
  }

  // MARK: Missed

  @Test(
    "while nothing was running: once claims the latest of each item, all every one, skip none",
    arguments: [
      (MissedPolicy.Policy.once, ["missed", "missed", "fired", "fired"], 2),
      (.all, ["fired", "fired", "fired", "fired"], 4),
      (.skip, ["missed", "missed", "missed", "fired"], 1),
    ])
  mutating func missed(policy: MissedPolicy.Policy, states: [String], fired: Int) throws {
    fixture.settings.missed.policy = policy
    // 09:05, 09:15 and 09:20 are more than ten minutes ago; 09:30 is late, but within the grace period.
    try fixture.add(due: "2026-11-21T09:30", alerts: ["25m", "15m", "10m", "0m"])
    try fixture.setClock("2026-11-21T09:31:00+01:00")
    let result = try fixture.claim()
    #expect(result.fired == fired)
    #expect(result.missed == 4 - fired)
    #expect(try fixture.reminders().map { String($0.split(separator: " ")[1]) } == states)
  }

  @Test("once is for each item and list by itself")
  func onceEach() throws {
    for _ in 1...2 { try fixture.add(due: "2026-11-21T10:00", alerts: ["10m", "0m"]) }
    _ = try fixture.belfry.remindList("Groceries", ListReminderDraft(at: wall("2026-11-21T09:30")))
    try fixture.setClock("2026-11-21T12:00:00+01:00")
    let result = try fixture.claim()
    #expect(result.fired == 3)
    #expect(result.missed == 2)
    #expect(try fixture.reminders(of: .list(1)) == ["2026-11-21T09:30+01:00 fired"])
    for id in [1, 2] as [Int64] {
      #expect(
        try fixture.reminders(of: .item(id)) == ["2026-11-21T09:50+01:00 missed", "2026-11-21T10:00+01:00 fired"])
    }
  }

  @Test("once leaves out nothing for the sake of what is just late", arguments: [0.0, 30, 599, 600])
  func onceAtTheBorder(seconds: Double) throws {
    // 08:50 was missed; 09:20 is still within the grace period.
    try fixture.setClock("2026-11-21T08:00:00+01:00")
    try fixture.add(due: "2026-11-21T09:20", alerts: ["30m", "0m"])
    fixture.time.now = try instant("2026-11-21T09:20:00+01:00") + seconds
    #expect(try fixture.claim().fired == 2)
  }

  @Test("once leaves out what is followed by something that is missed as well")
  func onceBeyondTheBorder() throws {
    try fixture.setClock("2026-11-21T08:00:00+01:00")
    try fixture.add(due: "2026-11-21T09:20", alerts: ["30m", "0m"])
    fixture.time.now = try instant("2026-11-21T09:20:00+01:00") + 601
    #expect(try fixture.claim().fired == 1)
    #expect(try fixture.reminders() == ["2026-11-21T08:50+01:00 missed", "2026-11-21T09:20+01:00 fired"])
  }

  @Test("beyond max_age none rings, however many there are", arguments: MissedPolicy.Policy.allCases)
  mutating func maxAge(policy: MissedPolicy.Policy) throws {
    fixture.settings.missed.policy = policy
    try fixture.add(due: "2026-11-22T10:00", alerts: ["1h", "0m"])
    try fixture.setClock("2026-11-29T10:00:01+01:00")
    let result = try fixture.claim()
    #expect(result.fired == 0)
    #expect(result.missed == 2)
    #expect(try fixture.deliveries() == [])
  }

  @Test("a missed reminder is kept and never rings, whatever is done to the item")
  mutating func missedStays() throws {
    fixture.settings.missed.policy = .skip
    try fixture.add(due: "2026-11-21T10:00")
    try fixture.setClock("2026-11-21T11:00:00+01:00")
    try fixture.claim()
    try fixture.setClock("2026-11-21T09:00:00+01:00")
    try fixture.edit { $0.shouldRemind = false }
    try fixture.edit { $0.shouldRemind = true }
    #expect(try fixture.reminders() == ["2026-11-21T10:00+01:00 missed"])
  }

  // MARK: Routes

  @Test("a reminder without a matching route goes to every enabled sink, another only to its route's sinks")
  mutating func routes() throws {
    fixture.settings.routes = [
      Route(lists: [ListPattern("work"), ListPattern("Project *")], sinks: ["mail", "chat"]),
      Route(categories: ["loud"], sinks: ["chat"], continues: true),
      Route(categories: ["loud", "quiet"], sinks: ["log"]),
      Route(lists: [ListPattern("Nowhere")], sinks: ["off"]),
      Route(lists: [ListPattern("Silent")], sinks: []),
    ]
    let expected = [
      ("Work", nil, ["mail", "chat"]), ("project X", "loud", ["mail", "chat"]), ("Home", "loud", ["chat", "log"]),
      ("Home", "quiet", ["log"]), ("Home", nil, ["mail", "chat", "log"]), ("Home", "other", ["mail", "chat", "log"]),
      ("Nowhere", nil, []), ("Silent", nil, []),
    ]
    for (list, category, _) in expected { try fixture.add(to: list, due: "2026-11-21T10:00", category: category) }
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    let result = try fixture.claim(["mail", "chat", "log"])
    #expect(result.fired == 8)
    #expect(result.unreached.map(\.reason) == [.noSink, .silentRoute])
    for (index, (list, category, sinks)) in expected.enumerated() {
      let deliveries = try fixture.store.read { try $0.deliveries(of: .item(Int64(index + 1)), state: nil) }
      #expect(Set(deliveries.map(\.0.sink)) == Set(sinks), "\(list) \(category ?? "–")")
      #expect(deliveries.count == sinks.count)
    }
  }

  @Test("a list's own reminder is routed by its list and its own category")
  mutating func listRoute() throws {
    fixture.settings.routes = [Route(categories: ["daily"], sinks: ["chat"]), Route(sinks: ["log"])]
    try fixture.add(due: "2026-11-21T10:00", category: "daily")
    _ = try fixture.belfry.remindList("Groceries", ListReminderDraft(at: wall("2026-11-21T10:00")))
    try fixture.add(to: "Work", due: "2026-11-21T10:00")
    _ = try fixture.belfry.remindList("Work", ListReminderDraft(at: wall("2026-11-21T10:00"), category: "daily"))
    try fixture.setClock("2026-11-21T10:00:00+01:00")
    try fixture.claim(["chat", "log"])
    for (owner, sink) in [(ReminderOwner.item(1), "chat"), (.list(1), "log"), (.item(2), "log"), (.list(2), "chat")] {
      let deliveries = try fixture.store.read { try $0.deliveries(of: owner, state: nil) }
      #expect(deliveries.map(\.0.sink) == [sink], "\(owner)")
    }
  }
}
