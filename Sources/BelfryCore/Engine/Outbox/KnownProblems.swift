import FoundationEssentials

/// The problems of sinks as the store keeps them, in memory so that a success need not look there.
///
/// Used by one thread, the scheduler's; shared by a dispatcher and the one that takes over from it.
final class KnownProblems {
  private(set) var bySink: [String: SinkProblem] = [:]

  /// Takes up what the store keeps.
  func load(from view: any StoreView) throws {
    bySink = Dictionary(try view.sinkProblems().map { ($0.sink, $0) }) { first, _ in first }
  }

  /// Goes back to what was known before a transaction that failed.
  func restore(_ earlier: [String: SinkProblem]) { bySink = earlier }

  /// Writes down what an outcome says of its sink.
  ///
  /// - Returns: whether the sink needs somebody from now on.
  func note(
    _ outcome: DeliveryOutcome, of sink: String, at now: Date, in transaction: any StoreTransaction
  ) throws -> Bool {
    let known = bySink[sink]?.kind
    switch outcome {
    case .delivered where known == .needsAttention:
      bySink[sink] = nil
      try transaction.endProblem(ofSink: sink)
    case .never(let reason, true) where known != .paused:
      try put(SinkProblem(sink: sink, kind: .paused, since: now.wholeSeconds, reason: reason), in: transaction)
    case .later(let reason, _, true) where known == nil:
      try put(SinkProblem(sink: sink, kind: .needsAttention, since: now.wholeSeconds, reason: reason), in: transaction)
      return true
    case .delivered, .never, .later: break
    }
    return false
  }

  private func put(_ problem: SinkProblem, in transaction: any StoreTransaction) throws {
    bySink[problem.sink] = problem
    try transaction.put(problem)
  }
}

extension Belfry {
  /// Ends every pause: somebody has started the daemon again.
  func endPauses() throws { try endProblems { $0.kind == .paused } }

  /// Forgets what was wrong with sinks that get nothing any more.
  func endProblems(exceptOf sinks: [ActiveSink]) throws {
    let names = Set(sinks.map(\.name))
    try endProblems { !names.contains($0.sink) }
  }

  private func endProblems(where isOver: (SinkProblem) -> Bool) throws {
    let over = try store.read { try $0.sinkProblems() }.filter(isOver)
    guard !over.isEmpty else { return }
    try store.write { transaction in for problem in over { try transaction.endProblem(ofSink: problem.sink) } }
  }
}
