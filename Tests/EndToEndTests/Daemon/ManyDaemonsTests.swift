import BelfryTestKit
import Foundation
import TestSupport
import Testing

/// Several daemons on one server, with faults in the middle of a burst.
@Suite("Several daemons", .serialized, .ownThread)
struct ManyDaemonsTests {
  private static let isDeep = ProcessInfo.processInfo.environment["BELFRY_DEEP"] == "1"
  private static let seeds: ClosedRange<UInt64> = isDeep ? 1...10 : 1...1

  @Test("lose nothing, and repeat only what a fault explains", arguments: seeds)
  func faults(seed: UInt64) async throws {
    let run = try await ManyDaemonsRun(.init(items: Self.isDeep ? 4_000 : 1_000, seed: seed))
    try await survive([.kill, .end, .stop, .restart, .kill], run, answers: 10, terms: 3)
    if Self.isDeep { print("seed \(seed): \(try run.tally)") }
  }

  @Test("lose nothing either over networks that are cut, one way or both, that refuse or are slow", arguments: seeds)
  func networks(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    var steps: [ManyDaemonsRun.Step] = [.network(.toServer), .slowness, .lateCommits, .network(.refusing), .leaseless]
    if Self.isDeep {
      let states: [FaultyNetwork.State] = [.cut, .toServer, .toClient, .refusing]
      let others: [ManyDaemonsRun.Step] = [.slowness, .lateCommits, .leaseless]
      steps = (0..<20).map {
        $0 % 4 == 3 ? others[$0 / 4 % 3] : .network(states.randomElement(using: &random) ?? .cut)
      }
    }
    let run = try await ManyDaemonsRun(.init(items: 400 * (steps.count + 1), seed: seed, hasNetworks: true))
    try await survive(steps, run, answers: 5, terms: 3)
    if Self.isDeep { print("seed \(seed): \(try run.tally)") }
  }

  @Test("lose and repeat nothing when clocks are set, up to ten minutes apart", arguments: seeds)
  func clocks(seed: UInt64) async throws {
    let offsets = (0..<(Self.isDeep ? 10 : 2)).map { $0.isMultiple(of: 2) ? 300 : -300 }
    let run = try await ManyDaemonsRun(.init(items: 200 * (offsets.count + 1), seed: seed, hasClocks: true))
    try await survive(offsets.map { .clocks($0) }, run, answers: 5, terms: 1)
    if Self.isDeep { print("seed \(seed): \(try run.tally)") }
  }

  /// Faults of all kinds, one after another.
  struct Campaign: CustomTestStringConvertible {
    var faults: Int
    /// As ``ManyDaemonsRun/Setup/lease``.
    var lease: Double?

    var testDescription: String { "\(faults) faults, leases of \(lease ?? 7) s" }

    /// A fault that these leases outlast.
    func step(_ random: inout SeededGenerator) -> ManyDaemonsRun.Step {
      let states: [FaultyNetwork.State] = [.cut, .toServer, .toClient, .refusing]
      let usual: [ManyDaemonsRun.Step] = [.kill, .kill, .end, .stop, .restart, .leaseless, .clocks(300), .clocks(-300)]
      let slow: [ManyDaemonsRun.Step] = lease == nil ? [.slowness, .lateCommits] : []
      return (usual + slow + states.map { .network($0) }).randomElement(using: &random) ?? .kill
    }
  }

  private static let campaigns =
    isDeep ? [Campaign(faults: 10_000, lease: 0.5), Campaign(faults: 200)] : [Campaign(faults: 6, lease: 2)]

  @Test("lose nothing under faults of all kinds", arguments: campaigns)
  func campaign(_ campaign: Campaign) async throws {
    let limit = ProcessInfo.processInfo.environment["BELFRY_FAULTS"].flatMap { Int($0) } ?? campaign.faults
    var (sum, seed) = (FaultTally(), UInt64(0))
    while sum.faults < min(limit, campaign.faults) {
      seed += 1
      var random = SeededGenerator(seed: seed)
      let steps = (0..<min(20, campaign.faults)).map { _ in campaign.step(&random) }
      let setup = ManyDaemonsRun.Setup(
        items: 200 * (steps.count + 1), seed: seed, hasNetworks: true, hasClocks: true, lease: campaign.lease)
      let run = try await ManyDaemonsRun(setup)
      try await survive(steps, run, answers: 1, terms: 1)
      sum += try run.tally
      if Self.isDeep { print("\(campaign.testDescription): \(sum)") }
    }
  }

  @Test("go on at the standby that takes the place of their server")
  func promoted() async throws {
    let run = try await ManyDaemonsRun(.init(items: 600, hasStandby: true))
    try await survive([.promote, .kill], run, answers: 5, terms: 2)
  }

  // Performs faults in the middle of the burst, each after some answers. The burst goes on up to the next one.
  private func survive(
    _ steps: [ManyDaemonsRun.Step], _ run: ManyDaemonsRun, answers: Int, terms: Int
  ) async throws {
    try await run.start(3)
    try await run.fill()
    let shares = steps.indices.map { ($0 + 1) * 80 / (steps.count + 1) }
    for (index, step) in steps.enumerated() {
      try await run.waitForArrivals(shares[index])
      try await run.answer()
      try run.open(upTo: index + 1 < steps.count ? shares[index + 1] : 100)
      try await run.perform(step)
    }
    try await run.finish()
    let history = try run.history
    #expect(history.findings.isEmpty, "\(history.findings.prefix(5)) \(run.log)")
    let inTime = history.answers.count - Set(history.arrivals.map(\.item)).intersection(history.answers.keys).count
    #expect(inTime > answers, "only \(inTime) answers came in time")
    #expect(Set(history.terms).count >= terms, "\(history.terms)")
    let refusal = try run.refusal
    #expect(refusal == nil, "\(refusal?.description ?? "") \(run.log)")
    if Self.isDeep { print("\(try run.trace.events.count) events replayed") }
  }

  @Test("behind a pooler that keeps no session, lose nothing either, and hand over by their leases alone")
  func pooled() async throws {
    let run = try await ManyDaemonsRun(.init(items: 600, isPooled: true))
    try await survive([.end, .kill, .restart], run, answers: 5, terms: 2)
  }

  @Test("are listed, each with its part")
  func listed() async throws {
    let run = try await ManyDaemonsRun(.init(items: 4))
    try await run.start(2)
    let status = try await run.box.json("service", "status")
    let daemons = try #require(status.elements?.first?["daemons"], "\(status)")
    let list = try #require(daemons.elements)
    #expect(list.count == 2)
    #expect(list.filter { $0["leads"] == .bool(true) }.count == 1)
    let words = try await run.box.belfry("service", "status")
    #expect(words.isDone && words.output.contains("Daemons 2 on this store"), "\(words)")
    let doctor = try await run.box.belfry("doctor")
    #expect(doctor.output.contains("2 daemons share the store"), "\(doctor)")
    try await run.finish()
  }
}
