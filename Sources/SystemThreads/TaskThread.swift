import Dispatch
import Glibc
import Synchronization

/// A thread of its own for tasks, one after the other where they do not wait.
///
/// Work that blocks holds up nobody else's. And Swift's pool is left alone: on Linux libdispatch, which is under it, wakes
/// once a second for ever after the pool was first used.
public final class TaskThread: TaskExecutor {
  private let queue = TaskQueue()

  /// A thread that starts with the first task and ends with this object.
  public init() {}

  deinit { queue.end() }

  /// Queues what a task does next; see `TaskExecutor`.
  public func enqueue(_ job: consuming ExecutorJob) {
    queue.append(UnownedJob(job), asUnownedTaskExecutor())
  }
}

/// What a thread has to do; apart from the executor, which the thread must not keep alive.
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

  package func append(_ job: UnownedJob, _ executor: UnownedTaskExecutor) {
    let (isFirst, isAsleep) = state.withLock { state in
      state.entries.append((job, executor))
      defer { (state.hasThread, state.isAsleep) = (true, false) }
      return (!state.hasThread, state.isAsleep)
    }
    // Without a thread what waits is run by the next that there is.
    if isFirst, !SystemThread.start({ [self] in run() }) { state.withLock { $0.hasThread = false } }
    if isAsleep { bell.signal() }
  }

  package func end() {
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
