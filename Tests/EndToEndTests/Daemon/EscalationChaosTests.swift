import Foundation
import Testing

@Suite("A bad day, and it rings until somebody answers")
struct EscalationChaosTests {
  @Test("each step is made once, or a kill explains it; nothing rings after the answer, and no step is missing")
  func escalate() async throws {
    let isLong = ProcessInfo.processInfo.environment["BELFRY_CHAOS_SECONDS"] != nil
    let run = try await EscalationChaosRun(isLong ? .long : .short, seed: 1_919)
    let history = try await run.run()
    #expect(history.faults == [])
    #expect(history.kills.count >= 5, "the test has to meet kills")
    #expect(Set(history.arrivals.map(\.result)) == ["taken", "refused", "unknown"])
    #expect(Set(history.runs.map { $0.answeredAt == nil }) == [true, false])
    let integrity = try await run.box.belfry("store", "check")
    #expect(integrity.isDone, "\(integrity)")
  }
}
