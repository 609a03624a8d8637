import Foundation
import Testing
import TestSupport

/// Changes that other processes make to the store while a daemon waits for its next minute.
@Suite("Changes that the daemon notices at once")
struct NoticedChangesTests {
  @Test("a retry is tried at once, for every store", arguments: ["sqlite", "json", "plist"])
  func retry(type: String) async throws {
    let server = try HTTPCollector(answers: [.init(404), .init(204)])
    let box = try Sandbox(
      config: """
        store: { type: \(type), path: store.\(type) }
        sinks: { hook: { type: webhook, url: "\(server.url)" } }
        """)
    try await box.json("add", "Milk", "--due", "09:00", at: "2026-11-21 08:00:00")
    let daemon = try await box.daemon(at: "2026-11-21 09:00:02")
    try await daemon.waitForLog("given up")
    #expect(try server.received().count == 1)
    try await box.json("deliveries", "retry", "--dead", at: "2026-11-21 09:00:02")
    try await waitUntil("the delivery is tried again; log: \(daemon.log)") {
      try server.received().count == 2
    }
    #expect(await daemon.stop().end == .exited(0))
    let delivery = try #require(try await box.json("deliveries").elements?.first)
    #expect(delivery["state"] == .text("delivered"))
    // Without notice it waits for the next minute of its clock.
    #expect("\(delivery["delivered_at"] ?? .null)".contains("2026-11-21T09:00:"), "\(delivery)")
  }
}
