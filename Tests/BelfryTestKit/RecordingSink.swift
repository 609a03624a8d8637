import BelfryEngine
import Foundation
import Synchronization

/// A sink that records its attempts and returns outcomes chosen by the test. Safe to use from any thread.
public final class RecordingSink: ReminderSink {
  /// Chooses the outcome of an attempt; `earlier` is the number of previous attempts.
  public typealias Answer = @Sendable (_ attempt: DeliveryAttempt, _ earlier: Int) -> DeliveryOutcome

  private struct State {
    var attempts: [DeliveryAttempt] = []
    var isHanging = false
    var waiting: [CheckedContinuation<Void, Never>] = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  /// The recipients of each message.
  public let recipients: [String?]
  /// The most attempts at one time.
  public let concurrency: Int
  /// The grouping of the reminders of one minute into messages.
  public let grouping: MessageGrouping
  /// The domain for message IDs.
  public let messageDomain: String?
  /// True if its copies can be updated after an answer.
  public let canWithdraw: Bool
  /// The identity of the one person who reads what it delivers.
  public let correspondent: String?
  private let answer: Answer
  private let state = Mutex(State())

  /// A sink that delivers everything unless `answer` says otherwise.
  public init(
    recipients: [String?] = [nil], concurrency: Int = 1, grouping: MessageGrouping = .none,
    messageDomain: String? = nil, canWithdraw: Bool = false, correspondent: String? = nil,
    answer: @escaping Answer = { _, _ in .delivered }
  ) {
    self.recipients = recipients
    self.concurrency = concurrency
    self.grouping = grouping
    self.messageDomain = messageDomain
    self.canWithdraw = canWithdraw
    self.correspondent = correspondent
    self.answer = answer
  }

  /// A sink that returns these outcomes in order, and then delivers everything.
  public convenience init(
    recipients: [String?] = [nil], concurrency: Int = 1, inSequence outcomes: [DeliveryOutcome]
  ) {
    self.init(recipients: recipients, concurrency: concurrency) { _, earlier in
      earlier < outcomes.count ? outcomes[earlier] : .delivered
    }
  }

  /// Every attempt so far, in order of their start.
  public var attempts: [DeliveryAttempt] { state.withLock { $0.attempts } }

  /// The text of the first reminder of each attempt.
  public var texts: [String] { attempts.compactMap { $0.message.contents.first?.text } }

  /// Keeps attempts from ending until ``release()``.
  public func hang() { state.withLock { $0.isHanging = true } }

  /// Ends the waiting attempts, and lets later ones end at once.
  public func release() {
    let waiting = state.withLock { state in
      state.isHanging = false
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until this many attempts have begun, or the test's time limit is reached.
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

  /// Records the attempt and returns its outcome; see ``ReminderSink``.
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
