/// How a line of the daemon's log looks.
public enum LogFormat: String, CaseIterable, Sendable {
  /// For people: `belfryd: error: the message`, without a time, which systemd and terminals add.
  case text
  /// For programs: an object with `time`, `level` and `message`.
  case json
}

/// What the daemon's log tells: this and what matters more.
public enum LogLevel: String, CaseIterable, Sendable {
  /// Each delivery that was done.
  case debug
  /// What happens in the course of things.
  case info
  /// What somebody should look at.
  case warning
  /// What did not work.
  case error
}
