import Foundation
import Testing

@Suite("The daemon rings")
struct DaemonRingTests {
  /// A start early enough that a daemon and a few commands are ready before nine, also on a machine ten times as slow.
  static let beforeNine = "2026-11-21 08:59:35"

  let box: Sandbox

  init() throws { box = try Sandbox() }

  @Test("at the minute, never early, with the body that a webhook gets, one a line")
  func rings() async throws {
    for text in ["Milk", "Bread"] { try await box.json("add", text, "--due", "09:00", at: "2026-11-21 08:00:00") }
    let start = ContinuousClock.now
    let daemon = try await box.daemon(at: Self.beforeNine)
    try await waitUntil("it rang; log: \(daemon.log)") { !box.data(RunningDaemon.output).isEmpty }
    #expect(ContinuousClock.now - start >= .seconds(25), "rang early")
    try await daemon.waitForRinging(2)
    #expect(await daemon.stop().end == .exited(0))
    let bodies = try daemon.rung
    #expect(try Set(daemon.rungTexts) == ["Milk", "Bread"])
    let overdue = bodies.count { $0["data"]?["item"]?["is_overdue"] == .bool(true) }
    for body in bodies {
      #expect(body["data"]?["alert"]?["badge"] == .integer(Int64(overdue)), "badge and is_overdue differ: \(body)")
      #expect(Shape.bodyFaults(in: body) == [])
      #expect(body["type"] == .text("reminder.fired"))
      #expect(body["timestamp"] == .text("2026-11-21T08:00:00Z"), "rang late: \(body)")
      let data = body["data"]
      #expect(data?["version"] == .integer(1))
      #expect(data?["fire_date"] == .text("2026-11-21T09:00:00+01:00"))
      #expect(data?["late_seconds"] == .integer(0))
      #expect(data?["alert"]?["title"] == .text("Inbox"))
      #expect(data?["alert"]?["action"] == .text("View list"))
      #expect(data?["alert"]?["sound"] == .text("default"))
      #expect(data?["list"] == .null && data?["category"] == .null)
      #expect(data?["actions"]?.elements?.map { $0["identifier"] } == [.text("done"), .text("later")])
      #expect(data?["item"]?["next_fire_date"] == .null, "what has just rung is not the next: \(body)")
    }
    #expect(Set(bodies.map { $0["data"]?["item"]?["id"] }) == [.integer(1), .integer(2)])
    #expect(try await box.json("deliveries").elements?.map { $0["state"] } == [.text("delivered"), .text("delivered")])
    #expect(try await box.json("pending") == .array([]))
  }

  @Test("what commands add, bring forward and switch on while it runs")
  func follows() async throws {
    let early = "2026-11-21 08:59:00"
    try await box.json("add", "Brought forward", "--due", "2026-12-24 09:00", at: early)
    try await box.json("add", "Switched on", "--due", "09:00", "--no-remind", at: early)
    try await box.json("add", "Unchecked again", "--due", "09:00", at: early)
    try await box.json("check", "3", at: early)
    let daemon = try await box.daemon(at: Self.beforeNine)
    let options = RunOptions(clock: early, isUrgent: true)
    async let added = box.belfry("add", "Added", "--due", "09:00", options: options)
    async let edited = box.belfry("edit", "1", "--due", "09:00", options: options)
    async let switched = box.belfry("edit", "2", "--remind", options: options)
    async let unchecked = box.belfry("uncheck", "3", options: options)
    for outcome in try await [added, edited, switched, unchecked] { #expect(outcome.isDone, "\(outcome)") }
    try await daemon.waitForRinging(4)
    #expect(await daemon.stop().end == .exited(0))
    #expect(try Set(daemon.rungTexts) == ["Added", "Brought forward", "Switched on", "Unchecked again"])
    #expect(try daemon.rung.allSatisfy { $0["data"]?["late_seconds"] == .integer(0) })
  }

  @Test("nothing that is checked, switched off, past, deleted, put off or on a deleted list")
  func silence() async throws {
    let early = "2026-11-21 08:00:00"
    for text in ["Checked", "Flag off later", "Deleted", "Put off", "Undated later", "Rings"] {
      try await box.json("add", text, "--due", "09:00", at: early)
    }
    try await box.json("add", "Flag off", "--due", "09:00", "--no-remind", at: early)
    try await box.json("add", "Past", "--due", "2026-11-21 07:59", at: early)
    try await box.json("add", "On a deleted list", "-l", "Gone", "--create", "--due", "09:00", at: early)
    try await box.json("add", "On an emptied list", "-l", "Empty", "--create", "--due", "09:00", at: early)
    try await box.json("check", "1", at: early)
    try await box.json("edit", "2", "--no-remind", at: early)
    try await box.json("delete", "3", at: early)
    try await box.json("edit", "4", "--due", "09:05", at: early)
    try await box.json("edit", "5", "--due", "none", at: early)
    try await box.json("list", "delete", "Gone", "--force", at: early)
    try await box.json("list", "clear", "Empty", "--force", at: early)
    let daemon = try await box.daemon(at: Self.beforeNine)
    try await daemon.waitForRinging(1)
    #expect(await daemon.stop().end == .exited(0))
    #expect(try daemon.rungTexts == ["Rings"])
    #expect(try await box.json("pending", at: "2026-11-21 09:00:30").elements?.map { $0["text"] } == [.text("Put off")])
    #expect(try await box.json("deliveries").elements?.count == 1)
  }

  @Test("each lead time, soonest first, over minutes")
  func alerts() async throws {
    try await box.json(
      "add", "Milk", "--due", "09:01", "--alert", "1m", "--alert", "0m", "--alert", "2h", at: "2026-11-21 08:00:00")
    let first = try await box.runOnce(at: "2026-11-21 09:00:10")
    #expect(first.map { $0["data"]?["fire_date"] } == [.text("2026-11-21T09:00:00+01:00")])
    #expect(first.first?["data"]?["item"]?["next_fire_date"] == .text("2026-11-21T09:01:00+01:00"))
    let second = try await box.runOnce(at: "2026-11-21 09:01:00")
    #expect(second.map { $0["data"]?["fire_date"] } == [.text("2026-11-21T09:01:00+01:00")])
    #expect(try await box.runOnce(at: "2026-11-21 09:02:00") == [])
  }

  @Test("a list's own reminder, with what is still unchecked, and only while something is")
  func listReminder() async throws {
    let early = "2026-11-21 08:00:00"
    for text in ["Milk", "Bread", "Eggs"] { try await box.json("add", text, "-l", "Groceries", "--create", at: early) }
    try await box.json("check", "2", at: early)
    try await box.json("add", "Report", "-l", "Work", "--create", at: early)
    try await box.json("check", "4", at: early)
    for (list, words) in [("Groceries", ["--message", "Time to shop"]), ("Work", [])] {
      let outcome = try await box.run(
        [Programs.belfry, "list", "remind", list, "--at", "09:00"] + words, .at(early))
      try outcome.requireDone()
    }
    let bodies = try await box.runOnce(at: "2026-11-21 09:00:00")
    #expect(bodies.count == 1)
    let body = try #require(bodies.first)
    #expect(Shape.bodyFaults(in: body) == [])
    let data = body["data"]
    #expect(data?["item"] == .null)
    #expect(data?["list"]?["name"] == .text("Groceries"))
    #expect(data?["list"]?["unchecked"]?.elements?.map { $0["text"] } == [.text("Milk"), .text("Eggs")])
    #expect(data?["alert"]?["title"] == .text("Groceries"))
    #expect(data?["alert"]?["body"] == .text("Time to shop"))
    #expect(data?["fire_date"] == .text("2026-11-21T09:00:00+01:00"))
  }

  @Test("a category's actions and words, and the number of what is overdue, are in the body")
  func category() async throws {
    try box.write(
      """
      store: { type: sqlite, path: store.sqlite }
      sinks: { out: { type: stdout, format: json } }
      categories:
        shopping:
          alert: { sound: bell, action: "Off we go" }
          actions:
            - { identifier: ok, title: "OK, got it", do: none }
            - { identifier: trash, title: "Empty list", do: clear_list, destructive: true, authentication_required: true }
      """, to: "belfry.yaml")
    try await box.json("add", "Overdue", "--due", "2026-11-20 09:00", at: "2026-11-21 08:00:00")
    try await box.json("add", "Milk", "--due", "09:00", "--category", "shopping", at: "2026-11-21 08:00:00")
    let body = try #require(try await box.runOnce(at: "2026-11-21 09:00:30").first)
    #expect(Shape.bodyFaults(in: body) == [])
    let data = body["data"]
    #expect(data?["category"] == .text("shopping"))
    #expect(data?["alert"]?["sound"] == .text("bell"))
    #expect(data?["alert"]?["action"] == .text("Off we go"))
    #expect(data?["alert"]?["badge"] == .integer(2))
    let actions = try #require(data?["actions"]?.elements)
    #expect(actions.map { $0["identifier"] } == [.text("ok"), .text("trash")])
    #expect(actions.map { $0["destructive"] } == [.bool(false), .bool(true)])
    #expect(actions.map { $0["authentication_required"] } == [.bool(false), .bool(true)])
  }

  @Test("as text for people, where the config says so or there is none")
  func text() async throws {
    try box.write("store: { type: sqlite, path: store.sqlite }\n", to: "belfry.yaml")
    try await box.json("add", "Milk", "--due", "09:00", at: "2026-11-21 08:00:00")
    let outcome = try await box.belfry("run", "--once", options: .at("2026-11-21 09:00:10"))
    #expect(outcome.isDone && outcome.output.contains("Milk") && outcome.output.contains("09:00"), "\(outcome)")
    #expect(outcome.output.split(separator: "\n").count == 1)
    #expect(!outcome.output.contains("late"), "\(outcome)")
  }

  @Test("in the item's own zone, wherever the machine is, across the hour that the clocks skip")
  func zones() async throws {
    let early = "2027-03-28 00:30:00"
    try await box.json("add", "Tokyo", "--due", "2027-03-28 10:30", "--time-zone", "Asia/Tokyo", at: early)
    try await box.json("add", "Gap", "--due", "2027-03-28 02:30", at: early)
    let pending = try #require(try await box.json("pending", at: early).elements)
    #expect(
      Set(pending.map { $0["fire_date"] }) == [.text("2027-03-28T10:30:00+09:00"), .text("2027-03-28T03:30:00+02:00")])
    let daemon = try await box.daemon(at: "2027-03-28 03:29:35")
    try await daemon.waitForRinging(2)
    #expect(await daemon.stop().end == .exited(0))
    let bodies = try daemon.rung
    #expect(try Set(daemon.rungTexts) == ["Tokyo", "Gap"])
    #expect(bodies.map { $0["timestamp"] } == [.text("2027-03-28T01:30:00Z"), .text("2027-03-28T01:30:00Z")])
    #expect(bodies.allSatisfy { $0["data"]?["late_seconds"] == .integer(0) })
    #expect(
      Set(bodies.map { $0["data"]?["item"]?["due_local"] }) == [.text("2027-03-28T02:30"), .text("2027-03-28T10:30")])
  }

  @Test("a second start under the same clock rings nothing again")
  func once() async throws {
    try await box.json("add", "Milk", "--due", "09:00", at: "2026-11-21 08:00:00")
    #expect(try await box.runOnce(at: "2026-11-21 09:00:10").count == 1)
    #expect(try await box.runOnce(at: "2026-11-21 09:00:10") == [])
    try await box.json("edit", "1", "--due", "2026-11-21 09:00", at: "2026-11-21 08:30:00")
    #expect(try await box.runOnce(at: "2026-11-21 09:00:50") == [], "an occurrence rings once in its life")
  }
}
