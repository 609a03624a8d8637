import Foundation
import Testing

@Suite("Any system call of a daemon that delivers may fail")
struct DeliveryFaultTests {
  private static let config = """
    missed: { policy: all }
    sinks: { out: { type: stdout, format: json } }

    """

  private static func faults(of store: DiskStore) -> [(call: String, error: String)] {
    switch store {
    case .sqlite: [("pwrite64", "ENOSPC"), ("fdatasync", "EIO")]
    case .json, .plist: [("write", "ENOSPC"), ("fsync", "EIO"), ("rename", "EIO")]
    }
  }

  @Test(
    "the N-th call fails while a reminder is claimed, sent and recorded: it goes out all the same, and twice at most",
    arguments: DiskStore.allCases)
  func failing(store: DiskStore) async throws {
    let box = try Sandbox(config: "\(store.config)\n\(Self.config)")
    var (injected, repeated) = (0, 0)
    for (call, error) in Self.faults(of: store) {
      for number in 1...40 {
        let text = "\(call) number \(number) is \(error)"
        // With a clock that is behind, an overdue item is still in the future.
        let due = Date(timeIntervalSinceNow: -60).formatted(.iso8601)
        try await box.belfry("add", text, "--due", due, options: RunOptions(clock: "-1h")).requireDone()
        let options = RunOptions(prefix: box.tracing(store, injecting: "\(call):error=\(error):when=\(number)"))
        let outcome = try await box.run([Programs.belfryd, "--once"], options)
        let run = FaultRun(outcome: outcome, trace: box.trace)
        let next = try await box.run([Programs.belfryd, "--once"], RunOptions())
        #expect(next.isDone, "\(text): \(next)")
        let arrivals = [outcome, next].map { $0.output.ranges(of: "\"text\":\"\(text)\"").count }
        #expect(arrivals.allSatisfy { $0 <= 1 } && arrivals != [0, 0], "\(text): \(arrivals), \(outcome), \(next)")
        if outcome.status == 0 {
          #expect(arrivals == [1, 0], "\(text): \(arrivals)")
        } else {
          #expect([73, 74, 75, 77].contains(outcome.status), "\(text): \(outcome)")
          #expect(outcome.messages.contains(store.path), "\(text): \(outcome)")
        }
        #expect(try await box.json("deliveries", "--state", "pending") == .array([]), "\(text)")
        guard run.isInjected else { break }
        injected += 1
        if arrivals == [1, 1] { repeated += 1 }
      }
    }
    #expect(injected >= 6, "\(injected) faults were met")
    #expect(repeated >= 1, "no fault met a record")
    #expect(try await box.belfry("store", "check").isDone)
  }
}
