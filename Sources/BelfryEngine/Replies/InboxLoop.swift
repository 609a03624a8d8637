import BelfryModel
import FoundationEssentials

/// Keeps the connection over which one sink receives answers: connects again when it has ended, later each time that it
/// fails.
struct InboxLoop: Sendable {
  /// The seconds to wait after the first, second, … failure in a row; the last one repeats.
  static let delays: [Double] = [1, 5, 30, 120, 300]
  /// The most seconds that the other side can ask for.
  static let longestDelay = 3_600.0
  /// The seconds that a connection has to last for its end to count as a first failure.
  static let steadyTime = 60.0

  let source: any ReplySource
  let inbox: Inbox
  let waits: any TaskWaits
  /// From 0 to 1, for jitter.
  let random: @Sendable () -> Double

  /// Receives until the task is cancelled, or until no answer can arrive any more.
  func run() async {
    var failures = 0
    while !Task.isCancelled {
      let outcome = await connect(waits: true)
      guard !Task.isCancelled, let outcome else { return }
      if isSteady { failures = 0 }
      let delay = Self.delays[min(failures, Self.delays.count - 1)] * (1 + RetryPolicy.jitter * random())
      failures += 1
      let asked = outcome.retryAfter?.timeIntervalSince(inbox.now) ?? 0
      await waits.until(inbox.now.addingTimeInterval(max(delay, min(asked, Self.longestDelay))))
    }
  }

  /// Takes the answers that wait, and returns.
  func runOnce() async { _ = await connect(waits: false) }

  private var isSteady: Bool { inbox.connectedSeconds >= Self.steadyTime }

  // Returns `nil` if no answer can arrive any more.
  private func connect(waits: Bool) async -> ReceiveOutcome? {
    let outcome: ReceiveOutcome
    do {
      try inbox.load()
      outcome = try await source.receive(inbox, waits: waits)
    } catch {
      // Replies that were not taken are received again over the next connection.
      outcome = .later(reason: (error as? BelfryError)?.line ?? "\(error)")
    }
    guard !Task.isCancelled else { return outcome }
    switch outcome {
    case .ended: break
    // The end of a steady connection is not reported, unless the next one fails.
    case .later(let reason, _, let needsAttention): if !isSteady { note(reason, needsAttention) }
    case .never(let reason):
      note(reason, true)
      return nil
    }
    return outcome
  }

  // The daemon itself reports a store that fails.
  private func note(_ reason: String, _ needsAttention: Bool) {
    try? inbox.failed(reason, needsAttention: needsAttention)
  }
}

extension ReceiveOutcome {
  fileprivate var retryAfter: Date? {
    if case .later(_, let instant, _) = self { instant } else { nil }
  }
}
