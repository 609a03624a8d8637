extension DeliveryOutcome {
  /// Whether the other side wants nothing more: the sink's queue stops until the daemon restarts.
  var pausesSink: Bool {
    if case .never(_, true) = self { true } else { false }
  }
}

extension SinkProblems {
  /// Stops the queues of paused sinks: a paused sink stays paused across a config reload.
  ///
  /// - Returns: an event for each queue that was still going.
  func stopPaused(_ queues: [SinkQueue]) -> [Event] {
    queues.filter { kind(of: $0.name) == .paused && $0.stop() }
      .map { Event(.warning, "sink '\($0.name)' stays paused until belfryd restarts") }
  }
}

extension Belfry {
  /// Ends every pause: somebody has started the daemon again.
  func endPauses() throws { try endProblems { $0.kind == .paused } }
}
