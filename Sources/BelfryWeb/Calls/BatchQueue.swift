import Synchronization
import SystemThreads

/// A queue that handles together all inputs that arrived during earlier work, so that many callers share one commit.
final class BatchQueue<Input: Sendable, Output: Sendable>: Sendable {
  /// Works on a batch on the queue's thread, and returns the outcome of each input in the same order.
  typealias Work = @Sendable ([Input]) -> [Result<Output, any Error>]

  private struct Entry: Sendable {
    let input: Input
    let continuation: CheckedContinuation<Output, any Error>
  }

  private let limit: Int
  private let work: Work
  private let thread = TaskThread()
  private let waiting = Mutex<[Entry]>([])

  /// A queue without a thread, which starts with the first input.
  ///
  /// - Parameter limit: the most inputs in a batch. While one is written, the daemon and commands wait for the store.
  init(limit: Int = 32, work: @escaping Work) {
    self.limit = limit
    self.work = work
  }

  /// Submits an input, and waits for its outcome.
  ///
  /// - Throws: ``Problem`` 503 if too many wait, and the error of the input.
  func output(of input: Input) async throws -> Output {
    try await withCheckedThrowingContinuation { add(Entry(input: input, continuation: $0)) }
  }

  private func add(_ entry: Entry) {
    let isAdded = waiting.withLock { waiting in
      guard waiting.count < StoreThreads.most else { return false }
      waiting.append(entry)
      return true
    }
    guard isAdded else { return entry.continuation.resume(throwing: StoreThreads.tooMany) }
    // One task for each input: a task whose input is in an earlier batch finds the next batch, or nothing.
    Task(executorPreference: thread) { [self] in workOnNext() }
  }

  private func workOnNext() {
    let batch = waiting.withLock { waiting in
      defer { waiting.removeFirst(min(limit, waiting.count)) }
      return Array(waiting.prefix(limit))
    }
    guard !batch.isEmpty else { return }
    for (entry, outcome) in zip(batch, work(batch.map(\.input))) { entry.continuation.resume(with: outcome) }
  }
}
