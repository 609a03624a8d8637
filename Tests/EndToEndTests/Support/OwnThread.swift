import Foundation
import Testing

/// Runs each test of a suite apart from the few threads that all tests share, because it blocks: it waits for programs of
/// others in plain calls. Other tests kill their programs at a time, and would do so too late.
struct OwnThread: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(QueueExecutor()) { try await function() }
  }
}

extension Trait where Self == OwnThread {
  static var ownThread: OwnThread { OwnThread() }
}

/// Runs the jobs of one test, one after another.
private final class QueueExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "belfry.test")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
