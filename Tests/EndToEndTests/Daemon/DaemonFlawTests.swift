import DaemonModels
import Foundation
import TestSupport
import Testing

/// Several daemons that break a rule: the check of their history finds it, and the model refuses their trace. Without it
/// nothing is found and nothing refused.
@Suite("Daemons with a flaw", .serialized, .ownThread)
struct DaemonFlawTests {
  /// Two that break promises of two kinds, or all with `BELFRY_DEEP=1`.
  private static let flaws: [DaemonFlaw] =
    ProcessInfo.processInfo.environment["BELFRY_DEEP"] == "1" ? DaemonFlaw.allCases : [.noPoll, .wideBegin]

  @Test("are found, each by the promise that it breaks", arguments: flaws)
  func found(flaw: DaemonFlaw) async throws {
    // A run need not meet the moment in which the flaw matters.
    var broken: (findings: [String], refusal: TraceReplay.Finding?) = ([], nil)
    for seed in 1...3 as ClosedRange<UInt64> where !broken.findings.contains(where: { $0.contains(flaw.finding) }) {
      broken = try await findings(of: flaw, isThere: true, seed: seed)
    }
    #expect(broken.findings.contains { $0.contains(flaw.finding) }, "\(broken.findings.prefix(5))")
    if !flaw.refusals.isEmpty {
      let refusal = broken.refusal
      #expect(refusal.map { flaw.refusals.contains($0.reason) } == true, "\(refusal?.description ?? "")")
    }
    let sound = try await findings(of: flaw, isThere: false)
    #expect(sound.findings.isEmpty, "\(sound.findings.prefix(5))")
    #expect(sound.refusal == nil, "\(sound.refusal?.description ?? "")")
  }

  // What is found in the history of a run in which the flaw matters, and in its trace.
  private func findings(
    of flaw: DaemonFlaw, isThere: Bool, seed: UInt64 = 1
  ) async throws -> (findings: [String], refusal: TraceReplay.Finding?) {
    var setup = ManyDaemonsRun.Setup(items: 400, seed: seed, lease: 2, flaw: isThere ? flaw : nil)
    switch flaw {
    case .noPoll: (setup.items, setup.hasClocks, setup.pollsOnly) = (40, true, true)
    case .lateSecond: (setup.hasNetworks, setup.lease) = (true, 7)
    case .recordsFirst, .memoryQueue, .wideBegin: break
    }
    let run = try await ManyDaemonsRun(setup)
    try await run.start(3)
    guard flaw != .noPoll else {
      try await run.goWithoutNotifications()
      if !isThere { try await run.finish() }
      return try (run.history.findings, run.refusal)
    }
    try await run.fill()
    try await run.waitForArrivals(30)
    try await run.answer()
    if let step = flaw.step { try await run.perform(step) }
    try await run.finish()
    return try (run.history.findings, run.refusal)
  }

  @Test("are found where an answer cancels nothing until something follows up on it")
  func laterCancelled() async throws {
    let run = try await ManyDaemonsRun(ManyDaemonsRun.Setup(items: 400))
    try await run.start(3)
    try await run.fill()
    try await run.waitForArrivals(30)
    try run.keepAnswered()
    try await run.answer()
    try await run.waitForArrivals(70)
    try run.cancelAnswered()
    try await run.finish()
    let findings = try run.history.findings
    #expect(findings.contains { $0.contains("s after its answer") }, "\(findings.prefix(5))")
    #expect(try run.refusal?.reason == "its answer has not cancelled what is pending, and that alone")
  }
}

extension DaemonFlaw {
  /// The fault at which it matters; `nil` for none.
  fileprivate var step: ManyDaemonsRun.Step? {
    switch self {
    case .recordsFirst, .wideBegin: .kill
    case .lateSecond: .lateCommits
    case .noPoll, .memoryQueue: nil
    }
  }

  /// The reasons for which the model refuses a trace with it; none if nothing happens, which no trace shows.
  fileprivate var refusals: [String] {
    switch self {
    case .recordsFirst: [DaemonModel.Refusal.hasNotEnded.rawValue]
    case .noPoll: []
    case .memoryQueue: [DaemonModel.Refusal.isNotPending.rawValue]
    case .wideBegin: [DaemonModel.Refusal.hasNoSlot.rawValue, DaemonModel.Refusal.isUnrecorded.rawValue]
    case .lateSecond: [DaemonModel.Refusal.isTooLate.rawValue]
    }
  }
}

extension ManyDaemonsRun {
  /// Adds the items, and waits for a few polls, long before the next minute.
  fileprivate func goWithoutNotifications() async throws {
    let second = Int(Date().timeIntervalSince1970) % 60
    for daemon in daemons { try setClock(of: daemon, to: 62 - second) }
    try open(upTo: 100)
    try await fill()
    let end = now + 10
    try await waitUntil("everything has arrived, or should have") {
      box.lines("collected").count == setup.items || now > end
    }
  }

  /// Makes the store keep pending what an answer discards.
  fileprivate func keepAnswered() throws {
    _ = try query(
      """
      CREATE FUNCTION belfry.keep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN OLD; END';
      CREATE TRIGGER keep BEFORE UPDATE ON belfry.delivery FOR EACH ROW WHEN (OLD.state = 0 AND NEW.state = 3)
        EXECUTE FUNCTION belfry.keep()
      """)
  }

  /// Discards what was answered.
  fileprivate func cancelAnswered() throws {
    _ = try query(
      """
      DROP TRIGGER keep ON belfry.delivery;
      UPDATE belfry.delivery SET state = 3, next_attempt_at = NULL, closed_at = permitted_from
      FROM belfry.message_owner JOIN belfry.item ON item.id = owner_id
      WHERE message_owner.message_id = delivery.message_id AND state = 0 AND is_checked
      """)
  }
}
