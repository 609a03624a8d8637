import BelfryEngine
import Foundation
import Synchronization

/// A sink that remembers what it was asked to send and answers as it was told. May be used from any thread.
public final class RecordingSink: ReminderSink {
  /// An answer to an attempt; the number says how many attempts the sink has seen before.
  public typealias Answer = @Sendable (_ attempt: DeliveryAttempt, _ earlier: Int) -> DeliveryOutcome

  private struct State {
    var attempts: [DeliveryAttempt] = []
    var isHanging = false
    var waiting: [CheckedContinuation<Void, Never>] = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  /// Whom each message goes to.
  public let recipients: [String?]
  /// How many attempts may be under way at once.
  public let concurrency: Int
  /// Which reminders of one minute its messages put together.
  public let grouping: MessageGrouping
  /// The domain under which its messages get their identity.
  public let messageDomain: String?
  private let answer: Answer
  private let state = Mutex(State())

  /// A sink that says yes to everything unless `answer` says otherwise.
  public init(
    recipients: [String?] = [nil], concurrency: Int = 1, grouping: MessageGrouping = .none,
    messageDomain: String? = nil, answer: @escaping Answer = { _, _ in .delivered }
  ) {
    self.recipients = recipients
    self.concurrency = concurrency
    self.grouping = grouping
    self.messageDomain = messageDomain
    self.answer = answer
  }

  /// A sink that gives these answers, one after the other, and then says yes.
  public convenience init(
    recipients: [String?] = [nil], concurrency: Int = 1, inSequence outcomes: [DeliveryOutcome]
  ) {
    self.init(recipients: recipients, concurrency: concurrency) { _, earlier in
      earlier < outcomes.count ? outcomes[earlier] : .delivered
    }
  }

  /// Every attempt so far, in the order in which they began.
  public var attempts: [DeliveryAttempt] { state.withLock { $0.attempts } }

  /// What the attempts said: of each, the text of its first reminder.
  public var texts: [String] { attempts.compactMap { $0.message.contents.first?.text } }

  /// Lets attempts begin but not end, until ``release()``.
  public func hang() { state.withLock { $0.isHanging = true } }

  /// Ends what hangs, and lets attempts end again.
  public func release() {
    let waiting = state.withLock { state in
      state.isHanging = false
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until so many attempts have begun, or the test's time is over.
  public func waitForAttempts(_ count: Int) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          guard state.attempts.count < count, !Task.isCancelled else { return true }
          state.watchers.append((count, continuation))
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let watchers = state.withLock { state in
        defer { state.watchers = [] }
        return state.watchers
      }
      for watcher in watchers { watcher.continuation.resume() }
    }
  }

  /// Remembers the attempt and answers it; see ``ReminderSink``.
  public func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
    let (earlier, reached) = state.withLock { state in
      state.attempts.append(attempt)
      let count = state.attempts.count
      defer { state.watchers.removeAll { $0.count <= count } }
      return (count - 1, state.watchers.filter { $0.count <= count }.map(\.continuation))
    }
    for continuation in reached { continuation.resume() }
    await withCheckedContinuation { continuation in
      let isHanging = state.withLock { state in
        if state.isHanging { state.waiting.append(continuation) }
        return state.isHanging
      }
      if !isHanging { continuation.resume() }
    }
    return answer(attempt, earlier)
  }
}
