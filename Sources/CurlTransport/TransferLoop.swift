import CCurl
import CLinuxEvents
import FoundationEssentials
import Glibc
import Synchronization
import SystemThreads
import Transport

/// A thread with a multi handle of libcurl, and its interface for other threads.
///
/// The thread starts with the first work and retains the loop; ``stop()`` ends it.
final class TransferLoop<Kind: Exchange>: Sendable {
  typealias Outcome = Result<Kind.Answer, TransferFailure>

  /// A transfer, and the call at its end.
  struct Job: Sendable {
    let work: Kind.Work
    let ticket: Ticket
    /// Called once, by any thread.
    let end: @Sendable (Outcome) -> Void
  }

  /// The requests for the thread.
  struct Inbox {
    var jobs: [Job] = []
    var hasCancelled = false
    var hasRoom = false
    var isStopping = false

    var isEmpty: Bool { jobs.isEmpty && !hasCancelled && !hasRoom && !isStopping }
  }

  private struct State {
    var inbox = Inbox()
    var hasThread = false
    var isAsleep = false
    /// The failure for new work once the thread has ended.
    var end: TransferFailure?
    var watchers: [CheckedContinuation<Void, Never>] = []

    /// True if the thread must be woken, which is once for any number of requests while it sleeps.
    mutating func mustWake() -> Bool {
      defer { isAsleep = false }
      return isAsleep
    }
  }

  /// The time after which idle connections are closed.
  let idleLimit: Duration
  /// The sockets in which libcurl may block.
  let sockets = SocketSet()
  /// The event that wakes the thread; libcurl's own wake-up is slower and bound to a multi handle, which is replaced
  /// here.
  let wakeEvent = belfry_event_create()
  private let state = Mutex(State())

  /// A loop whose thread starts with the first work.
  init(idleLimit: Duration) { self.idleLimit = idleLimit }

  deinit { close(wakeEvent) }

  /// Runs one piece of work on the loop's thread, until the task is cancelled.
  ///
  /// - Throws: ``TransferFailure``.
  func run(_ work: Kind.Work) async throws(TransferFailure) -> Kind.Answer {
    let ticket = Ticket()
    let outcome: Outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        submit(Job(work: work, ticket: ticket) { continuation.resume(returning: $0) })
      }
    } onCancel: {
      cancel(ticket)
    }
    return try outcome.get()
  }

  /// Cancels the work that was submitted with a ticket.
  func cancel(_ ticket: Ticket) {
    ticket.cancel()
    post { $0.hasCancelled = true }
    sockets.stopReading()
  }

  /// Continues the transfers that wait for their readers.
  func resume() { post { $0.hasRoom = true } }

  /// Ends the thread; transfers in flight end as cancelled.
  func stop() {
    post { $0.isStopping = true }
    if isFirstCaller() { return end(.closed) }
    sockets.stopReading()
  }

  /// True if the thread was asked to end.
  var isStopping: Bool { state.withLock { $0.inbox.isStopping } }

  /// True if the thread has ended, for any reason.
  var hasEnded: Bool { state.withLock { $0.end != nil } }

  /// Waits until the thread has ended.
  func waitForEnd() async {
    await withCheckedContinuation { continuation in
      let hasEnded = state.withLock { state in
        if state.end == nil { state.watchers.append(continuation) }
        return state.end != nil
      }
      if hasEnded { continuation.resume() }
    }
  }

  /// The requests since the last call; for the thread.
  func drainInbox() -> Inbox {
    state.withLock { state in
      state.isAsleep = false
      let inbox = state.inbox
      state.inbox = Inbox(isStopping: inbox.isStopping)
      return inbox
    }
  }

  /// Marks the thread as asleep unless there are requests, and returns whether it may sleep; for the thread.
  func maySleep() -> Bool {
    state.withLock { state in
      state.isAsleep = state.inbox.isEmpty
      return state.isAsleep
    }
  }

  /// Starts one piece of work on the loop's thread.
  func submit(_ job: Job) {
    guard !isFirstCaller() || startThread() else {
      // The next caller tries again.
      state.withLock { $0.hasThread = false }
      return job.end(.failure(TransferFailure(.unreachable, "the system has no thread left for transfers")))
    }
    let (refused, mustWake) = state.withLock { state -> (TransferFailure?, Bool) in
      if let end = state.end { return (end, false) }
      if state.inbox.isStopping { return (.closed, false) }
      state.inbox.jobs.append(job)
      return (nil, state.mustWake())
    }
    if let refused { job.end(.failure(refused)) }
    // Outside the lock, which the thread takes as soon as it wakes.
    if mustWake { belfry_event_signal(wakeEvent) }
  }

  // Returns whether no thread was started before.
  private func isFirstCaller() -> Bool {
    state.withLock { state in
      defer { state.hasThread = true }
      return !state.hasThread
    }
  }

  private func startThread() -> Bool {
    SystemThread.start { [self] in
      blockSignals()
      if let reason = belfry_curl_load() {
        return end(TransferFailure(.unreachable, "libcurl cannot be used: \(String(cString: reason))"))
      }
      let thread = wakeEvent < 0 ? nil : TransferThread(self)
      thread?.run()
      end(thread == nil ? TransferFailure(.unreachable, "no memory or no descriptor left for libcurl") : .closed)
    }
  }

  private func post(_ change: (inout sending Inbox) -> Void) {
    let mustWake = state.withLock { state in
      change(&state.inbox)
      return state.mustWake()
    }
    if mustWake { belfry_event_signal(wakeEvent) }
  }

  private func end(_ failure: TransferFailure) {
    let (jobs, watchers) = state.withLock { state in
      state.end = failure
      defer { (state.inbox.jobs, state.watchers) = ([], []) }
      return (state.inbox.jobs, state.watchers)
    }
    for job in jobs { job.end(.failure(failure)) }
    for watcher in watchers { watcher.resume() }
  }
}

extension TransferFailure {
  /// The failure of a transfer after the transport's end.
  static let closed = TransferFailure(.cancelled, "the transport is closed")
  /// The failure of a transfer that had no connection within its limit.
  static func unconnected(_ limit: Duration) -> TransferFailure {
    TransferFailure(.unreachable, "no connection within \(limit / .seconds(1)) s")
  }
  /// The failure of a stream whose server has sent nothing for its limit.
  static func silent(_ limit: Duration) -> TransferFailure {
    TransferFailure(.timedOut, "the server was silent for \(limit / .seconds(1)) s")
  }
  /// The failure of a transfer that exceeded its limit.
  static func timedOut(_ limit: Duration) -> TransferFailure {
    TransferFailure(.timedOut, "no answer within \(limit / .seconds(1)) s")
  }
}

// Other threads handle signals; SIGPIPE, raised by OpenSSL's writes, is ignored.
private func blockSignals() {
  var signals = sigset_t()
  sigfillset(&signals)
  pthread_sigmask(SIG_BLOCK, &signals, nil)
}
