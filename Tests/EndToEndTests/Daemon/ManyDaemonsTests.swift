import BelfryTestKit
import Foundation
import TestSupport
import Testing

/// Several daemons on one server, with faults in the middle of a burst.
@Suite("Several daemons")
struct ManyDaemonsTests {
  private static let isDeep = ProcessInfo.processInfo.environment["BELFRY_DEEP"] == "1"
  private static let seeds: ClosedRange<UInt64> = isDeep ? 1...10 : 1...1

  @Test("lose nothing, and repeat only what a fault explains", arguments: seeds)
  func faults(seed: UInt64) async throws {
    let run = try await ManyDaemonsRun(items: Self.isDeep ? 4_000 : 1_000, seed: seed)
    try await run.start(3)
    for (index, fault) in [ManyDaemonsRun.Step.kill, .end, .stop, .restart, .kill].enumerated() {
      try await run.waitForArrivals((index + 1) * 15)
      try await run.answer()
      try await run.perform(fault)
    }
    try await run.finish()
    let history = try run.history
    #expect(history.findings.isEmpty, "\(history.findings.prefix(5)) \(run.log)")
    #expect(history.answers.count > 10, "only \(history.answers.count) answers came in time")
    #expect(Set(history.terms).count > 2, "\(history.terms)")
    if Self.isDeep { print("seed \(seed): takeovers after \(run.takeovers) s, \(history.arrivals.count) arrivals") }
  }

  @Test("behind a pooler that keeps no session, lose nothing either, and hand over by their leases alone")
  func pooled() async throws {
    let run = try await ManyDaemonsRun(items: 600, seed: 1, isPooled: true)
    try await run.start(3)
    for (index, fault) in [ManyDaemonsRun.Step.end, .kill, .restart].enumerated() {
      try await run.waitForArrivals((index + 1) * 20)
      try await run.answer()
      try await run.perform(fault)
    }
    try await run.finish()
    let history = try run.history
    #expect(history.findings.isEmpty, "\(history.findings.prefix(5)) \(run.log)")
    #expect(history.answers.count > 5, "only \(history.answers.count) answers came in time")
    #expect(Set(history.terms).count > 1, "\(history.terms)")
  }

  @Test("are listed, each with its part")
  func listed() async throws {
    let run = try await ManyDaemonsRun(items: 4, seed: 1)
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
