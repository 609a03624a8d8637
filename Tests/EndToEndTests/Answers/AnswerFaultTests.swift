import Foundation
import Testing

/// A reminder with a nag has rung, and the only sink refuses connections, so that a retry waits.
@Suite("Answers under faults")
struct AnswerFaultTests {
  private static let calls = ["openat", "pwrite64", "fdatasync", "write", "fsync", "rename", "link", "unlink"]

  @Test(
    "killed at the N-th call, an answer and its taking back are done whole or not at all, and can be repeated",
    arguments: DiskStore.allCases)
  func killed(store: DiskStore) async throws {
    let box = try Sandbox(config: store.config + Self.sink)
    let reminder = try await ring(box)
    var answers = 0
    var kills = 0
    for call in Self.calls where store.calls.contains(call) {
      for number in 1...60 {
        let press = try await box.belfry(["act", reminder, "done"], on: store, inject: call, "signal=KILL", at: number)
        let isTaken = try await check(press, box, from: .ringing, to: .answered, "act: \(call) \(number)")
        if !isTaken { #expect(try await box.belfry("act", reminder, "done").isDone) }
        answers += 1
        let all = try #require(try await box.json("answers", "-n", "1000").elements)
        #expect(all.count == answers, "\(call) \(number): \(all)")
        #expect(all.first?["effect"] == .text("done") && all.first?["taken_back_at"] == .null)

        let back = try await box.belfry(
          ["take-back", "\(answers)"], on: store, inject: call, "signal=KILL", at: number)
        let isBack = try await check(back, box, from: .answered, to: .ringing, "take-back: \(call) \(number)")
        if !isBack { #expect(try await box.belfry("take-back", "\(answers)").isDone) }
        #expect(try await Bell(in: box) == .ringing)
        kills += [press, back].count { $0.outcome.end == .signalled(SIGKILL) }
        guard press.outcome.end == .signalled(SIGKILL) || back.outcome.end == .signalled(SIGKILL) else { break }
      }
    }
    #expect(kills >= 12, "\(kills) kills")
    #expect(try await box.belfry("store", "check").isDone)
    #expect(box.files().filter { $0.hasPrefix(".") } == [], "litter is left")
  }

  @Test("on a full disk an answer is refused, and changes nothing", arguments: DiskStore.allCases)
  func failing(store: DiskStore) async throws {
    let box = try Sandbox(config: store.config + Self.sink)
    let reminder = try await ring(box)
    var failures = 0
    for call in ["pwrite64", "fdatasync", "write", "fsync", "rename"] where store.calls.contains(call) {
      for number in 1...20 {
        let run = try await box.belfry(
          ["act", reminder, "done"], on: store, inject: call, "error=ENOSPC", at: number)
        let isTaken = try await check(run, box, from: .ringing, to: .answered, "\(call) \(number)")
        if isTaken {
          let last = try #require(try await box.json("answers", "-n", "1").elements?.first?["id"]?.integer)
          #expect(try await box.belfry("take-back", "\(last)").isDone)
        } else {
          #expect([74, 75].contains(run.outcome.status), "\(call) \(number): \(run.outcome)")
          #expect(run.outcome.messages.contains(store.path), "\(call) \(number): \(run.outcome)")
          failures += 1
        }
        guard run.isInjected else { break }
      }
    }
    #expect(failures >= 2, "\(failures) answers failed")
    #expect(try await box.belfry("act", reminder, "done").isDone)
    #expect(try await Bell(in: box) == .answered)
  }

  private static let sink = """

    sinks:
      mail: { type: email, url: "smtp://127.0.0.1:1", tls: none, from: a@example.org, to: [b@example.org] }

    """

  // Returns the reminder's identity.
  private func ring(_ box: Sandbox) async throws -> String {
    let added = try await box.belfry(
      "add", "Milk", "--due", "in 1 minute", "--nag", "1h", options: RunOptions(clock: "-5m"))
    try #require(added.isDone, "\(added)")
    let ring = try await box.run([Programs.belfry, "run", "--once"], RunOptions())
    try #require(ring.isDone || ring.status == 75 || ring.status == 69, "\(ring)")
    try #require(try await Bell(in: box) == .ringing, "\(ring)")
    return try #require(try await box.json("deliveries").elements?.first?["reminder_id"]?.text)
  }

  // Whole or not at all: returns whether it was done. Success means that it was.
  private func check(
    _ run: FaultRun, _ box: Sandbox, from before: Bell, to after: Bell, _ name: String
  ) async throws -> Bool {
    let found = try await Bell(in: box)
    #expect(found == before || found == after, "\(name): half done: \(found); \(run.outcome)")
    if run.outcome.isDone { #expect(found == after, "\(name): confirmed and lost: \(run.outcome)") }
    return found == after
  }
}
