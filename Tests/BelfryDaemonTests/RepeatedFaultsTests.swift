import BelfryEngine
import BelfryTestKit
import Foundation
import Synchronization
import Testing

@testable import BelfryDaemon

@Suite struct RepeatedFaultsTests {
  private final class Log: Sendable {
    let events = Mutex<[Event]>([])
  }

  @Test("a fault is told once and then each hour, another one at once, and the same again after all was well")
  func repeated() {
    let log = Log()
    var faults = RepeatedFaults { event in log.events.withLock { $0.append(event) } }
    func told() -> [String] {
      log.events.withLock { events in
        defer { events = [] }
        return events.map(\.message)
      }
    }
    let damaged = Event(.error, "store.json:1:1: damaged")
    for second in stride(from: 0.0, through: 7_200, by: 5) { faults.report(damaged, at: Sample.now + second) }
    #expect(told() == [damaged, damaged, damaged].map(\.message))
    faults.report(Event(.error, "disk full"), at: Sample.now + 7_201)
    faults.report(damaged, at: Sample.now + 7_202)
    #expect(told() == ["disk full", damaged.message])
    faults.end()
    faults.end()
    faults.report(damaged, at: Sample.now + 7_203)
    faults.report(damaged, at: Sample.now - 86_400)
    #expect(told() == ["the fault is over: the store can be used again", damaged.message, damaged.message])
  }
}
