import FoundationEssentials
import Synchronization

/// How an attempt ended, for the thread that records it.
struct FinishedAttempt: Sendable {
  let delivery: Delivery
  let attemptedAt: Date
  let outcome: DeliveryOutcome
}

/// A delivery on its way to its sink, with what it carries.
struct OutgoingDelivery: Hashable, Sendable {
  let delivery: Delivery
  let message: Message

  /// The attempt that begins now; it may have waited behind a slow one.
  func attempt(at now: Date) -> DeliveryAttempt {
    DeliveryAttempt(
      deliveryID: delivery.id, message: message, recipient: delivery.recipient, startedAt: now,
      lateSeconds: max(0, Int(now.timeIntervalSince(delivery.fireDate.date))))
  }
}

extension ReminderSink {
  /// Why nothing goes to a recipient that the config had when the reminder was claimed; `nil` where it still has it.
  ///
  /// A sink without recipients of its own takes what was meant for one of those that it had as another kind of sink.
  fileprivate func refusal(of recipient: String?) -> String? {
    guard !recipients.contains(nil), !recipients.contains(recipient) else { return nil }
    return recipient.map { "\($0) is no longer one of the sink's recipients" }
      ?? "it was claimed when the sink had no recipients; now it has some"
  }
}

/// The attempts of one sink that are waiting or under way, apart from every other sink's: a slow one delays itself only.
final class SinkLane: Sendable {
  private struct State {
    var waiting: [OutgoingDelivery] = []
    /// When each attempt that is under way began, by its delivery.
    var underWay: [Int64: Date] = [:]
    var next = 0
    var runners = 0
    var isStopped = false
    var isPaused = false

    var queue: ArraySlice<OutgoingDelivery> { waiting[next...] }

    mutating func takeNext() -> OutgoingDelivery? {
      guard next < waiting.count else { return nil }
      defer {
        next += 1
        // What has gone out must not stay in memory for as long as more comes in.
        if next == waiting.count || next >= SinkLane.keptBehind {
          waiting.removeFirst(next)
          next = 0
        }
      }
      return waiting[next]
    }
  }

  private static let keptBehind = 256

  let sink: ActiveSink
  private let time: any TimeSource
  private let thread = TaskThread()
  private let state = Mutex(State())
  private let finish: @Sendable (FinishedAttempt) -> Void

  init(sink: ActiveSink, time: any TimeSource, finish: @escaping @Sendable (FinishedAttempt) -> Void) {
    self.sink = sink
    self.time = time
    self.finish = finish
  }

  /// Queues deliveries in order and starts as many runners as the sink allows.
  ///
  /// - Returns: whether the lane takes any.
  func enqueue(_ deliveries: some Collection<OutgoingDelivery>) -> Bool {
    let starting: Int? = state.withLock { state in
      guard !state.isStopped, !state.isPaused else { return nil }
      state.waiting.append(contentsOf: deliveries)
      let starting = max(0, min(sink.sink.concurrency - state.runners, state.queue.count))
      state.runners += starting
      return starting
    }
    for _ in 0..<(starting ?? 0) { Task(executorPreference: thread) { [self] in await run() } }
    return starting != nil
  }

  /// When each attempt that is under way began, by its delivery.
  var underWay: [Int64: Date] { state.withLock { $0.underWay } }

  /// How many deliveries wait for a runner.
  var waitingCount: Int { state.withLock { $0.queue.count } }

  /// The deliveries that wait for a runner.
  var waiting: [Int64] { state.withLock { $0.queue.map(\.delivery.id) } }

  /// Takes deliveries out of the queue; those that are under way go on.
  func drop(_ deliveries: Set<Int64>) -> [Int64] {
    state.withLock { state in
      let dropped = state.queue.map(\.delivery.id).filter(deliveries.contains)
      state.waiting = state.queue.filter { !deliveries.contains($0.delivery.id) }
      state.next = 0
      return dropped
    }
  }

  /// Begins nothing more; what waits stays pending in the store. Returns the deliveries that will not be tried.
  func stop() -> [Int64] {
    state.withLock { state in
      state.isStopped = true
      defer { (state.waiting, state.next) = ([], 0) }
      return state.queue.map(\.delivery.id)
    }
  }

  private func run() async {
    while let (outgoing, startedAt) = takeNext() {
      let attempt = outgoing.attempt(at: startedAt)
      let outcome =
        if let reason = sink.sink.refusal(of: outgoing.delivery.recipient) {
          DeliveryOutcome.never(reason: reason)
        } else {
          await sink.sink.deliver(attempt)
        }
      ended(outgoing.delivery.id, outcome)
      finish(FinishedAttempt(delivery: outgoing.delivery, attemptedAt: attempt.startedAt, outcome: outcome))
    }
  }

  private func takeNext() -> (OutgoingDelivery, startedAt: Date)? {
    let now = time.now
    return state.withLock { state in
      if !state.isPaused, let next = state.takeNext() {
        state.underWay[next.delivery.id] = now
        return (next, now)
      }
      state.runners -= 1
      return nil
    }
  }

  private func ended(_ delivery: Int64, _ outcome: DeliveryOutcome) {
    state.withLock { state in
      state.underWay[delivery] = nil
      if case .never(_, true) = outcome { state.isPaused = true }
    }
  }
}
