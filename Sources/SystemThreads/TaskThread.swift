import Dispatch
import Glibc
import Synchronization

/// A task executor with a thread of its own, which runs one task at a time.
///
/// Tasks that block it delay no others. Swift's cooperative pool stays unused: on Linux its libdispatch wakes once a
/// second forever after its first use.
package final class TaskThread: TaskExecutor {
  private let queue = TaskQueue()

  /// An executor whose thread starts with the first task and ends with the executor.
  package init() {}

  deinit { queue.end() }

  /// Queues a job; see `TaskExecutor`.
  package func enqueue(_ job: consuming ExecutorJob) {
    queue.append(UnownedJob(job), asUnownedTaskExecutor())
  }
}

/// The jobs of the thread, in a separate object, since the thread must not retain the executor.
private final class TaskQueue: Sendable {
  private typealias Entry = (job: UnownedJob, executor: UnownedTaskExecutor)

  private struct State {
    var entries: [Entry] = []
    var hasThread = false
    var isAsleep = false
    var isEnded = false
  }

  private let state = Mutex(State())
  private let bell = DispatchSemaphore(value: 0)

  func append(_ job: UnownedJob, _ executor: UnownedTaskExecutor) {
    let (isFirst, isAsleep) = state.withLock { state in
      state.entries.append((job, executor))
      defer { (state.hasThread, state.isAsleep) = (true, false) }
      return (!state.hasThread, state.isAsleep)
    }
    // If no thread could be started, the next job tries again and runs these too.
    if isFirst, !SystemThread.start({ [self] in run() }) { state.withLock { $0.hasThread = false } }
    if isAsleep { bell.signal() }
  }

  func end() {
    let isAsleep = state.withLock { state in
      state.isEnded = true
      defer { state.isAsleep = false }
      return state.isAsleep
    }
    if isAsleep { bell.signal() }
  }

  private func run() {
    while true {
      let (entries, isEnded) = state.withLock { state in
        state.isAsleep = state.entries.isEmpty && !state.isEnded
        defer { state.entries.removeAll(keepingCapacity: true) }
        return (state.entries, state.isEnded)
      }
      for entry in entries { entry.job.runSynchronously(on: entry.executor) }
      if entries.isEmpty {
        if isEnded { return }
        bell.wait()
      }
    }
  }
}
