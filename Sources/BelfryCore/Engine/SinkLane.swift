import Foundation
import Synchronization

/// A sink that the config enables, under its name.
public struct ActiveSink: Sendable {
  /// The name in the config.
  public let name: String
  /// Where the messages go.
  public let sink: any ReminderSink
  /// When to try again.
  public let retry: RetryPolicy
  /// When it gets nothing.
  public let quietHours: QuietHours?
  /// How many attempts may begin within a while.
  public let rateLimit: RateLimit?
  /// The sink that is told when a delivery dies, by its name.
  public let onFailure: String?

  /// A sink with its name and policy.
  public init(
    name: String, sink: any ReminderSink, retry: RetryPolicy = RetryPolicy(), quietHours: QuietHours? = nil,
    rateLimit: RateLimit? = nil, onFailure: String? = nil
  ) {
    self.name = name
    self.sink = sink
    self.retry = retry
    self.quietHours = quietHours
    self.rateLimit = rateLimit
    self.onFailure = onFailure
  }
}

/// How an attempt ended, for the thread that records it.
struct FinishedAttempt: Sendable {
  let sink: String
  let deliveryID: Int64
  let attemptedAt: Date
  let outcome: DeliveryOutcome
}

/// The attempts of one sink that are waiting or under way, apart from every other sink's: a slow one delays itself only.
final class SinkLane: Sendable {
  private struct State {
    var waiting: [DeliveryAttempt] = []
    var next = 0
    var runners = 0
    var isStopped = false
    var isPaused = false
  }

  let sink: ActiveSink
  private let time: any TimeSource
  private let state = Mutex(State())
  private let finish: @Sendable (FinishedAttempt) -> Void

  init(sink: ActiveSink, time: any TimeSource, finish: @escaping @Sendable (FinishedAttempt) -> Void) {
    self.sink = sink
    self.time = time
    self.finish = finish
  }

  /// Queues attempts in order and starts as many runners as the sink allows.
  func enqueue(_ attempts: [DeliveryAttempt]) {
    let starting = state.withLock { state in
      guard !state.isStopped, !state.isPaused else { return 0 }
      state.waiting.append(contentsOf: attempts)
      let starting = min(sink.sink.concurrency - state.runners, state.waiting.count - state.next)
      state.runners += max(0, starting)
      return max(0, starting)
    }
    // Whoever asks: a task of the main thread would get a priority that Linux grants to root alone.
    for _ in 0..<starting { Task(priority: .medium) { await run() } }
  }

  /// The deliveries that wait for a runner.
  var waiting: [Int64] { state.withLock { state in state.waiting[state.next...].map(\.deliveryID) } }

  /// Takes deliveries out of the queue; those that are under way go on.
  func drop(_ deliveries: Set<Int64>) -> [Int64] {
    state.withLock { state in
      let dropped = state.waiting[state.next...].map(\.deliveryID).filter(deliveries.contains)
      state.waiting = state.waiting[state.next...].filter { !deliveries.contains($0.deliveryID) }
      state.next = 0
      return dropped
    }
  }

  /// Begins nothing more; what waits stays pending in the store. Returns the attempts that will not be made.
  func stop() -> [DeliveryAttempt] {
    state.withLock { state in
      state.isStopped = true
      defer { state.waiting = [] }
      return Array(state.waiting[state.next...])
    }
  }

  private func run() async {
    while let queued = takeNext() {
      // It may have waited behind a slow one: it begins, and is late, as of now.
      let attempt = queued.beginning(at: time.now)
      let outcome = await sink.sink.deliver(attempt)
      if case .never(_, let pausesSink) = outcome, pausesSink { state.withLock { $0.isPaused = true } }
      finish(
        FinishedAttempt(
          sink: sink.name, deliveryID: attempt.deliveryID, attemptedAt: attempt.startedAt, outcome: outcome))
    }
  }

  private func takeNext() -> DeliveryAttempt? {
    state.withLock { state in
      guard !state.isPaused, state.next < state.waiting.count else {
        if !state.isPaused { (state.waiting, state.next) = ([], 0) }
        state.runners -= 1
        return nil
      }
      state.next += 1
      return state.waiting[state.next - 1]
    }
  }
}
