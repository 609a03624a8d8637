extension DeliveryOutcome {
  /// True if the receiver wants no more messages (410 Gone, for example). Its sink then stops until the daemon
  /// restarts.
  var pausesSink: Bool {
    if case .never(_, true) = self { true } else { false }
  }
}

extension SinkProblems {
  /// Stops paused sinks, since a paused sink stays paused across a config reload.
  ///
  /// - Returns: an event for each that this stopped.
  func stopPaused(_ sinks: [SinkSlots]) -> [Event] {
    sinks.filter { kind(of: $0.name) == .paused && $0.stop() }
      .map { Event(.warning, "sink '\($0.name)' stays paused until belfryd restarts") }
  }
}

extension Belfry {
  /// Ends the pauses of sinks that the daemon has from now on, `nil` for all: restarting it is how the user resumes a
  /// paused sink.
  func endPauses(of sinks: Set<String>?) throws {
    try endProblems { $0.kind == .paused && sinks?.contains($0.sink) ?? true }
  }
}
