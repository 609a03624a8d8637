import Foundation
import Testing
import TestSupport

/// Changes that other processes make to the store while a daemon waits for its next minute.
@Suite("Changes that the daemon notices at once")
struct NoticedChangesTests {
  @Test(
    "a retry is tried at once, for every store, also if the disk takes a second for each sync",
    arguments: DiskStore.allCases, [false, true])
  func retry(store: DiskStore, isSlow: Bool) async throws {
    let server = try HTTPCollector(answers: [.init(404), .init(204)])
    let box = try Sandbox(config: "\(store.config)\nsinks: { hook: { type: webhook, url: \"\(server.url)\" } }\n")
    try await box.json("add", "Milk", "--due", "09:00", at: "2026-11-21 08:00:00")
    let clock = "2026-11-21 09:00:02"
    let daemon = try await box.daemon(at: clock)
    try await daemon.waitForLog("given up")
    #expect(try server.received().count == 1)
    let options = isSlow ? RunOptions(prefix: try slowDisk(clock)) : .at(clock)
    try await box.belfry("deliveries", "retry", "--dead", options: options).requireDone()
    try await waitUntil("the delivery is tried again; log: \(daemon.log)") {
      try server.received().count == 2
    }
    #expect(await daemon.stop().end == .exited(0))
    let delivery = try #require(try await box.json("deliveries").elements?.first)
    #expect(delivery["state"] == .text("delivered"))
    // Without notice it waits for the next minute of its clock.
    #expect("\(delivery["delivered_at"] ?? .null)".contains("2026-11-21T09:00:"), "\(delivery)")
  }

  // The clock is the program's alone, since strace waits by its own.
  private func slowDisk(_ clock: String) throws -> [String] {
    let variables = try FakeClock.environment(clock).flatMap { ["-E", "\($0)=\($1)"] }
    return ["/usr/bin/strace", "-f", "-o", "trace", "-e", "inject=fdatasync,fsync:delay_enter=1000000"] + variables
  }
}
