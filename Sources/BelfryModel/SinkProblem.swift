import FoundationEssentials

/// A problem that keeps a sink from delivering until the user acts.
public struct SinkProblem: Hashable, Sendable {
  /// The kind of a problem, by what resolves it.
  public enum Kind: Int, Hashable, Sendable, CaseIterable {
    /// The receiver wants no further messages (410 Gone): nothing is sent until the daemon restarts.
    case paused = 0
    /// Only the user can repair it, a wrong password for example. Retried, and ended by the next success.
    case needsAttention = 1

    /// The word for JSON and files.
    public var name: String {
      switch self {
      case .paused: "paused"
      case .needsAttention: "needs_attention"
      }
    }
  }

  /// The sink's name in the config.
  public let sink: String
  /// The kind of the problem, by what resolves it.
  public let kind: Kind
  /// The time of the first failure, in whole seconds.
  public let since: Date
  /// The receiver's reply or the error.
  public let reason: String

  /// A problem with all its fields.
  public init(sink: String, kind: Kind, since: Date, reason: String) {
    self.sink = sink
    self.kind = kind
    self.since = since
    self.reason = reason
  }
}
