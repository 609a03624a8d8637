import BelfryTestKit
import Foundation
import TestSupport
import Testing

/// Many reminders at once, in each store: what a kill repeats, and what an answer still stops.
@Suite("A burst", .ownThread)
struct BurstTests {
  private static let isDeep = ProcessInfo.processInfo.environment["BELFRY_DEEP"] == "1"
  private static let items = isDeep ? 2_000 : 200
  private static let kills = isDeep ? 50 : 5
  /// The answers that a run must meet.
  private static let answers = isDeep ? 1_000 : 50

  @Test("a kill repeats no more than two messages for each slot, and loses none", arguments: BurstRun.Home.allCases)
  func kills(home: BurstRun.Home) async throws {
    let run = try await BurstRun(home, items: Self.items, answerAfter: 0.01)
    var random = SeededGenerator(seed: 37)
    var (repeats, most) = (0, 0)
    for _ in 1...Self.kills {
      let known = try run.arrivals().count
      let daemon = try run.start()
      let count = min(known + Int.random(in: 20...60, using: &random), Self.items)
      try await waitUntil("\(count) messages arrived: \(run.box.text("log"))") { try run.arrivals().count >= count }
      daemon.send(SIGKILL)
      _ = await daemon.end
      let now = try run.repeats()
      (repeats, most) = (now, max(most, now - repeats))
    }
    try await run.settle()
    let all = try run.repeats()
    most = max(most, all - repeats)
    #expect(most <= 2 * BurstRun.slots, "one kill repeated \(most) messages")
    #expect(all > 0, "the test has to meet attempts that a kill cut off")
    if Self.isDeep { print("\(home): \(Self.kills) kills repeated \(all) messages, one at most \(most)") }
    #expect(try Set(run.arrivals().map(\.item)).count == Self.items)
    #expect(try Set(run.arrivals().map(\.identity)).count == Self.items)
  }

  @Test("no attempt begins later than a second after another program has answered", arguments: BurstRun.Home.allCases)
  func answers(home: BurstRun.Home) async throws {
    let run = try await BurstRun(home, items: Self.items, answerAfter: 1, gate: 0)
    let answered = try await run.answers(of: Self.items)
    let arrivals = try run.arrivals()
    let late = arrivals.filter { $0.time > answered[$0.item, default: .infinity] + 1 }
    #expect(late.isEmpty, "\(late.count) attempts began later than a second after the answer: \(late.prefix(3))")
    let arrived = Set(arrivals.map(\.item))
    let stopped = answered.keys.filter { !arrived.contains($0) }.count
    #expect(answered.count >= Self.answers, "only \(answered.count) items were answered")
    #expect(stopped > 5, "only \(stopped) of \(answered.count) answers came before the attempt")
    #expect((1...Self.items).allSatisfy { arrived.contains($0) || answered[$0] != nil }, "something was never sent")
    if Self.isDeep {
      let last = arrivals.map { $0.time - answered[$0.item, default: .infinity] }.max() ?? 0
      print("\(home): \(answered.count) answers, \(stopped) in time; the last attempt \(last) s after its answer")
    }
  }
}
