import FoundationEssentials

/// The inbox of a sink, through which answers arrive.
public struct SinkInbox: Hashable, Sendable {
  /// The sink's name in the config.
  public internal(set) var sink: String
  /// The position up to which answers were read, as the other side counts; `nil` before the first.
  public var position: String?
  /// The reason why no answers arrive; `nil` while they do.
  public var problem: String?
  /// True if only the user can solve the problem.
  public var needsAttention: Bool
  /// The time since which `problem` exists; without one, the time of the last change. In whole seconds.
  public var changedAt: Date
  /// The unknown fields of its file.
  package var unknown: UnknownFields?

  /// An inbox with all its fields.
  public init(
    sink: String, position: String? = nil, problem: String? = nil, needsAttention: Bool = false, changedAt: Date
  ) {
    self.sink = sink
    self.position = position
    self.problem = problem
    self.needsAttention = needsAttention
    self.changedAt = changedAt
  }
}

extension SinkInbox: Record {
  package static let form = RecordForm<SinkInbox>(8, "sink's inbox") { fields in
    fields.add("sink", \.sink, .text)
    fields.add("position", \.position, .text)
    fields.add("problem", \.problem, .text)
    fields.add("needs_attention", \.needsAttention, .flag, unless: false)
    fields.add("changed_at", \.changedAt, .instant)
  }

  /// An inbox of no sink.
  package init() { self.init(sink: "", changedAt: .distantPast) }
}
