import BelfryEngine
import CivilTime

/// Belfry's use cases, called on threads that may wait for the store.
struct StoreCalls: Sendable {
  let belfry: Belfry
  let threads: StoreThreads
  /// The changes that wait for their commit.
  let changes: BatchQueue<WaitingChange, Void>

  init(belfry: Belfry, threads: StoreThreads) {
    (self.belfry, self.threads) = (belfry, threads)
    changes = BatchQueue { WaitingChange.make($0, belfry) }
  }

  /// Makes a call.
  ///
  /// - Throws: ``Problem`` 503 if too many wait, `CancellationError` if the caller is cancelled before the call begins,
  ///   and what the call throws.
  func run<Result: Sendable>(_ body: @escaping @Sendable (Belfry) throws -> Result) async throws -> Result {
    // Checked before queueing too, since a queued call could begin before it learns that its caller was cancelled.
    try Task.checkCancellation()
    return try await threads.run { [belfry] in
      try Task.checkCancellation()
      return try body(belfry)
    }
  }

  /// Reads one consistent state.
  func read<Result: Sendable>(_ body: @escaping @Sendable (Reading) throws -> Result) async throws -> Result {
    try await run { belfry in try belfry.read(body) }
  }
}
