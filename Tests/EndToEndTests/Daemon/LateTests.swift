import Foundation
import Testing

@Suite("What passed while nothing was running")
struct LateTests {
  static let early = "2026-11-21 08:00:00"

  @Test("is delivered late, once, and says how late")
  func late() async throws {
    let box = try Sandbox()
    try await box.json("add", "Milk", "--due", "09:00", at: Self.early)
    let daemon = try await box.daemon(at: "2026-11-21 17:00:05")
    try await daemon.waitForRinging(1)
    #expect(await daemon.stop().end == .exited(0))
    let body = try #require(try daemon.rung.first)
    #expect(Shape.bodyFaults(in: body) == [])
    #expect(body["data"]?["fire_date"] == .text("2026-11-21T09:00:00+01:00"))
    #expect((28_805...28_900).contains(body["data"]?["late_seconds"]?.integer ?? -1), "\(body)")
    #expect(body["data"]?["item"]?["is_overdue"] == .bool(true))
    let again = try await box.daemon(at: "2026-11-21 17:10:00")
    #expect(await again.stop().end == .exited(0))
    #expect(try daemon.rung.count == 1)
    #expect(try await box.json("deliveries").elements?.count == 1)
  }

  @Test("says so in words where the sink prints text")
  func words() async throws {
    let box = try Sandbox(config: "store: { type: sqlite, path: store.sqlite }")
    try await box.json("add", "Milk", "--due", "09:00", at: Self.early)
    let outcome = try await box.belfry("run", "--once", options: .at("2026-11-21 17:00:05"))
    #expect(outcome.output.contains("late by 8 h"), "\(outcome)")
  }

  @Test(
    "is the latest of each item under once, all under all, none under skip; what is within the grace comes always",
    arguments: [
      ("once", "17:00:00", ["11:00", "11:00"]), ("all", "17:00:00", ["09:00", "09:00", "10:00", "11:00", "11:00"]),
      ("skip", "17:00:00", []), ("skip", "11:09:00", ["11:00", "11:00"]),
      ("once", "11:09:00", ["09:00", "10:00", "11:00", "11:00"]),
    ])
  func policies(policy: String, now: String, expected: [String]) async throws {
    let box = try Sandbox(config: Sandbox.defaultConfig + "missed: { policy: \(policy) }")
    try await box.json(
      "add", "One", "--due", "11:00", "--alert", "0m", "--alert", "1h", "--alert", "2h", at: Self.early)
    try await box.json("add", "Two", "--due", "11:00", "--alert", "0m", "--alert", "2h", at: Self.early)
    let bodies = try await box.runOnce(at: "2026-11-21 \(now)")
    #expect(bodies.compactMap { $0["data"]?["fire_date"]?.text }.map { String($0.dropFirst(11).prefix(5)) } == expected)
    #expect(try await box.json("pending") == .array([]))
    #expect(try await box.runOnce(at: "2026-11-21 \(now)") == [])
  }

  @Test("is not delivered beyond max_age")
  func maxAge() async throws {
    let box = try Sandbox(config: Sandbox.defaultConfig + "missed: { policy: all, max_age: 2d }")
    try await box.json("add", "Old", "--due", "09:00", at: Self.early)
    try await box.json("add", "Young", "--due", "2026-11-23 09:00", at: Self.early)
    let bodies = try await box.runOnce(at: "2026-11-24 08:00:00")
    #expect(bodies.compactMap { $0["data"]?["alert"]?["body"]?.text } == ["Young"])
  }

  @Test("rings with the text of now, and not at all when it was checked, deleted or put off meanwhile")
  func edited() async throws {
    let box = try Sandbox()
    for text in ["Milk", "Checked", "Deleted", "Put off"] {
      try await box.json("add", text, "--due", "09:00", at: Self.early)
    }
    let meanwhile = "2026-11-21 12:00:00"
    try await box.json("edit", "1", "--text", "Oat milk", at: meanwhile)
    try await box.json("check", "2", at: meanwhile)
    try await box.json("delete", "3", at: meanwhile)
    try await box.json("edit", "4", "--due", "2026-11-22 09:00", at: meanwhile)
    let bodies = try await box.runOnce(at: "2026-11-21 17:00:00")
    #expect(bodies.compactMap { $0["data"]?["alert"]?["body"]?.text } == ["Oat milk"])
  }

  @Test("oldest first, across items and lists")
  func order() async throws {
    let box = try Sandbox()
    for time in ["11:00", "09:00", "10:00"] { try await box.json("add", time, "--due", time, at: Self.early) }
    try await box.json("list", "remind", "Inbox", "--at", "09:30", "--message", "09:30", at: Self.early)
    let bodies = try await box.runOnce(at: "2026-11-21 17:00:00")
    #expect(bodies.compactMap { $0["data"]?["alert"]?["body"]?.text } == ["09:00", "09:30", "10:00", "11:00"])
  }
}
