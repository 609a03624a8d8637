import Foundation
import Testing
import TestSupport

/// The running daemon updates delivered copies after answers, whoever gave them.
@Suite("Withdrawal")
struct WithdrawnMessageTests {
  private func box(_ sink: String) throws -> Sandbox {
    try Sandbox(
      config: """
        store: { type: sqlite, path: store.sqlite }
        sinks: { phone: { type: webhook, \(sink) } }
        """)
  }

  private func bodies(_ server: HTTPCollector) throws -> [JSON] { try server.received().map { try JSON($0.text) } }

  /// Adds an item, and starts a daemon that rings it.
  private func ring(_ box: Sandbox, _ server: HTTPCollector) async throws -> RunningDaemon {
    try await box.json("add", "Milk", "--due", "09:00", at: "2026-11-21 08:00:00")
    let daemon = try await box.daemon(at: "2026-11-21 09:00:02")
    try await waitUntil("the reminder rings; log: \(daemon.log)") { try server.received().count == 1 }
    try await waitUntil("that is kept") {
      try await box.json("deliveries").elements?.first?["state"] == .text("delivered")
    }
    return daemon
  }

  @Test("ntfy gets the ring, and after a check by a command the update of the same notification")
  func ntfy() async throws {
    let server = try HTTPCollector(answers: [.init(200, body: #"{"id":"xE73Iyuabi","event":"message"}"#)])
    let box = try box("format: ntfy, url: \"\(server.url)\"")
    let daemon = try await ring(box, server)
    try await box.json("check", "1", at: "2026-11-21 09:00:10")
    try await waitUntil("the check is told; log: \(daemon.log)") { try server.received().count == 2 }
    try await box.json("uncheck", "1", at: "2026-11-21 09:00:20")
    try await waitUntil("the uncheck is told; log: \(daemon.log)") { try server.received().count == 3 }
    #expect(await daemon.stop().end == .exited(0))
    let bodies = try bodies(server)
    #expect(Set(bodies.map { $0["sequence_id"] }).count == 1 && bodies[0]["sequence_id"]?.text?.isEmpty == false)
    #expect(Set(try server.received().map { $0.field("webhook-id") }).count == 3)
    #expect(bodies.map { $0["priority"]?.integer } == [3, 2, 2])
    #expect(bodies[1]["message"] == .text("Milk\nChecked"))
    #expect(bodies[2]["message"]?.text?.hasPrefix("Milk\nOpen again\n") == true)
    let deliveries = try #require(try await box.json("deliveries").elements)
    #expect(
      deliveries.map { $0["type"]?.text } == ["reminder.reopened", "reminder.answered", "reminder.fired"])
    #expect(Shape.delivery.faults(in: deliveries) == [])
    let shown = try await box.belfry("deliveries").output
    #expect(shown.contains("answered: Milk") && shown.contains("open again: Milk"), "\(shown)")
    let explained = try await box.belfry("explain", "1").output
    #expect(explained.contains("delivery 2 to phone, telling 'answered': delivered, 1 attempt"), "\(explained)")
  }

  @Test("a webhook gets reminder.answered, tried again until it is taken, under one identity")
  func webhook() async throws {
    let server = try HTTPCollector(answers: [.init(204), .init(503), .init(204)])
    let box = try box("url: \"\(server.url)\"")
    let daemon = try await ring(box, server)
    let fired = try bodies(server)[0]
    let reminder = try #require(fired["data"]?["reminder_id"]?.text)
    try await box.json("act", reminder, "done", at: "2026-11-21 09:00:10")
    try await waitUntil("the answer is tried twice; log: \(daemon.log)") { try server.received().count == 3 }
    #expect(await daemon.stop().end == .exited(0))
    let requests = try server.received()
    #expect(requests[1].field("webhook-id") == requests[2].field("webhook-id"))
    #expect(requests[0].field("webhook-id") != requests[1].field("webhook-id"))
    let body = try JSON(requests[2].text)
    #expect(body["type"] == .text("reminder.answered") && body["data"]?["reminder_id"] == .text(reminder))
    let update = body["data"]?["update"]
    #expect(update?["message_id"]?.text == requests[0].field("webhook-id"))
    #expect(update?["state"] == .text("answered") && update?["words"] == .text("checked 'Milk'"))
    #expect(update?["action"] == .text("done") && update?["do"] == .text("check"))
    #expect(update?["channel"] == .text("cli") && update?["at"] == .text("2026-11-21T09:00:10+01:00"))
    #expect(body["data"]?["item"] == fired["data"]?["item"] && body["data"]?["actions"] == .array([]))
  }

  @Test("killed during the first attempt: a check before the next start is told to the copy that may be there")
  func killed() async throws {
    // The first answer is an interim one: the server has the message, and says nothing more.
    let server = try HTTPCollector(answers: [.init(100), .init(204)])
    let box = try box("url: \"\(server.url)\", timeout: 10m")
    try await box.json("add", "Milk", "--due", "09:00", at: "2026-11-21 08:00:00")
    let killed = try await box.daemon(at: "2026-11-21 09:00:02")
    try await waitUntil("the reminder is under way; log: \(killed.log)") { try server.received().count == 1 }
    #expect(await killed.stop(SIGKILL).end == .signalled(SIGKILL))
    try await box.json("check", "1", at: "2026-11-21 09:00:30")
    #expect(try await box.json("deliveries").elements?.map { $0["state"] } == [.text("discarded")])
    let daemon = try await box.daemon(at: "2026-11-21 09:01:10")
    try await waitUntil("the check is told; log: \(daemon.log)") { try server.received().count == 2 }
    #expect(await daemon.stop().end == .exited(0))
    #expect(try bodies(server).map { $0["type"]?.text } == ["reminder.fired", "reminder.answered"])
    let explained = try await box.belfry("explain", "1").output
    #expect(explained.contains("outcome unknown, belfryd was killed"), "\(explained)")
    // The next daemon follows an orderly end, and finds nothing to report.
    let last = try await box.daemon(at: "2026-11-21 09:02:10")
    #expect(await last.stop().end == .exited(0))
    #expect(!last.log.contains("killed"), "\(last.log)")
    #expect(try server.received().count == 2)
  }

  @Test("Slack cannot change what it got, and is told nothing")
  func nothing() async throws {
    let server = try HTTPCollector(answers: [.init(200, body: "ok")])
    let box = try box("format: slack, url: \"\(server.url)\"")
    let daemon = try await ring(box, server)
    try await box.json("delete", "1", at: "2026-11-21 09:00:10")
    #expect(await daemon.stop().end == .exited(0))
    #expect(try await box.json("deliveries").elements?.count == 1)
  }
}
