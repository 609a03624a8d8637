import BelfryModel
import FoundationEssentials

extension SQLTransaction {
  package func attempts(of deliveryID: Int64) throws -> [AttemptRecord] {
    try rows(
      "SELECT delivery_id, started_at, outcome, words FROM attempt WHERE delivery_id = ? ORDER BY serial", deliveryID,
      make: attempt)
  }

  func visitAttempts(_ body: (AttemptRecord) throws -> Void) throws {
    try forEachRow("SELECT delivery_id, started_at, outcome, words FROM attempt ORDER BY delivery_id, serial") {
      try body(attempt($0))
    }
  }

  package func add(_ attempt: AttemptRecord) throws {
    // Not INSERT with SELECT FROM attempt: SQLite would copy the result through a temporary table first.
    try execute(
      """
      INSERT INTO attempt (delivery_id, started_at, outcome, words, serial) VALUES (
        ?1, ?2, ?3, ?4, coalesce((SELECT max(serial) FROM attempt WHERE delivery_id = ?1), 0) + 1)
      """, attempt.deliveryID, attempt.startedAt.stored, attempt.outcome.rawValue, attempt.words)
  }

  package func sinkProblems() throws -> [SinkProblem] {
    try rows("SELECT sink, kind, since, reason FROM sink_problem ORDER BY sink") { row in
      guard let kind = SinkProblem.Kind(rawValue: try row.at(1)) else { throw StoredValueFault("an unknown kind", 1) }
      return try SinkProblem(sink: row.at(0), kind: kind, since: Date(stored: row.at(2)), reason: row.at(3))
    }
  }

  package func put(_ problem: SinkProblem) throws {
    try execute(
      """
      INSERT INTO sink_problem (sink, kind, since, reason) VALUES (?, ?, ?, ?)
      ON CONFLICT (sink) DO UPDATE SET kind = excluded.kind, since = excluded.since, reason = excluded.reason
      """, problem.sink, problem.kind.rawValue, problem.since.stored, problem.reason)
  }

  package func endProblem(ofSink sink: String) throws { try execute("DELETE FROM sink_problem WHERE sink = ?", sink) }

  private func attempt(_ row: SQLRow) throws -> AttemptRecord {
    guard let outcome = AttemptRecord.Outcome(rawValue: try row.at(2)) else {
      throw StoredValueFault("an unknown outcome", 2)
    }
    return try AttemptRecord(
      deliveryID: row.at(0), startedAt: Date(stored: row.at(1)), outcome: outcome, words: row.at(3))
  }
}
