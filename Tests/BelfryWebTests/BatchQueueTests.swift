import Synchronization
import SystemThreads
import Testing

@testable import BelfryWeb

@Suite("Work in batches")
struct BatchQueueTests {
  private struct Odd: Error {}

  private final class Batches: Sendable {
    let all = Mutex<[[Int]]>([])
  }

  private let queue: BatchQueue<Int, Int>
  private let batches = Batches()
  private let started: AsyncStream<Void>
  private let gate = Gate()
  private let caller = TaskThread()

  /// A queue that doubles even numbers, and works on nothing before the gate is opened.
  init() {
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    self.started = started
    queue = BatchQueue { [batches, gate] batch in
      batches.all.withLock { $0.append(batch) }
      start.yield()
      gate.wait()
      return batch.map { $0.isMultiple(of: 2) ? .success(2 * $0) : .failure(Odd()) }
    }
  }

  /// Hands in numbers in order, and returns once all of them wait.
  private func handIn(_ numbers: ClosedRange<Int>) async -> [Task<Int, any Error>] {
    let tasks = numbers.map { number in
      Task(executorPreference: caller) { [queue] in try await queue.output(of: number) }
    }
    // The thread runs its tasks in order, each until it waits.
    await Task(executorPreference: caller) {}.value
    return tasks
  }

  @Test("all that came in while a batch was worked on is in the next, in order; a large one is divided")
  func order() async throws {
    let first = await handIn(0...0)
    for await _ in started { break }
    let others = await handIn(1...70)
    gate.open()
    for (number, task) in (first + others).enumerated() {
      switch await task.result {
      case .success(let output): #expect(number.isMultiple(of: 2) && output == 2 * number)
      case .failure(let error): #expect(!number.isMultiple(of: 2) && error is Odd, "\(number): \(error)")
      }
    }
    #expect(batches.all.withLock { $0 } == [[0], Array(1...32), Array(33...64), Array(65...70)])
    #expect(try await queue.output(of: 72) == 144)
  }

  @Test("one more than may wait is told to come again, at once")
  func tooMany() async throws {
    _ = await handIn(0...0)
    for await _ in started { break }
    let waiting = await handIn(1...StoreThreads.most)
    let error = await #expect(throws: Problem.self) { try await queue.output(of: 0) }
    #expect(error?.status == .serviceUnavailable)
    gate.open()
    #expect(try await waiting.last?.value == 2 * StoreThreads.most)
  }
}
