import Foundation
import Synchronization
import SystemThreads
import Testing

/// Tasks on a thread of their own.
@Suite struct TaskThreadTests {
  /// Records the order of jobs, and whether they all ran on one thread.
  private final class Trace: Sendable {
    private let names = Mutex<[String]>([])
    private let threads = Mutex<Set<UInt>>([])

    var entries: [String] { names.withLock { $0 } }
    var threadCount: Int { threads.withLock { $0.count } }

    func note(_ name: String) {
      names.withLock { $0.append(name) }
      threads.withLock { _ = $0.insert(UInt(pthread_self())) }
    }
  }

  @Test("tasks run in the order in which they came, all on one thread, also after they waited")
  func order() async {
    let (thread, trace) = (TaskThread(), Trace())
    let tasks = (0..<50).map { number in
      Task(executorPreference: thread) {
        trace.note("\(number)")
        await Task.yield()
        trace.note("again")
      }
    }
    for task in tasks { await task.value }
    #expect(trace.entries.filter { $0 != "again" } == (0..<50).map { "\($0)" })
    #expect(trace.entries.count == 100)
    #expect(trace.threadCount == 1)
  }

  @Test("a thread ends with the last that was given to it")
  func end() async {
    weak var left: TaskThread?
    for _ in 0..<20 {
      let thread = TaskThread()
      left = thread
      await Task(executorPreference: thread) {}.value
    }
    // Objects used by a task are released shortly after it.
    while left != nil, !Task.isCancelled { await Task.yield() }
    #expect(left == nil)
  }
}
