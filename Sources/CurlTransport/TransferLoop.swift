import BelfryCore
import CCurl
import CLinuxEvents
import FoundationEssentials
import Glibc
import Synchronization

/// A thread with a multi handle of libcurl, and what other threads may ask of it.
///
/// The thread starts with the first work and holds the loop; ``stop()`` ends it.
final class TransferLoop<Kind: Exchange>: Sendable {
  typealias Outcome = Result<Kind.Answer, TransferFailure>

  /// A transfer that somebody waits for; passed on as one reference.
  final class Job: Sendable {
    let work: Kind.Work
    let ticket: Ticket
    private let continuation: CheckedContinuation<Outcome, Never>

    init(_ work: Kind.Work, _ ticket: Ticket, _ continuation: CheckedContinuation<Outcome, Never>) {
      self.work = work
      self.ticket = ticket
      self.continuation = continuation
    }

    func end(_ outcome: Outcome) { continuation.resume(returning: outcome) }
  }

  /// What the thread finds when it looks.
  struct Inbox {
    var jobs: [Job] = []
    var hasCancelled = false
    var isStopping = false
  }

  private struct State {
    var inbox = Inbox()
    var hasThread = false
    var isAsleep = false
    /// Why nothing is taken any more.
    var end: TransferFailure?
    var watchers: [CheckedContinuation<Void, Never>] = []

    /// Whether the thread must be woken: once for however much comes in while it sleeps.
    mutating func mustWake() -> Bool {
      defer { isAsleep = false }
      return isAsleep
    }
  }

  /// How long connections stay open that nobody uses.
  let idleLimit: Duration
  /// The sockets that libcurl may block in.
  let sockets = SocketSet()
  /// What wakes the thread: libcurl's own means is slower, and goes with its handle, which comes and goes here.
  let bell = belfry_event_create()
  private let state = Mutex(State())

  /// A loop whose thread starts with the first work.
  init(idleLimit: Duration) { self.idleLimit = idleLimit }

  deinit { close(bell) }

  /// Does one piece of work on the loop's thread, and gives up as soon as the task is cancelled.
  ///
  /// - Throws: ``TransferFailure``.
  func run(_ work: Kind.Work) async throws(TransferFailure) -> Kind.Answer {
    let ticket = Ticket()
    let outcome: Outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { submit(Job(work, ticket, $0)) }
    } onCancel: {
      ticket.cancel()
      tell { $0.hasCancelled = true }
      sockets.stopReading()
    }
    return try outcome.get()
  }

  /// Ends the thread soon; whatever is under way ends as cancelled.
  func stop() {
    tell { $0.isStopping = true }
    if isFirstCaller() { return end(.closed) }
    sockets.stopReading()
  }

  /// Whether the thread was asked to end.
  var isStopping: Bool { state.withLock { $0.inbox.isStopping } }

  /// Whether the thread has ended, asked or not.
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

  /// What has come in since the last time; for the thread.
  func takeInbox() -> Inbox {
    state.withLock { state in
      state.isAsleep = false
      let inbox = state.inbox
      state.inbox.jobs = []
      state.inbox.hasCancelled = false
      return inbox
    }
  }

  /// Says that the thread goes to sleep until the bell rings, unless something has come in; for the thread.
  func maySleep() -> Bool {
    state.withLock { state in
      state.isAsleep = state.inbox.jobs.isEmpty && !state.inbox.hasCancelled && !state.inbox.isStopping
      return state.isAsleep
    }
  }

  private func submit(_ job: Job) {
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
    // Not under the lock, which the thread wants as soon as it wakes.
    if mustWake { belfry_event_signal(bell) }
  }

  // Whether there has been no thread so far.
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
      let thread = bell < 0 ? nil : TransferThread(self)
      thread?.run()
      end(thread == nil ? TransferFailure(.unreachable, "no memory or no descriptor left for libcurl") : .closed)
    }
  }

  private func tell(_ change: (inout sending Inbox) -> Void) {
    let mustWake = state.withLock { state in
      change(&state.inbox)
      return state.mustWake()
    }
    if mustWake { belfry_event_signal(bell) }
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
  /// For who comes when the transport has ended.
  static let closed = TransferFailure(.cancelled, "the transport is closed")
  /// For who gave up.
  static let cancelled = TransferFailure(.cancelled, "given up")
  /// For what takes too long.
  static func timedOut(_ limit: Duration) -> TransferFailure {
    TransferFailure(.timedOut, "no answer within \(limit / .seconds(1)) s")
  }
}

// Signals are for other threads; SIGPIPE, which OpenSSL's writing raises, is for nobody.
private func blockSignals() {
  var signals = sigset_t()
  sigfillset(&signals)
  pthread_sigmask(SIG_BLOCK, &signals, nil)
}
