import BelfryModel
import FoundationEssentials

extension SQLTransaction {
  package func inboxes() throws -> [SinkInbox] {
    try rows(
      "SELECT sink, position, problem, changed_at, unknown, needs_attention FROM sink_inbox ORDER BY sink", make: inbox)
  }

  package func put(_ inbox: SinkInbox) throws {
    try execute(
      """
      INSERT INTO sink_inbox (sink, position, problem, changed_at, unknown, needs_attention) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (sink) DO UPDATE SET position = excluded.position, problem = excluded.problem,
        changed_at = excluded.changed_at, unknown = excluded.unknown, needs_attention = excluded.needs_attention
      """, inbox.sink, inbox.position, inbox.problem, inbox.changedAt.stored, inbox.unknown?.object,
      inbox.needsAttention)
  }

  package func removeInbox(ofSink sink: String) throws { try execute("DELETE FROM sink_inbox WHERE sink = ?", sink) }

  private func inbox(_ row: SQLRow) throws -> SinkInbox {
    var inbox = try SinkInbox(
      sink: row.at(0), position: row.at(1), problem: row.at(2), needsAttention: row.at(5),
      changedAt: Date(stored: row.at(3)))
    inbox.unknown = try UnknownFields(stored: row.at(4), of: SinkInbox.form.kind)
    return inbox
  }
}
