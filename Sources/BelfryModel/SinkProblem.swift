import FoundationEssentials

/// Why nothing gets through a sink until somebody does something about it.
public struct SinkProblem: Hashable, Sendable {
  /// Who ends it.
  public enum Kind: Int, Hashable, Sendable, CaseIterable {
    /// The other side wants nothing more (410 Gone): nothing is sent until the daemon starts again.
    case paused = 0
    /// Only the user can mend it, a wrong password for one; tried again, and ended by the next success.
    case needsAttention = 1

    /// The word that JSON and files use.
    public var name: String {
      switch self {
      case .paused: "paused"
      case .needsAttention: "needs_attention"
      }
    }
  }

  /// The sink, by its name in the config.
  public let sink: String
  /// Who ends it.
  public let kind: Kind
  /// Since when, in whole seconds.
  public let since: Date
  /// What the other side said.
  public let reason: String

  /// A problem with all its fields.
  public init(sink: String, kind: Kind, since: Date, reason: String) {
    self.sink = sink
    self.kind = kind
    self.since = since
    self.reason = reason
  }
}
