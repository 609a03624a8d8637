import BelfryTestKit
import Foundation
import Testing

@Suite("kill -9 of the daemon")
struct DaemonCrashTests {
  static let items = 1_200
  static let kills = 20

  @Test("in the middle of delivering: nothing is lost, and what is repeated a kill explains")
  func delivering() async throws {
    let box = try Sandbox()
    let lines = (1...Self.items).map { "Item \($0)" }.joined(separator: "\n")
    try await box.belfry(
      "add", "-", "--due", "09:00", options: RunOptions(input: Data(lines.utf8), clock: "2026-11-21 08:00:00")
    ).requireDone()
    var random = SeededGenerator(seed: 42)
    var counts: [JSON: Int] = [:]
    var recorded: Set<JSON> = []
    var productive = 0
    let pipe = try SlowReader(path: box.path(RunningDaemon.output))
    for kill in 1...Self.kills {
      let daemon = try await box.daemon(at: "2026-11-21 09:00:05")
      // Some kills are immediate, some after a while.
      let count = min(Int.random(in: 0...80, using: &random), Self.items - recorded.count)
      try await waitUntil("\(count) lines come; log: \(daemon.log)") { pipe.lines(upTo: count).count >= count }
      daemon.process.send(SIGKILL)
      #expect(await daemon.process.end == .signalled(SIGKILL))
      let rung = try reminders(in: pipe.takeAll())
      if !rung.isEmpty { productive += 1 }
      #expect(Set(rung).count == rung.count, "one daemon rang twice, kill \(kill)")
      #expect(recorded.isDisjoint(with: rung), "rang again although recorded as delivered, kill \(kill)")
      for reminder in rung { counts[reminder, default: 0] += 1 }
      let delivered = try #require(try await box.json("deliveries", "--state", "delivered").elements)
      recorded = Set(delivered.compactMap { $0["reminder_id"] })
      #expect(recorded.isSubset(of: counts.keys), "recorded as delivered without having rung, kill \(kill)")
    }
    #expect(productive >= Self.kills / 2, "the test has to meet deliveries under way")
    let last = try await box.runOnce(at: "2026-11-21 09:02:00").compactMap { $0["data"]?["reminder_id"] }
    #expect(recorded.isDisjoint(with: last))
    for reminder in last { counts[reminder, default: 0] += 1 }
    #expect(counts.count == Self.items)
    #expect(counts.values.allSatisfy { $0 <= Self.kills + 1 })
    let deliveries = try #require(try await box.json("deliveries").elements)
    #expect(deliveries.count == Self.items)
    #expect(deliveries.allSatisfy { $0["state"] == .text("delivered") })
    #expect(Set(deliveries.map { $0["message_id"] }).count == Self.items)
    #expect(try await integrity(of: box) == "ok")
  }

  @Test("at any moment of its start and its minute: each reminder rings once a life, or again after a kill")
  func anyMoment() async throws {
    let box = try Sandbox()
    for number in 1...12 { try await box.json("add", "Item \(number)", "--due", "09:00", at: "2026-11-21 08:00:00") }
    var random = SeededGenerator(seed: 43)
    for _ in 1...25 {
      let daemon = try box.startDaemon(at: "2026-11-21 09:00:02")
      try await Task.sleep(for: .milliseconds(Int.random(in: 5...120, using: &random)))
      daemon.process.send(SIGKILL)
      #expect(await daemon.process.end == .signalled(SIGKILL))
    }
    _ = try await box.belfry(
      "run", "--once",
      options: RunOptions(
        output: .appending(box.path(RunningDaemon.output)), clock: "2026-11-21 09:03:00"))
    let rung = try reminders(in: box.lines(RunningDaemon.output))
    #expect(Set(rung).count == 12)
    let deliveries = try #require(try await box.json("deliveries").elements)
    #expect(deliveries.map { $0["state"] } == Array(repeating: .text("delivered"), count: 12))
  }

  /// The identifiers of the delivered reminders.
  private func reminders(in lines: [String]) throws -> [JSON] {
    try lines.map { line in
      let body = try JSON(line)
      return try #require(body["data"]?["reminder_id"])
    }
  }
}
