import Synchronization
import SystemThreads

/// Threads for calls that may wait for the store, so that no request delays the others.
final class StoreThreads: Sendable {
  /// The most calls that may wait; further ones would wait longer than their clients do.
  static let most = 256

  /// The error of a call beyond that limit.
  static let tooMany = Problem(.serviceUnavailable, "too many requests wait for the store", retryAfter: 1)

  private let threads: [TaskThread]
  private let queued: Mutex<[Int]>

  init(count: Int = 4) {
    threads = (0..<count).map { _ in TaskThread() }
    queued = Mutex([Int](repeating: 0, count: count))
  }

  /// Runs a call on the least busy thread. A cancelled caller cancels the call's task, which long calls check.
  ///
  /// - Throws: ``Problem`` 503 if too many wait, and what the call throws.
  func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    let index = try queued.withLock { queued throws(Problem) in
      guard queued.reduce(0, +) < Self.most, let index = queued.indices.min(by: { queued[$0] < queued[$1] }) else {
        throw Self.tooMany
      }
      queued[index] += 1
      return index
    }
    defer { queued.withLock { $0[index] -= 1 } }
    let task = Task(executorPreference: threads[index]) { try body() }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}
