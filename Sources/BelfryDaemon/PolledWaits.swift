import BelfryEngine
import CivilTime
import FoundationEssentials
import Glibc
import Synchronization

/// The waits of tasks, as part of the daemon's one poll.
final class PolledWaits: TaskWaits {
  /// A descriptor for which a task waits.
  struct Descriptor {
    /// The number of the wait.
    let id: Int
    let awaited: pollfd
  }

  private struct Wait {
    let awaited: pollfd?
    let from: Date
    let until: Date?
    let task: CheckedContinuation<Void, Never>
  }

  private struct State {
    var lastID = 0
    var waits: [Int: Wait] = [:]
    var cancelled: Set<Int> = []
  }

  private let time: any TimeSource
  private let wake: @Sendable () -> Void
  private let state = Mutex(State())

  /// Starts without waits.
  ///
  /// - Parameters:
  ///   - time: the wall clock.
  ///   - wake: ends the poll, so that it restarts with another wait. Called from any thread.
  init(time: any TimeSource, wake: @escaping @Sendable () -> Void) { (self.time, self.wake) = (time, wake) }

  func until(_ instant: Date) async { await wait(for: nil, until: instant) }

  func ready(_ descriptor: Int32, for events: Int16, until instant: Date?) async {
    await wait(for: pollfd(fd: descriptor, events: events, revents: 0), until: instant)
  }

  /// The descriptors to poll, and the earliest instant at which a wait ends.
  var waiting: (descriptors: [Descriptor], earliest: Date?) {
    state.withLock { state in
      let descriptors = state.waits.compactMap { id, wait in wait.awaited.map { Descriptor(id: id, awaited: $0) } }
      return (descriptors, state.waits.values.compactMap(\.until).min())
    }
  }

  /// Ends these waits and waits whose instant was reached. After the clock was set back, the remaining time is unknown.
  func resume(_ ids: [Int]) {
    let now = time.now
    let tasks = state.withLock { state in
      let over = state.waits.filter { id, wait in
        ids.contains(id) || wait.until.map { now >= $0 || now < wait.from } ?? false
      }
      for id in over.keys { state.waits[id] = nil }
      return over.values.map(\.task)
    }
    for task in tasks { task.resume() }
  }

  private func wait(for awaited: pollfd?, until instant: Date?) async {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { task in
        let isCancelled = state.withLock { state in
          guard state.cancelled.remove(id) == nil else { return true }
          state.waits[id] = Wait(awaited: awaited, from: time.now, until: instant, task: task)
          return false
        }
        isCancelled ? task.resume() : wake()
      }
    } onCancel: {
      let wait = state.withLock { state in
        let wait = state.waits.removeValue(forKey: id)
        if wait == nil { state.cancelled.insert(id) }
        return wait
      }
      wait?.task.resume()
      // The poll must release the descriptor, which its owner is about to close.
      if wait != nil { wake() }
    }
    state.withLock { _ = $0.cancelled.remove(id) }
  }
}
