import Foundation
import Testing

@Suite("A bad day, and everybody answers")
struct AnswerChaosTests {
  private static let isLong = ["BELFRY_CHAOS_SECONDS", "BELFRY_DEEP"].contains {
    ProcessInfo.processInfo.environment[$0] != nil
  }
  /// The time after an answer by which the daemon has heard of it, a second, and that for an attempt to arrive on a busy
  /// machine.
  private static let patience = 3.0

  @Test(
    "each answer has one effect and one reply, and nothing rings after it, whatever is killed meanwhile",
    arguments: DiskStore.allCases)
  func answers(store: DiskStore) async throws {
    let (long, short) = store == .sqlite ? (1_000, 20) : (100, 8)
    let count = Self.isLong ? long : short
    let seed: UInt64 = 815
    let run = try await AnswerChaosRun(count, on: store, seed: seed)
    let reminders = try await run.run()
    #expect(reminders.count == count)
    let kills = await run.programs.kills
    #expect(kills.daemon + kills.face >= 3, "the test has to meet kills: \(kills)")
    let last = try await run.ringLast()
    #expect(last == Set(reminders.filter(\.replies.isEmpty).map(\.text)), "seed \(seed): what rings on")
    let state = try await State(of: run)
    for reminder in reminders {
      let name = "seed \(seed), \(reminder.text)"
      checkReplies(reminder, name)
      try check(reminder, in: state, name)
      guard let answeredAt = reminder.answeredAt else { continue }
      let late = state.arrivals.filter { $0.ringing == reminder.text && $0.time > answeredAt + Self.patience }
      #expect(late.isEmpty, "\(name) rang \(late.map { $0.time - answeredAt }) s after it was answered")
    }
    let integrity = try await run.box.belfry("store", "check")
    #expect(integrity.isDone, "\(integrity)")
  }

  /// The final state in the store, by the texts of the items.
  private struct State {
    let arrivals: [ChaosArrivals.Arrival]
    let items: [String: [JSON]]
    let answers: [String: [JSON]]
    let pending: [String: [JSON]]
    let deliveries: [String: [JSON]]

    init(of run: AnswerChaosRun) async throws {
      func byText(_ words: String...) async throws -> [String: [JSON]] {
        let outcome = try await run.box.run([Programs.belfry] + words + ["--json"], RunOptions())
        return Dictionary(grouping: try outcome.elements) { $0["text"]?.text ?? "" }
      }
      arrivals = try await run.arrivals.all
      items = try await byText("show", "--all")
      answers = try await byText("answers", "-n", "1000000")
      pending = try await byText("pending")
      deliveries = try await byText("deliveries", "--state", "pending")
    }
  }

  private func checkReplies(_ reminder: AnswerChaosRun.Reminder, _ name: String) {
    for (press, replies) in Dictionary(grouping: reminder.replies, by: \.press) where press.way != .act {
      let texts = Set(replies.map(\.text))
      #expect(texts.count == 1, "\(name): \(press) got different replies: \(texts)")
    }
  }

  // The model: answers in their order, of which one counts if it is stronger than all before it.
  private func check(_ reminder: AnswerChaosRun.Reminder, in state: State, _ name: String) throws {
    let rows = (state.answers[reminder.text] ?? []).sorted { ($0["id"]?.integer ?? 0) < ($1["id"]?.integer ?? 0) }
    var inForce = 0
    for row in rows {
      let action = try #require(ChaosPress.Action.allCases.first { $0.identifier == row["action"]?.text }, "\(row)")
      let isStronger = action.strength > inForce
      #expect(row["effect"] == .text(isStronger ? "done" : "already"), "\(name): \(row)")
      if isStronger { inForce = action.strength }
    }
    // An act counts each time, any other press once over all its ways and repetitions.
    let presses = reminder.replies.map(\.press)
    let once = Set(presses.filter { $0.way != .act }.map { "\($0.way.channel) \($0.action.identifier)" })
    let acts = presses.filter { $0.way == .act }.map { "\($0.way.channel) \($0.action.identifier)" }
    let found = rows.map { "\($0["channel"]?.text ?? "") \($0["action"]?.text ?? "")" }
    #expect(found.sorted() == (Array(once) + acts).sorted(), "\(name): an answer is lost or doubled")

    let isChecked = state.items[reminder.text]?.map { $0["is_checked"] == .bool(true) }
    #expect(isChecked == [inForce == 3], "\(name)")
    let next = state.pending[reminder.text] ?? []
    // A snooze rings in an hour, and reminders without an answer nag on.
    #expect(next.count == ([0, 2].contains(inForce) ? 1 : 0), "\(name): \(next)")
    let fireDates = try next.compactMap { try $0.moment("fire_date") }
    if inForce == 2 { #expect(fireDates.allSatisfy { $0 > (reminder.answeredAt ?? 0) + 3_000 }, "\(name): \(next)") }
    let waiting = (state.deliveries[reminder.text] ?? []).filter { $0["type"] == .text("reminder.fired") }
    #expect(inForce == 0 || waiting.isEmpty, "\(name): \(waiting)")
  }
}
