import BelfryEngine
import CivilTime
import FoundationEssentials
import Synchronization
import SystemThreads

extension Waker {
  /// Waits until work on a separate thread ends, while this thread serves its waits.
  ///
  /// - Throws: the error of the work, and as ``init(signals:time:pingInterval:)``.
  static func wait<Value: Sendable>(
    for work: @escaping @Sendable (any TaskWaits) async throws -> Value
  ) throws -> Value {
    let waker = try Waker(time: SystemTimeSource())
    let result = Mutex<Result<Value, any Error>?>(nil)
    let thread = TaskThread()
    Task(executorPreference: thread) {
      let ended: Result<Value, any Error>
      do { ended = .success(try await work(waker.tasks)) } catch { ended = .failure(error) }
      result.withLock { $0 = ended }
      waker.wake()
      withExtendedLifetime(thread) {}
    }
    while true {
      if let ended = result.withLock({ $0 }) { return try ended.get() }
      _ = waker.wait(until: .distantFuture)
    }
  }
}
