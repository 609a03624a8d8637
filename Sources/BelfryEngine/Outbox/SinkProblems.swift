import BelfryModel
import FoundationEssentials

/// A cache of the sinks' problems in the store, so that a successful delivery reads nothing.
struct SinkProblems {
  private var bySink: [String: SinkProblem] = [:]

  init() {}

  /// The problems in the store.
  init(in view: any StoreView) throws {
    for problem in try view.sinkProblems() { bySink[problem.sink] = problem }
  }

  /// The kind of a sink's problem; `nil` for none.
  func kind(of sink: String) -> SinkProblem.Kind? { bySink[sink]?.kind }

  /// Records the problem that an outcome starts or ends.
  ///
  /// - Returns: the problem, if it starts with this outcome.
  mutating func note(
    _ outcome: DeliveryOutcome, of sink: String, at now: Date, in transaction: any StoreTransaction
  ) throws -> SinkProblem? {
    let known = kind(of: sink)
    let problem: SinkProblem
    switch outcome {
    case .delivered where known == .needsAttention:
      bySink[sink] = nil
      try transaction.endProblem(ofSink: sink)
      return nil
    case .never(let reason, true) where known != .paused:
      problem = SinkProblem(sink: sink, kind: .paused, since: now.wholeSeconds, reason: reason)
    case .later(let reason, _, true) where known == nil:
      problem = SinkProblem(sink: sink, kind: .needsAttention, since: now.wholeSeconds, reason: reason)
    case .delivered, .never, .later, .unknown: return nil
    }
    bySink[sink] = problem
    try transaction.put(problem)
    return problem
  }

  /// Stops paused sinks, since a paused sink stays paused across a config reload.
  ///
  /// - Returns: an event for each that this stopped.
  func stopPaused(_ sinks: [SinkSlots]) -> [Event] {
    sinks.filter { kind(of: $0.name) == .paused && $0.stop() }
      .map { Event(.warning, "sink '\($0.name)' stays paused until belfryd restarts") }
  }
}

extension Belfry {
  /// Removes the problems of sinks that are not in `sinks`.
  func endProblems(exceptOf sinks: Set<String>) throws { try endProblems { !sinks.contains($0.sink) } }

  func endProblems(where isOver: (SinkProblem) -> Bool) throws {
    let over = try store.read { try $0.sinkProblems() }.filter(isOver)
    guard !over.isEmpty else { return }
    try write { transaction in for problem in over { try transaction.endProblem(ofSink: problem.sink) } }
  }

  /// Ends the pauses of sinks that the daemon has from now on, `nil` for all: restarting it is how the user resumes a
  /// paused sink.
  func endPauses(of sinks: Set<String>?) throws {
    try endProblems { $0.kind == .paused && sinks?.contains($0.sink) ?? true }
  }
}
