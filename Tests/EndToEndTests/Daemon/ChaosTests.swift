import Foundation
import Testing

@Suite("A bad day")
struct ChaosTests {
  @Test(
    "kill -9, SIGSTOP and an other side that fails: nothing is lost, repeats are explained, the store tells the truth",
    arguments: [0, 1])
  func badDay(round: UInt64) async throws {
    let length = ChaosRun.Length(seconds: ProcessInfo.processInfo.environment["BELFRY_CHAOS_SECONDS"])
    // The long form has one round, of its full length.
    guard round == 0 || !length.isLong else { return }
    let run = try await ChaosRun(length, seed: 4_711 + round)
    try await run.misbehave()
    try await run.settle()
    try await check(run)
  }

  private func check(_ run: ChaosRun) async throws {
    let deliveries = try #require(try await run.box.json("deliveries").elements)
    #expect(deliveries.count == run.length.items * 3)
    #expect(Set(deliveries.map { $0["state"] }) == [.text("delivered")])
    let log = try run.collected()
    for sink in ["hook", "mail", "out"] {
      let stored = deliveries.filter { $0["sink"] == .text(sink) }
      try check(stored, against: log.filter { $0.sink == sink }, sink, run)
    }
    #expect(run.kills.count >= 2, "the test has to meet kills")
    #expect(Set(log.filter { $0.sink != "out" }.map(\.result)) == ["taken", "refused", "unknown"])
    let integrity = try await run.box.belfry("store", "check")
    #expect(integrity.isDone, "\(integrity)")
  }

  private func check(_ stored: [JSON], against log: [ChaosRun.Arrival], _ sink: String, _ run: ChaosRun) throws {
    // Messages on standard output are identified by their reminder.
    let key = sink == "out" ? "reminder_id" : "message_id"
    #expect(stored.count == run.length.items)
    let identities = Set(stored.compactMap { $0[key]?.text })
    #expect(identities.count == run.length.items, "\(sink): a message for each reminder")
    let arrivals = Dictionary(grouping: log, by: \.identity)
    let putOff = run.putOff()
    #expect(Set(arrivals.keys) == identities, "\(sink): one identity for each message, and none missing")
    for delivery in stored {
      let identity = try #require(delivery[key]?.text)
      let seen = arrivals[identity] ?? []
      #expect(seen.contains { $0.result == "taken" }, "\(sink): \(identity) was recorded and nobody said yes")
      for (earlier, later) in zip(seen, seen.dropFirst()) where earlier.result == "taken" {
        #expect(
          run.isDisturbed(from: earlier.time, to: later.time), "\(sink): \(identity) was repeated without a reason")
      }
      let attempts = try #require(delivery["attempts"]?.integer)
      // An attempt may fail before it reaches the receiver, and is then in the log. A line of the log, or a record, may
      // be lost with its daemon, once for each restart. Nothing else explains a difference.
      let number = try #require(delivery["id"]?.integer)
      let logged = 1 + (putOff[Int(number)] ?? 0)
      #expect(
        logged...(logged + run.starts - 1) ~= Int(attempts),
        "\(sink): \(identity) was tried \(attempts) times, \(logged) by the log")
      #expect(
        seen.count <= Int(attempts) + run.starts - 1, "\(sink): \(identity) was tried \(attempts) times, seen \(seen)")
    }
  }
}
