import BelfryEngine
import CivilTime
import Dispatch
import Synchronization
import Testing

@testable import BelfryDaemon

@Suite struct StoreWaitTests {
  private final class Log: Sendable {
    let events = Mutex<[Event]>([])
    let logged = DispatchSemaphore(value: 0)

    /// The messages so far, which it forgets.
    func take() -> [String] {
      events.withLock { events in
        defer { events = [] }
        return events.map(\.message)
      }
    }
  }

  @Test("a use that takes too long is logged once, and that it goes on; a short one and an error are not")
  func waits() throws {
    let log = Log()
    func wait(patience: Double) -> StoreWait {
      StoreWait(for: "the store", time: SystemTimeSource(), patience: patience) { event in
        log.events.withLock { $0.append(event) }
        log.logged.signal()
      }
    }
    #expect(wait(patience: 3_600).during { 1 } == 1)
    #expect(log.take() == [])
    let impatient = wait(patience: 0.02)
    let warning = "the store has kept the daemon waiting for 0 s; nothing rings meanwhile"
    impatient.during { log.logged.wait() }
    #expect(log.take() == [warning, "the store can be used again after 0 s"])
    log.logged.wait()
    #expect(throws: CancellationError.self) {
      try impatient.during {
        log.logged.wait()
        throw CancellationError()
      }
    }
    #expect(log.take() == [warning])
  }
}
