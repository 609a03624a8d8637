import FoundationEssentials

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
